import { callSentence } from '@/lib/words/calls'
import { resultsMessageId } from '@/lib/calls/call-hash'
import { loadRows, type CallMemory, type MessageContext } from './call-memory'
import type { CallControllerPorts } from './call-ports'
import { allSettled } from '@/lib/calls/message-calls'
import { withRetry } from './retry'

/** How often results are sent that the server refuses for an open call while its rows say that none is open. */
const OPEN_TRIES = 5

/**
 * Takes the results of a reply back to the model, as one message, once: the request's id comes from the reply's id, so
 * that a retry, a double click and a second tab are one and the same request to the server.
 */
export function createResultSender(ports: CallControllerPorts, memory: CallMemory) {
  const sending = new Set<string>()
  const sent = new Set<string>()
  /** Replies whose results the server held back, e.g. after too many rounds: the next click means "go on". */
  const refused = new Set<string>()
  /** Replies of which the user said, before anything was sent, that the rounds may go on. */
  const continued = new Set<string>()

  async function send(context: MessageContext, tries = 1): Promise<void> {
    const { conversationId, messageId } = context
    if (sending.has(messageId) || sent.has(messageId)) return
    sending.add(messageId)
    const say = (problem: string | null) => ports.dispatch({ type: 'results-held', messageId, problem })
    const append = {
      kind: 'tool-results' as const,
      id: await resultsMessageId(messageId),
      parentId: messageId,
      ...(refused.has(messageId) || continued.has(messageId) ? { continueRounds: true } : {}),
    }
    const answer = await withRetry(() => ports.server.sendResults(conversationId, append), {
      tries: Infinity,
      wait: ports.wait,
      onRetry: () => say(callSentence('calls.results-not-sent-yet')),
    })
    sending.delete(messageId)
    if (!answer.ok) {
      if (answer.error.code === 'conflict' && answer.error.headMoved !== true) refused.add(messageId)
      // Something that this tab does not know of is open, or was sent already: the cards then show it.
      const knows = await loadRows(ports, memory, context)
      if (knows && (isPosted(context) || !isSettled(context))) {
        say(null)
        return
      }
      // What was open when the server looked is settled by now: in the meantime somebody spoke the last word.
      if (knows && answer.error.code === 'call-not-open' && tries < OPEN_TRIES) return send(context, tries + 1)
      say(answer.error.message)
      return
    }
    sent.add(messageId)
    say(null)
    const postedIn = answer.value.message?.id ?? null
    for (const row of answer.value.calls) memory.record(row)
    for (const { slot } of memory.callsNow(context)) {
      const row = memory.recordOf(messageId, slot)
      if (row && row.postedIn === null) memory.record({ ...row, postedIn })
    }
    ports.joinRun(conversationId, answer.value)
  }

  const recordOf = (context: MessageContext) => (slot: number) => memory.recordOf(context.messageId, slot)
  const isPosted = (context: MessageContext) =>
    memory.callsNow(context).some(({ slot }) => (memory.recordOf(context.messageId, slot)?.postedIn ?? null) !== null)

  const isSettled = (context: MessageContext) =>
    allSettled(memory.callsNow(context), recordOf(context), memory.configNow(context).maxCallsPerReply)

  return {
    /** What the reply gives may go past the limit of rounds. */
    allowRounds: (messageId: string): void => void continued.add(messageId),

    /** Sends if no call is open; asks the server first when this tab knows of open ones. */
    async sendWhenSettled(context: MessageContext): Promise<void> {
      if (!isSettled(context)) await loadRows(ports, memory, context)
      if (isSettled(context) && !isPosted(context) && !refused.has(context.messageId)) await send(context)
    },
    /** The user said so: goes on past what held the results back. */
    async sendAnyway(context: MessageContext): Promise<void> {
      if (!isSettled(context)) await loadRows(ports, memory, context)
      if (isSettled(context)) await send(context)
    },
  }
}
