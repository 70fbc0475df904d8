import * as Char from '../text/source'
import type { Source } from '../text/source'
import { isNamePart, readTag } from './tags'
import type { Dialect } from '../arguments/dialect'
import { isLineStart } from './fences'

/*
 * Reasoning is recognised by its family of names, in the brackets that models use:
 *
 *   <think> … </think>   <seed:think>   <inner_thought>   <my-scratchpad>      names that end in a word of `FAMILY`
 *   [THINK] … [/THINK]   ◁think▷ … ◁/think▷
 *   <|thinking|> … <|/thinking|>   also closed by <|end_thinking|>, <|thinking_end|>
 *   <|channel|>analysis … up to the next channel, and other token pairs that never occur in prose
 */

const FAMILY = /(?:think|thinking|thoughts?|reasoning|scratchpad|analysis)$/
const MAX_NAME = 64

type Brackets = 'angle' | 'square' | 'triangle' | 'bars'

/** What opened a range of reasoning; it determines the end. */
export type ReasoningMark =
  | { readonly brackets: Brackets; readonly name: string; readonly end: number }
  | { readonly tokens: readonly string[]; readonly consumed: boolean; readonly end: number }

interface TokenPair {
  readonly open: string
  readonly close: readonly string[]
  readonly consumed: boolean
}

/** Token openers, the tokens that end them, and whether these belong to the reasoning. */
const TOKENS: readonly TokenPair[] = [
  { open: '<|channel|>analysis', close: ['<|channel|>', '<|start|>'], consumed: false },
  { open: '<|channel>thought', close: ['<channel|>'], consumed: true },
  { open: '<|START_THINKING|>', close: ['<|END_THINKING|>'], consumed: true },
  { open: '<|begin_of_thought|>', close: ['<|end_of_thought|>'], consumed: true },
  { open: '<|inner_prefix|>', close: ['<|inner_suffix|>'], consumed: true },
  { open: '[unused16]', close: ['[unused17]'], consumed: true },
]

/** By their third character, because the first two are common in replies. */
const TOKENS_BY_THIRD = new Map(
  TOKENS.map(({ open }) => [open.charCodeAt(2), TOKENS.filter((one) => one.open.charCodeAt(2) === open.charCodeAt(2))]),
)

/** The token at `i`, if one of them may begin there. */
function tokenAt(source: Source, i: number): TokenPair | undefined {
  const unit = source.at(i)
  if (unit !== Char.OPEN_BRACKET && (unit !== Char.LESS || source.at(i + 1) !== Char.PIPE)) return undefined
  return TOKENS_BY_THIRD.get(source.at(i + 2))?.find(({ open }) => source.has(i, open))
}

/** Characters at which a mark may begin. */
export const REASONING_TRIGGERS = '<[◁'

/** The opener of reasoning at `i`, the first character of its line. */
export function readReasoningOpener(source: Source, i: number): ReasoningMark | null {
  return readTokens(source, i) ?? readMark(source, i, false)
}

/**
 * Harmony's analysis continues on the line of the message before it; there, its `<|message|>` distinguishes it from a
 * mention.
 */
export function readAnalysis(source: Source, i: number): ReasoningMark | null {
  const mark = source.at(i + 1) === Char.PIPE ? readTokens(source, i) : null
  if (mark?.end !== i + '<|channel|>analysis'.length) return null
  const header = source.match(/[^\n<]{0,90}(?:<\|constrain\|>)?[^\n<]{0,20}<\|message\|>/y, mark.end, 140)
  return header ? mark : null
}

