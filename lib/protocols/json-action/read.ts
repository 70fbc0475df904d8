import { propertiesOf } from '../arguments/schema'
import type { ReadContext, Dialect, Part } from '../arguments/dialect'
import { entryFor, entryNamed, objectNode, type Entry, type JsonNode, type ObjectNode } from '../json-repair/node'
import { Source } from '../text/source'
import { CALL_KEYS } from '../arguments/tool-index'
import { nameOfBroken } from '../arguments/call-object'
import { brokenPart, callPart } from '../arguments/call-part'
import { isPlaceholder } from '../arguments/write-json'
import { readJson } from '../json-repair/read-json'
import type { JsonReading } from '../json-repair/json-reading'
import { endsGuess, readCallList, resultOf, skipObject } from '../scan/call-list'
import { braceBefore, peekKey } from '../json-repair/characters'
import type { RepairCode } from '../types/segment'
import * as Char from '../text/source'

export const CALL = 'tool_call'
export const RESULT = 'tool_result'
/** The action for text, used under a schema that makes the whole reply JSON. */
export const TEXT = 'text'

/**
 * What the `action` of an object says it is. LangChain writes the tool's name as the action beside `action_input`; this
 * counts under this strategy only. Every other action is data.
 */
export type ActionKind = 'call' | 'named' | 'placeholder' | 'result' | 'none'

export function kindOfAction(node: ObjectNode, context: ReadContext): ActionKind {
  const entry = entryNamed(node, ['action'])
  if (!entry || entry.escaped || entry.node.kind !== 'string' || !entry.node.closed) return 'none'
  const action = entry.node.value
  if (action === CALL) return 'call'
  if (action === RESULT) return 'result'
  if (!context.own || !entryNamed(node, ['action_input', 'name', 'arguments'])) return 'none'
  if (action.startsWith('$') && isPlaceholder(action)) return 'placeholder'
  return entryNamed(node, ['action_input']) && context.tools.match(action) ? 'named' : 'none'
}

/** The same call without `action`, as an object with `name` and `arguments`. */
export function asCallObject(
  node: ObjectNode,
  kind: 'call' | 'named',
  context: ReadContext,
  repairs: Set<RepairCode>,
): ObjectNode {
  const rest = node.entries.filter((entry) => entry.key !== 'action')
  const action = entryNamed(node, ['action'])
  const named: Entry[] =
    kind === 'named' && action
      ? [{ ...action, key: 'name' }, ...rest.filter((entry) => entry.key !== 'name')]
      : [...rest]
  if (kind === 'named') repairs.add('alias-key')
  const input = entryNamed(node, ['action_input'])
  if (!input) return { ...node, entries: named }
  if (kind === 'call') repairs.add('alias-key')
  const name = entryNamed({ ...node, entries: named }, ['name'])?.node
  const lifted = name?.kind === 'string' ? liftText(input.node, name.value, context) : null
  if (lifted) repairs.add('flattened-arguments')
  const args: Entry = { ...input, key: 'arguments', node: lifted ?? input.node }
  return { ...node, entries: [...named.filter((entry) => entry.key !== 'action_input'), args] }
}

/** A plain string is the value of the tool's only parameter. */
function liftText(node: JsonNode, name: string, context: ReadContext): ObjectNode | null {
  if (node.kind !== 'string' || !node.closed || node.value.trim() === '') return null
  const source = new Source(node.value, true)
  const inner = readJson(source, source.skipSpace(0), { guess: false })
  if (!inner.failure && inner.node?.kind === 'object') return null
  const keys = Object.keys(propertiesOf(context.tools.match(name)?.spec.parameters ?? {}) ?? {})
  const key = keys.length === 1 ? keys[0] : undefined
  if (key === undefined) return null
  return objectNode([entryFor(key, node)], node.start, node.end)
}

/*
 * {"action":"tool_call","name":"read_file","arguments":{"path":"/a"}}
 *
 * in a ```json fence, alone or as a list; bare in prose it is repaired. Any other action is data. A list that was cut
 * off keeps its complete elements.
 */
