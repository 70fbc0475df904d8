import { makeError } from '@/lib/i18n/t'
import type { AppendAnswer } from '@/lib/store/conversation-store'
import type { RunKey } from '@/lib/store/run-store'
import type { ChatServicePorts } from './chat-service-ports'
import { askAgain } from './ask-again'
import { RunAborted } from './chat-service-run'
import { waitFor } from './clock'
import type { FittedPrompt } from './fit-prompt'
import { prepareQuestion } from './prepare-question'
import type { ReplyReadings } from './reply-readings'
import { replyWriter } from './reply-writer'
import { createRunQueue, type Admission, type RunQueue } from './run-queue'

export interface RunStarter {
  /** Refuses with AppError, or gives what takes the place back when no run comes of it. */
  admit(): Admission
  /** In the queue of whichever process is to write it: from 1, 0 while nobody has said; null: it does not wait. */
  readonly placeOf: (run: RunKey) => Promise<number | null>
  /** Its model's server has answered; always false for a reply that another process writes. */
  readonly isAlive: (runId: string) => boolean
  /** Returns at once; the reply goes on whoever listens. `prompt`: of the branch as it was when the append was planned. */
  start(owner: string, prompt: FittedPrompt, answer: AppendAnswer, admission: Admission): void
  /** What is written beside the chats: it ends with the replies when the server goes. `done` never rejects. */
  adopt(id: string, abort: AbortController, done: Promise<void>): void
  /** From here on replies of others are not read here any more: nothing new comes in. */
  readonly isLeaving: () => boolean
  readonly load: () => { readonly replies: number; readonly maxReplies: number }
  readonly settled: (runId: string) => Promise<void>
  /**
   * Finishes what is being written, for `graceMs` from now; what is left then ends as interrupted. Whoever comes before `entrance`
   * is closed is let in as ever; left out: it is closed already.
   */
  drain(graceMs: number, entrance?: Promise<void>): Promise<void>
}

/** Starts models in the background and knows which of them this process runs. */
export function createRunStarter(ports: ChatServicePorts, readings: ReplyReadings): RunStarter {
  const { runLog, clock, limits } = ports
  const write = replyWriter(ports, readings)
  const active = new Map<string, { readonly abort: AbortController; readonly done: Promise<void> }>()
  /** Who has a place, from before the message is stored to the end of the reply. */
  const admitted = new Set<Promise<void>>()
  let isLeaving = false
  /** Nobody would see to the end of what begins now. */
  let isClosed = false
  const queue = openQueue(ports)
  const alive = new Set<string>()

  /** Also those whose message is just being stored: nobody else would write their reply. */
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
      // What was loaded is let go as soon as the question stands: a reply may take minutes.
      // The prompt is made when the turn has come: what waits holds the rows alone.
      const turn = admission.turn({ owner, runId: reply.runId, queued: answer.queued === true }, abort.signal)
      const prepare = () => prepareQuestion(ports, readings, owner, prompt, answer)
      // The message is stored: what it needs besides may be waited for.
      const question = turn.then(() => askAgain(clock, prepare, abort.signal))
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

/** The line before this process' places; what an owner has elsewhere is asked of the store. */
function openQueue({ store, clock, limits, log, observer, isPressed = () => false }: ChatServicePorts): RunQueue {
  const { maxRuns, maxRunsPerOwner: maxRunning, fair } = limits
  return createRunQueue({
    clock,
    maxRuns,
    maxQueued: fair.maxQueued,
    isPressed,
    start: ({ owner, runId }) =>
      store.startClaim(owner, runId, { maxRunning, maxRunningOfAddress: fair.maxRunsPerAddress }, clock.now()),
    tell: (places) => store.tellPlaces(places),
    log,
    observer,
  })
}