const GLUED = /analysis(?=[\p{Lu}\p{Lo}"'“])/uy
const FINAL = 'assistantfinal'

/** Where the answer begins if a server removed Harmony's tokens: `analysisWe should …assistantfinalYes.` */
export function readGluedAnalysis(source: Source, i: number): number | null {
  if (source.at(i) !== SMALL_A || !source.match(GLUED, i, 12)) return null
  const at = source.find(FINAL, i)
  return at < 0 ? null : at + FINAL.length
}

const SMALL_A = 0x61

/** Token pairs that never occur in prose also open reasoning inside a line, if their closer follows. */
export function readInlineTokens(source: Source, i: number): ReasoningMark | null {
  const found = tokenAt(source, i)
  if (found?.consumed !== true) return null
  if (i > 0 && MENTIONED.includes(source.text.charAt(i - 1))) return null
  const end = i + found.open.length
  const closes = found.close.some((token) => source.find(token, end) >= 0)
  return closes ? { tokens: found.close, consumed: true, end } : null
}

/** Characters before a token that is only mentioned. */
const MENTIONED = '"\'“‘(（「『` '

function readTokens(source: Source, i: number): ReasoningMark | null {
  const found = tokenAt(source, i)
  return found ? { tokens: found.close, consumed: found.consumed, end: i + found.open.length } : null
}

/** The token that ends reasoning and belongs to it, if `text` ends with one. */
export const endTokenOf = (text: string): string | null =>
  TOKENS.flatMap(({ close, consumed }) => (consumed ? close : [])).find((token) => text.endsWith(token)) ?? null

/** The opener or closer of the family at `i`, with any of its brackets. */
export function readMark(source: Source, i: number, closing: boolean): Extract<ReasoningMark, { name: string }> | null {
  const unit = source.at(i)
  if (unit === Char.LESS) {
    const bar = source.at(i + 1)
    if (bar === Char.PIPE || bar === FULL_WIDTH_BAR) return readBars(source, i, closing)
    const name = familyName(source, i + 1, closing)
    const tag = name === null ? null : readTag(source, i, name.word, closing)
    return name && tag ? { brackets: 'angle', name: name.word, end: tag.end } : null
  }
  if (unit !== Char.OPEN_BRACKET && unit !== Char.LEFT_TRIANGLE) return null
  const name = familyName(source, i + 1, closing)
  if (name === null) return null
  const close = source.skipBlanks(name.end)
  if (source.at(close) !== (unit === Char.OPEN_BRACKET ? Char.CLOSE_BRACKET : Char.RIGHT_TRIANGLE)) return null
  const end = close + 1
  if (unit === Char.LEFT_TRIANGLE) return { brackets: 'triangle', name: name.word, end }
  // `[analysis](…)`, `[analysis][1]`, `[analysis]: …` are links; `[Analysis]` is a heading in prose.
  const next = source.at(end)
  if (next === Char.OPEN_PAREN || next === Char.OPEN_BRACKET || next === Char.COLON) return null
  const isToken = name.written === name.word || name.written === name.written.toUpperCase()
  return isToken ? { brackets: 'square', name: name.word, end } : null
}

const FULL_WIDTH_BAR = 0xff5c
const BARS = /<[|｜]([/\\]{0,2})([A-Za-z_:-]{4,64})[|｜]>/y
const BEGINS = /^(?:begin|start)_(?:of_)?/
const ENDS = /^(?:end|close)_(?:of_)?|_(?:end|close)$/

/** A name between bars: an opener, or one of the forms of its closer. */
function readBars(source: Source, i: number, closing: boolean): Extract<ReasoningMark, { name: string }> | null {
  const found = source.match(BARS, i, 72)
  const written = found?.[2]?.toLowerCase()
  if (!found || written === undefined) return null
  const closes = found[1] !== '' || ENDS.test(written)
  const name = written
    .replace(BEGINS, '')
    .replace(ENDS, '')
    .replace(/_start$/, '')
  return closes === closing && FAMILY.test(name) ? { brackets: 'bars', name, end: i + found[0].length } : null
}

function familyName(
  source: Source,
  from: number,
  closing: boolean,
): { readonly word: string; readonly written: string; readonly end: number } | null {
  let start = source.skipBlanks(from)
  if (closing) {
    if (source.at(start) === Char.BACKSLASH) start++
    if (source.at(start) !== Char.SLASH) return null
    start = source.skipBlanks(start + 1)
  }
  let end = start
  while (isNamePart(source.at(end)) && end - start <= MAX_NAME) end++
  if (end - start < 5) return null
  const written = source.text.slice(start, end)
  const word = written.toLowerCase()
  return FAMILY.test(word) ? { word, written, end } : null
}

/** No decision looks back further than this, the size of the window of a streamed text. */
const LOOK_BACK = 120
const MAX_SPAN = 200

/** Whether the text at `i` is only mentioned: backticks precede it on its line, and follow it. */
function isInCode(source: Source, i: number): boolean {
  const behind = source.text.slice(Math.max(0, i - LOOK_BACK), i)
  if (!behind.includes('`')) return false
  const before = behind.slice(behind.lastIndexOf('\n') + 1)
  if ((before.match(/`+/g)?.length ?? 0) % 2 === 0) return false
  for (let at = i; at - i < MAX_SPAN; at++) {
    const unit = source.at(at)
    if (unit === Char.BACKTICK) return true
    if (unit < 0 || unit === Char.LINE_FEED) return false
  }
  return false
}

/** Reasoning that is being read. Nested openers of the same name are counted. */
export class ReasoningRegion {
  readonly kind = 'reasoning'
  private readonly mark: ReasoningMark
  /** Openers at the start of a line that need a closer. */
  private depth = 0
  /** Openers inside a line: they count only if enough closers follow. */
  private loose = 0

  constructor(mark: ReasoningMark) {
    this.mark = mark
  }

  /**
   * The opener or closer of this name at `i`. The region changes only when `commit` is called. Without
   * `look`, openers inside a line count as openers, whatever follows.
   */
  read(
    source: Source,
    i: number,
    lineStart: boolean,
    look: boolean,
  ): { end: number; closes: boolean; commit: () => void } | null {
    const { mark } = this
    if ('tokens' in mark) {
      const token = mark.tokens.find((one) => source.has(i, one))
      if (token === undefined || isInCode(source, i)) return null
      return { end: mark.consumed ? i + token.length : i, closes: true, commit: () => undefined }
    }
    const opener = this.same(readMark(source, i, false))
    const closer = opener ? null : this.same(readMark(source, i, true))
    if ((!opener && !closer) || isInCode(source, i)) return null
    if (opener) {
      const commit = () => {
        if (lineStart) this.depth++
        else this.loose++
      }
      return { end: opener.end, closes: false, commit }
    }
    if (!closer) return null
    const { end } = closer
    if (this.loose > 0 && (!look || this.closersFollow(source, end, this.depth + 1)))
      return { end, closes: false, commit: () => this.loose-- }
    if (this.depth > 0) {
      const commit = () => {
        this.depth--
        this.loose = 0
      }
      return { end, closes: false, commit }
    }
    return { end, closes: true, commit: () => undefined }
  }

  private same(found: ReturnType<typeof readMark>): ReturnType<typeof readMark> {
    const { mark } = this
    return found && 'name' in mark && found.name === mark.name && found.brackets === mark.brackets ? found : null
  }

  /** Whether this many closers follow that nothing after `from` opened. */
  private closersFollow(source: Source, from: number, wanted: number): boolean {
    const { mark } = this
    if (!('name' in mark)) return false
    const bracket = { angle: '<', square: '[', triangle: '◁', bars: '<' }[mark.brackets]
    let balance = 0
    for (let i = from; ; i++) {
      i = source.find(bracket, i)
      if (i < 0) return false
      if (this.same(readMark(source, i, true)) && ++balance === wanted) return true
      if (this.same(readMark(source, i, false))) balance--
    }
  }
}

/**
 * The end of a reasoning closer at `i` whose opener may have been before the message: at the start of a line, or after
 * white space at the end of a line. In the middle of a sentence it is a mention.
 */
export function readLoneCloser(source: Source, i: number, lineStart: boolean): number | null {
  const closer = readMark(source, i, true)
  if (!closer) return null
  if (lineStart) return closer.end
  const before = source.text.charCodeAt(i - 1)
  if (before !== Char.SPACE && before !== Char.TAB) return null
  const after = source.at(source.skipBlanks(closer.end))
  return after < 0 || after === Char.LINE_FEED || after === Char.CARRIAGE_RETURN ? closer.end : null
}

/** The end of a lone closer in `[start, end)`, a call that broke off, unless a closed string protects it. */
export function loneCloserIn(source: Source, start: number, end: number, dialect: Dialect): number | null {
  const from = (dialect.openValue ?? openString)(source.text.slice(start, end))
  if (from === null) return null
  for (let i = start + from; i < end; i++) {
    const unit = source.text.charCodeAt(i)
    if (unit !== Char.LESS && unit !== Char.OPEN_BRACKET && unit !== Char.LEFT_TRIANGLE) continue
    const closer = readLoneCloser(source, i, isLineStart(source, i))
    if (closer !== null && closer <= end) return closer
  }
  return null
}

/** Where the string begins that is left open in JSON. */
function openString(text: string): number | null {
  let open: number | null = null
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i)
    if (open !== null && unit === Char.BACKSLASH) i++
    else if (unit === Char.QUOTE) open = open === null ? i : null
  }
  return open
}
