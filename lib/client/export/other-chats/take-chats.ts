import type { NodApi } from '@/lib/client/api/nod-api'
import type { ForeignImportReply, ForeignWorkerPort, FoundChat } from './foreign-port'

export interface NotTaken {
  readonly number: number
  readonly why: string
}

export interface Taken {
  /** Numbers of the chats that came in. */
  readonly taken: readonly number[]
  readonly refused: readonly NotTaken[]
  /** Why it ended before the last one: a sentence, or that it was stopped. */
  readonly ended: { readonly why: string } | 'stopped' | null
}

export interface TakePorts {
  readonly worker: ForeignWorkerPort
  readonly api: Pick<NodApi, 'importChat'>
  readonly signal: AbortSignal
  readonly onProgress: (done: number) => void
  /** The server asks to wait so long. */
  readonly onWait: (ms: number) => void
  /** Resolves after so many milliseconds, at the latest when the signal is aborted. */
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>
}

/** Said by a server that has to be asked again: it is busy, or wants fewer requests. */
const passing: ReadonlySet<string> = new Set(['rate-limited', 'unavailable', 'unreachable'])
const mostTries = 30
const usualWaitMs = 2_000

/** Stores the chosen chats one after the other, as the worker reads them. What is refused is noted, and the next one comes. */
export async function takeChats(
  file: Blob,
  chosen: readonly FoundChat[],
  { worker, api, signal, onProgress, onWait, wait }: TakePorts,
): Promise<Taken> {
  const taken: number[] = []
  const refused: NotTaken[] = []
  const end = (ended: Taken['ended']): Taken => ({ taken, refused, ended })
  const said = queueOf(worker, signal)
  worker.postMessage({ kind: 'take', file, numbers: chosen.map(({ number }) => number) })
  for (;;) {
    const next = await said()
    if (signal.aborted || next === null) return end('stopped')
    if (next.kind === 'taken') return end(null)
    if (next.kind === 'failed') return end({ why: '' })
    if (next.kind !== 'chat') continue
    onProgress(taken.length + refused.length + 1)
    for (let tries = 1; ; tries += 1) {
      const answer = await api.importChat(next.id, next.exported, [], signal)
      if (signal.aborted) return end('stopped')
      if (answer.ok) {
        taken.push(next.number)
        break
      }
      const { code, message, retryAfterMs } = answer.error
      if (code === 'storage-full') return end({ why: message })
      if (!passing.has(code)) {
        refused.push({ number: next.number, why: message })
        break
      }
      if (tries >= mostTries) return end({ why: message })
      const ms = retryAfterMs ?? usualWaitMs
      onWait(ms)
      await wait(ms, signal)
      onProgress(taken.length + refused.length + 1)
    }
    worker.postMessage({ kind: 'next' })
  }
}

/** What the worker says, one by one; null once the signal is aborted. */
export function queueOf(worker: ForeignWorkerPort, signal: AbortSignal): () => Promise<ForeignImportReply | null> {
  const waiting: ForeignImportReply[] = []
  let wake: (() => void) | null = null
  worker.onmessage = ({ data }) => {
    waiting.push(data)
    wake?.()
  }
  worker.onerror = () => {
    waiting.push({ kind: 'failed', why: 'unreadable' })
    wake?.()
  }
  signal.addEventListener('abort', () => wake?.(), { once: true })
  return async () => {
    while (waiting.length === 0 && !signal.aborted) {
      await new Promise<void>((resolve) => {
        wake = resolve
      })
    }
    return signal.aborted ? null : (waiting.shift() ?? null)
  }
}
