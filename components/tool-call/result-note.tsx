import type { UserMessage } from '@/lib/shared/conversation/conversation'
import { hasText } from '@/lib/shared/conversation/outline'
import { note } from '@/components/ui/recipes/surface'
import { t } from '@/lib/i18n/t'

/**
 * What a user message says about the results that it carried to the model. Results are shown in their own cards, so a
 * message with only results shows nothing; one with text says what it skipped.
 */
export function ResultNote({ message }: { message: UserMessage }) {
  if (!hasText(message)) return null
  const skipped = message.results.filter((result) => result.status === 'skipped').length
  if (skipped === 0) return null
  return <p className={note()}>{t('thread.skipped', { count: skipped })}</p>
}
