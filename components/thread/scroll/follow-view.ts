import { decisionsOf, dockTop, spaceAboveHead, holdCards, minSpaceAbove } from './hold-cards'

export interface ViewFollower {
  /** Scrolls to the end and keeps following it. */
  readonly toEnd: () => void
  readonly dispose: () => void
}

/**
 * Keeps the end of growing `content` in view until the reader scrolls up, and again once they are back. Starts at the
 * end. `onAway` says whether the reader is too far from the end to see it.
 */
export function followView(view: HTMLElement, content: HTMLElement, onAway: (away: boolean) => void): ViewFollower {
  const life = new AbortController()
  let stuck = true
  let scrolledByReader = false
  /** The next scroll event is caused by following. */
  let isMine = false
  /**
   * The pressed element and its position. It stays there, whatever the press changes around it, so that the click hits
   * it.
   */
  let pressed: { readonly element: Element; readonly top: number } | null = null
  let away = false
  /** The element that the reader scrolled past: it no longer stops following. */
  let passed: Element | null = null
  const hold = holdCards(view, content)

  const setAway = (next: boolean) => {
    if (next === away) return
    away = next
    onAway(away)
  }
  const toEnd = () => {
    stuck = true
    passed = stopOfTurn(view)
    view.scrollTop = view.scrollHeight
    hold.note()
    setAway(false)
  }
  const follow = () => {
    if (pressed) {
      const moved = topIn(view, pressed.element) - pressed.top
      if (Math.abs(moved) > 1) {
        isMine = true
        view.scrollTop += moved
      }
      return hold.note()
    }
    const { scrollTop } = view
    const isHeld = hold.keep()
    if (Math.abs(view.scrollTop - scrollTop) > 1) isMine = true
    if (isHeld) return
    if (!stuck) return hold.note()
    const measures = measure(view, content, passed)
    const target = followTarget(measures)
    if (Math.abs(view.scrollTop - target) > 1) {
      isMine = true
      view.scrollTop = target
    }
    // Text below a picture that stops following is out of view, so the way there is offered.
    const below = measures.scrollHeight - measures.clientHeight - target
    setAway(measures.headTop === null && measures.stopTop !== null && below > awayFrom)
    hold.note()
  }
  toEnd()
  let lastTop = view.scrollTop

  const release = () => {
    scrolledByReader = true
    stuck = false
  }
  const onScroll = () => {
    const { scrollTop, scrollHeight, clientHeight } = view
    const distance = scrollHeight - scrollTop - clientHeight
    stuck = nextStuck(stuck, { distance, movedBy: scrollTop - lastTop, scrolledByReader })
    // The reader scrolled down past the stop.
    if (!isMine && scrollTop > lastTop) passed = stopOfTurn(view)
    isMine = false
    scrolledByReader = false
    lastTop = scrollTop
    hold.note()
    setAway(distance > awayFrom && (!stuck || measure(view, content, passed).stopTop !== null))
  }
  const options = { passive: true, signal: life.signal }
  view.addEventListener('scroll', onScroll, options)
  view.addEventListener('wheel', (event) => event.deltaY < 0 && release(), options)
  view.addEventListener('touchmove', release, options)
  view.addEventListener(
    'keydown',
    (event) => !isTyping(event.target) && /^(?:PageUp|Home|ArrowUp)$/.test(event.key) && release(),
    options,
  )
  // A press on the scroller itself can only be on the scrollbar.
  view.addEventListener('pointerdown', (event) => event.target === view && release(), options)
  const onPress = ({ target }: Event) => {
    if (target instanceof Element) pressed = { element: target, top: topIn(view, target) }
  }
  view.addEventListener('pointerdown', onPress, options)
  for (const end of ['pointerup', 'pointercancel'] as const) {
    window.addEventListener(end, () => (pressed = null), { ...options, capture: true })
  }

  const observer = new ResizeObserver(follow)
  observer.observe(content)
  observer.observe(view)
  // A resize is reported only with the next frame. A press before that would miss a button that has moved, so changes
  // above a waiting card are compensated immediately.
  const changes = new MutationObserver(() => {
    if (waitingCard(view) || hold.isStale()) follow()
  })
  changes.observe(content, {
    subtree: true,
    childList: true,
    characterData: true,
    attributeFilter: ['hidden', 'open', 'class'],
  })
  return {
    toEnd,
    dispose() {
      observer.disconnect()
      changes.disconnect()
      hold.dispose()
      life.abort()
    },
  }
}

