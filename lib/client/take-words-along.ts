import type { OutboxStorage } from './outbox'

const kept = /^nod:(?:draft|outbox):/

/**
 * What was typed or sent in this browser before its person signed in goes along, as its chats do. `who`: the mark of the account.
 * Should storage refuse midway, what is not there yet stays where it was.
 */
export function takeWordsAlong(storage: OutboxStorage, who: string): void {
  if (who === '') return
  const keys = Array.from({ length: storage.length }, (_, index) => storage.key(index) ?? '')
  for (const key of keys.filter((one) => kept.test(one))) {
    const text = storage.getItem(key)
    if (text === null || storage.getItem(`${who}:${key}`) !== null) continue
    storage.setItem(`${who}:${key}`, text)
    storage.removeItem(key)
  }
}
