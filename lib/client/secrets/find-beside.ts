import { findInTexts, type FindInTexts, type SecretKind } from '@/lib/shared/secrets/find-secrets'
import type { FromSecretsWorker, ToSecretsWorker } from '@/lib/shared/secrets/worker'

/** The part of a Worker that finds secrets. */
export interface SecretsWorkerPort {
  postMessage(request: ToSecretsWorker): void
  onmessage: ((event: { readonly data: FromSecretsWorker }) => void) | null
  onerror: ((event: { preventDefault?: () => void }) => void) | null
}

/** Fewer characters are read faster than a worker starts. */
const SMALL = 64 * 1024

/** Finds the secrets of large results in a worker, so that the page stays responsive; if none starts, on the page. */
export function findBesidePage(startWorker: () => SecretsWorkerPort, breathe: () => Promise<void>): FindInTexts {
  let worker: SecretsWorkerPort | null | undefined
  let ids = 0
  type Answer = (found: ReadonlyMap<string, SecretKind> | null) => void
  const open = new Map<number, Answer>()

  function abandon(): void {
    worker = null
    for (const answer of open.values()) answer(null)
    open.clear()
  }
  function workerNow(): SecretsWorkerPort | null {
    if (worker !== undefined) return worker
    try {
      worker = startWorker()
      worker.onmessage = ({ data: { id, found } }) => {
        open.get(id)?.(found)
        open.delete(id)
      }
      worker.onerror = (event) => {
        event.preventDefault?.()
        abandon()
      }
    } catch {
      worker = null
    }
    return worker
  }

  return async (texts, kinds) => {
    const onPage = () => findInTexts(texts, breathe, kinds)
    if (texts.reduce((sum, { length }) => sum + length, 0) < SMALL) return onPage()
    const port = workerNow()
    if (port === null) return onPage()
    const { promise, resolve } = Promise.withResolvers<Parameters<Answer>[0]>()
    ids += 1
    open.set(ids, resolve)
    try {
      port.postMessage({ id: ids, texts, ...(kinds && { kinds: [...kinds] }) })
    } catch {
      abandon()
    }
    return (await promise) ?? onPage()
  }
}
