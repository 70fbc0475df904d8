/** How many times a page may take the keyboard unasked; the last of them ends it. */
const maxThefts = 2
const checkMs = 250
/** A browser asks the frame’s process where in it Tab leads to. */
const tabMs = 500
/** So long a browser counts a press; Chromium has five seconds. */
const countedMs = 6_000

export interface KeyboardGuard {
  /**
   * A person pressed something in the frame, which a page can’t make up: its script saw the press (`isTrusted`), or the browser
   * counts one of the last five seconds. The latter may be older than what was pressed beside the frame.
   */
  readonly pressed: (isSeen: boolean) => void
  /** The frame's script answered what `ask` sent it. */
  readonly answered: (number: number) => void
  /** The app itself puts the focus into the frame. */
  readonly lend: () => void
  readonly stop: () => void
}

export interface KeyboardGuardOptions {
  /** The page took the keyboard for the second time. */
  readonly onThief: () => void
  /**
   * Sends a number to the frame's script, which answers with it. What the script sent before has then arrived: on a busy
   * machine the focus is here long before the message of the press that explains it. False: no page is there yet.
   */
  readonly ask: (number: number) => boolean
}

/**
 * Keeps the keyboard where the person put it. A frame gets it by a press inside it, or by Tab. From a page that takes it by script it
 * goes back at once, to the element that had it. That is a theft as soon as the frame's script has answered without reporting a
 * press; the second one calls `onThief`. The permissions policy against this (`focus-without-user-activation`) is sent too, but
 * few browsers know it.
 */
export function guardKeyboard(frame: HTMLIFrameElement, { onThief, ask }: KeyboardGuardOptions): KeyboardGuard {
  const { ownerDocument: document } = frame
  const window = document.defaultView
  let mayHave = false
  /** The app gave it the keyboard: until something beside the frame is pressed or typed, its page takes nothing. */
  let lent = false
  /** When Tab was pressed, and led to nothing beside the frame. */
  let tabbedAt = -Infinity
  let thefts = 0
  let holder: Element | null = document.activeElement === frame ? null : document.activeElement
  let asked = 0
  let returnedAt = -Infinity
  /** The focus was given back, and the answer with this number is awaited. A press that is reported first gets the focus. */
  let awaited: number | null = null
  /** When something beside the frame was pressed or typed. */
  let usedAt = -Infinity

  const check = () => {
    if (document.activeElement !== frame) {
      mayHave = false
      return
    }
    mayHave ||= lent || performance.now() - tabbedAt < tabMs
    if (mayHave) return
    if (holder instanceof HTMLElement && holder.isConnected && holder !== document.body) {
      holder.focus({ preventScroll: true })
    } else frame.blur()
    returnedAt = performance.now()
    if (awaited !== null) return
    asked += 1
    awaited = ask(asked) ? asked : null
  }
  const onFocusIn = ({ target }: FocusEvent) => {
    if (target === frame) return check()
    mayHave = false
    tabbedAt = -Infinity
    if (target instanceof Element) holder = target
  }
  const onKey = (event: KeyboardEvent) => {
    if (!event.isTrusted) return
    mayHave = lent = false
    usedAt = performance.now()
    tabbedAt = event.key === 'Tab' ? usedAt : -Infinity
    setTimeout(() => {
      if (event.defaultPrevented) tabbedAt = -Infinity
    })
  }
  // A press beside the frame: what has the keyboard from now on is not the frame, whatever was pressed in it before.
  const onPress = () => {
    mayHave = lent = false
    usedAt = performance.now()
    tabbedAt = -Infinity
  }

  document.addEventListener('focusin', onFocusIn, true)
  document.addEventListener('pointerdown', onPress, true)
  window?.addEventListener('keydown', onKey, true)
  window?.addEventListener('blur', check)
  window?.addEventListener('focus', check)
  const timer = setInterval(check, checkMs)
  return {
    pressed(isSeen) {
      if (!isSeen && performance.now() - usedAt < countedMs) return
      mayHave = true
      if (awaited === null) return
      // It came after the focus that it explains.
      awaited = null
      if (returnedAt > usedAt) frame.focus({ preventScroll: true })
    },
    answered(number) {
      if (number !== awaited) return
      awaited = null
      thefts += 1
      if (thefts === maxThefts) onThief()
    },
    lend() {
      mayHave = lent = true
      frame.focus()
    },
    stop() {
      clearInterval(timer)
      document.removeEventListener('focusin', onFocusIn, true)
      document.removeEventListener('pointerdown', onPress, true)
      window?.removeEventListener('keydown', onKey, true)
      window?.removeEventListener('blur', check)
      window?.removeEventListener('focus', check)
    },
  }
}
