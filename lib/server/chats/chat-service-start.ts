import { makeError } from '@/lib/i18n/t'
import type { AppendAnswer } from '@/lib/server/store/ports/conversation-store'
import type { RunKey } from '@/lib/server/store/ports/run-store'
import type { ChatServicePorts } from '../stored-chats/chat-service-ports'
import { RunAborted, runModel } from '../runs/chat-service-run'
import { type ReplyEnd, createPaceWatch } from '@/lib/shared/conversation/reply-end'
import { waitFor, askAgain } from '../runs/clock'
import { prepareQuestion, type Question, type FittedPrompt } from '../prompt/prepare-question'
import type { ReplyReadings } from '@/lib/shared/prompt/reply-readings'
import { createRunQueue, type Admission, type RunQueue } from '../runs/run-queue'
import { AppError } from '@/lib/base/app-error'
import type { JsonObject } from '@/lib/base/json'
import type { AssistantMessage } from '@/lib/shared/conversation/conversation'
import { describeFailure, refusedFailure } from '@/lib/shared/models/failure'
import type { ModelFailure } from '@/lib/shared/models/model'
import { observeRun } from '../runs/chat-observer'
import { withFoundTools } from '@/lib/shared/prompt/reveal-tools'
import { requestConstrained } from '@/lib/shared/models/exact/constrained-decoding'
import { constraintOf, exactOf } from '@/lib/shared/prompt/exact-reply'
import { sentHashes } from '@/lib/shared/record/record-chain'

const refusalOf = (error: AppError): ModelFailure =>
  refusedFailure(error.code === 'unknown-model' ? 'not-found' : 'unknown', error)

/**
 * Writes one reply whose run is open: calls the model, and stores the text and the outcome. Rejects only if the log
 * does.
 */
function replyWriter(ports: ChatServicePorts, readings: ReplyReadings) {
  const { runLog, clock, limits } = ports
  return async function write(
    owner: string,
    reply: AssistantMessage,
    question: Promise<Question>,
    abort: AbortController,
    /** Called for each event from the model's server, with or without text. */
    onAlive: () => void,
  ): Promise<void> {
    const writer = runLog.write({ owner, runId: reply.runId }, (how) => abort.abort(new RunAborted(how)), reply)
    const info = ports.models.info(reply.model)
    const observed = observeRun(ports.observer, clock, reply.model)
    const describe = (error: unknown, wrote: boolean) =>
      error instanceof AppError ? refusalOf(error) : describeFailure(error, info, wrote, ports.redact)
    const pace = createPaceWatch(() => clock.monotonic())
    let hasWritten = false
    let ended: Pick<ReplyEnd, 'outcome' | 'usage'> = { outcome: 'failed', usage: null }
    try {
      const { tools, offered, input, failure, before, settings } = await question
      if (failure) {
        await writer.end({ outcome: 'failed', failure, usage: null, runnableCalls: 0 })
        return
      }
      const ask = (fields?: JsonObject) => {
        pace.asked()
        return runModel({
          input,
          native: ports.builder.get(reply.strategy).callsBy === 'provider',
          model: () => ports.models.languageModel(reply.model, fields),
          write(channel, piece) {
            writer.write(channel, piece)
            if (piece === '') return
            observed.wrote()
            pace.wrote()
            hasWritten = true
          },
          onAlive,
          abort,
          clock,
          stallMs: limits.stallMs,
          describeFailure: describe,
          modelLabel: info.label,
        })
      }
      const how = { settings, tools: withFoundTools(tools, before) }
      const { end, asked } = await requestConstrained(ports.exact?.constrainedDecoding, reply.model, {
        ask: () => constraintOf(ports.exact, how, reply),
        wanted: settings.exact,
        signal: abort.signal,
        write: ask,
        wrote: () => hasWritten,
      })
      ended = end
      const written = { ...reply, text: writer.said.text, outcome: end.outcome }
      const held = exactOf(ports.exact, asked, written, { readings, tools, before })
      const calls = readings.callsOf(written, tools)
      const runnableCalls = calls.filter(({ runnable }) => runnable).length
      const sent = await sentHashes(input, offered)
      await writer.end({ ...end, ...(held && { exact: held }), ...pace.end(), sent, runnableCalls })
    } catch (error) {
      // The reply was stopped before the model was called.
      if (error instanceof RunAborted) {
        ended = { outcome: error.outcome, usage: null }
        await writer.end({ ...ended, failure: null, runnableCalls: 0 })
        return
      }
      ports.log('a reply could not be written', error)
      await writer.end({ outcome: 'failed', failure: describe(error, true), usage: null, runnableCalls: 0 })
    } finally {
      observed.ended(ended.outcome, ended.usage)
    }
  }
}

