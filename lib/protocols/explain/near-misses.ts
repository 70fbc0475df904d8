import type { Segment } from '../types/segment'
import * as Char from '../text/source'
import { lookalikes, type Kind } from './lookalikes'
import type { Surroundings } from './surroundings'

/** Text that users would expect to be a call. */
export interface NearMiss {
  readonly start: number
  readonly end: number
  readonly code: MissCode
  readonly name: string | null
}

/** A near miss with its range, and the strategy whose call it resembles; null for none of ours. */
export interface FoundMiss extends NearMiss {
  readonly like: string | null
}

export type MissCode =
  | 'no-envelope'
  | 'no-name'
  | 'empty-envelope'
  | 'unknown-action'
  | 'quoted-broken'
  | 'mention'
  | 'other-brackets'
  | 'foreign-incomplete'
  | 'python-call'

export interface MissContext {
  readonly strategy: string
  readonly toolNames: readonly string[]
  readonly surroundings: Surroundings
}

const MAX_OBJECT = 20_000
const MAX_TAGGED = 4_000
const MAX_PEEK = 2_000

/**
 * Searches the plain text of a reply for text that only resembles a call, in at most `limit` places. Single pass;
 * re-reading is limited to four times the length of the text.
 */
export function findNearMisses(
  text: string,
  segments: readonly Segment[],
  context: MissContext,
  limit: number,
): readonly FoundMiss[] {
  const misses: FoundMiss[] = []
  const kinds = lookalikes(context.toolNames)
  const trigger = new RegExp(kinds.map(({ pattern }) => `(${pattern})`).join('|'), 'gi')
  const known = new Set(context.toolNames)
  let budget = 4 * text.length + 65_536
  let index = 0
  while (misses.length < limit && budget > 0) {
    const found = trigger.exec(text)
    if (!found) break
    while ((segments[index]?.end ?? Infinity) <= found.index) index++
    const segment = segments[index]
    const kind = kinds[found.slice(1).findIndex((group) => group !== undefined)]
    if (!segment || !kind) break
    if (segment.kind !== 'text') {
      trigger.lastIndex = Math.max(trigger.lastIndex, segment.end)
      continue
    }
    const look: Appearance = {
      text,
      start: found.index,
      word: found[0],
      from: Math.max(segment.start, misses.at(-1)?.end ?? 0),
      end: segment.end,
      known,
      context,
      own: kind.owner === context.strategy,
    }
    const { miss, cost } = judge(look, kind)
    budget -= cost
    if (!miss) continue
    misses.push({ ...miss, like: kind.owner })
    trigger.lastIndex = Math.max(trigger.lastIndex, miss.end)
  }
  return misses
}

interface Appearance {
  readonly text: string
  readonly start: number
  /** The text that the trigger matched. */
  readonly word: string
  /** Start and end of the surrounding plain text. */
  readonly from: number
  readonly end: number
  readonly known: ReadonlySet<string>
  readonly context: MissContext
  /** It resembles a call of the active strategy. */
  readonly own: boolean
}

interface Judged {
  readonly miss: NearMiss | null
  /** The number of characters read. */
  readonly cost: number
}

function judge(look: Appearance, kind: Kind): Judged {
  switch (kind.kind) {
    case 'object':
      return judgeKeyed(look, kind) ?? judgeJson(look)
    case 'json':
      return judgeJson(look)
    case 'bracketed':
      return judgeMarker(look, kind)
    case 'bracketed-value': {
      const { text, start, end } = look
      const until = lineEnd(text, start, Math.min(end, start + 400))
      return { miss: { start: lineStart(look), end: until, code: 'other-brackets', name: null }, cost: 500 }
    }
    case 'element':
      return judgeTag(look)
    case 'opener':
      return judgeOpener(look)
    case 'python':
      return judgePython(look)
  }
}

