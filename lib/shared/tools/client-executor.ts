import type { MonotonicClock } from '@/lib/base/clocks'
import { errorText } from '@/lib/base/app-error'
import { makeModelMessage, type ModelMessage, refusalText } from '@/lib/i18n/t'
import type { JsonObject, JsonValue } from '@/lib/base/json'
import type { CallOutcome, FileChanges } from '@/lib/shared/conversation/call-record'
import type { SandboxEvent } from '@/lib/sandbox/sandbox'
import { base64Bytes, capAndOffload, keepFiles } from './offload-result'
import type { RunPorts, ToolDefinition, ToolOutcome, FileReview, PreparedCall, ToolContext } from './tool'
import { noFiles, readOnlyVfs } from '@/lib/vfs/read-only/read-only-vfs'
import type { FileAccess } from '@/lib/shared/conversation/settings/registered-tool'
import type { ConnectedTools } from './connected-tools'
import { type ToolSet, notConnected, toolOfRegistered } from './tool-registry'

/*
 * A tool gets exactly what it declares. Its `capabilities` decide which files its code, and the code that it runs in
 * the sandbox, can reach: the context is built here from the ports of the run, for every tool alike, so that no tool
 * has to be trusted.
 */

const contexts: { readonly [A in FileAccess]: (ports: RunPorts) => ToolContext<A> } = {
  none: ({ vfs: _vfs, review: _review, sandbox, ...ports }) => ({
    ...ports,
    vfs: null,
    sandbox: { run: (run) => sandbox.run({ ...run, vfs: noFiles }) },
  }),
  read: ({ vfs, review: _review, sandbox, ...ports }) => ({
    ...ports,
    vfs: readOnlyVfs(vfs),
    // Whatever files the tool passes to its code, they are read-only.
    sandbox: { run: (run) => sandbox.run({ ...run, vfs: readOnlyVfs(run.vfs) }) },
  }),
  write: ({ sandbox, ...ports }) => ({ ...ports, sandbox: { run: (run) => sandbox.run(run) } }),
}

/** Only a tool that declares that it needs the web gets access to it. */
const withReach = ({ policy: { needs } }: ToolDefinition, { openWeb, ...ports }: RunPorts): RunPorts =>
  needs === undefined || openWeb === undefined ? ports : { ...ports, openWeb }

type Declaring<A extends FileAccess> = Extract<
  ToolDefinition,
  { readonly policy: { readonly capabilities: { readonly files: A } } }
>

const declares = <A extends FileAccess>(tool: ToolDefinition, access: A): tool is Declaring<A> =>
  tool.policy.capabilities.files === access

/** A call that is ready to run, with only the ports that its tool declares. */
type ReadyCall =
  | { readonly ok: true; readonly run: (ports: RunPorts) => Promise<ToolOutcome> }
  | { readonly ok: false; readonly refusals: readonly ModelMessage[] }

/** Checks the arguments, once. The returned run rejects if the tool does. */
export function prepareCall(tool: ToolDefinition, args: JsonObject): ReadyCall {
  const reach = (ports: RunPorts) => withReach(tool, ports)
  if (declares(tool, 'write')) return ready(tool.run(args), (ports) => contexts.write(reach(ports)))
  if (declares(tool, 'read')) return ready(tool.run(args), (ports) => contexts.read(reach(ports)))
  if (declares(tool, 'none')) return ready(tool.run(args), (ports) => contexts.none(reach(ports)))
  // A tool that was registered from outside may declare anything.
  const { name } = (tool as ToolDefinition).spec
  return { ok: false, refusals: [makeModelMessage('told.undeclared', { name })] }
}

const ready = <A extends FileAccess>(
  call: PreparedCall<A>,
  contextOf: (ports: RunPorts) => ToolContext<A>,
): ReadyCall => (call.ok ? { ok: true, run: (ports) => call.run(contextOf(ports)) } : call)

/** How long a stopped tool may take to end by itself before the call is settled without it. */
const stopGraceMs = 1_500

export interface ExecuteOptions {
  readonly monotonic: MonotonicClock
  /** The name as it was called, for the outcome of a missing tool. */
  readonly name: string
}

function filesLeft({ policy: { capabilities } }: ToolDefinition, mayHaveChanged: boolean): ModelMessage {
  if (capabilities.files !== 'write') return makeModelMessage('told.files.none')
  return makeModelMessage(mayHaveChanged ? 'told.files.maybe' : 'told.files.not-kept')
}

