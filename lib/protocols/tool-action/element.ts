import type { RepairCode } from '../types/segment'
import * as Char from '../text/source'
import type { Source } from '../text/source'
import {
  decoded,
  endsBareValue,
  opensAction,
  readAttributeName,
  trimNewlines,
  wordEnd,
  type Value,
  wordPattern,
} from './markup'
import {
  closerOf,
  findQuote,
  findTextEnd,
  isLiteral,
  leavesValueOpen,
  standsFor,
  type ParameterAround,
  type Cut,
  type TextEnd,
} from './argument-values'

export interface Element {
  readonly tag: string
  /** The attribute `name`, if it has one. */
  readonly name: string | null
  readonly value: Value
  readonly end: number
  readonly repairs: readonly RepairCode[]
}

/**
 * One parameter: `<path value="/a" />`, `<content>…</content>`, `<param name="path" value="/a" />`. Null if no element
 * begins at `start`.
 */
export function readElement(source: Source, start: number, around: ParameterAround): Element | Cut | null {
  const nameEnd = wordEnd(source, start + 1)
  if (nameEnd === start + 1) return null
  const tag = source.text.slice(start + 1, nameEnd)
  const repairs: RepairCode[] = []
  let name: string | null = null
  let value: Value | null = null
  for (let i = source.skipSpace(nameEnd); ;) {
    const unit = source.at(i)
    if (unit < 0) return { cut: source.text.length }
    if (unit === Char.SLASH && source.at(i + 1) === Char.GREATER)
      // `<path vaue="/a" />`: the value has another name, and would be lost.
      return value === null && repairs.length > 0
        ? null
        : { tag, name, value: value ?? { text: '', literal: false }, end: i + 2, repairs }
    if (unit === Char.GREATER) return closeElement(source, i + 1, { tag, name, value, repairs }, around)
    const attribute = readAttributeName(source, i)
    if (!attribute) return null
    i = attribute.end
    // `value` without its `=`, also `valuetea`: what follows is not the text of the element.
    if (!attribute.assigned && /^(value|name)/.test(attribute.name)) return null
    if (!attribute.assigned) continue
    const quote = source.at(i)
    let read: Value
    if (quote !== Char.QUOTE && quote !== Char.APOSTROPHE) {
      const from = i
      while (!endsBareValue(source, i)) i++
      if (source.at(i) < 0) return { cut: source.text.length }
      const bare = source.text.slice(from, i)
      // Markup characters that are not allowed in a value without quotes: a quote or an equals sign is surplus or
      // missing.
      if (bare === '' || /["'=<>`]/.test(bare)) return null
      read = decoded(bare)
    } else if (attribute.name === 'value') {
      const found = findQuote(source, i + 1, quote, tag, name !== null, around)
      if ('cut' in found) return found
      if (found.guessed) repairs.push('bare-quote')
      if (found.guessed && swallowsMarkup(source.text.slice(i + 1, found.at), quote, around)) return null
      read = decoded(source.text.slice(i + 1, found.at))
      i = found.at + 1
    } else {
      const end = source.find(String.fromCharCode(quote), i + 1)
      if (end < 0) return { cut: source.text.length }
      if (end - i > 300) return null
      read = decoded(source.text.slice(i + 1, end))
      i = end + 1
    }
    if (attribute.name === 'value') value = read
    else if (attribute.name === 'name') name = read.text
    else repairs.push('tag-attributes')
    i = source.skipSpace(i)
  }
}

interface Opened {
  readonly tag: string
  readonly name: string | null
  readonly value: Value | null
  readonly repairs: readonly RepairCode[]
}

const CDATA = '<![CDATA['

/** Whether every square bracket has its partner. */
function isBalanced(text: string): boolean {
  let depth = 0
  for (const char of text) {
    if (char === '[') depth++
    else if (char === ']' && --depth < 0) return false
  }
  return depth === 0
}

/** Whether a section begins in the text of an element with this name, or of an alias. */
function opensSection(text: string, element: string): boolean {
  for (let at = text.indexOf(CDATA); at >= 0; at = text.indexOf(CDATA, at + 1)) {
    const opener = OPENER.exec(text.slice(Math.max(0, at - 300), at))?.[1]?.toLowerCase()
    if (opener !== undefined && (opener === element.toLowerCase() || standsFor(opener, element))) return true
  }
  return false
}

const OPENER = /<([^\s<>/]{1,128})[^<>]{0,160}>\s{0,8}$/u

/** Reads the text between the tags of an element, after its `>`. */
function closeElement(source: Source, from: number, opened: Opened, around: ParameterAround): Element | Cut {
  const { tag, name, value } = opened
  const first = source.skipSpace(from)
  if (value) {
    // `<path value="/a"></path>`, or the slash was omitted.
    const closer = closerOf(source, first, tag)
    // `<path value="/a"><path>`: its closer lost the slash.
    if (!closer && source.has(first, `<${tag}>`)) return { cut: first }
    const codes: readonly RepairCode[] = closer ? (closer.repair ? [closer.repair] : []) : ['missing-closer']
    return { tag, name, value, end: closer?.end ?? from, repairs: [...opened.repairs, ...codes] }
  }
  if (source.has(first, CDATA)) {
    for (let i = first + CDATA.length; ; i++) {
      i = source.find(']]>', i)
      if (i < 0) return { cut: source.text.length }
      const closer = closerOf(source, source.skipSpace(i + 3), tag)
      if (!closer) continue
      const inner = source.text.slice(first + CDATA.length, i)
      // Its end was damaged: it ran on into another section of the same element.
      if (opensSection(inner, tag)) return { cut: i }
      // `<![CDATA[[…`, `…]]]>`: an unpaired bracket may be part of the mark, written twice.
      if ((inner.startsWith('[') || inner.endsWith(']')) && !isBalanced(inner)) return { cut: i }
      const text = trimNewlines(inner)
      const codes: readonly RepairCode[] = closer.repair ? [closer.repair] : []
      return { tag, name, value: { text, literal: true }, end: closer.end, repairs: [...opened.repairs, ...codes] }
    }
  }
  const found = findTextEnd(source, from, tag, around)
  if ('cut' in found) return found
  const raw = source.text.slice(from, found.at)
  // `<text>>…`, `…<</text>`: the character may be part of the tag, written twice.
  if (raw.startsWith('>') || raw.endsWith('<')) return { cut: found.at }
  // The rest of a section whose opening mark is damaged.
  if (/^\s*[^\s\w]{0,4}!?[^\s\w]{0,3}CDATA/.test(raw.slice(0, 200)) && raw.trimEnd().endsWith(']]>'))
    return { cut: found.at }
  if (/^\s*<!\[/.test(raw) && raw.trimEnd().endsWith(']]>')) return { cut: found.at }
  // `<path vaue="/a"></path>`
  if (raw.trim() === '' && opened.repairs.includes('tag-attributes')) return { cut: found.at }
  // A closer was damaged, and the text ran on into the next parameter.
  if (leavesValueOpen(raw, tag, around)) return { cut: found.at }
  if (found.repair === 'missing-closer' && (endsInCloser(raw, tag) || source.has(found.at, `<${tag}`)))
    return { cut: found.at }
  if (found.repair === 'missing-closer') return guessedEnd(source, raw, found, opened, around)
  return {
    tag,
    name,
    value: decoded(trimNewlines(raw)),
    end: found.end,
    repairs: found.repair ? [...opened.repairs, found.repair] : opened.repairs,
  }
}

const LAST_CLOSER = /<\/\s*([^<>/]{1,128}?)\s*>\s*$/

/** The end of a text whose closer is missing: it ends in no closing tag, and every quote in it has its partner. */
function guessedEnd(
  source: Source,
  raw: string,
  found: TextEnd,
  opened: Opened,
  around: ParameterAround,
): Element | Cut {
  const { tag, name } = opened
  const element = (text: string, code: RepairCode): Element => ({
    tag,
    name,
    value: decoded(trimNewlines(text)),
    end: found.end,
    repairs: [...opened.repairs, code],
  })
  const closer = LAST_CLOSER.exec(raw.slice(-160))
  if (!closer)
    return raw.split('"').length % 2 === 0 ? { cut: openEnd(source, found.end) } : element(raw, 'missing-closer')
  const [written, wrongCloser = ''] = closer
  const text = raw.slice(0, raw.length - written.length)
  const isWord = isLiteral(wrongCloser) || around.isParameter?.(wrongCloser) === true
  // An element that opened in the text is closed there: it is part of the text.
  const isOwn = new RegExp(`<${wrongCloser.replaceAll(/[^\p{L}\p{N}_-]/gu, '.')}[\\s>]`, 'iu').test(text)
  if (isOwn || !isWord) return { cut: found.at, wrongCloser }
  return text.split('"').length % 2 === 0 ? { cut: openEnd(source, found.end) } : element(text, 'wrong-closer')
}

/** Where a value ends that a closer of the call only seems to end: at the next call, or the end of the text. */
function openEnd(source: Source, from: number): number {
  for (let i = from; ; i++) {
    i = source.find('<', i)
    if (i < 0) return source.text.length
    if (opensAction(source, i)) return i
  }
}

/**
 * Whether a value with bare quotes seems to have swallowed the next parameter: it contains a known name with its
 * `value`, or beside a markup character. An unpaired quote at the edge may be part of the value, written twice.
 */
function swallowsMarkup(text: string, quote: number, around: ParameterAround): boolean {
  const mark = String.fromCharCode(quote)
  const trimmed = text.trim()
  const quotes = text.split(mark).length - 1
  if (quotes % 2 === 1 && (trimmed.startsWith(mark) || trimmed.endsWith(mark))) return true
  for (const found of text.matchAll(wordPattern())) {
    if (!(around.isParameter ?? isLiteral)(found[0])) continue
    const behind = text.slice(found.index + found[0].length, found.index + found[0].length + 80)
    if (/^\s+(?:value|name)\b/i.test(behind) || /^\s*[>=]/.test(behind)) return true
    if ('<'.includes(text[found.index - 1] ?? ' ')) return true
  }
  return false
}

/** Whether the text of an element without its closer ends in the rest of one: `/text>`, `</text`, `<text>`. */
function endsInCloser(text: string, element: string): boolean {
  const end = text
    .trimEnd()
    .slice(-element.length - 6)
    .toLowerCase()
  const at = end.lastIndexOf(element.toLowerCase())
  if (at < 0) return false
  const before = end.slice(0, at)
  const after = end.slice(at + element.length)
  return !/[\p{L}\p{N}\s]/u.test(after) && after.length <= 2 && (/[</]\W{0,2}$/.test(before) || after.startsWith('>'))
}
