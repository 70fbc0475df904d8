/** The source of a pattern that matches this very text. */
export const literalPattern = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')

/** One for each strategy, and one for its frames. */
const expressions = new Map<string, RegExp>()

/** Finds the next of some characters; who uses it sets where to begin. */
export function anyOf(chars: string): RegExp {
  const known = expressions.get(chars)
  if (known) return known
  const made = new RegExp(`[${[...new Set(chars)].map((char) => char.replace(/[\][\\^-]/, '\\$&')).join('')}]`, 'g')
  expressions.set(chars, made)
  return made
}
