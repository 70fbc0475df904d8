/** How one call of a chain ended. */
export type ChainEnd =
  /** It ran, and its outcome is stored, or waits in memory for the server. */
  | 'succeeded'
  | 'failed'
  /** Stopped by the user, who then chooses between another attempt and telling the model. */
  | 'stopped'
  /** Nothing ran here: refused, unreachable, or another tab runs it. */
  | 'not-run'

/** Why the rest of a chain was not started. */
export type ChainStop = 'failure' | 'stop' | 'limit' | 'abort'

export interface ChainOptions {
  /** How many run in parallel; 1: in sequence. */
  readonly atOnce: number
  readonly stopAtFailure: boolean
  /** How many calls may still run; the rest is left as it is. */
  readonly maxCalls: number
  /** Per call, milliseconds. */
  readonly timeoutMs: number
  /** Ends the chain: running calls get the signal, waiting ones are not started. */
  readonly signal?: AbortSignal
}

export interface ChainPorts<Call> {
  /** Runs one call to its end, within `timeoutMs`. The caller keeps its outcome, whatever happens to the rest. */
  run(call: Call, options: { readonly timeoutMs: number; readonly signal: AbortSignal | undefined }): Promise<ChainEnd>
  /** Returns false if the call was taken out of the queue, or another tab has it by now. */
  isWanted?(call: Call): boolean
  onStart?(call: Call): void
  onEnd?(call: Call, end: ChainEnd): void
  /** Called once, with everything that was not started. */
  onStopped?(left: readonly Call[], why: ChainStop): void
}

export interface ChainReport<Call> {
  readonly ended: readonly { readonly call: Call; readonly end: ChainEnd }[]
  readonly left: readonly Call[]
  readonly stopped: ChainStop | null
}

/**
 * Runs the calls of one start in their order, up to `atOnce` in parallel. A stop by the user or (if asked to) the first
 * failure ends the chain: running calls continue, and calls that have not begun are left. `run` should not reject; if
 * it does, the call counts as not run and the chain continues.
 */
export async function runToolChain<Call>(
  calls: readonly Call[],
  options: ChainOptions,
  ports: ChainPorts<Call>,
): Promise<ChainReport<Call>> {
  const ended: { readonly call: Call; readonly end: ChainEnd }[] = []
  const left: Call[] = []
  const { signal, timeoutMs } = options
  const queue = calls.values()
  let stopped: ChainStop | null = null
  let begun = 0

  const mayBegin = (): boolean => {
    if (signal?.aborted) stopped ??= 'abort'
    else if (begun >= options.maxCalls) stopped ??= 'limit'
    return stopped === null
  }
  async function runOne(call: Call): Promise<void> {
    begun += 1
    ports.onStart?.(call)
    const end = await ports.run(call, { timeoutMs, signal }).catch((): ChainEnd => 'not-run')
    // A call that did not run does not count toward the limit.
    if (end === 'not-run') begun -= 1
    ended.push({ call, end })
    ports.onEnd?.(call, end)
    if (end === 'stopped') stopped ??= 'stop'
    if (end === 'failed' && options.stopAtFailure) stopped ??= 'failure'
  }

  /** Lanes share one queue; each takes the next call when its previous one has ended. */
  async function runInLane(): Promise<void> {
    for (const call of queue) {
      if (!(ports.isWanted?.(call) ?? true)) continue
      if (mayBegin()) await runOne(call)
      else left.push(call)
    }
  }

  await Promise.all(Array.from({ length: Math.max(1, options.atOnce) }, runInLane))
  if (stopped !== null && left.length > 0) ports.onStopped?.(left, stopped)
  return { ended, left, stopped: left.length > 0 ? stopped : null }
}
