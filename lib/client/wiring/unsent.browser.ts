import { wallClock } from '@/lib/base/clocks'
import { localStorageOrNull } from '@/lib/base/features.browser'
import { storageSpace } from '@/lib/client/outbox/outbox'
import { createUnsent } from '@/lib/client/outbox/unsent'
import { pageWho } from './nod-api.browser'
import { createTokenMemory } from '@/lib/client/outbox/token-memory'

/** Words of this page's fields that were not said yet. */
export const unsent = (() => {
  const local = localStorageOrNull()
  return createUnsent(local && storageSpace(local, pageWho), wallClock)
})()

const storage = localStorageOrNull()

/** What this browser learnt of how its models count. */
export const tokenMemory = createTokenMemory(storage && storageSpace(storage, pageWho))
