import type { UserMessage } from '@/lib/shared/conversation/conversation'
import { hasText } from '@/lib/shared/conversation/outline'
import { note } from '@/components/ui/recipes/surface'
import { t } from '@/lib/i18n/t'

/**
 * What a user message says about the results it took to the model. Results show in their own cards, so a message that
 * only carries them shows nothing; one that says something else tells what it left undone.
 */
export function ResultNote({ message }: { message: UserMessage }) {
  if (!hasText(message)) return null
  const skipped = message.results.filter((result) => result.status === 'skipped').length
  if (skipped === 0) return null
  return <p className={note()}>{t('thread.skipped', { count: skipped })}</p>
}
