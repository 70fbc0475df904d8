/** How many times a page may take the focus without a press; the last one ends it. */
const maxThefts = 2
const checkMs = 250
/** Tab into a frame takes time, because the browser asks the frame's process for the target. */
const tabMs = 500
/** How long a browser counts a press as user activation; 5 s in Chromium. */
const countedMs = 6_000

export interface KeyboardGuard {
  /**
   * Reports a press in the frame that a page can't fake: its script saw the press (`isTrusted`), or the browser counts
   * one in the last 5 s. The latter may be older than the last press outside the frame.
   */
  readonly pressed: (isSeen: boolean) => void
  /** The frame's script answered a number that `ask` sent. */
  readonly answered: (number: number) => void
  /** The app itself moves the focus into the frame. */
  readonly lend: () => void
  readonly stop: () => void
}

export interface KeyboardGuardOptions {
  /** Called when the page took the focus for the second time. */
  readonly onThief: () => void
  /**
   * Sends a number to the frame's script, which answers with it. Earlier messages of the script have then arrived: on a
   * busy machine, the focus arrives long before the message about the press that explains it. False if there is no page
   * yet.
   */
  readonly ask: (number: number) => boolean
}

/**
 * Gives the focus back when a page in a frame takes it by script. A frame may get the focus by a press inside it or by
 * Tab. Otherwise the focus returns immediately to the element that had it. This counts as a theft once the frame's
 * script has answered without reporting a press; the second theft calls `onThief`. The permissions policy
 * `focus-without-user-activation` is sent too, but few browsers support it.
 */
export function guardKeyboard(frame: HTMLIFrameElement, { onThief, ask }: KeyboardGuardOptions): KeyboardGuard {
  const { ownerDocument: document } = frame
  const window = document.defaultView
  let mayHave = false
  /** The app lent the focus: until a press or key outside the frame, its page can't steal it. */
  let lent = false
  /** When Tab was pressed without focusing an element outside the frame. */
  let tabbedAt = -Infinity
  let thefts = 0
  let holder: Element | null = document.activeElement === frame ? null : document.activeElement
  let asked = 0
  let returnedAt = -Infinity
  /**
   * The focus was given back, and the answer with this number is pending. A press reported before it gets the focus.
   */
  let awaited: number | null = null
  /** When something outside the frame was last pressed or typed. */
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
  // After a press outside, the frame no longer owns the focus, whatever was pressed in it before.
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
      // The report arrived after the focus that it explains.
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
