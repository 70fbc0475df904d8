/*
 * A model that writes a Markdown document in a fence of three marks often puts fences of three inside. By the
 * CommonMark rule, the first bare line of three ends the outer fence. If the outer fence is labelled as Markdown and
 * contains a fence with a language, it is parsed as intended:
 *
 *   ```markdown        ← made longer
 *   ```js              opens, because it names a language
 *   a()
 *   ```                closes that
 *   ```                before a blank line or the end: closes the outer one, made longer
 *
 * Unbalanced fences are parsed by the CommonMark rule.
 */

const fenceLine = /^( {0,3})(`{3,}|~{3,})[ \t]*([^`]*)$/
const anyFenceLine = /^([ \t]*)(`{3,}|~{3,})[ \t]*([^`]*)$/
const holdsMarkdown = /^(?:markdown|md|mdx)(?:$|[\s{])/i
/** Most texts contain none, and cost one test. */
const candidate = /^ {0,3}(?:`{3}|~{3})[ \t]*(?:markdown|md|mdx)\b/im

export interface NestedFence {
  /** The start of its first line. */
  readonly begin: number
  /** The end of its last line; null if it has not ended yet. */
  readonly end: number | null
  /** The marks to insert: at its opening line and, if it has ended, at its closing line. */
  readonly marks: readonly { readonly at: number; readonly text: string }[]
}

interface Line {
  readonly begin: number
  readonly text: string
}

/** The fences of `text` that are parsed as intended, in order. Linear in its length. */
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

/** The fence that opens at line `first`, and its last line; null if it is parsed by the CommonMark rule. */
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
      // A language inside an open fence is ambiguous.
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
  /** Converts a position in the mended text to one in the original text. */
  readonly placeOf: (offset: number) => number
}

/**
 * `text` with its nested fences made longer, so that every parser reads them as intended. `growing`: includes a fence
 * that has not ended.
 */
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
