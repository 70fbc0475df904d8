import * as z from 'zod/mini'
import { isJsonObject, type JsonObject } from '@/lib/base/json'
import { tabRunLimits } from '@/lib/shared/conversation/wire/tab-run'
import { browserModelId } from '@/lib/base/model-id'
import {
  browserModelKinds,
  type BrowserModelConfig,
  type BrowserModelKind,
  type BrowserModelKindId,
} from './browser-model'
import { loadPart } from '@/lib/i18n/load-part'

/* The models of this browser, with their keys, in its IndexedDB and nowhere else. */

const STORE = 'models'

const words = (most: number) => z.string().check(z.minLength(1), z.maxLength(most))

const configSchema: z.ZodMiniType<BrowserModelConfig> = z.object({
  version: z.literal(1),
  id: words(300),
  kind: z.enum(browserModelKinds),
  name: words(300),
  label: words(tabRunLimits.maxLabelChars),
  contextTokens: z.nullable(z.int().check(z.gte(1), z.lte(tabRunLimits.maxContextTokens))),
  seesImages: z.boolean(),
  server: z.nullable(z.object({ address: words(2_000), key: z.nullable(z.string().check(z.maxLength(10_000))) })),
  options: z.custom<JsonObject>(isJsonObject),
  addedAt: z.number(),
})

export interface BrowserModelList {
  /** Oldest first. Entries that can't be read are left out and left alone. */
  all(): Promise<readonly BrowserModelConfig[]>
  get(id: string): Promise<BrowserModelConfig | null>
  put(config: BrowserModelConfig): Promise<void>
  /** Removes a model and its key. */
  remove(id: string): Promise<void>
  close(): void
}

/**
 * `name`: the database's name, one for each account of this browser. Rejects with the browser's error if it has no
 * storage.
 */
export function openModelList(name: string, indexedDB: IDBFactory): BrowserModelList {
  let opening: Promise<IDBDatabase> | null = null

  const open = (): Promise<IDBDatabase> =>
    (opening ??= new Promise<IDBDatabase>((resolve, reject) => {
      const request = indexedDB.open(name, 1)
      request.onupgradeneeded = () => request.result.createObjectStore(STORE, { keyPath: 'id' })
      request.onerror = () => reject(request.error ?? new Error('IndexedDB did not open'))
      request.onsuccess = () => {
        // Another tab may delete it, with all data of this browser.
        request.result.onversionchange = () => {
          request.result.close()
          opening = null
        }
        resolve(request.result)
      }
    }).catch((error: unknown) => {
      opening = null
      throw error
    }))

  async function ask<T>(mode: IDBTransactionMode, work: (store: IDBObjectStore) => IDBRequest<T>): Promise<T> {
    const transaction = (await open()).transaction(STORE, mode)
    const request = work(transaction.objectStore(STORE))
    return new Promise((resolve, reject) => {
      transaction.oncomplete = () => resolve(request.result)
      transaction.onerror = () => reject(transaction.error ?? new Error('IndexedDB refused'))
      transaction.onabort = () => reject(transaction.error ?? new Error('IndexedDB has no room'))
    })
  }

  const read = (value: unknown): readonly BrowserModelConfig[] => {
    const decoded = configSchema.safeParse(value)
    return decoded.success ? [decoded.data] : []
  }

  return {
    all: async () =>
      (await ask<unknown[]>('readonly', (store) => store.getAll()))
        .flatMap(read)
        .toSorted((a, b) => a.addedAt - b.addedAt),
    get: async (id) => read(await ask<unknown>('readonly', (store) => store.get(id)))[0] ?? null,
    async put(config) {
      await ask('readwrite', (store) => store.put(config))
    },
    async remove(id) {
      await ask('readwrite', (store) => store.delete(id))
    },
    close() {
      void opening?.then((database) => database.close())
      opening = null
    },
  }
}

/** Returns an id that no other model of the list has. */
export function freeId(kind: string, name: string, taken: ReadonlySet<string>): string {
  for (let number = 1; ; number += 1) {
    const id = browserModelId(kind, number === 1 ? name : `${name} (${number})`)
    if (!taken.has(id)) return id
  }
}

/** Each kind in its own chunk, loaded when a model of it is opened or added. */
const kinds: Partial<Record<BrowserModelKindId, () => Promise<BrowserModelKind>>> = {
  'openai-compatible': async () => (await ownServers()).openAICompatibleKind,
  ollama: async () => (await ownServers()).ollamaKind,
  'lm-studio': async () => (await ownServers()).lmStudioKind,
  chrome: async () => (await loadPart(() => import('./chrome/kind'))).chromeKind(globalThis),
  wllama: async () => (await loadPart(() => import('./wllama/kind'))).wllamaKind,
  paste: async () => (await loadPart(() => import('./paste/kind'))).pasteKind,
}

const ownServers = () => loadPart(() => import('./own-server/kinds'))

/** Null: this version has no such kind. */
export const loadKind = (id: BrowserModelKindId): Promise<BrowserModelKind | null> =>
  kinds[id]?.() ?? Promise.resolve(null)
