/*
 * A model that writes a Markdown document in a fence of three marks often puts fences of three in it. By the rule the first bare line of
 * three ends the outer one. Where the outer one says that it holds Markdown, and it holds a fence with a language, it is read as meant:
 *
 *   ```markdown        ← made longer
 *   ```js              opens, as it names a language
 *   a()
 *   ```                closes that
 *   ```                before a blank line or the end: closes the outer one, made longer
 *
 * What does not come out even is read by the rule.
 */

const fenceLine = /^( {0,3})(`{3,}|~{3,})[ \t]*([^`]*)$/
const anyFenceLine = /^([ \t]*)(`{3,}|~{3,})[ \t]*([^`]*)$/
const holdsMarkdown = /^(?:markdown|md|mdx)(?:$|[\s{])/i
/** Most texts have none, and cost one look. */
const candidate = /^ {0,3}(?:`{3}|~{3})[ \t]*(?:markdown|md|mdx)\b/im

export interface NestedFence {
  /** Where its first line begins. */
  readonly begin: number
  /** Behind its last line; null: it has not ended, and may still. */
  readonly end: number | null
  /** Where marks are to be put in, and which: at its opening line and, if it has ended, at its closing one. */
  readonly marks: readonly { readonly at: number; readonly text: string }[]
}

interface Line {
  readonly begin: number
  readonly text: string
}

/** The fences of `text` that are read as meant, in order. Linear in its length. */
export function nestedFences(text: string): readonly NestedFence[] {
  if (!candidate.test(text)) return []
  const lines: Line[] = []
  for (let begin = 0; begin <= text.length;) {
    const found = text.indexOf('\n', begin)
    const end = found < 0 ? text.length : found
    lines.push({ begin, text: text.slice(begin, end).replace(/\r$/, '') })
    begin = end + 1
  }
  const fences: NestedFence[] = []
  let fence = ''
  for (let at = 0; at < lines.length; at += 1) {
    const match = fenceLine.exec(lines[at]?.text ?? '')
    if (!match) continue
    const [, , marks = '', info = ''] = match
    if (fence !== '') {
      if (marks.startsWith(fence) && info.trim() === '') fence = ''
      continue
    }
    if (marks.length === 3 && holdsMarkdown.test(info)) {
      const nested = readNested(lines, at, text.length)
      if (nested) {
        fences.push(nested.fence)
        if (nested.last === null) break
        at = nested.last
        continue
      }
    }
    fence = marks
  }
  return fences
}

/** The fence whose opening line is at `first`, and its last line; null: it is read by the rule. */
function readNested(
  lines: readonly Line[],
  first: number,
  length: number,
): { readonly fence: NestedFence; readonly last: number | null } | null {
  const [, indent = '', mark = ''] = anyFenceLine.exec(lines[first]?.text ?? '') ?? []
  const begin = lines[first]?.begin ?? 0
  const opening = { at: begin + indent.length, text: mark.charAt(0) }
  let isInner = false
  let hasInner = false
  for (let at = first + 1; at < lines.length; at += 1) {
    const line = lines[at]
    const [, own = '', marks = '', info = ''] = anyFenceLine.exec(line?.text ?? '') ?? []
    if (!line || !marks.startsWith(mark.charAt(0))) continue
    const isBare = info.trim() === ''
    if (marks.length !== 3) return null
    if (isInner) {
      // A language within a fence: no one can say what ends.
      if (!isBare) return null
      isInner = false
    } else if (!isBare) {
      isInner = true
      hasInner = true
    } else {
      const isLast = (lines[at + 1]?.text ?? '').trim() === ''
      if (!hasInner) return null
      if (isLast && own === indent) {
        const end = Math.min(length, line.begin + line.text.length + 1)
        const closing = { at: line.begin + own.length, text: mark.charAt(0) }
        return { fence: { begin, end, marks: [opening, closing] }, last: at }
      }
      isInner = true
    }
  }
  return hasInner ? { fence: { begin, end: null, marks: [opening] }, last: null } : null
}

export interface MendedText {
  readonly text: string
  /** The place in the text as it was written, of one in the mended text. */
  readonly placeOf: (offset: number) => number
}

/** `text` with its nested fences made longer, so that every reader reads them as meant. `growing`: also one that has not ended. */
export function mendFences(text: string, growing = false): MendedText {
  const marks = nestedFences(text).flatMap((fence) => (fence.end === null && !growing ? [] : fence.marks))
  if (marks.length === 0) return { text, placeOf: (offset) => offset }
  let mended = ''
  let from = 0
  for (const { at, text: mark } of marks) {
    mended += text.slice(from, at) + mark
    from = at
  }
  mended += text.slice(from)
  return {
    text: mended,
    placeOf: (offset) => offset - marks.filter(({ at }, index) => at + index < offset).length,
  }
}