export interface RunStarter {
  /** Refuses with AppError, or returns an admission, which must be released if no run starts. */
  admit(): Admission
  /**
   * The place in the queue of the process that will write the reply, from 1; 0 while no process has reported it; null:
   * the run does not wait.
   */
  readonly placeOf: (run: RunKey) => Promise<number | null>
  /** The model's server has responded; always false for a reply that another process writes. */
  readonly isAlive: (runId: string) => boolean
  /**
   * Returns at once; the reply continues without readers. `prompt`: of the branch at the time when the append was
   * planned.
   */
  start(owner: string, prompt: FittedPrompt, answer: AppendAnswer, admission: Admission): void
  /** Registers a task outside of chats, which is ended with the replies at shutdown. `done` never rejects. */
  adopt(id: string, abort: AbortController, done: Promise<void>): void
  /** From here on this process no longer serves replies of other processes, because it accepts no new requests. */
  readonly isLeaving: () => boolean
  readonly load: () => { readonly replies: number; readonly maxReplies: number }
  readonly settled: (runId: string) => Promise<void>
  /**
   * Finishes running replies within `graceMs` from now; the remaining ones end as interrupted. Requests are accepted as
   * usual until `entrance` is closed; if it is omitted, it is already closed.
   */
  drain(graceMs: number, entrance?: Promise<void>): Promise<void>
}

/** Starts models in the background and keeps track of the ones that this process runs. */
export function createRunStarter(ports: ChatServicePorts, readings: ReplyReadings): RunStarter {
  const { runLog, clock, limits } = ports
  const write = replyWriter(ports, readings)
  const active = new Map<string, { readonly abort: AbortController; readonly done: Promise<void> }>()
  /** Admitted replies, from before their message is stored to their end. */
  const admitted = new Set<Promise<void>>()
  let isLeaving = false
  /** A reply that starts now would not be waited for. */
  let isClosed = false
  const queue = openQueue(ports)
  const alive = new Set<string>()

  /** Includes replies whose message is just being stored: no other process would write them. */
  async function allLeft(): Promise<void> {
    while (admitted.size > 0) await Promise.all(admitted)
  }

  return {
    admit() {
      if (isClosed) throw makeError('unavailable', 'chat.restarting')
      const admission = queue.admit()
      const { promise: left, resolve } = Promise.withResolvers<void>()
      admitted.add(left)
      return {
        ...admission,
        leave() {
          admission.leave()
          admitted.delete(left)
          resolve()
        },
      }
    },

    async placeOf({ owner, runId }) {
      return active.has(runId) ? queue.placeOf(runId) : ports.store.placeOf(owner, runId)
    },

    isAlive: (runId) => alive.has(runId),
    isLeaving: () => isLeaving,
    load: () => ({ replies: queue.running(), maxReplies: limits.maxRuns }),

    start(owner, prompt, answer, admission) {
      const { reply } = answer
      const abort = new AbortController()
      // Releases the loaded rows as soon as the prompt is built, because a reply may take minutes. The prompt is built
      // when the turn comes, so a queued reply holds only the rows.
      const turn = admission.turn({ owner, runId: reply.runId, queued: answer.queued === true }, abort.signal)
      // The message is stored, so a store that is away can be waited for.
      const again = <T>(ask: () => Promise<T>) => askAgain(clock, ask, abort.signal)
      const question = turn.then(() => prepareQuestion(ports, readings, owner, prompt, answer, again))
      const done = write(owner, reply, question, abort, () => alive.add(reply.runId)).finally(() => {
        active.delete(reply.runId)
        alive.delete(reply.runId)
        admission.leave()
      })
      active.set(reply.runId, { abort, done })
    },

    adopt(id, abort, done) {
      active.set(id, { abort, done: done.finally(() => active.delete(id)) })
    },

    settled: (runId) => active.get(runId)?.done ?? Promise.resolve(),

    async drain(graceMs, entrance) {
      const leave = () => {
        isLeaving = true
        runLog.leave()
      }
      if (entrance === undefined) {
        isClosed = true
        leave()
      }
      const finished = new AbortController()
      void Promise.resolve(entrance?.then(leave))
        .then(allLeft)
        .then(() => finished.abort())
      await waitFor(clock, graceMs, finished.signal)
      isClosed = true
      for (const { abort } of active.values()) abort.abort(new RunAborted('interrupted'))
      await allLeft()
    },
  }
}

/** The queue for the slots of this process; the store knows how many slots an owner uses on other nodes. */
function openQueue({ store, clock, limits, log, observer, isPressed = () => false }: ChatServicePorts): RunQueue {
  const { maxRuns, maxRunsPerOwner: maxRunning, fair } = limits
  return createRunQueue({
    clock,
    maxRuns,
    maxQueued: fair.maxQueued,
    isPressed,
    start: ({ owner, runId }) =>
      store.startClaim(owner, runId, { maxRunning, maxRunningOfAddress: fair.maxRunsPerAddress }, clock.now()),
    tell: (places) => store.storePlaces(places),
    log,
    observer,
  })
}
