import { isBlank } from '@/lib/base/text/is-blank'
import { t } from '@/lib/i18n/t'
import type { ReadableReply } from './readable-chat'

/** How a reply ended, as a sentence; null where it ended well and holds an answer, or was still being written. */
export function readableEnd({ ended, parts }: Pick<ReadableReply, 'ended' | 'parts'>): string | null {
  if (ended === null) return null
  if (ended !== 'finished') return t(`readable.ended.${ended}`)
  if (parts.some((part) => part.kind === 'call' || (part.kind === 'text' && !isBlank(part.text)))) return null
  // Where thoughts are not shown, nothing is said of whether there were any.
  return t('readable.ended.empty', { thought: parts.some(({ kind }) => kind === 'thought') })
}
