import { localStorageOrNull } from '@/lib/base/features.browser'
import { createCallLinkApi } from '@/lib/client/api/look-api'
import { storageSpace } from '@/lib/client/outbox/outbox'
import { fetchNoting, pageWho } from './nod-api.browser'

export const callLinkApi = createCallLinkApi(fetchNoting)

/** Only an account is used on several devices; without one, each browser is a user of its own. */
export const hasOtherDevices = pageWho !== ''

/** As it is stored: of a reviewer's link also the secret, and the address that the user wrote. */
export const linkText = (token: string, review?: string, address = ''): string =>
  review === undefined ? token : `${token} ${review} ${address}`

/*
 * The unanswered links that this browser created, by their calls. They survive a reload, because this browser has the
 * files and runs what is approved elsewhere.
 */
const local = localStorageOrNull()
const storage = local && storageSpace(local, pageWho)
const listeners = new Set<() => void>()
const nameOf = (messageId: string, slot: number): string => `nod:look:${messageId}:${slot}`

function change(work: () => void): void {
  try {
    work()
  } catch {
    // A browser without storage loses the link with its page.
  }
  for (const listener of listeners) listener()
}

export const openCallLinks = {
  /** See `linkText`; null: there is no link. */
  get: (messageId: string, slot: number): string | null => storage?.getItem(nameOf(messageId, slot)) ?? null,
  add: (messageId: string, slot: number, link: string) => change(() => storage?.setItem(nameOf(messageId, slot), link)),
  end: (messageId: string, slot: number) => change(() => storage?.removeItem(nameOf(messageId, slot))),
  watch: (listener: () => void): (() => void) => {
    listeners.add(listener)
    return () => void listeners.delete(listener)
  },
}
