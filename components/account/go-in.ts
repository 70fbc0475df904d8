import { cachesHere, localStorageHere, openChannel, sessionStorageHere } from '@/lib/base/features.browser'
import { withBase } from '@/lib/base/base-path'
import { forgetPrivate } from '@/lib/offline/forget-private'
import { forgetInTime, portsOfPage, takeAlongInTime } from '@/lib/client/left-databases'
import { forgetNames } from '@/lib/client/person-databases'
import { storageSpace } from '@/lib/client/storage-space'
import { takeWordsAlong } from '@/lib/client/take-words-along'

/** Who arrived, and what came along. */
export interface Arrived {
  readonly who: string
  readonly moved: number
  readonly waiting: number
}

/** A page before the one that is wanted, which it must not forget. */
export const pageWithNext = (page: string, next: string): string =>
  next === '/' ? page : `${page}?next=${encodeURIComponent(next)}`

/** What was typed, sent or kept here before goes along; then the page is another's, made anew. Never rejects. */
export async function goIn(who: string, next: string): Promise<void> {
  try {
    const storage = localStorageHere()
    if (storage) takeWordsAlong(storage, who)
    await takeAlongInTime(who, portsOfPage())
  } catch {
    // The browser keeps nothing, or has no room: what is left stays where it was.
  }
  tellOtherTabs()
  // What is kept of these chats is of whoever was here without this account.
  await leaveFor(next)
}

/**
 * The account is gone: so goes what this browser kept for it under its own names. False: another tab holds some of that, and it
 * goes when Nod starts next. Never rejects.
 */
export async function forgetAccount(who: string): Promise<boolean> {
  try {
    for (const storage of [localStorageHere(), sessionStorageHere()]) {
      if (storage) forgetNames(storageSpace(storage, who))
    }
    return await forgetInTime(who, portsOfPage())
  } catch {
    // The browser keeps nothing, or refuses.
    return true
  }
}

/** To a page of ours, with nothing kept of whoever was here to be read without the server. Caches are missing on plain http. */
export async function leaveFor(path: string): Promise<void> {
  await forgetPrivate(cachesHere())
  window.location.replace(withBase(path))
}

/** Tabs that show the chat ask the server who they are, and leave where they are somebody else's now. */
export function tellOtherTabs(): void {
  const channel = openChannel('nod:conversations')
  channel.postMessage({ conversationId: null })
  channel.close()
}
