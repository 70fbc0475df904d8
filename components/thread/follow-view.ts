import { followTarget, nearEnd, nextStuck } from './follow-end'

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
  let away = false

  const setAway = (next: boolean) => {
    if (next === away) return
    away = next
    onAway(away)
  }
  const toEnd = () => {
    stuck = true
    view.scrollTop = view.scrollHeight
    setAway(false)
  }
  const follow = () => {
    if (!stuck) return
    const target = followTarget(measure(view))
    if (Math.abs(view.scrollTop - target) > 1) view.scrollTop = target
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
    letGo = false
    lastTop = scrollTop
    setAway(!stuck && distance > nearEnd)
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

  const observer = new ResizeObserver(follow)
  observer.observe(content)
  observer.observe(view)
  // A resize is told only with the next frame. A press that comes before it would land beside a button that is already
  // back in its place by then, so where a card waits for one, what changed above it is made up for at once.
  const changes = new MutationObserver(() => {
    if (waitingCard(view)) follow()
  })
  changes.observe(content, { subtree: true, childList: true, characterData: true, attributeFilter: ['hidden'] })
  return {
    toEnd,
    dispose() {
      observer.disconnect()
      changes.disconnect()
      life.abort()
    },
  }
}

const waitingCard = (view: HTMLElement): Element | null =>
  view.querySelector('[data-last-message] [data-call-card="waiting"]')

function measure(view: HTMLElement) {
  const last = view.querySelector('[data-last-message]')
  const waiting = waitingCard(view)
  const head = (waiting && last?.querySelector('[data-batch]')) ?? waiting
  const { scrollTop, scrollHeight, clientHeight } = view
  const headTop = head ? head.getBoundingClientRect().top - view.getBoundingClientRect().top + scrollTop : null
  return { scrollTop, scrollHeight, clientHeight, headTop }
}

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.closest('textarea, input, select, [contenteditable="true"]') !== null
