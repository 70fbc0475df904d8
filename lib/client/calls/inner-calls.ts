import { isJsonObject, type JsonObject, type JsonValue } from '@/lib/base/json'
import { t } from '@/lib/i18n/t'
import { canonicalJson } from '@/lib/protocols/types/canonical-json'
import type { SandboxTools } from '@/lib/sandbox/sandbox'
import type { InnerDecision, LiveInner } from '@/lib/shared/calls/call-state'
import { earlierInner, innerMessageCall, innerOf, type MessageCall } from '@/lib/shared/calls/message-calls'
import type { CallOutcome, DecidedBy, InnerCall } from '@/lib/shared/conversation/call-record'
import { isHere } from '@/lib/shared/conversation/message-tree'
import type { ServerQuestion } from '@/lib/shared/mcp/server-question'
import type { QuestionAnswer } from '@/lib/shared/conversation/wire/call-requests'
import type { ToolRuntime } from '@/lib/shared/tools/tool'
import { withRetry } from '@/lib/client/api/api-client'
import type { ApiFailure } from '@/lib/client/api/api-failure'
import type { CallKey } from '@/lib/client/state/state'
import type { CallControllerPorts } from './call-ports'
import type { OpenReply } from './open-reply'
import { placeOf, sealOutcome, type Granted } from './save-outcome'
import { autoRunReason } from './runs-alone'

/** Calls made within this time are shown together, such as those of `Promise.all`. */
const TOGETHER_MS = 30
const DECIDE_TRIES = 3

type Answer = Awaited<ReturnType<SandboxTools['call']>>

/** An outcome with this status is searched for keys only. */
const draft = { status: 'cancelled', durationMs: null, console: [], displays: [] } as const

const no = (text: string): Answer => ({ ok: false, text })

/** The code of one call whose tools run here. */
export interface RunningCode {
  readonly target: MessageCall
  readonly granted: Granted
  readonly runtime: ToolRuntime
  /** The copy that it runs on; left out: the files. */
  readonly copyId?: string | undefined
}

/** The part of the page's call handling that inner calls need. */
interface InnerPage {
  readonly ports: Pick<CallControllerPorts, 'api' | 'wait' | 'now' | 'toolsForCode' | 'toolOf' | 'marksOf' | 'secrets'>
  readonly inner: ReturnType<typeof createInnerDecisions>
  readonly questions: {
    ask(reply: OpenReply, slot: number, question: ServerQuestion, signal: AbortSignal): Promise<QuestionAnswer>
  }
}

interface AskedCall {
  readonly n: number
  readonly name: string
  /** The arguments as stored: secret values are replaced by placeholders. */
  readonly arguments: JsonObject
  /** The arguments as the code gave them: the user sees these, and the tool gets these. */
  readonly given: JsonObject
}

/** Which tools the code of a call may call, and the outcome of each call. */
interface InnerCalls {
  readonly tools: SandboxTools
  /** A result contained unknown keys, so the user must look at what the code returns. */
  readonly isHeld: () => boolean
}

/** The decisions on tools that code asks to call, in this tab. */
export function createInnerDecisions() {
  const open = new Map<string, (word: InnerDecision | null) => void>()
  const keyOf = (call: CallKey, n: number) => `${call} ${n}`
  return {
    /** Waits for the decision without a time limit; null: the run ended first. */
    ask(call: CallKey, n: number, signal: AbortSignal): Promise<InnerDecision | null> {
      return new Promise((resolve) => {
        const end = (word: InnerDecision | null) => {
          open.delete(keyOf(call, n))
          signal.removeEventListener('abort', withdraw)
          resolve(word)
        }
        const withdraw = () => end(null)
        if (signal.aborted) return withdraw()
        signal.addEventListener('abort', withdraw, { once: true })
        open.set(keyOf(call, n), end)
      })
    },
    /** The first answer counts. */
    answer: (call: CallKey, n: number, word: InnerDecision): void => open.get(keyOf(call, n))?.(word),
  }
}