export const jsonActionDialect: Dialect = {
  id: 'JSON_Action',
  triggers: '{[',
  traces: { opener: /\btool_call\b/, loose: true },
  fences: ['', 'json', 'jsonc', 'json5', 'tool_calls', 'tool_call', 'tool_code'],
  fenceComments: true,
  read(source, start, context) {
    const isList = source.at(start) === Char.OPEN_BRACKET
    const first = isList ? source.skipSpace(start + 1) : start
    if (source.at(first) !== Char.OPEN_BRACE) return null
    const key = peekKey(source, first)
    if (key === null || (isList && !CALL_KEYS.has(key))) return null
    const sure = key === 'action' && saysCall(source, first, context)
    if (sure) source.certain = { start, name: null }
    const reading = readJson(source, start, {
      isStop: context.isFenceEnd,
      shape: context.tools.callShape,
      mayFollow: (i, afterNewline) => endsGuess(source, i, afterNewline, context),
      cutBefore: (quote) => openerBefore(source, quote),
      guess: sure,
    })
    const { node } = reading
    if (sure)
      source.certain = { start, name: nameOf((node?.kind === 'array' ? node.items.at(-1) : node) ?? null) ?? null }
    const items = node?.kind === 'array' ? node.items : node ? [node] : []
    if (items.length === 1 && items[0]?.kind === 'object' && kindOfAction(items[0], context) === 'result')
      return resultOf(reading, start)
    if (!items.some((item) => item.kind === 'object' && kindOfAction(item, context) !== 'none'))
      return isList ? null : skipObject(reading, context)
    const cut = reading.failure !== null && !(node?.kind === 'array' && node.closed)
    const open = cut && items.at(-1)?.closed !== true ? (items.at(-1) ?? null) : null
    const whole = items.filter((item) => item !== open)
    return readCallList(
      source,
      start,
      {
        reading,
        items: whole,
        open,
        cut,
        end: cut ? (whole.at(-1)?.end ?? start) : reading.end,
        decoded: false,
        endsInKey: whole.at(-1)?.kind === 'string',
        continues: false,
        codes: (own) => new Set([...own, ...(context.carrier ? [] : (['missing-fence'] as const))]),
        read: (item, from, end, codes) => readElement(item, from, end, codes, reading, context),
        nameOf,
      },
      context,
    )
  },
}

function readElement(
  item: JsonNode,
  start: number,
  end: number,
  repairs: Set<RepairCode>,
  reading: JsonReading,
  context: ReadContext,
): Part {
  const kind: ActionKind = item.kind === 'object' ? kindOfAction(item, context) : 'none'
  if (kind === 'placeholder')
    return brokenPart(start, end, { reason: 'placeholder', detail: 'the action is a placeholder' })
  if (item.kind === 'object' && isOtherAction(item, context)) return { kind: 'text', start, end }
  if (item.kind !== 'object' || (kind !== 'call' && kind !== 'named'))
    return brokenPart(start, end, {
      reason: 'missing-name',
      detail: `an element of the list has not the action ${CALL}`,
    })
  return callPart(asCallObject(item, kind, context, repairs), start, end, repairs, context.tools, reading)
}

/** Another format's action in a list beside calls: data, as it would be alone. */
function isOtherAction(item: ObjectNode, context: ReadContext): boolean {
  const action = entryNamed(item, ['action'])?.node
  if (action?.kind !== 'string' || !action.closed || action.guessed !== undefined) return false
  return action.value !== CALL && action.value !== RESULT && context.tools.match(action.value) === null
}

const ACTION = /\{+\s*["'“]?action["'”]?\s*[:：]\s*["'“]([^"'“”\n]{1,64})["'”]/y

/** Whether the first key, the action, says that this is meant as a call. */
function saysCall(source: Source, brace: number, context: ReadContext): boolean {
  const action = source.match(ACTION, brace, 200)?.[1]
  if (action === undefined) return false
  return action === CALL || (context.own && (isPlaceholder(action) || context.tools.match(action) !== null))
}

/**
 * The start of the call whose `"action":"tool_call"` begins at the brace before `quote`: a string was cut off there.
 */
function openerBefore(source: Source, quote: number): number {
  if (!source.has(quote, '"action"')) return -1
  const colon = source.skipSpace(quote + 8)
  if (source.at(colon) !== Char.COLON || !source.has(source.skipSpace(colon + 1), `"${CALL}"`)) return -1
  return braceBefore(source, quote)
}

function nameOf(item: JsonNode | null): string | undefined {
  if (item?.kind !== 'object') return undefined
  const action = entryNamed(item, ['action'])?.node
  const named = action?.kind === 'string' && action.closed && action.value !== CALL ? action.value : undefined
  return nameOfBroken(item) ?? named
}
