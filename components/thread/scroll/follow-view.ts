import { headRoom, holdCards } from './hold-cards'

export interface ViewFollower {
  /** Goes to the end and stays there. */
  readonly toEnd: () => void
  readonly dispose: () => void
}

/**
 * Keeps the end of growing `content` in view until the reader scrolls up, and again once they are back. Starts at the
 * end. `onAway` hears when the reader is too far from the end to see it.
 */
export function followView(view: HTMLElement, content: HTMLElement, onAway: (away: boolean) => void): ViewFollower {
  const life = new AbortController()
  let stuck = true
  let letGo = false
  /** The next scroll is one of following. */
  let isMine = false
  /** What is being pressed, and where: there it stays, whatever the press changes around it, or it would be missed. */
  let pressed: { readonly element: Element; readonly top: number } | null = null
  let away = false
  /** What the reader went on past: it holds the view no more. */
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
    const measures = measure(view, passed)
    const target = followTarget(measures)
    if (Math.abs(view.scrollTop - target) > 1) {
      isMine = true
      view.scrollTop = target
    }
    // What is written below a picture that holds the view is out of it: then there is a way there.
    const below = measures.scrollHeight - measures.clientHeight - target
    setAway(measures.headTop === null && measures.stopTop !== null && below > nearEnd)
    hold.note()
  }
  toEnd()
  let lastTop = view.scrollTop

  const release = () => {
    letGo = true
    stuck = false
  }
  const onScroll = () => {
    const { scrollTop, scrollHeight, clientHeight } = view
    const distance = scrollHeight - scrollTop - clientHeight
    stuck = nextStuck(stuck, { distance, movedBy: scrollTop - lastTop, letGo })
    // The reader's own way down, to what comes behind it.
    if (!isMine && scrollTop > lastTop) passed = stopOfTurn(view)
    isMine = false
    letGo = false
    lastTop = scrollTop
    hold.note()
    setAway(distance > nearEnd && (!stuck || measure(view, passed).stopTop !== null))
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
  // The scrollbar: nothing else of the scrolling element itself can be pressed.
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
  // A resize is told only with the next frame. A press that comes before it would land beside a button that is already
  // back in its place by then, so where a card waits for one, what changed above it is made up for at once.
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

/** How far below the upper edge of the view it begins, px. */
const topIn = (view: HTMLElement, element: Element): number =>
  element.getBoundingClientRect().top - view.getBoundingClientRect().top

const waitingCard = (view: HTMLElement): Element | null =>
  view.querySelector('[data-last-message] [data-call-card="waiting"]')

/** The reader chose to stay at the beginning of a new reply. */
const staysAtStart = (): boolean => document.documentElement.dataset['follow'] === 'start'

/** Where following stops in this turn: at the user's words, or at a picture. */
const stopOfTurn = (view: HTMLElement): Element | null =>
  staysAtStart() ? ([...view.querySelectorAll('[data-said]')].at(-1) ?? null) : pictureOfTurn(view)

/** What a call showed last since the user's last words. */
function pictureOfTurn(view: HTMLElement): Element | null {
  const picture = [...view.querySelectorAll('[data-picture]')].at(-1)
  const said = [...view.querySelectorAll('[data-said]')].at(-1)
  if (!picture) return null
  const isBefore = said && (picture.compareDocumentPosition(said) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0
  return isBefore ? null : picture
}

function measure(view: HTMLElement, passed: Element | null) {
  const last = view.querySelector('[data-last-message]')
  const waiting = waitingCard(view)
  const head = staysAtStart() ? null : ((waiting && last?.querySelector('[data-batch]')) ?? waiting)
  const { scrollTop, scrollHeight, clientHeight } = view
  const topOf = (element: Element) => topIn(view, element) + scrollTop
  const stop = head ? null : stopOfTurn(view)
  return {
    scrollTop,
    scrollHeight,
    clientHeight,
    headTop: head ? topOf(head) : null,
    // The user's words stand closer to the edge than a card or a picture.
    stopTop: stop && stop !== passed ? topOf(stop) + (staysAtStart() ? headRoom - startRoom : 0) : null,
  }
}

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.closest('textarea, input, select, [contenteditable="true"]') !== null

/** Room above the user's words at the beginning of a reply, in px. */
const startRoom = 24

/** How far from the end still counts as reading the end, in px. */
export const nearEnd = 48
export interface ScrollMoment {
  readonly distance: number
  /** Positive: towards the end. */
  readonly movedBy: number
  /** The reader's own hand: wheel up, PageUp, a drag. */
  readonly letGo: boolean
}

/** Whether the view follows the end after a scroll. Only moving down, or standing at the very end, takes hold again. */
export function nextStuck(stuck: boolean, { distance, movedBy, letGo }: ScrollMoment): boolean {
  if (letGo && movedBy < 0) return false
  if (distance <= 1) return true
  if (movedBy > 0 && distance <= nearEnd) return true
  return stuck
}

export interface ThreadMeasures {
  readonly scrollTop: number
  readonly scrollHeight: number
  readonly clientHeight: number
  /** Where the first waiting card (or its batch bar) of the last message begins; null when none waits. */
  readonly headTop: number | null
  /** Where the picture begins that a call of this turn showed last, or the user's words; null: the reader went on past it. */
  readonly stopTop: number | null
}

/**
 * Where following goes: the end, but never past the head of a card that waits, nor past a picture (or the user's words, where
 * that was chosen) while the reply goes on below; and never back up for them. A card that waits comes first.
 */
export function followTarget(measures: ThreadMeasures): number {
  const { scrollTop, scrollHeight, clientHeight } = measures
  const end = Math.max(0, scrollHeight - clientHeight)
  const stop = measures.headTop ?? measures.stopTop
  if (stop === null) return end
  return Math.min(end, Math.max(scrollTop, stop - headRoom))
}
