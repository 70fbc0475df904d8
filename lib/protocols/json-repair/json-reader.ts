import * as Char from '../text/source'
import { isDigit, isWordPart } from '../text/source'
import type { OpenContainer } from './bare-quotes'
import { isColon, isComma, isQuote, readPlainKey } from './characters'
import { JsonTokens, MAX_KEY, QUOTE_TOKEN } from './json-tokens'
import type { ArrayNode, JsonNode, ObjectNode } from './node'
import type { RepairCode } from '../types/segment'
import type { Crossing, JsonReading, Shape } from './json-reading'

/** Arguments may nest 64 deep; the envelope around them adds a few levels. */
export const MAX_DEPTH = 64
const ENVELOPE_DEPTH = 6
const BRACKETS: ReadonlySet<RepairCode> = new Set(['missing-bracket', 'extra-bracket'])
const UNSURE_BRACKET = 'a bracket is missing or too many, and more than one place is possible for it'
const NO_KEYS: Set<string> = new Set()

/** Reads one value in one pass: a recursive descent with bounded depth and no backtracking. */
export class JsonReader extends JsonTokens {
  private crossed: Crossing = null
  /** Whether an object in a list was closed implicitly before the next one began. */
  private implied = false

  run(start: number): JsonReading {
    this.pos = start
    const node = this.value(this.options.shape ?? null)
    if (this.implied && this.crossed !== null && !this.failure) this.fail('bad-json', UNSURE_BRACKET)
    return {
      node,
      end: this.pos,
      repairs: this.repairs,
      failure: this.failure,
      guessed: this.guessed,
      crossed: this.crossed,
    }
  }

  private value(shape: Shape | null): JsonNode | null {
    const code = this.skip()
    if (code === Char.OPEN_BRACE || code === Char.OPEN_BRACKET) {
      if (this.frames.length >= MAX_DEPTH + ENVELOPE_DEPTH) return this.fail('too-deep', 'the nesting is too deep')
      return code === Char.OPEN_BRACE ? this.object(shape) : this.array(shape)
    }
    if (isQuote(code) || (code === Char.LESS && this.source.has(this.pos, QUOTE_TOKEN))) return this.strings()
    return this.word()
  }

  private object(shape: Shape | null): ObjectNode {
    const node: ObjectNode = {
      kind: 'object',
      start: this.pos++,
      end: this.pos,
      entries: [],
      closed: false,
      elided: false,
    }
    const frame: OpenContainer = { kind: 'object', shape, name: null, seen: new Set() }
    this.frames.push(frame)
    if (this.skip() === Char.OPEN_BRACE) this.doubled(node, shape)
    else if (this.members(node, frame)) node.closed = true
    this.frames.pop()
    node.end = this.pos
    return node
  }

  /** `{{ … }}`, copied from a template: the inner object is the value. */
  private doubled(node: ObjectNode, shape: Shape | null): void {
    this.note('doubled-braces')
    const inner = this.value(shape)
    if (inner?.kind !== 'object') return
    node.entries.push(...inner.entries)
    node.elided = inner.elided
    node.closed = inner.closed && !this.failure
    // `{{,"next":1}`: the second brace may have replaced a closing brace.
    if (inner.opensWithComma) this.fail('bad-json', UNSURE_BRACKET, inner.start)
    if (this.failure) return
    if (this.skip() === Char.CLOSE_BRACE) this.pos++
    else this.note('missing-bracket')
  }

