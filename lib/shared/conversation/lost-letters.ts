/** The sign for bytes that are no text, and what a text can't hold itself: half of a surrogate pair. */
const lost = /[\uFFFD\p{Cs}]+/gu

/**
 * Places of a text in which something came that is no text: whoever decoded it, here or at a model's server, put U+FFFD there. A
 * model that means the sign itself can't be told from that.
 */
export const lostPositions = (text: string): number => text.match(lost)?.length ?? 0
