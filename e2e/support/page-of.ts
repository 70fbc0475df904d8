import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { createNodApi, type NodApi } from '@/lib/client/api/nod-api'
import { readRun } from '@/lib/client/api/run-reader'
import { verdictOf } from '@/lib/client/outbox/delivery'
import { withRetry } from '@/lib/client/api/api-client'
import { foldRunEvent, type RunEvent } from '@/lib/shared/conversation/wire/run-event'
import type { AssistantMessage } from '@/lib/shared/conversation/conversation'

/** A reply as the page's own reader receives it. */
export interface Reading {
  /** The current state. */
  readonly message: () => AssistantMessage | null
  readonly connections: readonly string[]
  /** Its reported places in the queue; null: its turn has come. */
  readonly places: readonly (number | null)[]
  readonly done: Promise<'ended' | 'gone' | 'aborted'>
}

/** A page's behavior without its rendering: the page's own requests, retries and reader, over any `fetch`. */
export interface HeadlessPage {
  readonly api: NodApi
  /** Sends like the outbox, until it is accepted; throws the refusal that the page would show. Returns the run. */
  say(text: string): Promise<string>
  read(runId: string): Reading
  readonly conversationId: string
}

export function createHeadlessPage(fetchFrom: typeof fetch): HeadlessPage {
  const api = createNodApi(fetchFrom)
  const conversationId = randomUUID()
  let parentId: string | null = null
  const pause = (ms: number, signal?: AbortSignal) =>
    wait(ms, undefined, signal ? { signal } : {}).then(
      () => undefined,
      () => undefined,
    )

  async function say(text: string): Promise<string> {
    const append = { kind: 'user', id: randomUUID(), parentId, text } as const
    const create = parentId === null ? { create: { model: 'openai-compatible/replay' } } : {}
    for (let backoffMs = 2_000; ; backoffMs = Math.min(backoffMs * 2, 15_000)) {
      const answer = await withRetry(() => api.chat({ conversationId, append, ...create }), {
        tries: 3,
        wait: pause,
        firstWaitMs: 400,
      })
      if (answer.ok) {
        parentId = answer.value.replyId
        return answer.value.runId
      }
      if (verdictOf(answer.error) !== 'later') throw new Error(answer.error.message)
      await pause(backoffMs)
    }
  }

  function read(runId: string): Reading {
    let message: AssistantMessage | null = null
    const connections: string[] = []
    const places: (number | null)[] = []
    const take = (event: RunEvent) => {
      if (event.type === 'start') message = event.message
      else if (message !== null) message = foldRunEvent(message, event)
    }
    const done = readRun(
      {
        open: (after, signal) => api.runEvents(runId, after, signal),
        wait: pause,
        schedule: (task, ms) => {
          const timer = setTimeout(task, ms)
          return () => clearTimeout(timer)
        },
      },
      {
        signal: new AbortController().signal,
        onEvents: (events) => events.forEach(take),
        onPlace: (place) => places.push(place),
        onConnection: (connection) => connections.push(connection),
      },
    )
    return { message: () => message, connections, places, done }
  }

  return { api, say, read, conversationId }
}
