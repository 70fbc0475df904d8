import type { Breakage, ReadCall } from '../dialect'
import { entryOf, isUnsafeKey, nodeValue } from '../json-repair/node'
import type { Entry, JsonNode, ObjectNode } from '../json-repair/node'
import { MAX_DEPTH } from '../json-repair/json-reader'
import { readJson } from '../json-repair/read-json'
import { Source } from '../scan/source'
import type { Coercion, RepairCode } from '../segment'
import { ARGUMENT_KEYS, CALL_KEYS, ENVELOPE_KEYS, ID_KEYS, NAME_KEYS } from './call-keys'
import { finishCall } from './finish-call'
import { findPlaceholder, isPlaceholder } from './placeholder'
import { normaliseKey, propertiesOf } from './schema'
import { keyPart } from './key-part'
import type { ToolIndex } from './tool-index'

export type Resolved =
  { readonly ok: true; readonly call: ReadCall } | { readonly ok: false; readonly breakage: Breakage }

const broken = (breakage: Breakage): Resolved => ({ ok: false, breakage })

/**
 * Reads `{"name": …, "arguments": {…}}` in all the spellings that models use. `guessed` says that quotes inside strings
 * were told apart by guessing: then a key that the tool does not have means that the guess was wrong.
 */
export function resolveCallObject(
  outer: ObjectNode,
  tools: ToolIndex,
  repairs: Set<RepairCode>,
  guessed: boolean,
): Resolved {
  let node = outer
  const wrapper = entryOf(outer, [...ENVELOPE_KEYS, 'function'])
  if (wrapper?.node.kind === 'object' && !entryOf(outer, ['name'])) {
    node = wrapper.node
    if (wrapper.key !== 'function') repairs.add('unwrapped')
  }
  const name = nameOf(node, tools)
  if (name === null) return broken({ reason: node.elided ? 'placeholder' : 'missing-name' })
  if (name.conflict) return broken({ reason: 'bad-json', name: name.text, detail: 'two calls seem to run together' })
  if (isPlaceholder(name.text))
    return broken({ reason: 'placeholder', name: name.text, detail: 'the name is a placeholder' })
  if (name.key !== 'name') repairs.add('alias-key')

  const coercions: Coercion[] = []
  const found = name.args ?? argumentsOf(node, name, tools, repairs)
  if (found === 'bad' || !closed(found))
    return broken({ reason: 'bad-arguments', name: name.text, detail: 'the arguments must be a JSON object' })
  const args = unwrapNested(found, name.text, tools, repairs)
  const placeholder = findPlaceholder(args)
  if (placeholder !== null)
    return broken({
      reason: 'placeholder',
      name: name.text,
      detail: `${placeholder || 'the arguments'} still holds a placeholder`,
    })
  if (depthOf(args, 0) > MAX_DEPTH) return broken({ reason: 'too-deep', name: name.text })
  const parameters = tools.match(name.text)?.spec.parameters
  const properties = parameters ? propertiesOf(parameters) : null
  const known = (key: string) =>
    properties !== null && Object.keys(properties).some((one) => normaliseKey(one) === normaliseKey(key))
  if (
    guessed &&
    properties &&
    args.entries.some((entry, i) => !known(entry.key) || args.entries.findIndex((one) => one.key === entry.key) !== i)
  )
    return broken({
      reason: 'bad-json',
      name: name.text,
      detail: 'quotation marks inside a text are not escaped',
    })
  if (guessed && properties && args.entries.some((entry) => swallows(entry.node, known)))
    return broken({
      reason: 'bad-json',
      name: name.text,
      detail: 'quotation marks inside a text are not escaped',
    })
  if (isSchemaEcho(args) && !known('properties'))
    return broken({ reason: 'bad-arguments', name: name.text, detail: 'the tool’s schema was sent instead of values' })

  const value = nodeValue(args, (key) =>
    coercions.push({
      path: key,
      kind: 'key-dropped',
      note: [keyPart(key), ' is not allowed as a key and was dropped'],
    }),
  )
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return broken({ reason: 'bad-arguments', name: name.text })
  const call = finishCall(
    {
      ownId: idOf(outer) ?? idOf(node),
      name: name.text,
      arguments: value as ReadCall['arguments'],
      repairs,
      coercions,
    },
    tools,
  )
  return { ok: true, call }
}

interface FoundName {
  readonly text: string
  readonly key: string
  readonly conflict: boolean
  /** Set when the tool's name itself is the key: its value. */
  readonly args?: ObjectNode
}

function nameOf(node: ObjectNode, tools: ToolIndex): FoundName | null {
  for (const key of NAME_KEYS) {
    const texts = node.entries.flatMap((entry) =>
      entry.key === key && entry.node.kind === 'string' ? [entry.node.value] : [],
    )
    const text = texts.at(-1)?.trim()
    if (text) return { text, key, conflict: texts.some((one) => one.trim() !== text) }
  }
  const rest = node.entries.filter((entry) => !ID_KEYS.includes(entry.key) && entry.key !== 'type')
  const only = rest.length === 1 ? rest[0] : undefined
  if (only?.node.kind === 'object' && tools.match(only.key))
    return { text: only.key, key: only.key, conflict: false, args: only.node }
  return null
}