/** The element's distance below the view's upper edge; px. */
const topIn = (view: HTMLElement, element: Element): number =>
  element.getBoundingClientRect().top - view.getBoundingClientRect().top

const waitingCard = (view: HTMLElement): Element | null =>
  view.querySelector('[data-last-message] [data-call-card="waiting"]')

/** The setting to stay at the start of a new reply. */
const staysAtStart = (): boolean => document.documentElement.dataset['follow'] === 'start'

/** Where following stops in this turn: at the user's message, or at a picture. */
const stopOfTurn = (view: HTMLElement): Element | null =>
  staysAtStart() ? ([...view.querySelectorAll('[data-said]')].at(-1) ?? null) : pictureOfTurn(view)

/** The last picture that a call displayed since the user's last message. */
function pictureOfTurn(view: HTMLElement): Element | null {
  const picture = [...view.querySelectorAll('[data-picture]')].at(-1)
  const lastSpoken = [...view.querySelectorAll('[data-said]')].at(-1)
  if (!picture) return null
  const isBefore = lastSpoken && (picture.compareDocumentPosition(lastSpoken) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0
  return isBefore ? null : picture
}

function measure(view: HTMLElement, content: HTMLElement, passed: Element | null): ThreadMeasures {
  const last = view.querySelector('[data-last-message]')
  const waiting = waitingCard(view)
  const head = staysAtStart() ? null : ((waiting && last?.querySelector('[data-batch]')) ?? waiting)
  const { scrollTop, scrollHeight, clientHeight } = view
  const topOf = (element: Element) => topIn(view, element) + scrollTop
  const stop = head ? null : stopOfTurn(view)
  const foot = head && waiting ? decisionsOf(waiting) : null
  return {
    scrollTop,
    scrollHeight,
    clientHeight,
    headTop: head ? topOf(head) : null,
    footBottom: foot ? topOf(foot) + foot.getBoundingClientRect().height : null,
    dockTop: head ? dockTop(view, content) : clientHeight,
    // The user's message is closer to the edge than a card or a picture.
    stopTop: stop && stop !== passed ? topOf(stop) + (staysAtStart() ? spaceAboveHead - startRoom : 0) : null,
  }
}

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.closest('textarea, input, select, [contenteditable="true"]') !== null

/** Space above the user's message at the start of a reply; px. */
const startRoom = 24

/** The distance from the end that still counts as at the end; px. */
export const nearEnd = 48
/** Nearer, the button that leads to the end would cover the last message's buttons; px. */
const awayFrom = 80

export interface ScrollMoment {
  readonly distance: number
  /** Positive: towards the end. */
  readonly movedBy: number
  /** The reader scrolled: wheel up, PageUp, or a drag. */
  readonly scrolledByReader: boolean
}

/** Whether the view follows the end after a scroll. Only moving down, or being at the very end, resumes following. */
export function nextStuck(stuck: boolean, { distance, movedBy, scrolledByReader }: ScrollMoment): boolean {
  if (scrolledByReader && movedBy < 0) return false
  if (distance <= 1) return true
  if (movedBy > 0 && distance <= nearEnd) return true
  return stuck
}

export interface ThreadMeasures {
  readonly scrollTop: number
  readonly scrollHeight: number
  readonly clientHeight: number
  /** The top of the first waiting card (or its batch bar) in the last message; null if none waits. */
  readonly headTop: number | null
  /** The bottom of that card's buttons. */
  readonly footBottom: number | null
  /** Below this line, the message field covers the content. */
  readonly dockTop: number
  /**
   * The top of the last picture that a call of this turn displayed, or of the user's message; null if the reader
   * scrolled past it.
   */
  readonly stopTop: number | null
}

/**
 * Where following scrolls to: the end, but never past the head of a waiting card, nor past a picture (or the user's
 * message, if so configured) while the reply continues below; it never scrolls back up for them. A waiting card has
 * priority: the space above it is given up for its buttons, as long as both stay in view.
 */
export function followTarget(measures: ThreadMeasures): number {
  const { scrollTop, scrollHeight, clientHeight, headTop, footBottom } = measures
  const end = Math.max(0, scrollHeight - clientHeight)
  const stop = headTop ?? measures.stopTop
  if (stop === null) return end
  const below = headTop === null || footBottom === null ? 0 : footBottom + minSpaceAbove - measures.dockTop
  const place = Math.max(stop - spaceAboveHead, Math.min(below, stop - minSpaceAbove))
  return Math.min(end, Math.max(scrollTop, place))
}
