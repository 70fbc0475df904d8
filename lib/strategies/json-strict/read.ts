import { ENVELOPE_KEYS } from '../arguments/call-keys'
import { nameOfBroken, resolveCallObject } from '../arguments/call-object'
import type { Dialect, Outcome, Part, ReadContext } from '../dialect'
import { entryOf } from '../json-repair/node'
import type { ArrayNode, JsonNode, ObjectNode } from '../json-repair/node'
import { readJson } from '../json-repair/read-json'
import { RepairIndex } from '../json-repair/repair-index'
import type { JsonReading, ReadJsonOptions } from '../json-repair/read-json'
import { absorbBrackets, bracketFollows, breakCall, brokenEnd, structureGoesOn, withRepair } from '../scan/json-tail'
import { peekKey } from '../json-repair/peek-key'
import type { RepairCode } from '../segment'
import * as Char from '../text/char'
import { Source } from '../text/source'

/*
 * {"tool_calls":[{"name":"read_file","arguments":{"path":"/a"}}]}
 *
 * bare in prose or in a ```json fence. The outermost object must have the key; JSON without it is no call of this form,
 * however much it looks like one. Complete elements of a list that was cut off stay live.
 */
export const jsonStrictDialect: Dialect = {
  id: 'JSON_Strict',
  triggers: '{',
  fences: ['', 'json', 'jsonc', 'json5', 'tool_calls', 'tool_call', 'tool_code'],
  read(source, start, context) {
    const first = peekKey(source, start)
    if (first === null) return null
    const sure = ENVELOPE_KEYS.includes(first)
    if (sure) source.certain = { start, name: null }
    const options: ReadJsonOptions = {
      isStop: context.isFenceEnd,
      shape: context.tools.callShape,
      mayFollow: (i, afterNewline) =>
        afterNewline || source.at(i) < 0 || '`<{~'.includes(String.fromCharCode(source.at(i))),
      cutBefore: (quote) => openerBefore(source, quote),
      guess: sure,
    }
    const reading = readJson(source, start, options)
    if (sure) source.certain = { start, name: firstName(reading.node) }
    const node = reading.node
    if (node?.kind !== 'object') return null
    if (entryOf(node, ['tool_call_result']) && !entryOf(node, ENVELOPE_KEYS))
      return { kind: 'result', end: reading.end }
    const envelope = entryOf(node, ENVELOPE_KEYS)
    if (!envelope || envelope.escaped) return skip(reading, context)
    return readEnvelope(source, start, envelope.key, envelope.node, reading, context) ?? skip(reading, context)
  },
}

/** Only the outermost object counts: what was certainly inside it is not looked at again. */
function skip(reading: JsonReading, context: ReadContext): Outcome | null {
  if (!reading.failure) return { kind: 'skip', end: reading.end }
  return context.quoted || context.carrier ? null : { kind: 'skip', end: reading.failure.resume }
}