/** An inner call is stored with placeholders for secret values; the code has the values. */
function createInnerSecrets(
  ports: Pick<CallControllerPorts, 'secrets' | 'toolOf'>,
  reply: OpenReply,
  target: MessageCall,
) {
  /** Code may read secret values from files, so known values and keys are replaced before storing. */
  async function hidden(name: string, args: JsonObject): Promise<JsonObject | null> {
    const inner = innerMessageCall(target, { name, arguments: args })
    const { outcome } = await sealOutcome(ports, reply, inner, { ...draft, result: args })
    return isJsonObject(outcome.result) ? outcome.result : null
  }

  /** A value that is secret now may not have been secret when it was stored. */
  async function isSame(known: InnerCall, { name, arguments: args }: AskedCall): Promise<boolean> {
    const before = await ports.secrets.hide(reply.conversationId, { name: known.name, arguments: known.arguments })
    return canonicalJson([before.name, before.arguments]) === canonicalJson([name, args])
  }

  /** The stored outcome has placeholders for secret values. The code had the values, and gets them again. */
  async function answerAgain(outcome: CallOutcome): Promise<Answer> {
    const { call } = innerMessageCall(target, { name: target.call.name, arguments: { result: outcome.result } })
    const filled = await ports.secrets.fill(placeOf(ports, reply, { ...target, call }))
    return filled.ok ? answerOf({ ...outcome, result: filled.value['result'] ?? null }) : no(filled.error)
  }

  return { hidden, isSame, answerAgain }
}

/**
 * The tools that the code of a running call may call; undefined if it may call none. Each is decided on like any call:
 * by a rule, a grant, or the user on the card of the code. The decision is stored before the tool runs, and the outcome
 * is stored before the code gets it. If the code runs again and makes the same call, it gets the stored answer.
 */
