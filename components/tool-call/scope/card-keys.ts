/** The action of a key on a focused card; null if it is not for the card. */
export type CardKey = 'run' | 'deny' | 'edit' | 'reason' | 'fold' | 'previous' | 'next' | 'earlier' | 'later'

export interface KeyPress {
  readonly key: string
  readonly ctrlKey: boolean
  readonly metaKey: boolean
  readonly altKey: boolean
  readonly shiftKey: boolean
  readonly isComposing: boolean
}

/**
 * `where`: the key came from the card itself, from a control in it, or from a text field. In a field no key is for the
 * card; a control keeps Enter and the arrow keys for itself.
 */
export function cardKey(press: KeyPress, where: 'card' | 'control' | 'field'): CardKey | null {
  if (where === 'field' || press.isComposing || press.shiftKey) return null
  if (press.altKey) return where === 'card' ? orderKey(press) : null
  if (press.ctrlKey || press.metaKey) {
    if (press.key === 'Enter') return 'run'
    return press.key === 'Backspace' ? 'deny' : null
  }
  if (press.key === 'r' || press.key === 'R') return 'reason'
  if (press.key === 'e' || press.key === 'E') return 'edit'
  if (where !== 'card') return null
  switch (press.key) {
    case 'Enter':
      return 'fold'
    case 'ArrowUp':
      return 'previous'
    case 'ArrowDown':
      return 'next'
    default:
      return null
  }
}

/** Alt+Up and Alt+Down move a call in batch order. */
function orderKey(press: KeyPress): CardKey | null {
  if (press.ctrlKey || press.metaKey) return null
  if (press.key === 'ArrowUp') return 'earlier'
  return press.key === 'ArrowDown' ? 'later' : null
}

/** The key press of a React event. */
export const pressOf = (
  event: Omit<KeyPress, 'isComposing'> & { readonly nativeEvent: Pick<KeyPress, 'isComposing'> },
): KeyPress => ({
  key: event.key,
  ctrlKey: event.ctrlKey,
  metaKey: event.metaKey,
  altKey: event.altKey,
  shiftKey: event.shiftKey,
  isComposing: event.nativeEvent.isComposing,
})

/** Where in a card an event came from. */
export function keyOriginIn(card: Element, target: EventTarget | null): 'card' | 'control' | 'field' {
  if (target === card) return 'card'
  if (!(target instanceof HTMLElement)) return 'control'
  const typing = target.matches('input:not([type=checkbox]), textarea, select') || target.isContentEditable
  return typing ? 'field' : 'control'
}

/** Focuses the card before or after this one in the thread; false at the end. */
export function focusNeighbour(card: HTMLElement, direction: 'previous' | 'next'): boolean {
  const cards = [...document.querySelectorAll<HTMLElement>('[data-call-card]')]
  const target = cards[cards.indexOf(card) + (direction === 'next' ? 1 : -1)]
  target?.focus()
  return target !== undefined
}

/** Ctrl/Cmd+J: focuses the next waiting card, starting over after the last. */
export function focusNextWaiting(): boolean {
  const cards = [...document.querySelectorAll<HTMLElement>('[data-call-card="waiting"]')]
  const here = cards.findIndex((card) => card.contains(document.activeElement))
  const target = cards[(here + 1) % cards.length]
  target?.focus({ preventScroll: true })
  target?.scrollIntoView({ block: 'nearest' })
  return target !== undefined
}
