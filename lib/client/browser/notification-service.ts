/*
 * Whether a person is told by their system that a reply is done. Asked once, in place; the browser's own permission comes with
 * the yes. Kept in this browser: another one asks for itself.
 */

export type NotifyChoice = 'unasked' | 'on' | 'off'

/** A reply that takes as long as this is worth leaving the page for. */
export const longReplyMs = 8_000

const key = 'nod:notify'

export interface EndNotice {
  readonly title: string
  readonly body: string
  /** Where a click on it leads, with the base path. */
  readonly address: string
  readonly lang: string
}

export interface NotifyPorts {
  /** Null where the browser keeps nothing: then it is asked again with the next page. */
  readonly storage: Pick<Storage, 'getItem' | 'setItem'> | null
  /** What the browser lets this page do; `denied` where it knows no notifications. */
  readonly permission: () => NotificationPermission
  readonly askPermission: () => Promise<NotificationPermission>
  readonly isLookedAt: () => boolean
  readonly show: (notice: EndNotice) => Promise<void>
}

export interface NotificationService {
  readonly subscribe: (listener: () => void) => () => void
  readonly choice: () => NotifyChoice
  /** It was said no for good, which only the browser's own settings change. */
  readonly isBlocked: () => boolean
  /** From a click alone: browsers ask then. */
  readonly turnOn: () => Promise<void>
  readonly turnOff: () => void
  /** Does nothing while someone looks at the page, or wants none. */
  readonly tell: (notice: EndNotice) => Promise<void>
}

export function createNotificationService({
  storage,
  permission,
  askPermission,
  isLookedAt,
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
      if (choice === 'on' && permission() === 'granted' && !isLookedAt()) await show(notice)
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
