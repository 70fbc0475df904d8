import type { KeyboardEvent } from 'react'

/** From the field of the search through the lines below it and back; Esc in a line goes back to the field. */
export function listKeys(event: KeyboardEvent<HTMLElement>): void {
  const stops = [...event.currentTarget.querySelectorAll<HTMLElement>('input[type=search], a[data-line]')]
  const here = stops.indexOf(event.target as HTMLElement)
  const next = { ArrowDown: here + 1, ArrowUp: here - 1, Escape: 0 }[event.key] ?? -1
  // Esc in the field itself is the browser's, which empties it.
  if (here < 0 || next < 0 || next === here || event.nativeEvent.isComposing) return
  event.preventDefault()
  stops[next]?.focus()
}
