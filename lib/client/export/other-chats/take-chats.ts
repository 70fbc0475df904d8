import type { NodApi } from '@/lib/client/api/nod-api'
import type { ConversationExport } from '@/lib/shared/conversation/wire/api-types'
import type { ForeignProblem, ForeignSource } from './foreign-chat'
import type { Skipped } from './skipped'
import { loadZipLibrary } from '@/lib/client/files/zip/zip-library'

export interface NotTaken {
  readonly number: number
  readonly why: string
}

export interface Taken {
  /** Numbers of the imported chats. */
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
  /** The server asks to wait this long. */
  readonly onWait: (ms: number) => void
  /** Resolves after this many milliseconds, or when the signal is aborted. */
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>
}

/** Failures after which to retry: the server is busy, or wants fewer requests. */
const passing: ReadonlySet<string> = new Set(['rate-limited', 'unavailable', 'unreachable'])
const maxTries = 30
const usualWaitMs = 2_000

/**
 * Stores the chosen chats one after the other, as the worker reads them. A refusal is recorded, and the next one
 * follows.
 */
export async function takeChats(
  file: Blob,
  chosen: readonly FoundChat[],
  { worker, api, signal, onProgress, onWait, wait }: TakePorts,
): Promise<Taken> {
  const taken: number[] = []
  const refused: NotTaken[] = []
  const end = (ended: Taken['ended']): Taken => ({ taken, refused, ended })
  const replies = queueOf(worker, signal)
  worker.postMessage({ kind: 'take', file, numbers: chosen.map(({ number }) => number) })
  for (;;) {
    const next = await replies()
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
      if (tries >= maxTries) return end({ why: message })
      const ms = retryAfterMs ?? usualWaitMs
      onWait(ms)
      await wait(ms, signal)
      onProgress(taken.length + refused.length + 1)
    }
    worker.postMessage({ kind: 'next' })
  }
}

/** The worker's messages, one by one; null once the signal is aborted. */
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

/** What the user sees of a chat before it is imported. */
export interface FoundChat {
  /** Its position in the file, from 0. */
  readonly number: number
  /** The id that it will have here. */
  readonly id: string
  readonly source: ForeignSource
  readonly title: string
  readonly updatedAt: number
  readonly messages: number
  readonly skipped: Skipped
}

export interface BrokenChat {
  readonly number: number
  readonly title: string
  readonly why: ForeignProblem
}

export type ForeignRequest =
  | { readonly kind: 'scan'; readonly file: Blob }
  /** Sends those chats one by one, each on request. */
  | { readonly kind: 'take'; readonly file: Blob; readonly numbers: readonly number[] }
  | { readonly kind: 'next' }

export type ForeignImportReply =
  /** The share of the file's bytes, packed as they are. */
  | { readonly kind: 'progress'; readonly share: number; readonly chats: number }
  | {
      readonly kind: 'scanned'
      readonly found: readonly FoundChat[]
      readonly broken: readonly BrokenChat[]
      readonly isWhole: boolean
    }
  | { readonly kind: 'chat'; readonly number: number; readonly id: string; readonly exported: ConversationExport }
  | { readonly kind: 'taken' }
  | { readonly kind: 'failed'; readonly why: 'no-chats' | 'unreadable' }

export interface ForeignWorkerPort {
  postMessage(ask: ForeignRequest): void
  onmessage: ((event: { readonly data: ForeignImportReply }) => void) | null
  onerror: ((event: unknown) => void) | null
  terminate(): void
}

/**
 * Whether a file is an export of another product's chats, or may be one, judged by its beginning or its list of names.
 * Rejects if the code that reads zips did not load.
 */
export async function isForeignFile(file: Blob): Promise<boolean> {
  const begin = await file.slice(0, 4_096).text()
  if (!begin.startsWith('PK')) return /^\s*[[{]/.test(begin) && !/"format"\s*:\s*"nod-/.test(begin)
  const library = await loadZipLibrary()
  const reader = new library.ZipReader(new library.BlobReader(file), { filenameValidation: 'tolerant' })
  try {
    for await (const { filename } of reader.getEntriesGenerator()) {
      if (filename === 'conversation.json') return false
      if (/(?:^|\/)conversations(?:-\d+)?\.json$/.test(filename)) return true
    }
    return false
  } catch {
    // The reader of Nod's zips reports what is wrong with it.
    return false
  } finally {
    await reader.close()
  }
}