export function createInnerCalls(page: InnerPage, reply: OpenReply, code: RunningCode): InnerCalls | undefined {
  const { ports } = page
  const { target, granted, runtime, copyId } = code
  const names = ports.toolsForCode?.(reply.view()) ?? []
  if (names.length === 0) return undefined
  const { slot, attempt } = granted
  const key = { messageId: reply.messageId, ...granted }
  const earlier = earlierInner(reply.recordOf(slot), attempt)
  const { hidden, isSame, answerAgain } = createInnerSecrets(ports, reply, target)
  let asked = 0
  let lost = false
  let held = false
  let shown: Promise<void> | null = null

  function show(n: number, next: LiveInner | null): void {
    const live = reply.liveOf(slot)
    if (!live || live.outcome !== null) return
    const others = (live.inner ?? []).filter((one) => one.n !== n)
    const inner = next ? [...others, next].toSorted((a, b) => a.n - b.n) : others
    reply.setLive(slot, { ...live, inner })
  }

  const liveOf = (
    { n, name, given }: AskedCall,
    stage: LiveInner['stage'],
    problem: string | null = null,
  ): LiveInner => ({ n, name, arguments: given, stage, problem, startedAt: ports.now() })

  const soFar = () => ({ slot, calls: innerOf(reply.recordOf(slot)) })

  async function byRule(call: AskedCall): Promise<DecidedBy | null> {
    const view = reply.view()
    const message = view.tree.get(reply.messageId)
    if (!isHere(message) || message.role !== 'assistant') return null
    const inner = innerMessageCall(target, call)
    return autoRunReason(inner, {
      view,
      config: reply.config(),
      reply: message,
      toolOf: (name) => ports.toolOf(name, view.tools),
      now: ports.now(),
      repeats: () => 1,
      marks: () => ports.marksOf({ view, reply: message, calls: [inner], within: soFar() }),
    })
  }

  async function store(call: AskedCall, by: DecidedBy, word: InnerDecision): Promise<ApiFailure | null> {
    const { n, name, arguments: args } = call
    const answerText =
      word.kind === 'deny' ? { decision: 'deny' as const, reason: word.reason } : { decision: 'run' as const }
    const request = { ...key, n, name, arguments: args, ...answerText, by }
    const answer = await withRetry(() => ports.api.decideInner(reply.conversationId, request), {
      tries: DECIDE_TRIES,
      wait: ports.wait,
    })
    if (!answer.ok) return answer.error
    reply.record(answer.value.call)
    return null
  }

  /** Asks on the card, after collecting calls that come at the same moment. */
  async function ask(call: AskedCall, problem: string | null, signal: AbortSignal): Promise<InnerDecision | null> {
    shown ??= ports.wait(TOGETHER_MS).finally(() => (shown = null))
    await shown
    if (signal.aborted) return null
    show(call.n, liveOf(call, 'asked', problem))
    return page.inner.ask(reply.keyOf(slot), call.n, signal)
  }

  async function decided(
    call: AskedCall,
    mayHaveRun: boolean,
    signal: AbortSignal,
  ): Promise<InnerDecision | Answer | null> {
    const asksUser = runtime.asksUser?.(call.name) === true
    const rule = asksUser || mayHaveRun ? null : await byRule(call).catch(() => null)
    if (signal.aborted) return null
    let problem = mayHaveRun ? t('calls.inner-may-have-run') : null
    if (rule) {
      const failure = await store(call, rule, { kind: 'run' })
      if (failure === null) return { kind: 'run' }
      // The rule no longer applies, so the user decides.
      if (failure.code !== 'conflict') return no(failure.message)
      problem = failure.message
    }
    const word = await ask(call, problem, signal)
    if (word === null) return null
    show(call.n, liveOf(call, 'running'))
    const failure = await store(call, { kind: 'click' }, word)
    return failure === null ? word : no(failure.message)
  }

  async function run(call: AskedCall, answer: JsonValue | undefined, signal: AbortSignal): Promise<Answer> {
    await runtime.connect?.(call.name)
    const { timeoutMs } = reply.config()
    const outcome = await runtime.execute(call.name, call.given, {
      timeoutMs,
      signal,
      onEvent: () => {},
      origin: { kind: 'call', messageId: reply.messageId, slot, attempt, tool: call.name },
      innerNumber: call.n,
      ...(copyId !== undefined && { copyId }),
      ...(answer !== undefined && { answer }),
      async ask(question, over) {
        const ends = AbortSignal.any([over, signal])
        return ends.aborted ? { action: 'cancel' } : page.questions.ask(reply, slot, question, ends)
      },
    })
    // The code gets the result only.
    const kept = { ...outcome, console: [], displays: [] }
    const sealed = await sealOutcome(ports, reply, innerMessageCall(target, call), kept)
    held ||= sealed.hold
    const saved = await withRetry(
      () => ports.api.finishInner(reply.conversationId, { ...key, n: call.n, outcome: sealed.outcome }),
      { tries: Infinity, wait: ports.wait },
    )
    if (!saved.ok) return no(t('calls.inner-not-stored', { why: saved.error.message }))
    reply.record(saved.value)
    return answerOf(kept)
  }

  async function carryOut(call: AskedCall, signal: AbortSignal): Promise<Answer> {
    const known = earlier.get(call.n)
    if (lost || (known && !(await isSame(known, call)))) {
      lost = true
      return no(`The code asks for other tools than before its page was closed. ${ranBefore(earlier)}`)
    }
    if (known?.outcome?.status === 'completed') return answerAgain(known.outcome)
    const missing = runtime.missing?.(call.name) ?? null
    if (missing !== null && !runtime.connect) return no(missing)
    const word = await decided(call, known?.decision === 'run' && known.outcome === null, signal)
    if (word === null) return no('The run is over.')
    if ('ok' in word) return word
    if (word.kind === 'deny') return no(`The user denied this call.${word.reason === '' ? '' : ` ${word.reason}`}`)
    return run(call, word.answer, signal)
  }

  const tools: SandboxTools = {
    names,
    async call({ name, args }, signal) {
      const given = readArguments(args)
      if (!given) return no(`tools.${name} takes one object of JSON values.`)
      const n = (asked += 1)
      const stored = await hidden(name, given).catch(() => null)
      if (stored === null) return no('The call could not be prepared in this browser.')
      const call = { n, name, arguments: stored, given }
      show(call.n, liveOf(call, 'running'))
      try {
        return await carryOut(call, signal)
      } catch (error) {
        return no(error instanceof Error ? error.message : String(error))
      } finally {
        show(call.n, null)
      }
    },
  }
  return { tools, isHeld: () => held }
}

function readArguments(text: string): JsonObject | null {
  try {
    const value = JSON.parse(text) as JsonValue
    return isJsonObject(value) ? value : null
  } catch {
    return null
  }
}

function answerOf({ status, result }: CallOutcome): Answer {
  if (status === 'completed') return { ok: true, text: JSON.stringify(result) }
  const why = isJsonObject(result) ? result['error'] : result
  return no(typeof why === 'string' ? why : JSON.stringify(result))
}

/** The tools that ran, with their results, for the error that ends the code. */
function ranBefore(earlier: ReadonlyMap<number, InnerCall>): string {
  const ran = [...earlier.values()].filter(({ outcome }) => outcome?.status === 'completed')
  if (ran.length === 0) return 'None of these tools ran again.'
  const texts = ran.map(({ name, outcome }) => `${name}: ${JSON.stringify(outcome?.result).slice(0, 2_000)}`)
  return `These ran, and were not run again:\n${texts.join('\n')}`
}
