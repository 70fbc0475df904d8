import type { Foreign } from './foreign'

/** A sentence in parts, so that paths and names are rendered in code type. */
export type SentencePart = string | { readonly code: string }

/**
 * A message in parts, in the order of its language. `say` returns the text with a placeholder for each part.
 * `withParts((part) => t('card.ran', { tool: part({ code: name }) }))`
 */
export function withParts<P = { readonly code: string }>(
  say: (sign: (part: P | string) => Foreign) => string,
): readonly (P | string)[] {
  const parts: (P | string)[] = []
  // A part that is rendered apart needs no quotation marks.
  const sentence = say((part) => String.fromCharCode(firstSign + parts.push(part) - 1) as Foreign)
  return sentence.split(signs).flatMap((piece) => {
    const part = signs.test(piece) ? parts[piece.charCodeAt(0) - firstSign] : undefined
    return part === undefined ? (piece === '' ? [] : [piece]) : [part]
  })
}

/** Private-use characters, which none of our sentences contain. */
const firstSign = 0xe000
const signs = /([\ue000-\uf8ff])/
