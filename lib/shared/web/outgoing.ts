import type { CallMark, LinedPlace } from '@/lib/shared/origin/branch-origin'

/** How much of a text that leaves the chat stands in one of its results, files or other foreign texts. */
interface OutgoingShare {
  readonly place: LinedPlace
  /** UTF-16 units. */
  readonly characters: number
}

/** An address as people read it; where its escapes are no text, as it is. */
export function decodedAddress(address: string): string {
  try {
    return decodeURIComponent(address)
  } catch {
    return address
  }
}

/**
 * The largest shares first. `values`: what the marks of origin found of the call in texts that the user did not write, normalized.
 * Overlapping values of one place count once.
 */
export function sharesOf(text: string, values: CallMark['values']): readonly OutgoingShare[] {
  const searched = text.toLowerCase()
  const byPlace = new Map<string, { readonly place: LinedPlace; readonly held: Uint8Array }>()
  for (const { value, place } of values) {
    if (value === '') continue
    const key = JSON.stringify({ ...place, line: undefined })
    const found = byPlace.get(key) ?? { place, held: new Uint8Array(searched.length) }
    byPlace.set(key, found)
    for (let at = searched.indexOf(value); at >= 0; at = searched.indexOf(value, at + value.length)) {
      found.held.fill(1, at, at + value.length)
    }
  }
  return [...byPlace.values()]
    .map(({ place, held }) => ({ place, characters: held.reduce((sum, one) => sum + one, 0) }))
    .filter(({ characters }) => characters > 0)
    .toSorted((a, b) => b.characters - a.characters)
}
