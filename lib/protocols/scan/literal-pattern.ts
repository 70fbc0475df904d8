/** The source of a pattern that matches exactly this text. */
export const literalPattern = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')

/** One expression per strategy, and one for its frames. */
const expressions = new Map<string, RegExp>()

/** Finds the next of some characters; the caller sets where to begin. */
export function anyOf(chars: string): RegExp {
  const known = expressions.get(chars)
  if (known) return known
  const made = new RegExp(`[${[...new Set(chars)].map((char) => char.replace(/[\][\\^-]/, '\\$&')).join('')}]`, 'g')
  expressions.set(chars, made)
  return made
}
