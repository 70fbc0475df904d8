import { randomUUID } from 'node:crypto'
import type { FromWorker, ToWorker } from '@/lib/server/serving/worker-messages'
import type { RunHandoff } from '@/lib/server/runs/run-log'
import type { RunKey } from '@/lib/server/store/ports/run-store'
import type { StoreSignals } from '@/lib/server/store/ports/store'

/*
 * How one of several processes communicates with the others. It uses only `process`, so that it works in Next's
 * bundles, which contain the routes, and in the server's entry. Its state is on globalThis, because several bundles of
 * one process contain this file.
 */

type Env = Readonly<Record<string, string | undefined>>

/** The number of this process among the workers, from 1; null if it is the only one. */
export function workerIndex(env: Env = process.env): number | null {
  const place = Number(env['NOD_WORKER_ID'])
  return Number.isInteger(place) && place > 0 ? place : null
}

/** Whether this process does the work that is needed once per server: the first worker, or the only process. */
export const isFirstWorker = (env: Env = process.env): boolean => (workerIndex(env) ?? 1) === 1

/** Whether it prints the start-up lines for the operator: the first worker, unless it replaces one. */
export const greetsOperator = (env: Env = process.env): boolean =>
  isFirstWorker(env) && env['NOD_WORKER_REPLACES'] === undefined

type Answer = () => Promise<string> | string

interface Talk {
  readonly answers: Map<string, Answer>
  readonly waiting: Map<string, (answers: readonly string[]) => void>
  readonly listeners: Set<(text: string) => void>
  /** The runs that dead workers left to this one, by name. */
  readonly left: Map<string, string>
  /** Handles them; null until the store is open. */
  successor: (() => void) | null
}

const key = Symbol.for('nod.workers')
const slot = globalThis as typeof globalThis & { [key]?: Talk }

function talk(): Talk {
  const known = slot[key]
  if (known !== undefined) return known
  const made: Talk = { answers: new Map(), waiting: new Map(), listeners: new Set(), left: new Map(), successor: null }
  slot[key] = made
  process.on('message', (message: ToWorker) => void hear(message, made))
  return made
}

async function hear(message: ToWorker, made: Talk): Promise<void> {
  const { answers, waiting, listeners, left } = made
  if (message?.type === 'nod-left') {
    left.set(message.id, message.text)
    made.successor?.()
  }
  if (message?.type === 'nod-told') for (const listener of listeners) listener(message.text)
  if (message?.type === 'nod-answers') waiting.get(message.id)?.(message.answers)
  if (message?.type !== 'nod-question') return
  const answer = await Promise.resolve(answers.get(message.topic)?.()).catch(() => undefined)
  tell({ type: 'nod-answer', id: message.id, answer: answer ?? null })
}

/** A supervisor that is exiting receives nothing any more. */
function tell(message: FromWorker): void {
  if (process.connected) process.send?.(message, undefined, undefined, () => undefined)
}

/** Sets this process's answer to questions of any worker about a topic, such as `metrics`; the last one set counts. */
export function answerWorkers(topic: string, answer: Answer): void {
  talk().answers.set(topic, answer)
}

/**
 * Asks all workers, including this one, about a topic. Returns the answers that arrive within `waitMs` (the supervisor
 * waits that long), ordered by worker number. Without workers only this process answers.
 */
export async function requestFromWorkers(topic: string, waitMs: number): Promise<readonly string[]> {
  if (workerIndex() === null) {
    const own = await talk().answers.get(topic)?.()
    return own === undefined ? [] : [own]
  }
  return answersTo((id) => ({ type: 'nod-ask', id, topic, waitMs }))
}

async function answersTo(question: (id: string) => FromWorker): Promise<readonly string[]> {
  const { waiting } = talk()
  const id = randomUUID()
  const { promise, resolve } = Promise.withResolvers<readonly string[]>()
  waiting.set(id, resolve)
  tell(question(id))
  try {
    return await promise
  } finally {
    waiting.delete(id)
  }
}

/**
 * Hands the runs of this process over to another worker if it dies, and receives those of a dead one; undefined if
 * there is only one process. Runs that arrive before the store is open wait for it.
 */
export function workerHandoff(): RunHandoff | undefined {
  if (workerIndex() === null) return undefined
  const talked = talk()
  return {
    writes: (run) => tell({ type: 'nod-handoff', id: run.runId, text: JSON.stringify(run) }),
    wrote: (runId) => tell({ type: 'nod-handoff', id: runId, text: null }),
    holds: async (runId) =>
      process.connected && (await answersTo((id) => ({ type: 'nod-holds', id, left: runId }))).length > 0,
    onDeath(end) {
      talked.successor = () => {
        const left = [...talked.left]
        talked.left.clear()
        for (const [id, text] of left)
          void end(JSON.parse(text) as RunKey).finally(() => tell({ type: 'nod-handoff', id, text: null }))
      }
      talked.successor()
    },
  }
}

/**
 * Short messages between the workers of one server, through their supervisor; undefined if there is only one process.
 */
export function workerSignals(): StoreSignals | undefined {
  if (workerIndex() === null) return undefined
  const { listeners } = talk()
  return {
    send: (text) => tell({ type: 'nod-tell', text }),
    listen: (onSignal) => void listeners.add(onSignal),
    isListening: () => process.connected,
    // The supervisor is the parent process: this process ends with it.
    watchBreaks: () => undefined,
  }
}
