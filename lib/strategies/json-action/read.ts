import { CALL_KEYS } from '../arguments/call-keys'
import { nameOfBroken, resolveCallObject } from '../arguments/call-object'
import { isPlaceholder } from '../arguments/placeholder'
import type { Breakage, Dialect, Outcome, Part, ReadContext } from '../dialect'
import { entryOf } from '../json-repair/node'
import type { JsonNode } from '../json-repair/node'
import { readJson } from '../json-repair/read-json'
import type { JsonReading } from '../json-repair/read-json'
import { RepairIndex } from '../json-repair/repair-index'
import { absorbBrackets, bracketFollows, breakCall, brokenEnd, structureGoesOn } from '../scan/json-tail'
import { peekKey } from '../json-repair/peek-key'
import type { RepairCode } from '../segment'
import * as Char from '../text/char'
import type { Source } from '../text/source'
import { asCallObject, CALL, kindOfAction } from './action'
import type { ActionKind } from './action'

/*
 * {"action":"tool_call","name":"read_file","arguments":{"path":"/a"}}
 *
 * in a ```json fence, alone or as a list; bare in prose it is mended. Any other action is data. A list that was cut off
 * keeps its complete elements.
 */
export const jsonActionDialect: Dialect = {
  id: 'JSON_Action',
  triggers: '{[',
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
      mayFollow: (i, afterNewline) =>
        afterNewline || source.at(i) < 0 || '`<{[~'.includes(String.fromCharCode(source.at(i))),
      cutBefore: (quote) => openerBefore(source, quote),
      guess: sure,
    })
    const { node } = reading
    if (sure) source.certain = { start, name: nameOf(node?.kind === 'array' ? node.items.at(-1) : node) }
    const items = node?.kind === 'array' ? node.items : node ? [node] : []
    if (items.length === 1 && items[0]?.kind === 'object' && kindOfAction(items[0], context) === 'result')
      return { kind: 'result', end: reading.failure ? Math.max(start + 1, reading.failure.resume) : reading.end }
    if (!items.some((item) => item.kind === 'object' && kindOfAction(item, context) !== 'none'))
      return isList ? null : skip(reading, context)
    return readItems(source, start, items, reading, context)
  },
}

/** Only the outermost object counts: what was certainly inside it is not looked at again. */
function skip(reading: JsonReading, context: ReadContext): Outcome | null {
  if (!reading.failure) return { kind: 'skip', end: reading.end }
  return context.quoted || context.carrier ? null : { kind: 'skip', end: reading.failure.resume }
}

function readItems(
  source: Source,
  start: number,
  items: readonly JsonNode[],
  reading: JsonReading,
  context: ReadContext,
): Outcome {
  const { failure, node } = reading
  const repairs = new RepairIndex(reading.repairs)
  const cut = failure !== null && !(node?.kind === 'array' && node.closed)
  const openItem = cut && items.at(-1)?.closed !== true ? items.at(-1) : undefined
  const whole = items.filter((item) => item !== openItem)
  const parts: Part[] = []
  for (const [i, item] of whole.entries()) {
    const from = parts.at(-1)?.end ?? start
    const last = i === whole.length - 1
    const end = last && !cut ? reading.end : item.end
    const codes = new Set<RepairCode>(repairs.between(from, last && !cut ? Infinity : end))
    if (!context.carrier) codes.add('missing-fence')
    if (last && !cut && bracketFollows(source, end)) codes.add('extra-bracket')
    parts.push(readElement(item, from, end, codes, reading, context))
  }
  if (!failure || !cut) {
    absorbBrackets(source, parts)
    const end = parts.at(-1)?.end ?? reading.end
    if ((failure !== null && reading.crossed !== null) || structureGoesOn(source, end))
      parts.push(...breakCall(parts.pop()))
    return { kind: 'parts', end, parts, envelope: true }
  }
  const from = parts.at(-1)?.end ?? start
  const end = brokenEnd(source, start, failure.at, failure.reason === 'truncated', context)
  const last = parts.at(-1)
  // A list that stops after a complete element, at its end or before prose, has only lost its bracket.
  const lostBracket =
    openItem === undefined && (failure.reason === 'bad-json' || source.text.slice(from, end).trim() === '')
  if (last && lostBracket) {
    // An item that is a text was the key of something that stood in the call before it.
    const inCall = whole.at(-1)?.kind === 'string' || (failure.reason === 'bad-json' && structureGoesOn(source, from))
    const at = inCall ? parts.findLastIndex((part) => part.kind === 'call') : -1
    if (at >= 0) {
      parts.splice(at, 1, ...breakCall(parts[at]))
      return { kind: 'parts', end: from, parts, envelope: true }
    }
    if (last.kind === 'call' && failure.reason === 'bad-json')
      parts[parts.length - 1] = {
        ...last,
        call: { ...last.call, repairs: [...new Set<RepairCode>([...last.call.repairs, 'missing-bracket'])] },
      }
    return { kind: 'parts', end: from, parts, envelope: true }
  }
  const name = nameOf(openItem)
  const breakage: Breakage = {
    reason: failure.reason,
    at: Math.min(failure.at, end),
    detail: failure.detail,
    ...(name === null ? {} : { name }),
  }
  parts.push({ kind: 'broken', start: from, end, breakage })
  return { kind: 'parts', end, parts, envelope: true }
}

function readElement(
  item: JsonNode,
  start: number,
  end: number,
  repairs: Set<RepairCode>,
  reading: JsonReading,
  context: ReadContext,
): Part {
  const broken = (breakage: Breakage): Part => ({ kind: 'broken', start, end, breakage })
  const kind: ActionKind = item.kind === 'object' ? kindOfAction(item, context) : 'none'
  if (kind === 'placeholder') return broken({ reason: 'placeholder', detail: 'the action is a placeholder' })
  if (item.kind !== 'object' || (kind !== 'call' && kind !== 'named'))
    return broken({ reason: 'missing-name', detail: `an element of the list has not the action ${CALL}` })
  const resolved = resolveCallObject(
    asCallObject(item, kind, context, repairs),
    context.tools,
    repairs,
    reading.guessed,
    reading.crossed,
  )
  return resolved.ok ? { kind: 'call', start, end, call: resolved.call } : broken(resolved.breakage)
}

const ACTION = /\{+\s*["'“]?action["'”]?\s*[:：]\s*["'“]([^"'“”\n]{1,64})["'”]/y

/** Whether the action that stands first says that this is meant as a call. */
function saysCall(source: Source, brace: number, context: ReadContext): boolean {
  const action = source.match(ACTION, brace, 200)?.[1]
  if (action === undefined) return false
  return action === CALL || (context.own && (isPlaceholder(action) || context.tools.match(action) !== null))
}

/** The call that begins at the brace before `quote`, when `"action":"tool_call"` stands there: a string was cut. */
function openerBefore(source: Source, quote: number): number {
  if (!source.has(quote, '"action"')) return -1
  const colon = source.skipSpace(quote + 8)
  if (source.at(colon) !== Char.COLON || !source.has(source.skipSpace(colon + 1), `"${CALL}"`)) return -1
  let i = quote - 1
  while (i >= 0 && source.text.charCodeAt(i) <= Char.SPACE) i--
  return source.text[i] === '{' ? i : -1
}

function nameOf(item: JsonNode | null | undefined): string | null {
  if (item?.kind !== 'object') return null
  const action = entryOf(item, ['action'])?.node
  const named = action?.kind === 'string' && action.closed && action.value !== CALL ? action.value : null
  return nameOfBroken(item) ?? named
}
