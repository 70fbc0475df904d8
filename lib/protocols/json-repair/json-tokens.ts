import type { RepairCode } from '../types/segment'
import * as Char from '../text/source'
import { Source, isDigit, isSpace, isWordPart } from '../text/source'
import { endsString, lostQuote, classifyWord, type OpenContainer } from './bare-quotes'
import {
  closersOf,
  isColon,
  isComma,
  isQuote,
  readEscape,
  readPlainKey,
  readPlainString,
  skipPlain,
} from './characters'
import type { JsonNode, StringNode } from './node'
import type { JsonFailure, ReadJsonOptions } from './json-reading'

export const MAX_KEY = 256
export const QUOTE_TOKEN = '<|"|>'
const DATE_AND_TIME = /\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)?/y

/** Whether the text contains a quote without a partner; escaped quotes don't count. */
const oddQuotes = (text: string): boolean => (text.match(/\\.|"/g) ?? []).filter((one) => one === '"').length % 2 === 1

/** Reads the tokens of a value and repairs damaged ones: white space and comments, all kinds of strings, bare words. */
export class JsonTokens {
  protected readonly source: Source
  protected readonly options: ReadJsonOptions
  private readonly guess: boolean
  protected readonly frames: OpenContainer[] = []
  protected readonly repairs: { code: RepairCode; at: number }[] = []
  protected failure: JsonFailure | null = null
  protected guessed = false
  protected pos = 0
  /** Start of the current token. */
  protected token = 0
  private lastString: { readonly start: number; readonly end: number } | null = null

  constructor(source: Source, options: ReadJsonOptions, guess: boolean) {
    this.source = source
    this.options = options
    this.guess = guess
  }

  protected note(code: RepairCode, at = this.pos): void {
    this.repairs.push({ code, at })
  }

  protected fail(reason: JsonFailure['reason'], detail: string, at = this.pos, resume = this.token): null {
    // A failure right after a string may well have been inside the string.
    const inString =
      this.lastString && resume === this.token && this.token <= this.source.skipSpace(this.lastString.end)
    const afterString = Boolean(inString)
    // Starts at its first character: backticks may open a code span, so adjacent ones stay together.
    let from = inString && this.lastString ? this.lastString.start : resume
    while (from > 0 && this.source.at(from) === Char.BACKTICK && this.source.at(from - 1) === Char.BACKTICK) from--
    this.failure ??= { reason, detail, at, afterString, resume: from }
    return null
  }

  /** Fails: the end of the text is a cut; anything else that does not fit is bad JSON. */
  protected unexpected(detail: string): null {
    return this.source.at(this.pos) < 0 ? this.fail('truncated', 'the text ends here') : this.fail('bad-json', detail)
  }

  /** Skips white space and comments up to the next token. */
  protected skip(): number {
    for (;;) {
      const code = this.source.at(this.pos)
      if (isSpace(code)) {
        if (code > Char.SPACE) this.note('invisible-characters')
        this.pos++
      } else if (code === Char.BACKSLASH && 'nrt'.includes(String.fromCharCode(this.source.at(this.pos + 1)))) {
        // A line break that was escaped twice.
        this.note('bad-escape')
        this.pos += 2
      } else if (code === Char.SLASH || code === Char.HASH) {
        if (!this.comment(code)) return code
      } else {
        this.token = this.pos
        return code
      }
    }
  }

  private comment(code: number): boolean {
    const { source } = this
    const next = source.at(this.pos + 1)
    const start = this.pos
    if (code === Char.SLASH && next === Char.STAR) {
      const end = source.find('*/', this.pos + 2)
      if (end < 0) return false
      this.pos = end + 2
    } else if (
      (code === Char.SLASH && next === Char.SLASH) ||
      (code === Char.HASH && (next === Char.SPACE || next === Char.BANG))
    ) {
      while (source.at(this.pos) >= 0 && source.at(this.pos) !== Char.LINE_FEED && !this.isStop()) this.pos++
      // A quote without a partner, or brackets on the only line: this was structure, or the end of a text.
      const text = source.text.slice(start, this.pos)
      const eats = source.at(this.pos) === Char.LINE_FEED ? oddQuotes(text) : /["{}[\]]/.test(text)
      if (eats) {
        this.pos = start
        this.token = start
        return false
      }
    } else {
      this.token = this.pos
      return false
    }
    this.note('comment', start)
    return true
  }

  protected isStop(): boolean {
    return this.options.isStop?.(this.pos) ?? false
  }

  /** A string value, including strings that are joined to it by `+`. */
  protected strings(): StringNode | null {
    let node = this.anyString()
    while (node?.closed && !this.failure) {
      const back = this.pos
      const plus = this.source.skipSpace(back)
      if (this.source.at(plus) !== Char.PLUS || !isQuote(this.source.at(this.source.skipSpace(plus + 1)))) break
      this.pos = this.source.skipSpace(plus + 1)
      const next = this.anyString()
      if (!next) break
      this.note('string-concatenation', back)
      node = { ...node, value: node.value + next.value, end: next.end, closed: next.closed }
    }
    return node
  }

  private anyString(): StringNode | null {
    const { source } = this
    const code = source.at(this.pos)
    if (code === Char.LESS) return this.tokenString()
    if (
      (code === Char.QUOTE || code === Char.APOSTROPHE) &&
      source.at(this.pos + 1) === code &&
      source.at(this.pos + 2) === code
    )
      return this.tripleString(code)
    return this.string(code, false)
  }

  protected tokenString(): StringNode | null {
    this.note('quote-token')
    const start = this.pos
    const end = this.source.find(QUOTE_TOKEN, start + 5)
    if (end < 0) return this.fail('truncated', 'a string is not closed', this.source.text.length)
    this.pos = end + 5
    return {
      kind: 'string',
      start,
      end: this.pos,
      value: this.source.text.slice(start + 5, end),
      escaped: false,
      closed: true,
    }
  }

  private tripleString(code: number): StringNode | null {
    this.note('triple-quotes')
    const start = this.pos
    const mark = String.fromCharCode(code).repeat(3)
    const node: StringNode = { kind: 'string', start, end: start, value: '', escaped: false, closed: false }
    this.pos += 3
    this.characters(node, (i) => (this.source.has(i, mark) ? 3 : 0), false)
    return node
  }

  protected string(code: number, isKey: boolean): StringNode {
    const closers = closersOf(code) ?? [code]
    if (code === Char.APOSTROPHE) this.note('single-quotes')
    else if (code === Char.BACKTICK) this.note('backtick-string')
    else if (code !== Char.QUOTE) this.note('smart-quote')
    const start = this.pos++
    const node: StringNode = { kind: 'string', start, end: start, value: '', escaped: false, closed: false }
    if (code === Char.QUOTE && (isKey || !this.guess) && this.plain(node, isKey)) return node
    let noted = false
    let lost = -1
    // A curly quote of a key may be closed by a straight one, and vice versa.
    const mixed = isKey && (code === Char.QUOTE || code > Char.LAST_ASCII)
    this.characters(
      node,
      (i, unit) => {
        if (code === Char.BACKTICK && this.endsFence(i, unit)) {
          this.fail('truncated', 'a string is not closed', i)
          return 0
        }
        if (
          !closers.includes(unit) &&
          !(
            mixed &&
            (unit === Char.QUOTE || unit === Char.RIGHT_QUOTE) &&
            isColon(this.source.at(this.source.skipSpace(i + 1)))
          )
        )
          return 0
        if (isKey || !this.guess || endsString(this.source, i + 1, this.frames, this.options)) return 1
        if (!noted && code === Char.QUOTE) lost = lostQuote(this.source, start + 1, i, this.frames)
        if (lost >= 0) return -1
        const cut = this.options.cutBefore?.(i) ?? -1
        if (cut >= start) this.fail('truncated', 'a string is not closed', cut, cut)
        if (!noted) this.note('bare-quote', i)
        noted = true
        this.guessed = true
        node.guessed = ''
        return 0
      },
      code !== Char.BACKTICK,
      isKey ? MAX_KEY : Infinity,
    )
    if (lost >= 0) this.endAt(node, lost)
    // `““tea”`: an unclosed opening quote inside may be part of the text, written twice.
    else if (!isKey && code > Char.LAST_ASCII && node.guessed === undefined && /^[“”„＂]|[“”„＂]$/.test(node.value)) {
      this.guessed = true
      node.guessed = node.value
    }
    return node
  }

  /**
   * Whether the fence around a string in backticks ends at `i`: then its backticks are not part of the string. A
   * certain call continues over other fences, by its JSON.
   */
  private endsFence(i: number, unit: number): boolean {
    const { isStop, guess } = this.options
    if (unit === Char.BACKTICK) return isStop?.(i) ?? false
    return unit === Char.LINE_FEED && guess === false && (isStop?.(i + 1) ?? false)
  }

  /** Closes a string whose quote was lost before `at`, where a comma and a known key follow. */
  private endAt(node: StringNode, at: number): void {
    this.note('missing-quote', at)
    this.guessed = true
    const source = new Source(`${this.source.text.slice(node.start, at)}"`, true)
    const found = readPlainString(source.text, 1)
    if (found === null || found === 'unclosed') {
      this.fail('bad-json', 'a string is not closed', at)
      return
    }
    node.value = found.value
    node.escaped = found.escaped
    node.closed = true
    this.pos = at
    node.end = at
    this.lastString = node
  }

  /**
   * Reads a string that needs no repair, or detects that the text so far does not close it; otherwise returns false.
   */
  private plain(node: StringNode, isKey: boolean): boolean {
    const { source } = this
    const found = isKey ? readPlainKey(source.text, this.pos) : readPlainString(source.text, this.pos)
    // Only the complete text shows whether a string is unclosed; until then it is not used.
    if (found === null || (found === 'unclosed' && source.final)) return false
    if (found === 'unclosed') {
      this.pos = source.text.length
      source.at(this.pos)
      this.fail('truncated', 'a string is not closed', this.pos)
    } else {
      this.pos = found.end
      source.at(found.end - 1)
      node.value = found.value
      node.escaped = found.escaped
      node.closed = true
      this.lastString = node
    }
    node.end = this.pos
    return true
  }

  /** Reads string content from `pos` until `closes` finds a closing quote of 1 or 3 units. */
  private characters(
    node: StringNode,
    closes: (i: number, unit: number) => number,
    noteControls: boolean,
    limit = Infinity,
  ): void {
    const { source } = this
    const { text } = source
    const parts: string[] = []
    const blotted: string[] = []
    const last = Math.min(text.length, node.start + limit + 1)
    let from = this.pos
    let i = this.pos
    for (;;) {
      i = skipPlain(text, i, last)
      const unit = source.at(i)
      if (unit < 0) {
        this.pos = i
        this.fail('truncated', 'a string is not closed', i)
        break
      }
      if (i - node.start > limit) {
        this.pos = i
        this.fail('bad-json', 'a key is not closed', node.start)
        break
      }
      if (unit === Char.BACKSLASH) {
        const escape = readEscape(source, i)
        parts.push(source.text.slice(from, i), escape.value)
        blotted.push(source.text.slice(from, i), '_'.repeat(escape.length))
        if (escape.bad) this.note('bad-escape', i)
        else node.escaped = true
        i += escape.length
        from = i
        continue
      }
      if (unit < Char.SPACE && noteControls) {
        this.note('raw-newline', i)
        noteControls = false
      }
      const width = closes(i, unit)
      if (this.failure || width < 0) {
        this.pos = this.failure?.at ?? i
        break
      }
      if (width > 0) {
        parts.push(source.text.slice(from, i))
        node.value = parts.length === 1 ? (parts[0] ?? '') : parts.join('')
        if (node.guessed !== undefined) node.guessed = [...blotted, source.text.slice(from, i)].join('')
        node.closed = true
        this.pos = i + width
        break
      }
      i++
    }
    node.end = this.pos
    if (node.closed) this.lastString = node
  }

  /** Reads a number, a literal, or a value without its quotes. */
  protected word(): JsonNode | null {
    const { source } = this
    const start = this.pos
    let end = start
    for (
      let unit = source.at(end);
      isWordPart(unit) || unit === Char.PLUS || unit === Char.SLASH || unit === Char.ELLIPSIS;
      unit = source.at(++end)
    )
      if (end - start > 4096) return this.fail('bad-json', 'a value without quotes')
    if (end === start) return this.unexpected('a value was expected')
    // The time in a date has colons.
    if (source.at(end) === Char.COLON && source.at(start + 4) === Char.MINUS)
      end = start + (source.match(DATE_AND_TIME, start, 60)?.[0].length ?? end - start)
    if (source.at(end) < 0) {
      this.pos = end
      return this.fail('truncated', 'the text ends here')
    }
    const word = source.text.slice(start, end)
    const next = source.skipSpace(end)
    const after = source.at(next)
    const delimited =
      isComma(after) ||
      after === Char.CLOSE_BRACE ||
      after === Char.CLOSE_BRACKET ||
      after === Char.LESS ||
      isDigit(after)
    const found = classifyWord(word, start, end)
    if (!found || (found.repair === 'raw-value' && !delimited))
      return this.fail('bad-json', `a value in quotes was expected instead of ${word.slice(0, 20)}`)
    const isText = found.repair === 'raw-value' && found.node.kind === 'string'
    if (after === Char.LESS && (isText || this.options.isCut?.(next))) {
      this.pos = end
      return this.fail('truncated', 'a value without quotes is cut off', end)
    }
    if (found.repair) this.note(found.repair, start)
    this.pos = end
    return found.node
  }
}
