import { callSentence } from '@/lib/words/calls'
import type { CallOutcome, DecidedBy } from '@/lib/conversation/conversation'
import type { SandboxEvent } from '@/lib/sandbox/sandbox'
import { callKey } from '@/lib/client/state'
import type { ToolRuntime } from '@/lib/tools/tool-runtime'
import { callHash } from '@/lib/calls/call-hash'
import { loadRows, type CallMemory, type MessageContext } from './call-memory'
import type { CallReviews } from './call-reviews'
import { callLockName, type CallControllerPorts } from './call-ports'
import { whyRefused } from './decide-call'
import { changedSince, type FileBasis } from './file-basis'
import type { MessageCall } from '@/lib/calls/message-calls'
import { withRetry } from './retry'
import { saveOutcome } from './save-outcome'
import { tellStop } from './tell-stop'
import type { ChainEnd } from './tool-chain'

const DECIDE_TRIES = 3

/** One click's attempt, as it was booked. */
export interface Attempt {
  readonly target: MessageCall
  readonly attempt: number
  readonly by: DecidedBy
  /** The files as the user saw them; null: not looked at. */
  readonly basis: FileBasis | null
  readonly signal: AbortSignal
}

/**
 * One attempt at one call. The lock is taken first and held until the outcome is stored, so that no other tab can take
 * a running call for an interrupted one; then the server's unique row is asked for; only that row lets the call run.
 */
export async function runCall(
  ports: CallControllerPorts,
  memory: CallMemory,
  context: MessageContext,
  { target, attempt, by, basis, signal }: Attempt,
  { started, reviews }: { readonly started: Set<string>; readonly reviews: CallReviews },
): Promise<ChainEnd> {
  const { conversationId, messageId } = context
  const { slot, call } = target
  const key = callKey(messageId, slot)
  const live = { startedAt: ports.now(), attempt, events: [], outcome: null, problem: null }
  const refuse = (problem: string): ChainEnd => {
    memory.setLive(key, { ...live, problem })
    return 'not-run'
  }
  memory.setLive(key, live)

  let runtime: ToolRuntime
  let hash: string
  try {
    runtime = await ports.runtime(conversationId)
    hash = await callHash(messageId, slot, call.name, call.arguments)
  } catch (error) {
    return refuse(callSentence('calls.tools-not-started', { why: sentenceOf(error) }))
  }

  const tried = await ports.locks.tryHold(callLockName(messageId, slot), async (): Promise<ChainEnd> => {
    const changed = basis ? await changedSince(runtime.vfs, basis) : []
    if (changed.length > 0) return refuse(callSentence('calls.files-changed', { paths: changed }))
    // Stopped while it was being prepared: the row is still asked for, so that the card says what became of the click.
    const answer = await withRetry(
      () =>
        ports.server.decide(conversationId, {
          messageId,
          slot,
          callHash: hash,
          decision: 'run',
          ...(by.kind === 'click' ? {} : { by }),
          runnerId: ports.runnerId,
          attempt,
        }),
      { tries: DECIDE_TRIES, wait: ports.wait },
    )
    if (!answer.ok) {
      const why = await whyRefused(ports, memory, context, target, answer.error)
      return refuse(callSentence('calls.nothing-ran', { why }))
    }
    const row = answer.value.call
    memory.record(row)
    // An answer that got lost is asked for again, and then names this page as the runner without granting anew.
    const ours =
      row.decision === 'run' &&
      row.attempt === attempt &&
      row.runnerId === ports.runnerId &&
      row.outcome === null &&
      !started.has(`${key}#${attempt}`)
    if (!ours) {
      memory.setLive(key, null)
      return 'not-run'
    }
    started.add(`${key}#${attempt}`)
    memory.setLive(key, { ...live, startedAt: ports.now() })
    const granted = { slot, attempt, runnerId: ports.runnerId }
    const onStop = () => void tellStop(ports, memory, context, granted, null)
    signal.addEventListener('abort', onStop, { once: true })
    if (signal.aborted) onStop()
    const asks = memory.configNow(context).codeChanges === 'ask'
    const collect = memory.collectEvents(key)
    const onEvent = (event: SandboxEvent) => {
      if (event.type === 'turn') {
        memory.setLive(key, { ...(memory.liveOf(key) ?? live), startedAt: ports.now(), waitsForTurn: event.waits })
      }
      collect(event)
    }
    const outcome = await execute(runtime, target, {
      timeoutMs: context.config.timeoutMs,
      signal,
      onEvent,
      origin: { kind: 'call', messageId, slot, attempt, tool: call.name },
      ...(asks && { review: (review) => reviews.ask(key, review, signal) }),
    })
    signal.removeEventListener('abort', onStop)
    if (outcome.status === 'cancelled') {
      const shown = { ...(memory.liveOf(key) ?? live), outcome }
      memory.setLive(key, shown)
      const told = await tellStop(ports, memory, context, granted, outcome)
      if (typeof told === 'string') {
        const problem = callSentence('calls.stop-not-stored', { why: told })
        memory.setLive(key, { ...shown, problem })
      } else if (told.postedIn !== null) {
        // The user wrote on meanwhile: nobody can settle it any more, so this does.
        await saveOutcome(ports, memory, context, granted, outcome)
      } else if (told.stopped?.outcome) memory.setLive(key, null)
      return 'stopped'
    }
    await saveOutcome(ports, memory, context, granted, outcome)
    return outcome.status === 'completed' ? 'succeeded' : 'failed'
  })
  if (tried.held) return tried.value
  memory.setLive(key, null)
  await loadRows(ports, memory, context)
  return 'not-run'
}

async function execute(
  runtime: ToolRuntime,
  { call }: MessageCall,
  options: Parameters<ToolRuntime['execute']>[2],
): Promise<CallOutcome> {
  const stopped = {
    status: 'cancelled',
    result: { error: 'The user stopped this call before it started.' },
    durationMs: 0,
    console: [],
    displays: [],
  } as const
  if (options.signal.aborted) return stopped
  try {
    return await runtime.execute(call.name, call.arguments, options)
  } catch (error) {
    // The contract says that it never rejects; a bug there must not leave the call without an outcome.
    const result = { error: `The tool failed unexpectedly: ${sentenceOf(error)}` }
    return { status: 'error', result, durationMs: null, console: [], displays: [] }
  }
}

/** Foreign errors as text for a sentence. */
export function sentenceOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
