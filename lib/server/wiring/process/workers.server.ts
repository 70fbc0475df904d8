import { randomUUID } from 'node:crypto'
import type { FromWorker, ToWorker } from '@/lib/server/serving/worker-messages'
import type { RunHandoff } from '@/lib/server/runs/run-log'
import type { RunKey } from '@/lib/server/store/ports/run-store'
import type { StoreSignals } from '@/lib/server/store/ports/store'

/*
 * What one of several processes knows of the others, and how it asks them all. It stands on `process` alone, so that it works in
 * Next's bundles, where the routes are, and in the server's entry alike. What is registered and awaited lies on globalThis: the
 * same file is in several bundles of one process.
 */

type Env = Readonly<Record<string, string | undefined>>

/** The place of this process among the workers, from 1; null when it is the only one. */
export function workerIndex(env: Env = process.env): number | null {
  const place = Number(env['NOD_WORKER_ID'])
  return Number.isInteger(place) && place > 0 ? place : null
}

/** Whether this process does what is enough once a server: the first worker does, or the only one. */
export const isFirstWorker = (env: Env = process.env): boolean => (workerIndex(env) ?? 1) === 1

/** Whether it tells anyone who started the server what it opened: the first one, not the one that replaces it. */
export const greetsOperator = (env: Env = process.env): boolean =>
  isFirstWorker(env) && env['NOD_WORKER_REPLACES'] === undefined

type Answer = () => Promise<string> | string

interface Talk {
  readonly answers: Map<string, Answer>
  readonly waiting: Map<string, (answers: readonly string[]) => void>
  readonly listeners: Set<(text: string) => void>
  /** What dead workers left to this one, by name. */
  readonly left: Map<string, string>
  /** Does what is left; null until there is a store to do it in. */
  heir: (() => void) | null
}

const key = Symbol.for('nod.workers')
const slot = globalThis as typeof globalThis & { [key]?: Talk }

function talk(): Talk {
  const known = slot[key]
  if (known !== undefined) return known
  const made: Talk = { answers: new Map(), waiting: new Map(), listeners: new Set(), left: new Map(), heir: null }
  slot[key] = made
  process.on('message', (message: ToWorker) => void hear(message, made))
  return made
}

async function hear(message: ToWorker, made: Talk): Promise<void> {
  const { answers, waiting, listeners, left } = made
  if (message?.type === 'nod-left') {
    left.set(message.id, message.text)
    made.heir?.()
  }
  if (message?.type === 'nod-told') for (const listener of listeners) listener(message.text)
  if (message?.type === 'nod-answers') waiting.get(message.id)?.(message.answers)
  if (message?.type !== 'nod-question') return
  const answer = await Promise.resolve(answers.get(message.topic)?.()).catch(() => undefined)
  tell({ type: 'nod-answer', id: message.id, answer: answer ?? null })
}

/** A supervisor that is just going hears nothing any longer. */
function tell(message: FromWorker): void {
  if (process.connected) process.send?.(message, undefined, undefined, () => undefined)
}

/** What this process answers when any worker asks all of them about a topic, such as `metrics`; the last one given counts. */
export function answerWorkers(topic: string, answer: Answer): void {
  talk().answers.set(topic, answer)
}

/**
 * Asks all workers, this one too, about a topic: the answers of those that have one and gave it within `waitMs` (the supervisor
 * waits that long), in the order of their places. Without workers it is this process alone.
 */
export async function askWorkers(topic: string, waitMs: number): Promise<readonly string[]> {
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
 * The runs that this process writes are left to another worker in case it dies, and those of a dead one come to this process;
 * undefined where there is one process alone. What comes while the store is not open yet waits for it.
 */
export function workerHandoff(): RunHandoff | undefined {
  if (workerIndex() === null) return undefined
  const talked = talk()
  return {
    writes: (run) => tell({ type: 'nod-will', id: run.runId, text: JSON.stringify(run) }),
    wrote: (runId) => tell({ type: 'nod-will', id: runId, text: null }),
    holds: async (runId) =>
      process.connected && (await answersTo((id) => ({ type: 'nod-holds', id, left: runId }))).length > 0,
    onDeath(end) {
      talked.heir = () => {
        const left = [...talked.left]
        talked.left.clear()
        for (const [id, text] of left)
          void end(JSON.parse(text) as RunKey).finally(() => tell({ type: 'nod-will', id, text: null }))
      }
      talked.heir()
    },
  }
}

/** Short words between the workers of one server, by way of their supervisor; undefined where there is one process alone. */
export function workerSignals(): StoreSignals | undefined {
  if (workerIndex() === null) return undefined
  const { listeners } = talk()
  return {
    send: (text) => tell({ type: 'nod-tell', text }),
    listen: (onSignal) => void listeners.add(onSignal),
    isListening: () => process.connected,
    // The supervisor is the parent: what breaks with it ends with it.
    watchBreaks: () => undefined,
  }
}
