import * as Char from '../text/source'
import type { Source } from '../text/source'
import type { Draft } from './draft'

export interface FenceOpener {
  readonly char: number
  readonly length: number
  /** First word of the info string, in lower case. */
  readonly language: string
  /** Where the content begins: on the next line, or right after the language if the call is on the same line. */
  readonly content: number
}

const MAX_INFO = 200

/** The opening line of a code fence whose line starts at `lineStart`. Indentation is allowed. */
export function readFenceOpener(source: Source, lineStart: number): FenceOpener | null {
  const i = source.skipBlanks(lineStart)
  const char = source.at(i)
  if (char !== Char.BACKTICK && char !== Char.TILDE) return null
  const after = runEnd(source, i)
  const length = after - i
  if (length < 3) return null
  let end = after
  for (; ; end++) {
    const unit = source.at(end)
    if (unit < 0 || unit === Char.LINE_FEED) break
    // `{` on the opening line: the call itself, as in ```json {"tool_calls":[…]}
    if (unit === Char.OPEN_BRACE && /^\s*\w*\s*$/.test(source.text.slice(after, end))) break
    if ((unit === Char.BACKTICK && char === Char.BACKTICK) || end - after > MAX_INFO) return null
  }
  const language = /^[^\s{:,]*/.exec(source.text.slice(after, end).trim())?.[0].toLowerCase() ?? ''
  return { char, length, language, content: source.at(end) === Char.LINE_FEED ? end + 1 : end }
}

/**
 * The end of a closing fence at `i`, without its newline. The caller checks that only blanks precede it on its line.
 */
export function readFenceCloser(source: Source, i: number, fence: Pick<FenceOpener, 'char' | 'length'>): number | null {
  const start = source.skipBlanks(i)
  if (source.at(start) !== fence.char) return null
  const after = runEnd(source, start)
  if (after - start < fence.length) return null
  const end = source.skipBlanks(source.at(after) === Char.CARRIAGE_RETURN ? after + 1 : after)
  const unit = source.at(end)
  if (unit === Char.CARRIAGE_RETURN) return end + 1
  return unit === Char.LINE_FEED || unit < 0 ? end : null
}

export function runEnd(source: Source, i: number): number {
  const char = source.at(i)
  let end = i + 1
  while (source.at(end) === char) end++
  return end
}

/** True at the first non-blank of a line. */
export function isLineStart(source: Source, i: number): boolean {
  let before = i - 1
  while (before >= 0 && (source.text.charCodeAt(before) === Char.SPACE || source.text.charCodeAt(before) === Char.TAB))
    before--
  return before < 0 ? source.base === 0 : source.text.charCodeAt(before) === Char.LINE_FEED
}

/** The first position after lines of `// comment` that is not white space. */
export function skipCommentLines(source: Source, from: number): number {
  for (let i = source.skipSpace(from); ;) {
    if (source.at(i) !== Char.SLASH || source.at(i + 1) !== Char.SLASH) return i
    const end = source.find('\n', i)
    if (end < 0) return i
    i = source.skipSpace(end)
  }
}

/** Whether only blanks are between the last line end before `end` and `end`. */
export function blankTail(text: string, start: number, end: number, before: boolean): boolean {
  for (let i = end - 1; i >= start; i--) {
    const unit = text.charCodeAt(i)
    if (unit === Char.LINE_FEED) return true
    if (unit !== Char.SPACE && unit !== Char.TAB) return false
  }
  return before
}

const MAX_SPAN = 2000
const SPAN = /(?<!`)`(?!`)[^`\n]{1,200}`(?!`)/g

/** A text without its code spans: their content is only mentioned. */
export const withoutSpans = (text: string): string => text.replace(SPAN, ' ')

/**
 * Whether a range is directly enclosed in backticks, as many before it as after it: a code span, over any number of
 * lines.
 */
export function isSpanOfCode(source: Source, start: number, end: number): boolean {
  let from = start
  while (source.at(from - 1) === Char.BACKTICK) from--
  // More backticks are a fence.
  const length = start - from
  return length > 0 && length <= 2 && source.at(end) === Char.BACKTICK && runEnd(source, end) - end === length
}

/** The end of the code span whose backticks are at `i`, or null if it does not close on its line. */
export function inlineCodeEnd(source: Source, i: number): number | null {
  const open = runEnd(source, i)
  const length = open - i
  for (let at = open; at - open <= MAX_SPAN;) {
    const unit = source.at(at)
    if (unit < 0 || unit === Char.LINE_FEED) return null
    if (unit !== Char.BACKTICK) {
      at++
      continue
    }
    const end = runEnd(source, at)
    if (end - at === length) return end
    at = end
  }
  return null
}

/** The heading of a part of our own system prompt; the calls below the first one are examples. */
export const PROTOCOL_HEAD = '# Calling tools'
export const RULES_HEAD = 'Rules:'

/** From the heading of the protocol to its rules, at any heading level. */
const BLOCK =
  /^[ \t]{0,8}(?:#{1,6}[ \t]{1,4}|[*]{2})Calling tools[*]{0,2}[ \t]{0,8}\r?\n\s{0,80}To call (?:a tool|tools), write [^\n]{1,200}:[ \t]{0,8}\r?$/gm
const RULES = /^[ \t]{0,8}(?:#{1,6} |[*]{2})?Rules:[*]{0,2}[ \t]{0,8}\r?$/m
/** The sentences that introduce an example, each a whole line right above the call or the fence of the call. */
const INTRODUCED =
  /(?:^|\n)[ \t]{0,8}(?:To call (?:a tool|tools), write |Inside texts, write |Nothing inside a value is escaped\.|A text with line breaks or any of )[^\n]{1,200}:\s{0,80}$/
const MAX_INTRODUCTION = 400

/** Text that only our prompt contains, outside its examples, so that other replies skip the search. */
const HINT =
  /To call (?:a tool|tools), write |Inside texts, write |Nothing inside a value is escaped\.|A text with line breaks or any of /

const saysHint = ({ kind, start, end }: Draft, text: string): boolean =>
  (kind === 'text' || kind === 'reasoning') && HINT.test(text.slice(start, end))

/**
 * Quotes the calls of a reply that repeats our own prompt: the example calls between the heading of the protocol and
 * its rules, and a call right below a sentence that introduces an example.
 */
export function quoteOwnPrompt(drafts: readonly Draft[], text: string): readonly Draft[] {
  const mayBeExample = (draft: Draft) => draft.kind === 'call' && draft.standing !== 'quoted'
  if (!drafts.some(mayBeExample) || !drafts.some((draft) => saysHint(draft, text))) return drafts
  const blocks = [...text.matchAll(BLOCK)].map((found) => {
    const from = found.index + found[0].length
    const rules = RULES.exec(text.slice(from))
    return { from, to: rules ? from + rules.index : from }
  })
  return drafts.map((draft) => {
    if (draft.kind !== 'call' || draft.standing === 'quoted') return draft
    const isExample =
      blocks.some(({ from, to }) => draft.start >= from && draft.end <= to) ||
      INTRODUCED.test(text.slice(Math.max(0, draft.start - MAX_INTRODUCTION), draft.start))
    return isExample ? { ...draft, standing: 'quoted' } : draft
  })
}
