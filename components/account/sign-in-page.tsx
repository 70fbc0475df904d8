'use client'

import { cachesOrNull, localStorageOrNull, openChannel, sessionStorageOrNull } from '@/lib/base/features.browser'
import { forgetPrivate } from '@/lib/client/offline/offline-caches'
import { forgetInTime, portsOfPage, takeAlongInTime } from '@/lib/client/browser/stale-databases'
import { forgetNames } from '@/lib/client/browser/person-databases'
import { storageSpace } from '@/lib/client/outbox/outbox'
import { migrateDrafts } from '@/lib/client/outbox/drafts'
import { useEffect } from 'react'
import { useLanguage } from '@/components/ui/page/use-language'
import { withBase } from '@/lib/base/base-path'
import { t } from '@/lib/i18n/t'

/** Who signed in, and what was taken over from the visitor. */
export interface SignedIn {
  readonly who: string
  readonly moved: number
  readonly waiting: number
}

/** The address of `page` with `next` in its query, so that the requested page is opened afterwards. */
export const pageWithNext = (page: string, next: string): string =>
  next === '/' ? page : `${page}?next=${encodeURIComponent(next)}`

/**
 * Takes over what this browser typed, sent or stored before signing in, then loads the page again for the account.
 * Never rejects.
 */
export async function signInPage(who: string, next: string): Promise<void> {
  try {
    const storage = localStorageOrNull()
    if (storage) migrateDrafts(storage, who)
    await takeAlongInTime(who, portsOfPage())
  } catch {
    // The browser has no storage or no room; the remaining data stays where it is.
  }
  notifyOtherTabs()
  // Data kept for these chats belongs to anyone who used this browser without the account.
  await navigateTo(next)
}

/**
 * Deletes this browser's data of a deleted account. False if another tab holds some of it; it is then deleted when Nod
 * next starts. Never rejects.
 */
export async function forgetAccount(who: string): Promise<boolean> {
  try {
    for (const storage of [localStorageOrNull(), sessionStorageOrNull()]) {
      if (storage) forgetNames(storageSpace(storage, who))
    }
    return await forgetInTime(who, portsOfPage())
  } catch {
    // The browser has no storage, or refuses access to it.
    return true
  }
}

/** Opens one of our pages and deletes cached data that could be read offline. `caches` is missing on plain http. */
export async function navigateTo(path: string): Promise<void> {
  await forgetPrivate(cachesOrNull())
  window.location.replace(withBase(path))
}

/** Tells other tabs to ask the server who is signed in; a tab leaves if the account has changed. */
export function notifyOtherTabs(): void {
  const channel = openChannel('nod:conversations')
  channel.postMessage({ conversationId: null })
  channel.close()
}

/** The page after the provider's redirect: takes over this browser's drafts and opens the requested page. */
export function OidcCallback({ who, next }: { who: string; next: string }) {
  useLanguage()
  useEffect(() => void signInPage(who, next), [who, next])
  return (
    <main className="grid min-h-dvh place-items-center p-4">
      <p>
        {t('account.arrived')} <a href={withBase(next)}>{t('account.go-on')}</a>
      </p>
    </main>
  )
}
