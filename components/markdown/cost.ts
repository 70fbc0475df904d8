/*
 * What reading a text may cost, from what is seen at a glance: no timing, so the same text has the same cost everywhere.
 * One unit is at most a microsecond of a laptop’s CPU, mostly a tenth of it. The reader is linear in letters and lines, and knows three ways to be
 * worse, each held by a term: containers that nest are gone through again by each line; what may open or close (brackets,
 * stars, backticks, `<`, `&` …) is matched with all before it; a table has its columns in each row.
 */

const perCharacter = 3
const perLine = 90
/** For each level of nesting, once a line. */
const perLevel = 60
/** Deeper than anybody writes: the reader calls itself for each level. */
const maxLevels = 24

const opener = /[*_~`[\]()!<&\\$:@|]/g
const container = /^(?:[ \t]*(?:>|[-*+](?=[ \t])|\d{1,9}[.)](?=[ \t])))+/
const marks = />|[-*+]|\d+[.)]/g

/** Stops counting where the answer is known: more than `limit` is all that is said of it. */
export function readingCost(text: string, limit: number): number {
  // Nothing else of a text this long matters.
  if (text.length * perCharacter > limit) return limit + 1
  let cost = text.length * perCharacter
  let deepest = 0
  const openers = text.match(opener)?.length ?? 0
  // Each is matched with half of the others, at worst.
  cost += openers * 4 + (openers * openers) / 12
  for (const line of text.split('\n')) {
    const levels = container.exec(line)?.[0].match(marks)?.length ?? 0
    if (levels > maxLevels) return limit + 1
    // What stands in is as deep as its indent says; a line that says nothing goes on in the deepest.
    deepest = Math.max(deepest, levels)
    const indent = line.length - line.trimStart().length
    cost += perLine + Math.max(deepest, indent / 2) * perLevel
    if (cost > limit) return limit + 1
  }
  return cost
}

/** What is read while the page waits, at most: a third of the 100 ms in which a page answers. */
export const boundedCost = 40_000

/** Text that the reader may be given while the page waits. */
export const isCheap = (text: string): boolean => readingCost(text, boundedCost) <= boundedCost
