import type { Breakage, Part, ReadCall, ReadContext } from '../arguments/dialect'
import type { RepairCode } from '../types/segment'
import * as Char from '../text/source'
import type { Source } from '../text/source'

/**
 * The end of the JSON value at `start`, found only by string state and brackets, at any depth and with any damage
 * inside.
 * Null if it does not end.
 */
function findJsonEnd(source: Source, start: number): number | null {
  let depth = 0
  let inString = false
  for (let i = start; ; i++) {
    const unit = source.at(i)
    if (unit < 0) return null
    if (inString) {
      if (unit === Char.BACKSLASH) i++
      else if (unit === Char.QUOTE) inString = false
    } else if (unit === Char.QUOTE) inString = true
    else if (unit === Char.OPEN_BRACE || unit === Char.OPEN_BRACKET) depth++
    else if (unit === Char.CLOSE_BRACE || unit === Char.CLOSE_BRACKET) {
      if (--depth <= 0) return i + 1
    }
  }
}

/** The same for streamed text: reports when a value may be complete. */
export class JsonEndWatch {
  private depth = 0
  private inString = false
  private escaped = false
  /** The brackets were balanced at least once. */
  done = false

  push(piece: string): void {
    let i = 0
    if (this.escaped && piece !== '') {
      this.escaped = false
      i = 1
    }
    while (i < piece.length) i = this.inString ? this.string(piece, i) : this.structure(piece, i)
  }

  /** Reads the rest of the string: up to after its quote, else to the end of the piece. */
  private string(piece: string, from: number): number {
    for (let i = from; ;) {
      const quote = piece.indexOf('"', i)
      const end = quote < 0 ? piece.length : quote
      let run = end
      while (run > i && piece.charCodeAt(run - 1) === Char.BACKSLASH) run--
      const escaped = (end - run) % 2 === 1
      if (quote < 0) {
        this.escaped = escaped
        return end
      }
      i = quote + 1
      if (escaped) continue
      this.inString = false
      return i
    }
  }

  /** Reads brackets, up to after the first quote of the next string. */
  private structure(piece: string, from: number): number {
    for (let i = from; i < piece.length; i++) {
      const unit = piece.charCodeAt(i)
      if (unit === Char.QUOTE) {
        this.inString = true
        return i + 1
      }
      if (unit === Char.OPEN_BRACE || unit === Char.OPEN_BRACKET) this.depth++
      else if ((unit === Char.CLOSE_BRACE || unit === Char.CLOSE_BRACKET) && --this.depth <= 0) this.done = true
    }
    return piece.length
  }
}

/** Adds surplus closing brackets to the last call. */
export function absorbBrackets(source: Source, parts: Part[]): void {
  const last = parts.at(-1)
  if (!last) return
  const end = last.end
  let i = source.skipSpace(end)
  while (source.at(i) === Char.CLOSE_BRACE || source.at(i) === Char.CLOSE_BRACKET) {
    last.end = i + 1
    i = source.skipSpace(i + 1)
  }
  if (last.end > end && last.kind === 'call')
    parts[parts.length - 1] = { ...last, call: withRepair(last.call, 'extra-bracket') }
}

const MARK = `(?:["'“”„＂]|<\\|"\\|>)`
const VALUE = `(?:["'“”„＂{[\\d-]|true\\b|false\\b|null\\b|<\\|"\\|>)`
/** A character of a string in straight quotes, plain or escaped: a key may be any text. */
const CHARACTER = '(?:[^"\\\\\\n]|\\\\.)'
const WORD = '[\\p{L}\\p{N}_.-]{1,64}'
/** Text that may be between the end of a value and the next key. */
const LEAD = '(?:[\\s,，:：}\\]]|(?<=[,，\\]]\\s{0,8})\\[|/\\*[^*]{0,80}\\*/){0,80}'
/**
 * In JSON's own syntax a key is enough; with characters that prose has too, a value must follow. `key` matches a key
 * without its first quote.
 */
const continues = (key: string): RegExp =>
  new RegExp(
    `${LEAD}(?:"${CHARACTER}{0,64}"?\\s*[:{[]|${key}{1,64}"\\s*:` +
      `|(?:${MARK}[^"'“”„＂\\n]{0,64}${MARK}?|${WORD}${MARK}|(?<=,\\s{0,40})${WORD})\\s*[:：]\\s*${VALUE}` +
      `|${MARK}${WORD}${MARK}?\\s*[{[]|(?:arguments|parameters|args|input|params)\\s*[:：][ \\t]*\\{)`,
    'uy',
  )
