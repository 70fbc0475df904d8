import { createNotifyDesk, type EndNotice } from '@/lib/client/notify-desk'
import { storageSpace } from '@/lib/client/storage-space'
import { pageWho } from './nod-api.browser'

const isKnown = typeof Notification !== 'undefined'

/** What a person chose of notifications, and the browser's word on it. */
export const notifyDesk = createNotifyDesk({
  storage: storageOrNull(),
  permission: () => (isKnown ? Notification.permission : 'denied'),
  askPermission: () => (isKnown ? Notification.requestPermission() : Promise.resolve('denied')),
  isLookedAt: () => document.visibilityState === 'visible',
  show,
})

async function show({ title, body, address, lang }: EndNotice): Promise<void> {
  const shown = { body, lang, tag: address, data: address }
  // Phones take them from a service worker alone. Missing on plain http.
  const workers = (navigator as { readonly serviceWorker?: ServiceWorkerContainer }).serviceWorker
  const registration = await workers?.getRegistration()
  if (registration?.active) return await registration.showNotification(title, shown)
  const own = new Notification(title, shown)
  own.addEventListener('click', () => {
    window.focus()
    own.close()
  })
}

function storageOrNull(): ReturnType<typeof storageSpace> | null {
  try {
    return storageSpace(window.localStorage, pageWho)
  } catch {
    // Storage is blocked for this site.
    return null
  }
}
