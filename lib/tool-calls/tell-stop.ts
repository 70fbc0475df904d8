import type { CallOutcome, CallRecord } from '@/lib/conversation/conversation'
import type { CallMemory, MessageContext } from './call-memory'
import type { CallControllerPorts } from './call-ports'
import { withRetry } from './retry'
import type { Granted } from './save-outcome'

const TRIES = 3

/**
 * Notes on the server that the user stopped a run: at the click without an outcome, so that it is known whatever becomes of
 * the page, and again with what the run had said and done once it stands still. Gives the row, or a sentence.
 */
export async function tellStop(
  ports: Pick<CallControllerPorts, 'server' | 'wait'>,
  memory: Pick<CallMemory, 'record'>,
  { conversationId, messageId }: Pick<MessageContext, 'conversationId' | 'messageId'>,
  granted: Granted,
  outcome: CallOutcome | null,
): Promise<CallRecord | string> {
  const request = { messageId, ...granted, ...(outcome && { outcome }) }
  const answer = await withRetry(() => ports.server.stop(conversationId, request), { tries: TRIES, wait: ports.wait })
  if (!answer.ok) return answer.error.message
  memory.record(answer.value)
  return answer.value
}
