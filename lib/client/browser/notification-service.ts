/*
 * Whether the system notifies the user that a reply is done. The user is asked once, in place; the browser's permission
 * is requested after a yes. Stored in this browser: another one asks for itself.
 */

export type NotifyChoice = 'unasked' | 'on' | 'off'

/** A reply that takes this long is worth leaving the page for. */
export const longReplyMs = 8_000

const key = 'nod:notify'

export interface EndNotice {
  readonly title: string
  readonly body: string
  /** The address that a click on it opens, with the base path. */
  readonly address: string
  readonly lang: string
}

export interface NotifyPorts {
  /** Null if the browser has no storage: then the next page asks again. */
  readonly storage: Pick<Storage, 'getItem' | 'setItem'> | null
  /** The browser's permission for this page; `denied` if it does not support notifications. */
  readonly permission: () => NotificationPermission
  readonly askPermission: () => Promise<NotificationPermission>
  readonly isPageVisible: () => boolean
  readonly show: (notice: EndNotice) => Promise<void>
}

export interface NotificationService {
  readonly subscribe: (listener: () => void) => () => void
  readonly choice: () => NotifyChoice
  /** The user denied it permanently, which only the browser's own settings change. */
  readonly isBlocked: () => boolean
  /** Only during a click, because browsers ask then. */
  readonly turnOn: () => Promise<void>
  readonly turnOff: () => void
  /** Does nothing while the page is visible, or if notifications are off. */
  readonly tell: (notice: EndNotice) => Promise<void>
}

export function createNotificationService({
  storage,
  permission,
  askPermission,
  isPageVisible,
  show,
}: NotifyPorts): NotificationService {
  const listeners = new Set<() => void>()
  let choice = readChoice(storage)

  function choose(next: 'on' | 'off'): void {
    choice = next
    try {
      storage?.setItem(key, next)
    } catch {
      // Full or refused: it holds as long as the page.
    }
    for (const listener of listeners) listener()
  }

  return {
    subscribe(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    choice: () => choice,
    isBlocked: () => permission() === 'denied',
    turnOn: async () => choose((await askPermission()) === 'granted' ? 'on' : 'off'),
    turnOff: () => choose('off'),
    async tell(notice) {
      if (choice === 'on' && permission() === 'granted' && !isPageVisible()) await show(notice)
    },
  }
}

function readChoice(storage: NotifyPorts['storage']): NotifyChoice {
  try {
    const kept = storage?.getItem(key)
    return kept === 'on' || kept === 'off' ? kept : 'unasked'
  } catch {
    return 'unasked'
  }
}
