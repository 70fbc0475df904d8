import { cachesOrNull, localStorageOrNull, openChannel, sessionStorageOrNull } from '@/lib/base/features.browser'
import { withBase } from '@/lib/base/base-path'
import { forgetPrivate } from '@/lib/client/offline/offline-caches'
import { forgetInTime, portsOfPage, takeAlongInTime } from '@/lib/client/browser/stale-databases'
import { forgetNames } from '@/lib/client/browser/person-databases'
import { storageSpace } from '@/lib/client/outbox/outbox'
import { migrateDrafts } from '@/lib/client/outbox/drafts'

/** Who arrived, and what came along. */
export interface SignedIn {
  readonly who: string
  readonly moved: number
  readonly waiting: number
}

/** A page before the one that is wanted, which it must not forget. */
export const pageWithNext = (page: string, next: string): string =>
  next === '/' ? page : `${page}?next=${encodeURIComponent(next)}`

/** What was typed, sent or kept here before goes along; then the page is another's, made again. Never rejects. */
export async function signInPage(who: string, next: string): Promise<void> {
  try {
    const storage = localStorageOrNull()
    if (storage) migrateDrafts(storage, who)
    await takeAlongInTime(who, portsOfPage())
  } catch {
    // The browser keeps nothing, or has no room: what is left stays where it was.
  }
  notifyOtherTabs()
  // What is kept of these chats is of anyone who was here without this account.
  await navigateTo(next)
}

/**
 * The account is gone: so goes what this browser kept for it under its own names. False: another tab holds some of that, and it
 * goes when Nod starts next. Never rejects.
 */
export async function forgetAccount(who: string): Promise<boolean> {
  try {
    for (const storage of [localStorageOrNull(), sessionStorageOrNull()]) {
      if (storage) forgetNames(storageSpace(storage, who))
    }
    return await forgetInTime(who, portsOfPage())
  } catch {
    // The browser keeps nothing, or refuses.
    return true
  }
}

/** To a page of ours, with nothing kept of anyone who was here to be read without the server. Caches are missing on plain http. */
export async function navigateTo(path: string): Promise<void> {
  await forgetPrivate(cachesOrNull())
  window.location.replace(withBase(path))
}

/** Tabs that show the chat ask the server who they are, and leave where they are someone else's now. */
export function notifyOtherTabs(): void {
  const channel = openChannel('nod:conversations')
  channel.postMessage({ conversationId: null })
  channel.close()
}
