import type { MonotonicClock } from '@/lib/base/clocks'
import type { BrowserModel } from '@/lib/client/browser-models/browser-model'
import { askExactly, type AskedExact } from '@/lib/shared/models/exact/ask-exactly'
import type { ConstrainedDecoding } from '@/lib/shared/models/exact/constrained-decoding'
import { createPaceWatch } from '@/lib/shared/conversation/reply-end'
import {
  tabRunLimits,
  type TabEnd,
  type TabConstrainedDecoding,
  type TabPrompt,
} from '@/lib/shared/conversation/wire/tab-run'
import { describeFailure } from '@/lib/shared/models/failure'
import type { ModelId } from '@/lib/shared/models/model'
import { askModel, type AskModelPorts, type ModelProgress } from './ask-model'
import { createReplyPieces, type TabApi, type TabAnswer } from './reply-pieces'

/** Milliseconds. The server ends a reply whose tab was silent for six seconds: it beats several times within. */
export interface TabWriterTimes {
  /** How often what came is sent. */
  readonly sendMs: number
  readonly heartbeatMs: number
  /** Without an answer for so long the reply has long been ended: the model is stopped, too. */
  readonly giveUpMs: number
}

export const tabWriterTimes: TabWriterTimes = { sendMs: 400, heartbeatMs: 1_500, giveUpMs: 15_000 }

/** The world, as the writing of one reply sees it. */
export interface WriteReplyPorts {
  readonly api: TabApi
  /** Rejects with why it can't be asked. */
  readonly open: () => Promise<BrowserModel>
  readonly label: { readonly label: string; readonly providerLabel: string }
  /** Resolves after `ms` also in a tab that nobody sees; at once when the signal aborts. */
  readonly wait: (ms: number, signal?: AbortSignal) => Promise<void>
  readonly monotonic: MonotonicClock
  readonly onProgress?: (progress: ModelProgress) => void
  /** What is known of this browser's models; it learns from each reply. */
  readonly exact: ConstrainedDecoding
  readonly modelId: ModelId
}

type WrittenEnd = Omit<TabEnd, 'lastSeq'>

export interface ReplyBeingWritten {
  /** The person pressed Stop in this tab; a second time: nothing is waited for any more. */
  stop(): void
  /** Resolves when nothing more is to do, whatever came of it. True: the server has all that the model wrote. */
  readonly done: Promise<boolean>
}

/**
 * Writes one reply: asks what the model is to be asked, lets it write, and takes to the server what comes, again until it is
 * taken. Its heart beats from the first moment on, whatever the model does; what the server says of it, ended or to be stopped,
 * reaches the model.
 */
export function writeReply(runId: string, ports: WriteReplyPorts, times = tabWriterTimes): ReplyBeingWritten {
  const { api, wait, monotonic } = ports
  const pieces = createReplyPieces()
  const model = new AbortController()
  /** The server has ended it, or will take nothing of it. */
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
  let heardAt = monotonic()
  let beatAt = monotonic()
  /** When to ask again, as the server wants it. */
  let notBefore = 0

  /** True when the server answered. */
  function hear<T extends { readonly live: boolean }>(
    answer: TabAnswer<T>,
  ): answer is Extract<TabAnswer<T>, { ok: true }> {
    if (answer.ok) heardAt = monotonic()
    else notBefore = monotonic() + Math.max(answer.waitMs, times.sendMs)
    if (answer.ok ? !answer.value.live : answer.may === 'no' || monotonic() - heardAt >= times.giveUpMs) halt()
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

  /** Until the server has all of it, or wants no more. */
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
          // It took the form and did not keep to it.
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

/** Asks the model, as exactly as it is wanted and can be, and takes down what it writes. */
async function writeAll(
  opened: Awaited<ReturnType<WriteReplyPorts['open']>>,
  asked: TabPrompt,
  { exact, modelId, monotonic, onProgress }: WriteReplyPorts,
  to: { readonly runId: string; readonly pieces: ReturnType<typeof createReplyPieces>; readonly signal: AbortSignal },
): Promise<WrittenEnd> {
  const { runId, pieces, signal } = to
  let wrote = false
  const pace = createPaceWatch(monotonic)
  const write: AskModelPorts['write'] = (channel, text) => {
    wrote ||= text !== ''
    if (text !== '') pace.wrote()
    pieces.add(channel, text)
  }
  const taking = { runId, write, signal, ...(onProgress && { onProgress }) }
  const { end: ending, asked: how } = await askExactly(exact, modelId, {
    ask: () => (asked.exact ? { gbnf: null, jsonSchema: null, ...asked.exact } : null),
    wanted: asked.exact !== undefined,
    signal,
    write: (fields) => askModel(opened, asked, taking, fields),
    wrote: () => wrote,
  })
  return { ...ending, ...(how && { exact: saidOf(how) }), ...pace.end() }
}

/** What the model is to be asked, as soon as the server says it; null: nobody wants it any more, `none`: there never will be one. */
async function promptOf(
  runId: string,
  { api, wait }: Pick<WriteReplyPorts, 'api' | 'wait'>,
  leastMs: number,
  signal: AbortSignal,
): Promise<TabPrompt | 'none' | null> {
  while (!signal.aborted) {
    const answer = await api.prompt(runId)
    if (answer.ok) return answer.value
    if (answer.may === 'no') return 'none'
    await wait(Math.max(leastMs, answer.waitMs), signal)
  }
  return null
}

/** What the server is told of how it was asked. */
const saidOf = ({ form, fields, finding, isRefused }: AskedExact): TabConstrainedDecoding => ({
  form,
  asked: isRefused ? 'refused' : fields === null ? 'without' : 'with',
  finding,
})

/** A sentence as long as one may be. */
function bounded(end: TabEnd): TabEnd {
  const cut = (text: string) => text.toWellFormed().slice(0, tabRunLimits.maxFailureChars).toWellFormed()
  const { failure } = end
  return failure ? { ...end, failure: { ...failure, message: cut(failure.message), detail: cut(failure.detail) } } : end
}
