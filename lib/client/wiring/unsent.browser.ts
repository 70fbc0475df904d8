import { wallClock } from '@/lib/base/clocks'
import { localStorageOrNull } from '@/lib/base/features.browser'
import { storageSpace } from '@/lib/client/outbox/outbox'
import { createUnsent } from '@/lib/client/outbox/unsent'
import { pageWho } from './nod-api.browser'
import { createTokenMemory } from '@/lib/client/outbox/token-memory'

/** Unsubmitted texts of this page's fields. */
export const unsent = (() => {
  const local = localStorageOrNull()
  return createUnsent(local && storageSpace(local, pageWho), wallClock)
})()

const storage = localStorageOrNull()

/** The token ratios that this browser learnt. */
export const tokenMemory = createTokenMemory(storage && storageSpace(storage, pageWho))
