import { storageManagerOrNull } from '@/lib/base/features.browser'
import { builtFile } from '@/lib/base/base-path'
import { makeError } from '@/lib/i18n/t'
import { createWllamaClient, createWllamaRunner } from './client'
import type { WeightsSource } from './choice'
import { startFramedWorker, threadsFor } from './frame/framed-worker.browser'
import { weightsFile } from './weights/stored-weights'
import { openOpfsStore } from './weights/opfs-store.browser'
import { requestPersistence } from './weights/storage-space'

/* The page's one engine: a model takes most of the memory that a page may have. */

function createPage() {
  const client = createWllamaClient({
    startWorker: () =>
      startFramedWorker(document, { frame: builtFile('/wllama.html'), worker: builtFile('/workers/wllama.js') }),
    wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  })
  /** Files that were picked in this page, by name and size. */
  const picked = new Map<string, File>()
  const keyOf = ({ name, size }: { readonly name: string; readonly size: number }) => `${size} ${name}`
  const place = () =>
    openOpfsStore(storageManagerOrNull()).catch((cause: unknown) => {
      throw makeError('unavailable', 'wllama.no-opfs', {}, { cause })
    })
  return {
    client,
    runner: createWllamaRunner(client),
    place,
    /** That are asked for; it is one where the browser lets none share memory. */
    threads: threadsFor(navigator.hardwareConcurrency),
    /** Asks the browser not to take weights away when room is short; it may say no. */
    persist: () => requestPersistence(storageManagerOrNull()),
    pick: (file: File) => void picked.set(keyOf(file), file),
    /** @throws {AppError} where it has to be picked again, or is no longer kept */
    async file(source: WeightsSource): Promise<File> {
      if (source.kind === 'kept') return weightsFile(await place(), source)
      const file = picked.get(keyOf({ name: source.name, size: source.bytes }))
      if (file === undefined) throw makeError('not-found', 'wllama.pick-again', { name: source.name })
      return file
    },
  }
}

export type WllamaPage = ReturnType<typeof createPage>

let page: WllamaPage | null = null

export const wllamaPage = (): WllamaPage => (page ??= createPage())
