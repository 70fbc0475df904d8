import { withRetry } from '@/lib/client/with-retry'
import type { CallOutcome, CallRecord } from '@/lib/conversation/conversation'
import type { CallControllerPorts } from './call-ports'
import type { OpenReply } from './open-reply'
import type { Granted } from './save-outcome'

const TRIES = 3

/**
 * Notes on the server that the user stopped a run: at the click without an outcome, so that it is known whatever becomes of
 * the page, and again with what the run had said and done once it stands still. Gives the row, or a sentence.
 */
export async function tellStop(
  { api, wait }: Pick<CallControllerPorts, 'api' | 'wait'>,
  { conversationId, messageId, record }: OpenReply,
  granted: Granted,
  outcome: CallOutcome | null,
): Promise<CallRecord | string> {
  const request = { messageId, ...granted, ...(outcome && { outcome }) }
  const answer = await withRetry(() => api.stopCall(conversationId, request), { tries: TRIES, wait })
  if (!answer.ok) return answer.error.message
  record(answer.value)
  return answer.value
}
