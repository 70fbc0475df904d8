import { localStorageHere } from '@/lib/base/features.browser'

const stored = 'nod:card-seen'

/** The card that is the first one of this page; null: none was, undefined: nobody asked yet. */
let first: string | null | undefined

/**
 * Whether this card is the first that this browser ever shows. Asked by every card that waits; the first to ask is it, for as
 * long as the page lives, and the browser remembers that there was one. Where it can't remember, no card is.
 */
export function claimFirstCard(id: string): boolean {
  if (first === undefined) first = wasOneSeen() ? null : id
  return first === id
}

function wasOneSeen(): boolean {
  try {
    const storage = localStorageHere()
    if (!storage || storage.getItem(stored) !== null) return true
    storage.setItem(stored, '1')
    return storage.getItem(stored) === null
  } catch {
    return true
  }
}
