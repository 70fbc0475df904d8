import { useEffect, useRef, useState } from 'react'
import type { NodApi } from '@/lib/client/api/nod-api'
import { maxBulkChats } from '@/lib/shared/conversation/search/list-filter'
import {
  queueOf,
  takeChats,
  type Taken,
  type BrokenChat,
  type ForeignWorkerPort,
  type FoundChat,
} from '@/lib/client/export/other-chats/take-chats'
import { t } from '@/lib/i18n/t'

export interface Scanned {
  /** Newest first. */
  readonly found: readonly FoundChat[]
  readonly broken: readonly BrokenChat[]
  readonly isWhole: boolean
  /** The chats that exist here already, by their id here. */
  readonly known: ReadonlySet<string>
}

export type ForeignStep =
  | { readonly kind: 'reading'; readonly share: number; readonly chats: number }
  | { readonly kind: 'checking' }
  | { readonly kind: 'failed'; readonly why: string }
  | { readonly kind: 'choose'; readonly scanned: Scanned }
  | { readonly kind: 'taking'; readonly done: number; readonly of: number; readonly waitMs: number | null }
  | { readonly kind: 'done'; readonly taken: Taken; readonly of: number; readonly scanned: Scanned }

export interface ForeignPorts {
  readonly startWorker: () => ForeignWorkerPort
  readonly api: Pick<NodApi, 'importChat'>
  /** Which of these chats exist; null if that can't be determined now. */
  readonly known: (ids: readonly string[]) => Promise<readonly string[] | null>
}

/** Reads a file immediately and imports what is chosen. The worker ends with the component. */
export function useForeignImport(file: File, { startWorker, api, known }: ForeignPorts) {
  const [step, setStep] = useState<ForeignStep>({ kind: 'reading', share: 0, chats: 0 })
  const stop = useRef(new AbortController())
  const ports = useRef({ startWorker, api, known })

  useEffect(() => {
    const controller = new AbortController()
    const { signal } = controller
    const worker = ports.current.startWorker()
    const scan = async () => {
      const replies = queueOf(worker, signal)
      worker.postMessage({ kind: 'scan', file })
      for (let next = await replies(); next !== null; next = await replies()) {
        if (next.kind === 'progress') setStep({ kind: 'reading', share: next.share, chats: next.chats })
        if (next.kind === 'failed') return setStep({ kind: 'failed', why: t(`bring.failed.${next.why}`) })
        if (next.kind !== 'scanned') continue
        setStep({ kind: 'checking' })
        const ids = [...new Set(next.found.map(({ id }) => id))]
        const here = await knownOf(ids, ports.current.known, signal)
        if (signal.aborted) return
        const found = next.found.toSorted((a, b) => b.updatedAt - a.updatedAt || a.number - b.number)
        return setStep({
          kind: 'choose',
          scanned: { found, broken: next.broken, isWhole: next.isWhole, known: here },
        })
      }
    }
    void scan().finally(() => worker.terminate())
    return () => {
      controller.abort()
      worker.terminate()
    }
  }, [file])
  useEffect(() => () => stop.current.abort(), [])

  const take = async (scanned: Scanned, chosen: readonly FoundChat[]) => {
    const controller = new AbortController()
    stop.current = controller
    const of = chosen.length
    const worker = ports.current.startWorker()
    setStep({ kind: 'taking', done: 1, of, waitMs: null })
    // In file order, as they are read.
    const taken = await takeChats(file, chosen, {
      worker,
      api: ports.current.api,
      signal: controller.signal,
      onProgress: (done) => setStep({ kind: 'taking', done, of, waitMs: null }),
      onWait: (waitMs) =>
        setStep((now) => (now.kind === 'taking' ? { ...now, waitMs } : { kind: 'taking', done: 1, of, waitMs })),
      wait: (ms, signal) =>
        new Promise((resolve) => {
          const timer = setTimeout(resolve, ms)
          signal.addEventListener('abort', () => (clearTimeout(timer), resolve()), { once: true })
        }),
    }).finally(() => worker.terminate())
    setStep({ kind: 'done', taken, of, scanned })
    return taken
  }
  return { step, take, stop: () => stop.current.abort() }
}

/** If unknown, a chat counts as not here; the server imports a chat only once anyway. */
async function knownOf(
  ids: readonly string[],
  known: ForeignPorts['known'],
  signal: AbortSignal,
): Promise<ReadonlySet<string>> {
  const here = new Set<string>()
  for (let at = 0; at < ids.length && !signal.aborted; at += maxBulkChats) {
    for (const id of (await known(ids.slice(at, at + maxBulkChats))) ?? []) here.add(id)
  }
  return here
}
