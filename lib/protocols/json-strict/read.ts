import { ENVELOPE_KEYS } from '../arguments/tool-index'
import { nameOfBroken } from '../arguments/call-object'
import { brokenPart, callPart } from '../arguments/call-part'
import type { Dialect, Outcome, Part, ReadContext } from '../arguments/dialect'
import { entryNamed, type ArrayNode, type JsonNode, type ObjectNode } from '../json-repair/node'
import { readJson } from '../json-repair/read-json'
import type { JsonReading, ReadJsonOptions } from '../json-repair/json-reading'
import { endsGuess, readCallList, resultOf, skipObject } from '../scan/call-list'
import { braceBefore, peekKey } from '../json-repair/characters'
import type { RepairCode } from '../types/segment'
import { Source } from '../text/source'

/** The key of an object that contains a result; it also identifies an invented result. */
export const RESULT_KEY = 'tool_call_result'

/*
 * {"tool_calls":[{"name":"read_file","arguments":{"path":"/a"}}]}
 *
 * bare in prose or in a ```json fence. The outermost object must have the key; JSON without it is not a call of this
 * form, even if it looks like one. Complete elements of a list that was cut off stay live.
 */
export const jsonStrictDialect: Dialect = {
  id: 'JSON_Strict',
  triggers: '{',
  traces: { opener: /tool_calls?\b|function_call\b/ },
  fences: ['', 'json', 'jsonc', 'json5', 'tool_calls', 'tool_call', 'tool_code'],
  read(source, start, context) {
    const first = peekKey(source, start)
    if (first === null) return null
    const sure = ENVELOPE_KEYS.includes(first)
    if (sure) source.certain = { start, name: null }
    const options: ReadJsonOptions = {
      isStop: context.isFenceEnd,
      shape: context.tools.callShape,
      mayFollow: (i, afterNewline) => endsGuess(source, i, afterNewline, context),
      cutBefore: (quote) => openerBefore(source, quote),
      guess: sure,
    }
    const reading = readJson(source, start, options)
    if (sure) source.certain = { start, name: firstName(reading.node) }
    const node = reading.node
    if (node?.kind !== 'object') return null
    // The first key decides, even if its value could not be read.
    const isResult = first === RESULT_KEY || entryNamed(node, [RESULT_KEY]) !== null
    if (isResult && !entryNamed(node, ENVELOPE_KEYS)) return resultOf(reading, start)
    const envelope = entryNamed(node, ENVELOPE_KEYS)
    if (!envelope || envelope.escaped) return skipObject(reading, context)
    return readEnvelope(source, start, envelope.key, envelope.node, reading, context) ?? skipObject(reading, context)
  },
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

  const whole = items.filter((item) => item !== openItem)
  const { failure } = reading
  const cut = failure !== null && (openItem !== null || list.kind === 'string' || !list.closed)
  return readCallList(
    source,
    start,
    {
      reading,
      items: whole,
      open: openItem,
      cut,
      // After a complete list, only the brace of the envelope can fail.
      end: !failure ? reading.end : list.kind === 'array' && list.closed ? list.end : (whole.at(-1)?.end ?? start),
      decoded: !placed,
      endsInKey: failure?.reason === 'bad-json' && whole.at(-1)?.kind === 'string',
      continues: reading.node?.kind === 'object' && reading.node.entries.at(-1)?.key !== key,
      codes: (own, isLast) =>
        new Set([...extra, ...own, ...(isLast && failure && !cut ? (['missing-bracket'] as const) : [])]),
      // A second list after a misplaced bracket may be an argument of a call in the first list.
      read: (item, from, end, codes) =>
        reading.crossed !== null && reading.repairs.some(({ code }) => code === 'duplicate-key')
          ? brokenPart(from, end, {
              reason: 'bad-json',
              detail: 'a bracket is misplaced, and a list may be an argument',
            })
          : readElement(item, from, end, codes, reading, context),
      nameOf: nameOfBroken,
    },
    context,
  )
}

/** Joins the lists if the key is written twice, so that no call is lost. */
function allItems(node: ObjectNode, key: string, last: ArrayNode): readonly JsonNode[] {
  const lists = node.entries.filter((entry) => entry.key === key)
  if (lists.length === 1) return last.items
  return lists.flatMap((entry) => (entry.node.kind === 'array' ? entry.node.items : []))
}

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
  return node.kind === 'object'
    ? callPart(node, start, end, codes, context.tools, reading)
    : brokenPart(start, end, { reason: 'missing-name', detail: 'an element of the list is no object' })
}

/** Calls that were written as a JSON string. */
function decodeList(text: string): readonly JsonNode[] | null {
  const source = new Source(text, true)
  const reading = readJson(source, source.skipSpace(0), { guess: false })
  if (reading.failure || !reading.node || source.skipSpace(reading.end) < text.length) return null
  if (reading.node.kind === 'object') {
    const list = entryNamed(reading.node, ['tool_calls'])?.node
    if (list?.kind === 'array') return list.items
    return [reading.node]
  }
  return reading.node.kind === 'array' ? reading.node.items : null
}

/** The start of the envelope whose `"tool_calls":` begins at `quote`, right after its brace. */
function openerBefore(source: Source, quote: number): number {
  return source.has(quote, '"tool_calls"') ? braceBefore(source, quote) : -1
}

function firstName(node: JsonNode | null): string | null {
  if (node?.kind !== 'object') return null
  const list = entryNamed(node, ENVELOPE_KEYS)?.node
  const item: JsonNode | null | undefined = list?.kind === 'array' ? list.items.at(-1) : list
  return nameOfBroken(item ?? null) ?? null
}
