import type { CallMark, LinedPlace } from '@/lib/shared/origin/branch-origin'

/** How much of an outgoing text comes from the chat's results, files or other foreign texts. */
interface OutgoingShare {
  readonly place: LinedPlace
  /** Length in UTF-16 units. */
  readonly characters: number
}

/** The address with its escapes decoded, where they are text. */
export function decodedAddress(address: string): string {
  try {
    return decodeURIComponent(address)
  } catch {
    return address
  }
}

/**
 * Largest shares first. `values`: normalized values of the call that the origin marks found in texts the user did not
 * write. Overlapping values of one source count once.
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
