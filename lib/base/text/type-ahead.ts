/** The pause between two keys, in milliseconds, after which a new prefix begins. */
export const TYPEAHEAD_MS = 700

/**
 * The index of the next name that begins with the typed text; -1: none. The current name `at` (-1: none) is kept only
 * while a longer prefix still fits it. Typing the same letter repeatedly cycles through the names that begin with it.
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