/**
 * Characters of reasons with values that are stored for the card; longer ones contain foreign text, which the result
 * has.
 */
const maxReasonChars = 4_000

function saidBy(refusals: readonly ModelMessage[]): Pick<CallOutcome, 'said'> {
  const reasons = refusals.map(({ reason, values }) => ({ reason, values }))
  return reasons.length === 0 || JSON.stringify(reasons).length > maxReasonChars ? {} : { said: reasons }
}

/** The time that a run took, without waiting for its turn or for its code to begin. */
function stopwatch(monotonic: MonotonicClock) {
  let since = monotonic()
  let passedMs = 0
  let waits = false
  let isStopped = false
  return {
    /** A waiting run has done nothing, except perhaps reading. */
    waits: () => waits,
    turn(isAwaited: boolean) {
      if (isAwaited && !waits) passedMs += monotonic() - since
      waits = isAwaited
      since = monotonic()
    },
    /** Everything before was the start of its frame or its language, not the run. */
    /** The code waits for a tool that it called. */
    pause(isPaused: boolean) {
      if (isPaused && !isStopped) passedMs += monotonic() - since
      isStopped = isPaused
      since = monotonic()
    },
    restart() {
      passedMs = 0
      since = monotonic()
    },
    passedMs: () => passedMs + (waits || isStopped ? 0 : monotonic() - since),
  }
}

/**
 * Resolves with the reason to stop waiting for the run: some time after a stop, or at the time limit. No time counts
 * while it is paused (the user decides), nor while it waits for its turn.
 */
function deadline(
  definition: ToolDefinition,
  context: RunPorts,
  watch: Pick<ReturnType<typeof stopwatch>, 'passedMs'>,
) {
  const timers = new Set<ReturnType<typeof setTimeout>>()
  let stop: () => void = () => {}
  let timeUp: () => void = () => {}
  let clock: ReturnType<typeof setTimeout> | undefined
  const onAbort = () => stop()
  const promise = new Promise<'stopped' | 'timed-out'>((resolve) => {
    stop = () => timers.add(setTimeout(() => resolve('stopped'), stopGraceMs))
    timeUp = () => resolve('timed-out')
  })
  const turn = (isAwaited: boolean) => {
    clearTimeout(clock)
    if (isAwaited || definition.policy.ownsTimeout === true) return
    clock = setTimeout(timeUp, Math.max(0, context.timeoutMs - watch.passedMs()))
  }
  const pause = () => {
    context.signal.removeEventListener('abort', onAbort)
    clearTimeout(clock)
    timers.forEach(clearTimeout)
    timers.clear()
  }
  const resume = () => {
    if (context.signal.aborted) onAbort()
    else context.signal.addEventListener('abort', onAbort, { once: true })
  }
  resume()
  turn(false)
  return { promise, pause, resume, turn }
}

/** Code changes may be kept until its call is settled without it, and no time counts while the user reviews them. */
function reviewOf(context: RunPorts, limit: Pick<ReturnType<typeof deadline>, 'pause' | 'resume'>) {
  let stage: 'running' | 'keeping' | 'over' = 'running'
  return {
    end: () => (stage = 'over'),
    isKeeping: () => stage === 'keeping',
    review: async (review: FileReview) => {
      if (stage === 'over') return 'discard'
      limit.pause()
      const answer = (await context.review?.(review)) ?? 'keep'
      if (answer === 'keep') stage = 'keeping'
      limit.resume()
      return answer
    },
  } as const
}

/**
 * A file stored only for the model is no change of the call. On a copy it must still be recorded: otherwise it is lost
 * when the copy is kept, although the model got its path.
 */
const resultFiles = ({ vfs, onCopy, origin }: RunPorts) => vfs.recording(onCopy ? (origin ?? null) : null)

/**
 * Runs one call to its outcome. Never rejects: bad arguments, a tool that throws, the time limit and a stop are
 * outcomes with a sentence in `result.error`. Results over the limit are cut in the middle and stored whole as a file.
 */
