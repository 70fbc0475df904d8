import { isJsonObject, type JsonObject, type JsonValue } from '@/lib/base/json'
import type { Language } from '@/lib/base/text/languages'
import { assertNever } from '@/lib/base/result'
import type { SeenResult } from './turn'
import { textOfKey, type NameIn } from '@/lib/i18n/t'

/*
 * What the script says, in the language that it is spoken to: it answers Chinese in Chinese. Calls, paths and commands are the
 * same in both.
 */
export type DemoWord = NameIn<'demo'>

export const demoReplies = (language: Language, word: DemoWord, values: JsonObject = {}): string =>
  textOfKey(`demo.${word}`, values, language) ?? word

/** The language that somebody writes: a word of Chinese makes it that. */
export const isChinese = (text: string): boolean => /\p{sc=Han}/u.test(text)

const maxPiece = 320

/** Results in the script's own words: one sentence for what went well, and for the rest what could come next. */
export const describeResults = (results: readonly SeenResult[], language: Language): string =>
  results.map((result) => describeResult(result, language)).join('\n\n')

function describeResult({ name, status, result }: SeenResult, language: Language): string {
  const tool = `\`${name}\``
  const say = (word: DemoWord, reason = '') => demoReplies(language, word, { tool, reason: cut(reason, maxPiece) })
  switch (status) {
    case 'completed':
      return demoReplies(language, status, { tool, what: givenBack(result, language) })
    case 'result_rejected':
    case 'execution_rejected':
      return say(status, denialReason(result))
    case 'error':
    case 'not_found':
    case 'cancelled':
      return say(status, reasonOf(result))
    case 'interrupted':
    case 'unfinished':
    case 'skipped':
      return say(status)
    default:
      return assertNever(status)
  }
}

/** The sentence in a failed or denied result, '' when there is none. */
function reasonOf(result: JsonValue): string {
  if (typeof result === 'string') return result.trim()
  if (!isJsonObject(result)) return ''
  for (const key of ['reason', 'error', 'message', 'note']) {
    const value = result[key]
    if (typeof value === 'string' && value.trim() !== '') return value.trim()
  }
  return ''
}

/** Only the user's own words; a denial without any has none. */
const denialReason = (result: JsonValue): string => {
  const reason = isJsonObject(result) ? result['reason'] : undefined
  return typeof reason === 'string' ? reason.trim() : ''
}

/** What came back, for a sentence: the card above shows all of it. Words that could be read as a call are only counted. */
function givenBack(result: JsonValue, language: Language): string {
  const inner = isJsonObject(result) ? innerOf(result) : result
  if (typeof inner === 'string') return isPlain(inner) ? `\`${inner}\`` : measured(inner, language)
  if (inner === null || typeof inner !== 'object') return `\`${String(inner)}\``
  if (Array.isArray(inner)) return demoReplies(language, 'items', { count: inner.length })
  const list = Object.entries(inner).find(([, member]) => Array.isArray(member))
  if (list) {
    const [name, { length: count }] = list as [string, readonly JsonValue[]]
    return isPlain(name)
      ? demoReplies(language, 'items_in', { count, name })
      : demoReplies(language, 'items', { count })
  }
  return demoReplies(language, 'values', { count: Object.keys(inner).length })
}

/** What code or a file holds; else the result itself. */
function innerOf(result: JsonObject): JsonValue {
  const { value, content } = result
  return value === undefined ? (content ?? result) : value
}

/** Characters of a text that a sentence holds whole. */
const MAX_WORD = 60
/** Letters, digits and what stands between them in prose: no mark by which any strategy begins something. */
const isPlain = (text: string): boolean =>
  text.length <= MAX_WORD && /^[\p{L}\p{N}][\p{L}\p{N} .,;:!?%()+-]*$/u.test(text)

/** "12 lines of text", "a text of 812 characters". */
function measured(text: string, language: Language): string {
  const lines = text.replace(/\n$/, '').split('\n').length
  return lines > 1
    ? demoReplies(language, 'lines', { count: lines })
    : demoReplies(language, 'characters', { count: text.length })
}

export const cut = (text: string, length: number): string =>
  text.length <= length ? text : `${text.slice(0, length).replace(/[\ud800-\udbff]$/, '')}…`