  private members(node: ObjectNode, frame: OpenContainer): boolean {
    const { seen } = frame
    let needComma = false
    let comma = -1
    for (;;) {
      const code = this.skip()
      const ended = this.ended(code, Char.CLOSE_BRACE, Char.CLOSE_BRACKET, 'array', !needComma)
      if (ended !== null) return ended
      if (
        code === Char.OPEN_BRACE &&
        this.endsBeforeNext(seen, comma, needComma ? node.entries.at(-1)?.node.end : undefined)
      ) {
        // `{"a":1,{"a":2}` in a list: the brace before the comma is missing.
        this.pos = comma < 0 ? this.pos : comma
        this.note('missing-bracket', this.pos - 1)
        this.implied = true
        return true
      }
      if (isComma(code)) {
        comma = needComma ? this.pos : -1
        if (!needComma && node.entries.length === 0) node.opensWithComma = true
        this.comma(code, needComma)
        needComma = false
        continue
      }
      comma = -1
      if (this.ellipsis()) {
        node.elided = true
        needComma = true
        continue
      }
      const at = this.pos
      const name = this.key(!needComma, frame.shape, seen)
      if (name === null) return false
      const { key, escaped } = name
      let noColon = false
      const colon = this.skip()
      if (isColon(colon)) {
        if (colon !== Char.COLON) this.note('full-width-punctuation')
        this.pos++
      } else if (!needComma && !seen.has(key) && (frame.shape?.has(key) ?? false) && this.startsOnlyValue(colon)) {
        this.note('missing-colon')
        noColon = true
      } else {
        this.unexpected('a colon was expected after the key')
        return false
      }
      if (needComma) {
        const last = node.entries.at(-1)?.node
        // `"a""b":`: the quote may be part of the text.
        if (last?.kind === 'string' && last.end === at && !(frame.shape?.has(key) ?? false)) {
          this.fail('bad-json', 'a comma or a closing brace was expected', at)
          return false
        }
        this.note('missing-comma', at)
      }
      if (this.skip() >= 0 && this.isStop()) {
        this.fail('truncated', `the value of "${key}" is missing`)
        return false
      }
      const mended = this.repairs.length
      const value = this.value(frame.shape?.child(key, frame.name) ?? null)
      // `"key"[{}`: the bracket may have replaced the colon if its partner is missing, too.
      if (noColon && value?.kind === 'array' && this.repairs.slice(mended).some((repair) => BRACKETS.has(repair.code)))
        this.fail('bad-json', 'a colon was expected after the key', value.start)
      // `"key"":"value"`: the quote before the colon may be the surplus one, and then another one was added.
      if (
        noColon &&
        value?.kind === 'string' &&
        (value.guessed !== undefined ||
          this.repairs.at(-1)?.code === 'missing-quote' ||
          /^\s*(?::|$)/.test(value.value))
      )
        this.fail('bad-json', 'a colon was expected after the key', value.start)
      if (value) {
        if (seen.has(key)) this.note('duplicate-key', at)
        seen.add(key)
        node.entries.push({ key, escaped, node: value })
        if (value.kind === 'string' && frame.name === null && /^(name|tool|tool_name|function)$/.test(key))
          frame.name = value.value
      }
      if (!value || this.failure) return false
      needComma = true
    }
  }

  private array(shape: Shape | null): ArrayNode {
    const node: ArrayNode = { kind: 'array', start: this.pos++, end: this.pos, items: [], closed: false, elided: false }
    this.frames.push({ kind: 'array', shape, name: null, seen: NO_KEYS })
    let needComma = false
    for (;;) {
      const code = this.skip()
      const ended = this.ended(
        code,
        Char.CLOSE_BRACKET,
        Char.CLOSE_BRACE,
        'object',
        !needComma || isEmpty(node.items.at(-1)),
      )
      if (ended !== null) {
        node.closed = ended
        break
      }
      if (isComma(code)) {
        // `[,"b"]`: the first item may be lost.
        if (!needComma && node.items.length === 0 && !node.elided) {
          this.unexpected('a value was expected before the comma')
          break
        }
        this.comma(code, needComma)
        needComma = false
        continue
      }
      if (this.ellipsis()) {
        node.elided = true
        needComma = true
        continue
      }
      if (needComma) {
        // Without a comma, only another bracket or quote, or a number on its own line, is certainly a new item; a list
        // only after a list.
        const last = node.items.at(-1)
        const ownLine =
          (isDigit(code) || code === Char.MINUS) &&
          this.source.text.slice(last?.end ?? this.pos, this.pos).includes('\n')
        const isList = code === Char.OPEN_BRACKET && last?.kind === 'array'
        // `"a""b"`: the quote may be part of the text.
        const isText = code === Char.QUOTE && !(last?.kind === 'string' && last.end === this.pos)
        if (code !== Char.OPEN_BRACE && !isList && !isText && !ownLine) {
          this.unexpected('a comma or a closing bracket was expected')
          break
        }
        this.note('missing-comma')
      }
      const item = this.value(shape)
      if (needComma && item?.kind === 'string' && item.guessed !== undefined)
        this.fail('bad-json', 'a comma or a closing bracket was expected', item.start)
      if (item) node.items.push(item)
      if (!item || this.failure) break
      needComma = true
    }
    this.frames.pop()
    node.end = this.pos
    return node
  }

