/** Keeps waiting cards in place while the page around them changes. */
export interface CardHold {
  /** Undoes any move of the card that may be pressed next. False if no visible card waits, so that nothing is held. */
  readonly keep: () => boolean
  /** Records all positions: after a scroll, or after an intended move. */
  readonly note: () => void
  /** Space was added to keep a card in place, and no card needs it now. */
  readonly isStale: () => boolean
  readonly dispose: () => void
}

/** Space above a waiting card's head, if its buttons still fit; px. */
export const spaceAboveHead = 72
/** The least space above it, so that its head never leaves the view; px. */
export const minSpaceAbove = 8

/** The position of a card's part: in the scrolled content, and in the view. */
interface Place {
  readonly element: Element
  readonly y: number
  readonly top: number
}

interface CardPlaces {
  readonly head: Place
  /** Its buttons. Null if they are out of view, so that nobody is about to press them. */
  readonly foot: Place | null
}

/** Where the pointer or the focus is. */
type Attention = 'foot' | 'card' | 'none'

/** The elements with decisions in the last message: its cards, and the batch bar. */
const asking = '[data-call-card="waiting"], [data-batch]'

/**
 * A press is aimed at a position. When an automatic call above settles, a card collapses or a result replaces a
 * progress line, a waiting card's buttons must keep their position. Scrolling compensates for it; if the thread is too
 * short to scroll, the content gets space above (`margin-top`) or below (`min-height`) until no card waits.
 *
 * Of several cards, the one at the pointer or the next one below it keeps its position. A card that grows by itself
 * keeps its buttons in place, unless the pointer or the focus is on the growing part.
 */
export function holdCards(view: HTMLElement, content: HTMLElement): CardHold {
  const life = new AbortController()
  let places = new Map<Element, CardPlaces>()
  let scrollTop = 0
  let pointer: { readonly y: number; readonly target: Element } | null = null
  let roomAbove = 0
  let hasRoom = false

  const edge = () => view.getBoundingClientRect().top
  const placeOf = (element: Element): Place => {
    const top = element.getBoundingClientRect().top - edge()
    return { element, top, y: top + view.scrollTop }
  }
  /** When the reader scrolls down, space above can be removed invisibly. */
  const shrinkRoom = () => {
    const by = Math.min(roomAbove, view.scrollTop)
    if (by <= 0) return
    roomAbove -= by
    content.style.marginTop = roomAbove > 0 ? `${roomAbove}px` : ''
    view.scrollTop -= by
  }
  const note = () => {
    shrinkRoom()
    scrollTop = view.scrollTop
    const found = new Map<Element, CardPlaces>()
    const cards = view.querySelector('[data-last-message]')?.querySelectorAll(asking) ?? []
    const bottom = cards.length > 0 ? dockTop(view, content) : 0
    for (const card of cards) {
      const decisions = decisionsOf(card)
      if (!decisions) continue
      const head = placeOf(card)
      const foot = placeOf(decisions)
      const isSeen = foot.top >= 0 && foot.top + decisions.getBoundingClientRect().height <= bottom + 1
      if (isSeen || (head.top >= 0 && head.top < bottom)) found.set(card, { head, foot: isSeen ? foot : null })
    }
    places = found
  }

  /** The card that stays: at the pointer, or the first below it. */
  const heldCard = (): Element | null => {
    const waiting = [...places.keys()].filter((card) => card.matches(`[data-last-message] :is(${asking})`))
    const at = pointer
    if (!at) return waiting[0] ?? null
    const touched = waiting.find((card) => card.contains(at.target))
    const isBelow = (card: Element) => (places.get(card)?.head.top ?? 0) >= at.y
    return touched ?? waiting.find(isBelow) ?? waiting.at(-1) ?? null
  }
  const attentionOn = (card: Element): Attention => {
    const focused = document.activeElement
    const target = pointer && card.contains(pointer.target) ? pointer.target : focused
    if (!target || target === card || !card.contains(target)) return 'none'
    return decisionsOf(card)?.contains(target) ? 'foot' : 'card'
  }

  const scrollBy = (moved: number) => {
    const wanted = view.scrollTop + moved
    const end = view.scrollHeight - view.clientHeight
    if (wanted > end) {
      hasRoom = true
      content.style.minHeight = `${content.offsetHeight + wanted - end}px`
    } else if (wanted < 0) {
      hasRoom = true
      roomAbove -= wanted
      content.style.marginTop = `${roomAbove}px`
    }
    view.scrollTop = Math.max(0, wanted)
  }

  const keep = () => {
    const card = heldCard()
    const known = card && places.get(card)
    if (!known) {
      dropRoom()
      return false
    }
    const attention = attentionOn(card)
    const foot = attention !== 'card' && known.foot?.element.isConnected ? known.foot : null
    const before = foot ?? known.head
    const moved = movedBy(before, placeOf(before.element), {
      scrolledBy: view.scrollTop - scrollTop,
      isAtEnd: view.scrollTop >= view.scrollHeight - view.clientHeight - 1,
    })
    // If no pointer or focus is at its buttons, a growing card keeps its head in place.
    const headAfter = placeOf(known.head.element).top
    const most = foot && attention !== 'foot' ? headAfter - Math.min(minSpaceAbove, known.head.top) : Infinity
    const by = Math.min(moved, Math.max(most, 0))
    if (Math.abs(by) > 1) scrollBy(by)
    note()
    return true
  }

  const dropRoom = () => {
    if (!hasRoom) return
    const lost = roomAbove
    hasRoom = false
    roomAbove = 0
    content.style.minHeight = ''
    content.style.marginTop = ''
    if (lost > 0) view.scrollTop = Math.max(0, view.scrollTop - lost)
  }

  const options = { passive: true, signal: life.signal }
  view.addEventListener(
    'pointermove',
    ({ clientY, target, pointerType }) => {
      if (pointerType !== 'touch' && target instanceof Element) pointer = { y: clientY - edge(), target }
    },
    options,
  )
  view.addEventListener('pointerleave', () => (pointer = null), options)
  return {
    keep,
    note,
    isStale: () => hasRoom,
    dispose: () => {
      life.abort()
      dropRoom()
    },
  }
}

/** The row of decision buttons; null while it is not rendered yet. */
export function decisionsOf(card: Element): Element | null {
  if (card.matches('[data-batch]')) return card.querySelector('button')
  return [...card.querySelectorAll('[data-part="foot"]')].at(-1) ?? [...card.querySelectorAll('button')].at(-1) ?? null
}

/** Below this line of the view, the message field covers the content. */
export function dockTop(view: HTMLElement, content: HTMLElement): number {
  const dock = content.nextElementSibling
  const { top } = view.getBoundingClientRect()
  return dock ? dock.getBoundingClientRect().top - top : view.clientHeight
}

/**
 * How far the layout moved something in the view; px. A scroll moves it in the view only. The browser's own scroll
 * counts: it returns to the end of content that became shorter.
 */
export function movedBy(
  before: Pick<Place, 'y' | 'top'>,
  now: Pick<Place, 'y' | 'top'>,
  { scrolledBy, isAtEnd }: { readonly scrolledBy: number; readonly isAtEnd: boolean },
): number {
  const inView = now.top - before.top
  if (Math.abs(inView) <= 1) return 0
  const isScroll = Math.abs(scrolledBy) > 1 && !(isAtEnd && scrolledBy < 0)
  return isScroll ? now.y - before.y : inView
}
