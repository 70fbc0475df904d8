/** A pause between two letters after which a word begins again, milliseconds. */
export const TYPEAHEAD_MS = 700

/**
 * The next name that begins with what was typed, as its index; -1: none. The one at `at` (-1: none) counts only while a longer word
 * still fits it, and the same letter again and again walks through the names that begin with it.
 */
export function typeAhead(names: readonly string[], at: number, typed: string): number {
  const wanted = typed.toLocaleLowerCase()
  const [first = ''] = wanted
  const repeated = wanted.length > 1 && wanted === first.repeat(wanted.length)
  const begin = wanted.length === 1 || repeated ? at + 1 : Math.max(0, at)
  const sought = repeated ? first : wanted
  for (let step = 0; step < names.length; step++) {
    const index = (begin + step) % names.length
    if (names[index]?.toLocaleLowerCase().startsWith(sought)) return index
  }
  return -1
}
