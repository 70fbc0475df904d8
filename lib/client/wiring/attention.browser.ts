import { wallClock } from '@/lib/base/clocks'
import { localStorageOrNull, locksOrNull } from '@/lib/base/features.browser'
import { createAttention } from '@/lib/client/browser/attention'
import { createWebCallLocks } from '@/lib/client/calls/call-locks.browser'
import { storageSpace } from '@/lib/client/outbox/outbox'
import { pageWho } from './nod-api.browser'

const storage = localStorageOrNull()

/** How the person of this page decides on cards. */
export const attention = createAttention({
  storage: storage && storageSpace(storage, pageWho),
  now: wallClock,
  async alone(work) {
    const done = await createWebCallLocks(locksOrNull()).tryHold('nod:attention', work)
    return done.held && done.value
  },
})
