const isWordStart = (text: string, at: number): boolean => at === 0 || /[\s/_.:·-]/.test(text[at - 1] ?? '')

/** The best place of a word in a text: its beginning, the beginning of a word, anywhere. 0: nowhere. */
function placeScore(text: string, word: string): number {
  let best = 0
  for (let at = text.indexOf(word); at >= 0 && best < 3; at = text.indexOf(word, at + 1)) {
    best = Math.max(best, at === 0 ? 3 : isWordStart(text, at) ? 2 : 1)
  }
  return best
}

/** "nc" for "New chat": the first letters of words, in order. */
function initialScore(text: string, word: string): number {
  if (word.length < 2) return 0
  let found = 0
  for (let at = 0; at < text.length && found < word.length; at++) {
    if (isWordStart(text, at) && text[at] === word[found]) found++
  }
  return found === word.length ? 0.5 : 0
}

/** As texts are compared: wide and narrow, capital and small letters are the same. */
export const foldText = (text: string): string => text.normalize('NFKC').toLowerCase()

/** The words of what was typed, to be looked for one by one. */
export const searchTermsOf = (typed: string): readonly string[] =>
  foldText(typed)
    .split(/\s+/)
    .filter((word) => word !== '')

/**
 * How well a text fits what is looked for; 0: it does not hold every word. Both folded (`foldText`). Shorter texts win where the
 * places are equal. Words of Chinese need no blanks between them: they are found anywhere.
 */
export function matchScore(text: string, words: readonly string[]): number {
  let sum = 0
  for (const word of words) {
    const score = placeScore(text, word) || initialScore(text, word)
    if (score === 0) return 0
    sum += score
  }
  return sum / Math.max(1, words.length) + 1 / (text.length + 2)
}
