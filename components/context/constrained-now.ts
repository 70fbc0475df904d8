import { hereOf } from '@/lib/shared/conversation/message-tree'
import type { ConversationState } from '@/lib/client/state/state'

/** The last reply of the chat was held to the form of its strategy, and the next one is asked in the same way. */
export function isConstrainedNow({ path, conversation }: Pick<ConversationState, 'path' | 'conversation'>): boolean {
  const settings = conversation?.settings
  const last = hereOf(path).findLast(({ role }) => role === 'assistant')
  return (
    last?.role === 'assistant' &&
    last.exact?.is === 'honoured' &&
    last.model === settings?.model &&
    last.strategy === settings.strategy &&
    settings.exact !== false
  )
}
