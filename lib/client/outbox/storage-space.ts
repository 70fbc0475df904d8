import type { OutboxStorage } from './outbox'

/**
 * The browser's storage as one account sees it: the same names in a space of its own, so that the next person at this browser
 * finds nothing of what another wrote and did not send. Without an account it is the storage itself.
 */
export function storageSpace(storage: OutboxStorage, who: string): OutboxStorage {
  if (who === '') return storage
  const space = `${who}:`
  return {
    getItem: (key) => storage.getItem(space + key),
    setItem: (key, value) => storage.setItem(space + key, value),
    removeItem: (key) => storage.removeItem(space + key),
    key: (index) => {
      const key = storage.key(index) ?? ''
      return key.startsWith(space) ? key.slice(space.length) : ''
    },
    get length() {
      return storage.length
    },
  }
}
