import { callSentence } from '@/lib/words/calls'
import type { CallOutcome, CallRecord } from '@/lib/conversation/conversation'
import { callKey } from '@/lib/client/state'
import { loadRows, type CallMemory, type MessageContext } from './call-memory'
import type { CallControllerPorts } from './call-ports'
import { withRetry } from './retry'

/** What the server granted, and what its row must still say when the outcome arrives. */
export interface Granted {
  readonly slot: number
  readonly attempt: number
  readonly runnerId: string
}

/**
 * Stores the outcome of a granted call. While the server is away it is kept, shown, and tried again. Gives the stored
 * row; null when another row stands (the outcome is then void) or the server refuses it for good (the card says why).
 */
export async function saveOutcome(
  ports: CallControllerPorts,
  memory: CallMemory,
  context: MessageContext,
  granted: Granted,
  outcome: CallOutcome,
): Promise<CallRecord | null> {
  const key = callKey(context.messageId, granted.slot)
  const before = memory.liveOf(key)
  const live = {
    startedAt: before?.startedAt ?? ports.now(),
    attempt: granted.attempt,
    events: before?.events ?? [],
    outcome,
    problem: null,
  }
  memory.setLive(key, live)

  let answer = null
  for (const smaller of shrinking(outcome)) {
    answer = await withRetry(
      () => ports.server.finish(context.conversationId, { messageId: context.messageId, ...granted, outcome: smaller }),
      {
        tries: Infinity,
        wait: ports.wait,
        onRetry: () =>
          memory.setLive(key, {
            ...live,
            problem: callSentence('calls.result-not-stored-yet'),
          }),
      },
    )
    if (answer.ok || (answer.error.code !== 'too-large' && answer.error.code !== 'bad-request')) break
  }

  if (answer?.ok) {
    memory.record(answer.value)
    memory.setLive(key, null)
    return answer.value
  }
  if (await loadRows(ports, memory, context)) {
    const standing = memory.recordOf(context.messageId, granted.slot)
    if (standing && (standing.outcome !== null || standing.attempt !== granted.attempt)) {
      memory.setLive(key, null)
      return null
    }
  }
  memory.setLive(key, { ...live, problem: answer?.error.message ?? callSentence('calls.result-not-stored') })
  return null
}

const KEPT_LINES = 500

/** The outcome, then what may be left out of it when the server finds it too large: never silently the result. */
function* shrinking(outcome: CallOutcome): Generator<CallOutcome> {
  yield outcome
  yield { ...outcome, console: outcome.console.slice(-KEPT_LINES), displays: [] }
  yield {
    ...outcome,
    status: 'error',
    result: { error: 'The call ran, but its result is too large to be stored or sent.' },
    console: [],
    displays: [],
  }
}