/** What can be said of a call that broke off: its name, if it stands there already. */
export function nameOfBroken(node: JsonNode | null): string | undefined {
  if (node?.kind !== 'object') return undefined
  const inner = entryOf(node, ['function'])?.node
  const entry = NAME_KEYS.map((key) => entryOf(node, [key])).find(
    (one) => one?.node.kind === 'string' && one.node.closed,
  )
  if (entry?.node.kind === 'string') return entry.node.value
  return inner ? nameOfBroken(inner) : undefined
}

function argumentsOf(
  node: ObjectNode,
  name: FoundName,
  tools: ToolIndex,
  repairs: Set<RepairCode>,
): ObjectNode | 'bad' {
  const properties = propertiesOf(tools.match(name.text)?.spec.parameters ?? {}) ?? {}
  const isParameter = (key: string) => Object.keys(properties).some((one) => normaliseKey(one) === normaliseKey(key))
  const entry = chooseArguments(
    node.entries.filter(
      (one) => ARGUMENT_KEYS.includes(one.key) && !(isParameter(one.key) && one.node.kind !== 'object'),
    ),
    isParameter,
  )
  if (entry) {
    if (entry.key !== 'arguments') repairs.add('alias-key')
    return argumentsNode(entry.node, repairs)
  }
  const beside = node.entries.filter(
    (one) =>
      one.key !== name.key &&
      (!CALL_KEYS.has(one.key) || (isParameter(one.key) && one.key !== 'id' && one.key !== 'type')),
  )
  const empty: ObjectNode = {
    kind: 'object',
    start: node.end,
    end: node.end,
    entries: [],
    closed: true,
    elided: node.elided,
  }
  if (beside.length === 0 || !beside.every((one) => isParameter(one.key))) return empty
  repairs.add('flattened-arguments')
  return { ...empty, start: node.start, entries: [...beside] }
}

/** Of `arguments` and `parameters` side by side, the one whose keys the tool knows. */
function chooseArguments(entries: readonly Entry[], isParameter: (key: string) => boolean): Entry | undefined {
  if (entries.length < 2) return entries[0]
  const fits = (entry: Entry) =>
    entry.node.kind === 'object' &&
    entry.node.entries.length > 0 &&
    entry.node.entries.every((one) => isParameter(one.key))
  return entries.findLast(fits) ?? entries.findLast((entry) => entry.key === 'arguments') ?? entries.at(-1)
}

function argumentsNode(node: JsonNode, repairs: Set<RepairCode>): ObjectNode | 'bad' {
  const empty: ObjectNode = {
    kind: 'object',
    start: node.start,
    end: node.end,
    entries: [],
    closed: true,
    elided: false,
  }
  if (node.kind === 'object') return node
  if (node.kind === 'literal' && node.value === null) return empty
  if (node.kind !== 'string') return 'bad'
  if (node.value.trim() === '') return empty
  const source = new Source(node.value, true)
  const reading = readJson(source, 0, { guess: false })
  if (reading.failure || reading.node?.kind !== 'object' || source.skipSpace(reading.end) < node.value.length)
    return 'bad'
  repairs.add('double-encoded')
  for (const { code } of reading.repairs) repairs.add(code)
  return reading.node
}

/** `{"name":"f","arguments":{"name":"f","arguments":{…}}}` → the inner call. */
function unwrapNested(args: ObjectNode, name: string, tools: ToolIndex, repairs: Set<RepairCode>): ObjectNode {
  const inner = entryOf(args, ARGUMENT_KEYS)?.node
  const innerName = entryOf(args, NAME_KEYS)?.node
  if (
    inner?.kind !== 'object' ||
    innerName?.kind !== 'string' ||
    !args.entries.every((entry) => CALL_KEYS.has(entry.key))
  )
    return args
  const same =
    innerName.value === name ||
    (tools.match(name) !== null && tools.match(innerName.value)?.spec === tools.match(name)?.spec)
  if (!same) return args
  repairs.add('nested-envelope')
  return inner
}

/** Whether a text that was read by guessing looks as if it had swallowed the next parameter. */
function swallows(node: JsonNode, known: (key: string) => boolean): boolean {
  if (node.kind !== 'string') return false
  for (const found of node.value.matchAll(/" ?, ?"([^"\n]{1,64})" ?:/g)) if (known(found[1] ?? '')) return true
  return false
}

const closed = (node: ObjectNode): boolean => node.closed

function depthOf(node: JsonNode, depth: number): number {
  if (node.kind === 'object')
    return node.entries.reduce((deepest, entry) => Math.max(deepest, depthOf(entry.node, depth + 1)), depth + 1)
  if (node.kind === 'array')
    return node.items.reduce((deepest, item) => Math.max(deepest, depthOf(item, depth + 1)), depth + 1)
  return depth
}

function isSchemaEcho(args: ObjectNode): boolean {
  const type = entryOf(args, ['type'])?.node
  return type?.kind === 'string' && type.value === 'object' && entryOf(args, ['properties'])?.node.kind === 'object'
}

function idOf(node: ObjectNode): string | null {
  const id = entryOf(node, ID_KEYS)?.node
  const text = id?.kind === 'string' ? id.value : id?.kind === 'number' ? id.raw : ''
  return text !== '' && text.length <= 128 && !isUnsafeKey(text) ? text : null
}
