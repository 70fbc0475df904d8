import type { OutboxStorage } from './outbox'

const words = /^nod:(?:draft|outbox|unsent):/
/** What is remembered of their models: nothing that the next person here should find. */
const remembered = /^nod(?::own-models|:token-ratios|-lab-best|-recent-models)$/

/**
 * What was typed or sent in this browser before its person signed in goes along, as its chats do. `who`: the mark of the account.
 * Should storage refuse midway, what is not there yet stays where it was.
 */
export function migrateDrafts(storage: OutboxStorage, who: string): void {
  if (who === '') return
  const keys = Array.from({ length: storage.length }, (_, index) => storage.key(index) ?? '')
  for (const key of keys) {
    const text = words.test(key) || remembered.test(key) ? storage.getItem(key) : null
    if (text === null) continue
    const isThere = storage.getItem(`${who}:${key}`) !== null
    if (isThere && words.test(key)) continue
    if (!isThere) storage.setItem(`${who}:${key}`, text)
    storage.removeItem(key)
  }
}
