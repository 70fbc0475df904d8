import { chatError } from '@/lib/words/chat'
import type { AppendAnswer, RunKey } from '@/lib/store/store'
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
  /** Returns at once; the reply goes on whoever listens. `prompt`: of the branch as it was when the append was planned. */
  start(owner: string, prompt: FittedPrompt, answer: AppendAnswer, admission: Admission): void
  /** What is written beside the chats: it ends with the replies when the server goes. `done` never rejects. */
  adopt(id: string, abort: AbortController, done: Promise<void>): void
  readonly isDraining: () => boolean
  readonly load: () => { readonly replies: number; readonly maxReplies: number }
  readonly settled: (runId: string) => Promise<void>
  drain(graceMs: number): Promise<void>
}

/** Starts models in the background and knows which of them this process runs. */
export function createRunStarter(ports: ChatServicePorts, readings: ReplyReadings): RunStarter {
  const { runLog, clock, limits } = ports
  const write = replyWriter(ports, readings)
  const active = new Map<string, { readonly abort: AbortController; readonly done: Promise<void> }>()
  /** Who has a place, from before the message is stored to the end of the reply. */
  const admitted = new Set<Promise<void>>()
  let draining = false
  const queue = openQueue(ports)

  return {
    admit() {
      if (draining) throw chatError('unavailable', 'chat.restarting')
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

    isDraining: () => draining,
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
      const done = write(owner, reply, question, abort).finally(() => {
        active.delete(reply.runId)
        admission.leave()
      })
      active.set(reply.runId, { abort, done })
    },

    adopt(id, abort, done) {
      active.set(id, { abort, done: done.finally(() => active.delete(id)) })
    },

    settled: (runId) => active.get(runId)?.done ?? Promise.resolve(),

    async drain(graceMs) {
      draining = true
      runLog.leave()
      // Also those whose message is just being stored: nobody else would write their reply.
      const all = Promise.all(admitted)
      const finished = new AbortController()
      void all.then(() => finished.abort())
      await waitFor(clock, graceMs, finished.signal)
      for (const { abort } of active.values()) abort.abort(new RunAborted('interrupted'))
      await all
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
