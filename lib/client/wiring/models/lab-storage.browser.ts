import { localStorageOrNull } from '@/lib/base/features.browser'
import { type OutboxStorage, storageSpace } from '@/lib/client/outbox/outbox'
import { pageWho } from '@/lib/client/wiring/nod-api.browser'

const kept = new Map<string, string>()

/** In-memory storage for a browser without one; it lasts as long as the page. */
const pageStorage: OutboxStorage = {
  getItem: (key) => kept.get(key) ?? null,
  setItem: (key, value) => void kept.set(key, value),
  removeItem: (key) => void kept.delete(key),
  key: (index) => [...kept.keys()][index] ?? null,
  get length() {
    return kept.size
  },
}

/** The storage for the best measured strategy, separate for each account. */
export const labStorage = (): OutboxStorage => storageSpace(localStorageOrNull() ?? pageStorage, pageWho)
