import type { MonotonicClock } from '@/lib/base/clocks'
import type { BrowserModel } from '@/lib/client/browser-models/browser-model'
import {
  requestConstrained,
  type RequestedConstraint,
  type ConstrainedDecoding,
} from '@/lib/shared/models/exact/constrained-decoding'
import { createPaceWatch } from '@/lib/shared/conversation/reply-end'
import {
  tabRunLimits,
  type TabEnd,
  type TabConstrainedDecoding,
  type TabPrompt,
} from '@/lib/shared/conversation/wire/tab-run'
import { describeFailure } from '@/lib/shared/models/failure'
import type { ModelId } from '@/lib/shared/models/model'
import { requestReply, type RequestReplyPorts, type ModelProgress } from './request-reply'
import { createReplyPieces, type TabApi, type TabAnswer } from './reply-pieces'

/** Milliseconds. The server ends a reply whose tab was silent for six seconds; several heartbeats fit into that. */
export interface TabWriterTimes {
  /** How often new text is sent. */
  readonly sendMs: number
  readonly heartbeatMs: number
  /** After this long without a response, the server has ended the reply: the model is stopped, too. */
  readonly giveUpMs: number
}

export const tabWriterTimes: TabWriterTimes = { sendMs: 400, heartbeatMs: 1_500, giveUpMs: 15_000 }

/** The environment for writing one reply. */
export interface WriteReplyPorts {
  readonly api: TabApi
  /** Rejects with the reason if the model can't be opened. */
  readonly open: () => Promise<BrowserModel>
  readonly label: { readonly label: string; readonly providerLabel: string }
  /** Resolves after `ms`, also in a hidden tab, or at once when the signal aborts. */
  readonly wait: (ms: number, signal?: AbortSignal) => Promise<void>
  readonly monotonic: MonotonicClock
  readonly onProgress?: (progress: ModelProgress) => void
  /** What is known about constrained decoding with this browser's models; it learns from each reply. */
  readonly exact: ConstrainedDecoding
  readonly modelId: ModelId
}

type WrittenEnd = Omit<TabEnd, 'lastSeq'>

export interface ReplyBeingWritten {
  /** The user pressed Stop in this tab; a second time: stop waiting for anything. */
  stop(): void
  /** Resolves when nothing is left to do, whatever the outcome. True: the server has everything that the model wrote. */
  readonly done: Promise<boolean>
}

/**
 * Writes one reply: fetches the prompt, lets the model write, and sends the text to the server until it is accepted.
 * Heartbeats start at once and continue whatever the model does. The server's responses (ended, or to be stopped) reach
 * the model.
 */
