import { wallClock } from '@/lib/base/clocks'
import { storageSpace } from '@/lib/client/storage-space'
import { createUnsent } from '@/lib/client/unsent'
import { pageWho } from './nod-api.browser'

const storage = (): Storage | null => {
  try {
    return window.localStorage
  } catch {
    // Storage is blocked for this site.
    return null
  }
}

/** Words of this page's fields that were not said yet. */
export const unsent = (() => {
  const local = typeof window === 'undefined' ? null : storage()
  return createUnsent(local && storageSpace(local, pageWho), wallClock)
})()