/** Inspects a JSON object as far as possible: its end, the tool it names, and whether it contains values. */
function peekObject({ text, start, end: limit }: Appearance) {
  const closed = objectEnd(text, start, Math.min(limit, start + MAX_OBJECT))
  const end = closed ?? lineEnd(text, start, Math.min(limit, start + MAX_PEEK))
  const cost = (closed === null ? Math.min(MAX_OBJECT, limit - start) : end - start) + 200
  const body = text.slice(start, Math.min(end, start + MAX_PEEK))
  const name =
    /["'](?:name|tool|tool_name|function|action)["']\s{0,9}:\s{0,9}["']([^"'\n]{1,80})["']/.exec(body)?.[1] ?? null
  const hasArguments = /["'](?:arguments|parameters|args|input|params|action_input)["']\s{0,9}:/.test(body)
  const miss = (code: MissCode): Judged => ({ miss: { start, end, code, name }, cost })
  return { body, name, hasArguments, miss, nothing: { miss: null, cost } }
}

/** Judges an object that begins with a strategy's key; null if any object is treated alike. */
function judgeKeyed(look: Appearance, { key, call }: Extract<Kind, { kind: 'object' }>): Judged | null {
  const { body, name, hasArguments, miss, nothing } = peekObject(look)
  const value = new RegExp(`^\\{\\s{0,20}["']${key}["']\\s{0,9}:\\s{0,9}`).exec(body)
  if (!value) return null
  const rest = body.slice(value[0].length)
  if (call !== undefined) {
    const written = /^["']([^"'\n]{0,80})/.exec(rest)?.[1]
    if (written === undefined) return null
    if (look.own) return miss(written === call ? 'quoted-broken' : 'unknown-action')
    return written !== call && !look.known.has(written) ? nothing : null
  }
  if (/^\[\s{0,20}\]/.test(rest)) return miss('empty-envelope')
  if (name === null && !hasArguments) return nothing
  if (look.own) return look.context.surroundings.fenceAt(look.start) ? miss('quoted-broken') : nothing
  return miss('foreign-incomplete')
}

function judgeJson(look: Appearance): Judged {
  const { name, hasArguments, miss, body, nothing } = peekObject(look)
  if (name !== null && (look.known.has(name) || hasArguments)) return miss('no-envelope')
  return hasArguments && name === null && /["']arguments["']/.test(body) ? miss('no-name') : nothing
}

/** Judges a literal that opens calls: a body after it on the same line is a call that was not read. */
function judgeOpener({ text, start, word, end: limit, own }: Appearance): Judged {
  const end = lineEnd(text, start, Math.min(limit, start + MAX_PEEK))
  const body = text.slice(start + word.length, end)
  const code: MissCode = !/[{[("'=:]/.test(body) ? 'mention' : own ? 'quoted-broken' : 'foreign-incomplete'
  const name = code === 'mention' ? null : nameIn(body)
  return { miss: { start, end: code === 'mention' ? start + word.length : end, code, name }, cost: end - start }
}

function judgeTag(look: Appearance): Judged {
  const { text, start, word, end: limit, own } = look
  const tag = word.slice(1).toLowerCase()
  const window = text.slice(start, Math.min(limit, start + MAX_TAGGED))
  const opener = /^[^<>\n]{0,200}>/.exec(window.slice(1))
  const bodyAt = opener ? opener[0].length + 1 : word.length
  const closer = window.toLowerCase().indexOf(`</${tag}`, bodyAt)
  const closerEnd = closer < 0 ? -1 : window.indexOf('>', closer) + 1
  const body = window.slice(bodyAt, closer < 0 ? undefined : closer)
  const hasBody = /^\s*[{[<]/.test(body)
  const gap = body.indexOf('\n\n')
  const rest = bodyAt + (gap < 0 ? body.trimEnd().length : gap)
  const end = start + (!hasBody ? bodyAt : closerEnd > 0 ? closerEnd : rest)
  const name = nameIn(window.slice(0, MAX_PEEK))
  const cost = window.length
  const code: MissCode = own
    ? hasBody
      ? 'quoted-broken'
      : 'mention'
    : hasBody || (tag === 'invoke' && name !== null)
      ? 'foreign-incomplete'
      : 'mention'
  return { miss: { start, end, code, name: code === 'mention' ? null : name }, cost }
}

function nameIn(text: string): string | null {
  const found =
    /["']name["']\s{0,9}:\s{0,9}["']([^"'\n]{1,80})["']/.exec(text) ??
    /<name>\s{0,9}([^<\s]{1,80})/.exec(text) ??
    /^<[\w]{1,30}\s{1,9}name\s?=\s?["']([^"'\n]{1,80})["']/.exec(text) ??
    /<(?:invoke name="|function=)([^"'>\n]{1,80})/.exec(text)
  return found?.[1] ?? null
}

function judgeMarker(
  look: Appearance,
  { words, last: pattern, opens, value }: Extract<Kind, { kind: 'bracketed' }>,
): Judged {
  const { text, start, word, end: limit, own } = look
  const window = text.slice(start, Math.min(limit, start + MAX_TAGGED))
  const isProper = opens.test(word)
  const closers = /^[\])}】>]{0,6}/.exec(window.slice(word.length))?.[0].length ?? 0
  // The bare words, without any bracket, are prose.
  if (word.length === words.length && closers === 0) return { miss: null, cost: 50 }
  const last = pattern.exec(window.slice(word.length))
  const hasFields = value.test(window)
  const end =
    start +
    (last && (hasFields || last.index < 400) ? word.length + last.index + last[0].length : word.length + closers)
  const code: MissCode = !isProper ? 'other-brackets' : !own && hasFields ? 'foreign-incomplete' : 'mention'
  return { miss: { start, end, code, name: null }, cost: window.length }
}

function judgePython({ text, start, word, end: limit }: Appearance): Judged {
  const window = text.slice(start, Math.min(limit, start + 400))
  const found = /^[^()\n]{0,300}\){1,2}/.exec(window.slice(word.length))
  const inside = found?.[0] ?? ''
  // `read_file()` in a sentence just names the tool; values in the brackets make it look like a call.
  if (!found || !/["'=\d{[]/.test(inside)) return { miss: null, cost: window.length }
  const name = /(\w+)\($/.exec(word)?.[1] ?? null
  return { miss: { start, end: start + word.length + inside.length, code: 'python-call', name }, cost: window.length }
}

/**
 * The end of the object at `start`, by brackets and double-quoted strings; null if it does not close before `limit`.
 */
function objectEnd(text: string, start: number, limit: number): number | null {
  let depth = 0
  let inString = false
  for (let i = start; i < limit; i++) {
    const unit = text.charCodeAt(i)
    if (inString) {
      if (unit === Char.BACKSLASH) i++
      else if (unit === Char.QUOTE) inString = false
    } else if (unit === Char.QUOTE) inString = true
    else if (unit === Char.OPEN_BRACE || unit === Char.OPEN_BRACKET) depth++
    else if ((unit === Char.CLOSE_BRACE || unit === Char.CLOSE_BRACKET) && --depth === 0) return i + 1
  }
  return null
}

/** The end of the line at `from`, searched within `limit` characters. */
function lineEnd(text: string, from: number, limit: number): number {
  const at = text.slice(from, limit).indexOf('\n')
  return at < 0 ? limit : from + at
}

function lineStart({ text, start, from }: Appearance): number {
  const first = Math.max(from, start - 100)
  return first + text.slice(first, start).lastIndexOf('\n') + 1
}