export function writeReply(runId: string, ports: WriteReplyPorts, times = tabWriterTimes): ReplyBeingWritten {
  const { api, wait, monotonic } = ports
  const pieces = createReplyPieces()
  const model = new AbortController()
  /** The server has ended the reply, or accepts nothing of it. */
  const over = new AbortController()
  const halt = () => {
    over.abort()
    model.abort()
  }
  let full = false
  let hasten = () => {}
  let lastTaken = 1
  const goOnFrom = (next: number) => {
    lastTaken = next - 1
    pieces.taken(next)
  }
  let lastResponseAt = monotonic()
  let beatAt = monotonic()
  /** The earliest time of the next request, as the server wants it. */
  let notBefore = 0

  /** Returns true if the server answered. */
  function hear<T extends { readonly live: boolean }>(
    answer: TabAnswer<T>,
  ): answer is Extract<TabAnswer<T>, { ok: true }> {
    if (answer.ok) lastResponseAt = monotonic()
    else notBefore = monotonic() + Math.max(answer.waitMs, times.sendMs)
    if (answer.ok ? !answer.value.live : answer.may === 'no' || monotonic() - lastResponseAt >= times.giveUpMs) halt()
    return answer.ok
  }

  async function send(): Promise<void> {
    beatAt = monotonic()
    const answer = await api.pieces(runId, { pieces: pieces.waiting() })
    if (!hear(answer)) return
    const { next, stopRequested } = answer.value
    if (answer.value.live) goOnFrom(next)
    if (answer.value.full) full = true
    if (stopRequested || answer.value.full) model.abort()
  }

  const isDue = () =>
    monotonic() >= notBefore && (pieces.waiting().length > 0 || monotonic() - beatAt >= times.heartbeatMs)

  async function beat(until: AbortSignal): Promise<void> {
    while (!over.signal.aborted && !until.aborted) {
      await wait(times.sendMs, until)
      if (!until.aborted && isDue()) await send()
    }
  }

  async function write(): Promise<WrittenEnd> {
    const asked = await promptOf(runId, ports, times.sendMs, model.signal)
    if (asked === 'none') halt()
    if (asked === null || asked === 'none') return { outcome: 'stopped', failure: null, usage: null }
    if (asked.failure) return { outcome: 'failed', failure: asked.failure, usage: null }
    try {
      const opened = await ports.open()
      hasten = () => opened.hasten?.()
      return await writeAll(opened, asked, ports, { runId, pieces, signal: model.signal })
    } catch (error) {
      return {
        outcome: 'failed',
        failure: describeFailure(error, { ...ports.label, id: ports.modelId }, false),
        usage: null,
      }
    }
  }

  /** Repeats until the server has all of it, or wants no more. */
  async function end(ending: WrittenEnd): Promise<void> {
    pieces.close()
    while (!over.signal.aborted) {
      if (!full && !pieces.isTaken) await send()
      else {
        const how: WrittenEnd = full ? { ...ending, outcome: 'length', failure: null } : ending
        const answer = await api.end(runId, bounded({ ...how, lastSeq: lastTaken }))
        if (hear(answer)) {
          const { live, next, exact: held } = answer.value
          if (live) goOnFrom(next)
          // The model accepted the constraint and did not follow it.
          if (how.exact && held?.is === 'broken') ports.exact.note(ports.modelId, how.exact.form, 'half')
        }
      }
      if (notBefore > monotonic()) await wait(notBefore - monotonic(), over.signal)
    }
  }

  const done = (async () => {
    const written = new AbortController()
    const beating = beat(written.signal)
    const ending = await write()
    written.abort()
    await beating
    if (over.signal.aborted) return false
    await end(ending)
    return pieces.isTaken
  })()

  return {
    done,
    stop() {
      if (model.signal.aborted) hasten()
      model.abort()
    },
  }
}

/** Asks the model, constrained as far as wanted and possible, and records what it writes. */
async function writeAll(
  opened: Awaited<ReturnType<WriteReplyPorts['open']>>,
  asked: TabPrompt,
  { exact, modelId, monotonic, onProgress }: WriteReplyPorts,
  to: { readonly runId: string; readonly pieces: ReturnType<typeof createReplyPieces>; readonly signal: AbortSignal },
): Promise<WrittenEnd> {
  const { runId, pieces, signal } = to
  let wrote = false
  const pace = createPaceWatch(monotonic)
  const write: RequestReplyPorts['write'] = (channel, text) => {
    wrote ||= text !== ''
    if (text !== '') pace.wrote()
    pieces.add(channel, text)
  }
  const taking = { runId, write, signal, ...(onProgress && { onProgress }) }
  const { end: ending, asked: how } = await requestConstrained(exact, modelId, {
    ask: () => (asked.exact ? { gbnf: null, jsonSchema: null, ...asked.exact } : null),
    wanted: asked.exact !== undefined,
    signal,
    write: (fields) => requestReply(opened, asked, taking, fields),
    wrote: () => wrote,
  })
  return { ...ending, ...(how && { exact: saidOf(how) }), ...pace.end() }
}

/** The prompt, as soon as the server has it; null: the reply is no longer wanted, `none`: there will never be one. */
async function promptOf(
  runId: string,
  { api, wait }: Pick<WriteReplyPorts, 'api' | 'wait'>,
  minMs: number,
  signal: AbortSignal,
): Promise<TabPrompt | 'none' | null> {
  while (!signal.aborted) {
    const answer = await api.prompt(runId)
    if (answer.ok) return answer.value
    if (answer.may === 'no') return 'none'
    await wait(Math.max(minMs, answer.waitMs), signal)
  }
  return null
}

/** What the server learns about how the model was asked. */
const saidOf = ({ form, fields, finding, isRefused }: RequestedConstraint): TabConstrainedDecoding => ({
  form,
  asked: isRefused ? 'refused' : fields === null ? 'without' : 'with',
  finding,
})

/** Cuts a sentence to the longest one that is allowed. */
function bounded(end: TabEnd): TabEnd {
  const cut = (text: string) => text.toWellFormed().slice(0, tabRunLimits.maxFailureChars).toWellFormed()
  const { failure } = end
  return failure ? { ...end, failure: { ...failure, message: cut(failure.message), detail: cut(failure.detail) } } : end
}