function readEnvelope(
  source: Source,
  start: number,
  key: string,
  list: JsonNode,
  reading: JsonReading,
  context: ReadContext,
): Outcome | null {
  const extra: RepairCode[] = key === 'tool_calls' ? [] : ['unwrapped']
  let items: readonly JsonNode[] = []
  let placed = true
  let openItem: JsonNode | null = null
  if (list.kind === 'array') {
    items = reading.node?.kind === 'object' ? allItems(reading.node, key, list) : list.items
    const last = items.at(-1)
    if (reading.failure && last && !last.closed) openItem = last
  } else if (list.kind === 'object') {
    items = [list]
    if (key === 'tool_calls') extra.push('unwrapped')
    if (!list.closed) openItem = list
  } else if (list.kind === 'string' && list.closed) {
    const inner = decodeList(list.value)
    if (!inner) return null
    items = inner
    placed = false
    extra.push('double-encoded')
  } else if (list.kind !== 'string') return null
  if (
    !items.some((item) => item.kind === 'object' || (item.kind === 'string' && /^\s*\{/.test(item.value))) &&
    !reading.failure
  )
    return null

  const parts: Part[] = []
  const whole = items.filter((item) => item !== openItem)
  const cut = reading.failure !== null && (openItem !== null || list.kind === 'string' || !listEnded(list))
  // After a complete list, what fails is only the brace of the envelope.
  const wholeEnd = !reading.failure
    ? reading.end
    : list.kind === 'array' && list.closed
      ? list.end
      : (whole.at(-1)?.end ?? start)
  const repairs = new RepairIndex(reading.repairs)
  whole.forEach((item, i) => {
    const from = i === 0 ? start : (parts.at(-1)?.end ?? start)
    const last = i === whole.length - 1
    const end = placed ? (last ? wholeEnd : item.end) : last ? wholeEnd : from + 1
    const own = placed ? repairs.between(from, last && !cut ? Infinity : end) : repairs.between(0, Infinity)
    const codes = new Set<RepairCode>([...extra, ...own])
    if (last && reading.failure && !cut) codes.add('missing-bracket')
    if (last && !cut && bracketFollows(source, end)) codes.add('extra-bracket')
    parts.push(readElement(item, from, end, codes, reading, context))
  })
  if (!cut) {
    if (parts.length === 0) return null
    absorbBrackets(source, parts)
    const end = parts.at(-1)?.end ?? reading.end
    const displaced =
      (reading.crossed !== null && (reading.failure !== null || goesOnBehind(reading.node, key))) ||
      structureGoesOn(source, end)
    if (displaced) parts.push(...breakCall(parts.pop()))
    return { kind: 'parts', end, parts, envelope: true }
  }

  const failure = reading.failure
  if (!failure) return null
  // Complete elements followed by plain prose: the list just lost its bracket.
  const junkAfterElement =
    openItem === null && list.kind === 'array' && whole.length > 0 && failure.reason === 'bad-json'
  if (junkAfterElement) {
    // An item that is a text was the key of something that stood in the call before it.
    const inCall = structureGoesOn(source, wholeEnd) || whole.at(-1)?.kind === 'string'
    const last = parts.at(-1)
    if (inCall) breakLastCall(parts)
    else if (last?.kind === 'call')
      parts[parts.length - 1] = { ...last, call: withRepair(last.call, 'missing-bracket') }
    return { kind: 'parts', end: wholeEnd, parts, envelope: true }
  }
  const from = parts.at(-1)?.end ?? start
  const end = brokenEnd(source, start, failure.at, failure.reason === 'truncated', context)
  // A list that ends after an element, with no sign of another one, has lost nothing.
  if (openItem === null && whole.length > 0 && list.kind === 'array' && source.text.slice(from, end).trim() === '') {
    return { kind: 'parts', end: from, parts, envelope: true }
  }
  const name = nameOfBroken(openItem)
  parts.push({
    kind: 'broken',
    start: from,
    end,
    breakage: {
      reason: failure.reason,
      at: Math.min(failure.at, end),
      detail: failure.detail,
      ...(name === undefined ? {} : { name }),
    },
  })
  return { kind: 'parts', end, parts, envelope: true }
}

/** Keys behind the list: after a bracket that was misplaced they may belong to the call before. */
const goesOnBehind = (node: JsonNode | null, key: string): boolean =>
  node?.kind === 'object' && node.entries.at(-1)?.key !== key

function breakLastCall(parts: Part[]): void {
  const at = parts.findLastIndex((part) => part.kind === 'call')
  if (at >= 0) parts.splice(at, 1, ...breakCall(parts[at]))
}

/** The key written twice: no call is lost. */
function allItems(node: ObjectNode, key: string, last: ArrayNode): readonly JsonNode[] {
  const lists = node.entries.filter((entry) => entry.key === key)
  if (lists.length === 1) return last.items
  return lists.flatMap((entry) => (entry.node.kind === 'array' ? entry.node.items : []))
}

const listEnded = (list: JsonNode): boolean => list.closed

function readElement(
  item: JsonNode,
  start: number,
  end: number,
  codes: Set<RepairCode>,
  reading: JsonReading,
  context: ReadContext,
): Part {
  let node = item
  if (node.kind === 'string') {
    const inner = decodeList(node.value)
    if (inner?.length === 1 && inner[0]) {
      node = inner[0]
      codes.add('double-encoded')
    }
  }
  if (node.kind !== 'object')
    return {
      kind: 'broken',
      start,
      end,
      breakage: { reason: 'missing-name', detail: 'an element of the list is no object' },
    }
  const resolved = resolveCallObject(node, context.tools, codes, reading.guessed, reading.crossed)
  return resolved.ok
    ? { kind: 'call', start, end, call: resolved.call }
    : { kind: 'broken', start, end, breakage: resolved.breakage }
}

/** Calls that were written as a JSON text. */
function decodeList(text: string): readonly JsonNode[] | null {
  const source = new Source(text, true)
  const reading = readJson(source, source.skipSpace(0), { guess: false })
  if (reading.failure || !reading.node || source.skipSpace(reading.end) < text.length) return null
  if (reading.node.kind === 'object') {
    const list = entryOf(reading.node, ['tool_calls'])?.node
    if (list?.kind === 'array') return list.items
    return [reading.node]
  }
  return reading.node.kind === 'array' ? reading.node.items : null
}

/** The envelope that begins at the brace before `quote`, when `"tool_calls":` stands there. */
function openerBefore(source: Source, quote: number): number {
  if (!source.has(quote, '"tool_calls"')) return -1
  let i = quote - 1
  while (i >= 0 && source.text.charCodeAt(i) <= Char.SPACE) i--
  return source.text[i] === '{' ? i : -1
}

function firstName(node: JsonNode | null): string | null {
  if (node?.kind !== 'object') return null
  const list = entryOf(node, ENVELOPE_KEYS)?.node
  const item: JsonNode | null | undefined = list?.kind === 'array' ? list.items.at(-1) : list
  return nameOfBroken(item ?? null) ?? null
}
