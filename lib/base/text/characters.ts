/** True if the text contains only white space, control characters and characters without a glyph. */
export const isBlank = (text: string): boolean =>
  /^[\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]*$/u.test(text)

/** The replacement character, and lone surrogates, which are invalid in a text. */
const lost = /[\uFFFD\p{Cs}]+/gu

/**
 * Counts the places where invalid bytes were decoded to U+FFFD, here or on a model's server. A model that writes this
 * character on purpose counts, too.
 */
export const lostPositions = (text: string): number => text.match(lost)?.length ?? 0

/** The source of a pattern that matches exactly this text. */
export const literalPattern = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')

/** By their characters: one expression per strategy, and one for its frames. */
const expressions = new Map<string, RegExp>()

/** Finds the next of some characters; the caller sets where to begin. */
export function anyOf(chars: string): RegExp {
  const known = expressions.get(chars)
  if (known) return known
  const made = new RegExp(`[${[...new Set(chars)].map((char) => char.replace(/[\][\\^-]/, '\\$&')).join('')}]`, 'g')
  expressions.set(chars, made)
  return made
}