const CONTINUES = continues(CHARACTER)
/** Words at the beginning of a line are prose. */
const CONTINUES_IN_LINE = continues('[^"\\\\\\s]')
/** A key longer than usual names: searched for only if a text continues for that long, and it must have both quotes. */
const LONG_TEXT = new RegExp(`${LEAD}"${CHARACTER}{65}`, 'uy')
const LONG_KEY = new RegExp(`${LEAD}"${CHARACTER}{65,1000}"\\s*:`, 'uy')
/** Characters with which only structure begins. */
const SIGN = /[,，:：}\]"]/

/** Whether structure continues after a value that has ended: a key, with one or both quotes, and a colon. */
export const structureContinues = (source: Source, i: number): boolean => {
  // Only text close behind counts; the lookahead limits the white space before it.
  const from = source.skipSpace(i)
  const first = source.text[from] ?? ' '
  if (/[\s<`{[~]/u.test(first) && !source.has(from, '<|"|>')) return false
  const ownLine = source.text.slice(i, from).includes('\n') && !SIGN.test(first)
  if (source.match(ownLine ? CONTINUES_IN_LINE : CONTINUES, from, 300) !== null) return true
  return source.match(LONG_TEXT, from, 300) !== null && source.match(LONG_KEY, from, 1_200) !== null
}

/**
 * Whether a quote or a bracket follows the closer that ends before `from`, before the next call opens: then the closer
 * was part of a string, and no bracket is missing before it.
 */
export function structureFollows(source: Source, from: number, opens: (source: Source, i: number) => boolean): boolean {
  for (let i = from; ; i++) {
    const unit = source.at(i)
    if (unit < 0 || (unit === Char.LESS && opens(source, i))) return false
    if (
      unit === Char.QUOTE ||
      unit === Char.OPEN_BRACE ||
      unit === Char.CLOSE_BRACE ||
      unit === Char.OPEN_BRACKET ||
      unit === Char.CLOSE_BRACKET
    )
      return true
  }
}

/** Whether a surplus closing bracket follows. */
export function bracketFollows(source: Source, i: number): boolean {
  const unit = source.at(source.skipSpace(i))
  return unit === Char.CLOSE_BRACE || unit === Char.CLOSE_BRACKET
}

/** The reason for breaking the last call before the damage. */
export const UNSURE_END: Breakage = {
  reason: 'bad-json',
  detail: 'something goes on behind the call: it may have been closed too early',
}

/** Turns a call that may have been closed too early into a broken one. */
export function breakCall(part: Part | undefined): Part[] {
  if (part?.kind !== 'call') return part ? [part] : []
  const { start, end, call } = part
  return [{ kind: 'broken', start, end, breakage: { ...UNSURE_END, at: end, name: call.name } }]
}

/**
 * Where a broken JSON call ends: with its value if that is known, else at the end of the fence, a blank line or the end
 * of the text.
 */
export function brokenEnd(source: Source, start: number, at: number, cut: boolean, context: ReadContext): number {
  if (source.text.length <= at) return Math.min(at, source.text.length)
  if (cut) return at
  const end = findJsonEnd(source, start)
  for (let i = at; ; i++) {
    if (end !== null && end >= at && i >= end) return end
    const unit = source.at(i)
    if (unit < 0) return i
    if (context.isFenceEnd(i)) return i
    if (unit === Char.LINE_FEED && source.at(source.skipBlanks(i + 1)) === Char.LINE_FEED) return i
  }
}

export const withRepair = (call: ReadCall, code: RepairCode): ReadCall =>
  call.repairs.includes(code) ? call : { ...call, repairs: [...call.repairs, code] }

/** A whole call of a foreign dialect that can't be used. */
export const isRefused = (part: Part): boolean => part.kind === 'broken' && part.breakage.reason === 'not-a-literal'

/** Records that comment lines belong to a call. */
export function noteComment(parts: Part[], i: number): void {
  const part = parts[i]
  if (part?.kind === 'call') parts[i] = { ...part, call: withRepair(part.call, 'comment') }
}
