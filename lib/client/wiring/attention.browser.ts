import { wallClock } from '@/lib/base/clocks'
import { localStorageOrNull, locksOrNull } from '@/lib/base/features.browser'
import { createAttention } from '@/lib/client/browser/attention'
import { storageSpace } from '@/lib/client/outbox/outbox'
import { pageWho } from './nod-api.browser'

const storage = localStorageOrNull()

/** Statistics on how the user of this page decides on cards. */
export const attention = createAttention({
  storage: storage && storageSpace(storage, pageWho),
  now: wallClock,
  // Without locks no call can run either.
  alone: async (work) =>
    (await locksOrNull()
      ?.request('nod:attention', { ifAvailable: true }, (lock) => (lock ? work() : false))
      .catch(() => false)) ?? work(),
})