  /** Reads the closing bracket of the innermost container, or markup in its place. Null: the container continues. */
  private ended(
    code: number,
    own: number,
    other: number,
    otherKind: OpenContainer['kind'],
    unsure: boolean,
  ): boolean | null {
    if (code === own) {
      this.pos++
      return true
    }
    if (code === other) {
      // It is unclear which of the two brackets is wrong: `[}`, `[{}}`, and `,}` may be `,{`.
      if (unsure) {
        this.fail('bad-json', UNSURE_BRACKET)
        return false
      }
      this.crossed = code === Char.CLOSE_BRACE ? 'brace' : 'bracket'
      if (this.frames.some((frame) => frame.kind === otherKind)) {
        this.note('missing-bracket')
        return true
      }
      this.note('extra-bracket')
      this.pos++
      return null
    }
    if (code < 0) {
      this.fail('truncated', 'the text ends here')
      return false
    }
    if (this.isStop()) {
      this.note('missing-bracket')
      return true
    }
    return null
  }

  private comma(code: number, expected: boolean): void {
    if (code !== Char.COMMA) this.note('full-width-punctuation')
    const at = this.pos++
    const next = this.skip()
    if (!expected || next === Char.CLOSE_BRACE || next === Char.CLOSE_BRACKET || (next >= 0 && this.isStop()))
      this.note('trailing-comma', at)
  }

  /**
   * Whether the object's brace is missing before the brace at `pos`: another item of its list begins there, with a key
   * that this one already has. `ended` is where the last value ended, if no comma came after it.
   */
  private endsBeforeNext(seen: ReadonlySet<string>, comma: number, ended: number | undefined): boolean {
    const { source, pos } = this
    const quote = source.skipSpace(pos + 1)
    if (this.crossed !== null || source.at(quote) !== Char.QUOTE) return false
    // Text that has not arrived yet may be such a key.
    const next = source.find('"', quote + 1) < 0 ? null : readPlainKey(source.text, quote + 1)
    if (next === null || !seen.has(next.value)) return false
    if (this.frames.length > 1) return comma >= 0 && this.frames.at(-2)?.kind === 'array'
    const ownLine = ended !== undefined && source.text.slice(ended, pos).includes('\n')
    return this.options.several === true && (comma >= 0 || ownLine)
  }

  /** Right after a key: whether the character can only begin its value. */
  private startsOnlyValue(code: number): boolean {
    return (
      code === Char.QUOTE ||
      code === Char.OPEN_BRACE ||
      code === Char.OPEN_BRACKET ||
      code === Char.MINUS ||
      isDigit(code)
    )
  }

  private ellipsis(): boolean {
    const dots = this.source.at(this.pos) === Char.ELLIPSIS ? 1 : this.source.has(this.pos, '...') ? 3 : 0
    if (dots === 0) return false
    this.note('ellipsis')
    this.pos += dots
    return true
  }

  private key(
    separated: boolean,
    shape: Shape | null,
    seen: ReadonlySet<string>,
  ): { readonly key: string; readonly escaped: boolean } | null {
    const { source } = this
    const code = source.at(this.pos)
    const token = code === Char.LESS && source.has(this.pos, QUOTE_TOKEN)
    if (isQuote(code) || token) {
      const string = token ? this.tokenString() : this.string(code, true)
      if (!string?.closed) return null
      // A quote of another kind ran on to the next quote of its own kind.
      const other = !token && (code !== Char.QUOTE || source.at(string.end - 1) !== Char.QUOTE)
      if (other && /["“”„＂{]/.test(string.value)) return this.fail('bad-json', 'a key is not closed', string.start)
      return { key: string.value, escaped: string.escaped }
    }
    let end = this.pos
    while (isWordPart(source.at(end)) && end - this.pos < MAX_KEY) end++
    if (end === this.pos) return this.unexpected('a key or a closing brace was expected')
    const key = source.text.slice(this.pos, end)
    const colon = source.skipSpace(end)
    if (isColon(source.at(colon))) {
      this.note('unquoted-key')
      this.pos = end
      return { key, escaped: false }
    }
    // `limit":` after a comma or a brace: only the first quote of a known key is missing.
    const onlyFirst = separated && source.at(end) === Char.QUOTE && isColon(source.at(source.skipSpace(end + 1)))
    if (!onlyFirst || seen.has(key) || !shape?.has(key)) return this.unexpected('a key in quotes was expected')
    this.note('missing-quote')
    this.pos = end + 1
    return { key, escaped: false }
  }
}

const isEmpty = (node: JsonNode | undefined): boolean =>
  (node?.kind === 'object' && node.entries.length === 0) || (node?.kind === 'array' && node.items.length === 0)