export async function executeTool(
  definition: ToolDefinition | undefined,
  args: JsonObject,
  context: RunPorts,
  { monotonic, name }: ExecuteOptions,
): Promise<CallOutcome> {
  const watch = stopwatch(monotonic)
  let began = false
  const console: { level: string; text: string; atMs: number }[] = []
  const displays: { kind: string; data: string; name?: string }[] = []
  const finish = async (
    status: CallOutcome['status'],
    result: JsonValue,
    { files, said }: { readonly files?: FileChanges | undefined; readonly said?: readonly ModelMessage[] | null } = {},
  ): Promise<CallOutcome> => {
    // 0 means that nothing began: a run takes at least a moment.
    const durationMs = began && !watch.waits() ? Math.max(1, Math.round(watch.passedMs())) : 0
    return {
      status,
      result: await capAndOffload(result, {
        vfs: resultFiles(context),
        tool: definition?.spec.name ?? 'result',
      }),
      durationMs,
      console,
      displays,
      ...(files && { files }),
      ...saidBy(said ?? []),
    }
  }
  const fail = (
    status: 'error' | 'cancelled' | 'not_found',
    ...messages: readonly ModelMessage[]
  ): Promise<CallOutcome> =>
    finish(status, { error: messages.map(({ message }) => message).join(' ') }, { said: messages })

  if (definition === undefined) return fail('not_found', makeModelMessage('told.no-tool', { name }))
  const call = prepareCall(definition, args)
  if (!call.ok) return fail('error', ...call.refusals)
  if (context.signal.aborted) return fail('cancelled', makeModelMessage('told.stopped-before'))

  const limit = deadline(definition, context, watch)
  const onEvent = (event: SandboxEvent) => {
    if (event.type === 'turn') {
      watch.turn(event.waits)
      limit.turn(event.waits)
    } else if (event.type === 'began') watch.restart()
    else if (event.type === 'paused') watch.pause(event.isPaused)
    else if (event.type === 'console') console.push({ level: event.level, text: event.text, atMs: event.atMs })
    else if (event.type === 'display')
      displays.push({ kind: event.kind, data: event.data, ...(event.name !== undefined && { name: event.name }) })
    context.onEvent(event)
  }
  const { review, end, isKeeping } = reviewOf(context, limit)
  let outcome: ToolOutcome | 'stopped' | 'timed-out'
  began = true
  try {
    const { inner, ...ports } = context
    const tools = definition.policy.callsTools && inner ? { inner } : {}
    outcome = await Promise.race([call.run({ ...ports, ...tools, onEvent, review }), limit.promise])
  } catch (thrown) {
    return fail('error', makeModelMessage('told.failed', { name: definition.spec.name, why: errorText(thrown) }))
  } finally {
    limit.pause()
  }
  const mayHaveChanged = definition.policy.filesAtTheEnd !== true || isKeeping()
  end()

  if (outcome === 'stopped') {
    return fail('cancelled', makeModelMessage('told.stopped'), filesLeft(definition, mayHaveChanged))
  }
  if (outcome === 'timed-out') {
    const seconds = Math.round(context.timeoutMs / 100) / 10
    return fail('error', makeModelMessage('told.time-up', { name: definition.spec.name, seconds }))
  }
  if (outcome.ok) {
    displays.push(...(outcome.displays ?? []))
    const { produced } = outcome
    const kept =
      produced &&
      (await keepFiles(
        produced.files.map(({ base64, ...file }) => ({ ...file, bytes: base64Bytes(base64) })),
        { vfs: resultFiles(context), tool: definition.spec.name },
      ))
    return finish('completed', kept ? produced.withFiles(kept) : outcome.result, { files: outcome.files })
  }
  // A call that needs the user first did not run: it is kept, and may run later.
  const status = ['stopped', 'sign-in', 'open-first'].includes(outcome.reason) ? 'cancelled' : 'error'
  return finish(status, outcome.result ?? { error: outcome.message }, { files: outcome.files, said: outcome.said })
}

/**
 * The tools that a page can run for one conversation: the built-in ones, and registered ones that are connected in it.
 */
interface RunnableTools {
  readonly get: (name: string) => ToolDefinition | undefined
  /** Why a known tool can't run here, with a way on; null: it can. */
  readonly missing: (name: string) => string | null
}

export function runnableTools(builtIn: ToolSet, connected: ConnectedTools, conversationId: string): RunnableTools {
  const get = (name: string) => {
    const own = connected.get(conversationId, name)
    return builtIn.get(name) ?? (own && toolOfRegistered({ ...own.tool, origin: 'registered' }, own.execute))
  }
  return { get, missing: (name) => (get(name) ? null : refusalText(notConnected(name))) }
}
