import { localStorageOrNull, notificationsOrNull, serviceWorkersOrNull } from '@/lib/base/features.browser'
import { createNotificationService, type EndNotice } from '@/lib/client/browser/notification-service'
import { storageSpace } from '@/lib/client/outbox/outbox'
import { pageWho } from '@/lib/client/wiring/nod-api.browser'

const notifications = notificationsOrNull()
const storage = localStorageOrNull()

/** The user's choice about notifications, and the browser's permission. */
export const notificationService = createNotificationService({
  storage: storage && storageSpace(storage, pageWho),
  permission: () => notifications?.permission ?? 'denied',
  askPermission: () => notifications?.requestPermission() ?? Promise.resolve('denied'),
  isPageVisible: () => document.visibilityState === 'visible',
  show,
})

async function show({ title, body, address, lang }: EndNotice): Promise<void> {
  const shown = { body, lang, tag: address, data: address }
  // Phones allow them only from a service worker.
  const registration = await serviceWorkersOrNull()
    ?.getRegistration()
    .catch(() => undefined)
  if (registration?.active) return await registration.showNotification(title, shown)
  if (!notifications) return
  const own = new notifications(title, shown)
  own.addEventListener('click', () => {
    window.focus()
    own.close()
  })
}
