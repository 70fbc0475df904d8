import { type Breakage, type ReadCall, finishCall } from './dialect'
import {
  entryNamed,
  isUnsafeKey,
  nodeValue,
  objectNode,
  type Entry,
  type JsonNode,
  type ObjectNode,
  type WrittenNumbers,
} from '../json-repair/node'
import { MAX_DEPTH } from '../json-repair/json-reader'
import { readJson } from '../json-repair/read-json'
import type { Crossing } from '../json-repair/json-reading'
import type { Coercion, RepairCode } from '../types/segment'
import { Source } from '../text/source'
import { ARGUMENT_KEYS, CALL_KEYS, ENVELOPE_KEYS, ID_KEYS, NAME_KEYS, type ToolIndex } from './tool-index'
import { findPlaceholderText, isPlaceholder } from './write-json'
import { secondReading, type Doubts } from './one-reading'
import { normaliseKey, propertiesOf } from './schema'

export type ResolvedCall =
  | { readonly ok: true; readonly call: ReadCall }
  | { readonly ok: false; readonly breakage: Breakage }

const broken = (breakage: Breakage): ResolvedCall => ({ ok: false, breakage })

/**
 * Reads `{"name": …, "arguments": {…}}` in all the spellings that models use. `guessed` means that the reader guessed
 * which quotes end a string. `crossed` means that a bracket of the wrong kind closed something. In both cases the call
 * is live only if no other reading is possible.
 */
export function resolveCallObject(
  outer: ObjectNode,
  tools: ToolIndex,
  repairs: Set<RepairCode>,
  guessed: boolean,
  crossed: Crossing = null,
): ResolvedCall {
  let node = outer
  const wrapper = entryNamed(outer, [...ENVELOPE_KEYS, 'function'])
  if (wrapper?.node.kind === 'object' && !entryNamed(outer, ['name'])) {
    node = wrapper.node
    if (wrapper.key !== 'function') repairs.add('unwrapped')
  }
  const name = nameOf(node, tools)
  if (name === null) return broken({ reason: node.elided ? 'placeholder' : 'missing-name' })
  if (name.conflict) return broken({ reason: 'bad-json', name: name.text, detail: 'two calls seem to run together' })
  if (isPlaceholder(name.text))
    return broken({ reason: 'placeholder', name: name.text, detail: 'the name is a placeholder' })
  // `{"name":{` does not call a tool named “name”: a quote was replaced by that brace.
  if (name.args && (crossed !== null || guessed || repairs.has('missing-bracket')))
    return broken({ reason: 'bad-json', name: name.text, detail: UNSURE_NAME })
  if (name.key !== 'name') repairs.add('alias-key')

  const coercions: Coercion[] = []
  const found = name.args ?? argumentsOf(node, name, tools, repairs)
  if (found === 'bad' || !closed(found))
    return broken({ reason: 'bad-arguments', name: name.text, detail: 'the arguments must be a JSON object' })
  const inner = unwrapNested(found, name.text, tools, repairs)
  const placeholder = findPlaceholderText(inner)
  if (placeholder !== null)
    return broken({
      reason: 'placeholder',
      name: name.text,
      detail: `${placeholder || 'the arguments'} still holds a placeholder`,
    })
  if (depthOf(inner, 0) > MAX_DEPTH) return broken({ reason: 'too-deep', name: name.text })
  const spec = tools.match(name.text)?.spec
  const shape = spec ? tools.callShape.child('arguments', name.text) : null
  const known = (key: string) => shape?.has(key) ?? false
  const doubts: Doubts = { guessed, crossed, repairs }
  const beside = spec ? besideArguments(outer, node, inner, name.key, known, doubts) : []
  const args =
    beside === 'ambiguous' || beside.length === 0 ? inner : { ...inner, entries: [...inner.entries, ...beside] }
  if (args !== inner) repairs.add('flattened-arguments')
  const other =
    beside === 'ambiguous' || (guessed && guessesCall(outer, node))
      ? AMBIGUOUS
      : spec
        ? secondReading(args, shape, doubts)
        : null
  if (other !== null) return broken({ reason: 'bad-json', name: name.text, detail: other })
  if (isSchemaEcho(args) && !known('properties'))
    return broken({ reason: 'bad-arguments', name: name.text, detail: 'the tool’s schema was sent instead of values' })

  const written: WrittenNumbers = new WeakMap()
  const value = nodeValue(
    args,
    (key) =>
      coercions.push({
        path: key,
        kind: 'key-dropped',
        key,
        because: 'not-allowed',
      }),
    written,
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
      written,
    },
    tools,
  )
  return { ok: true, call }
}

interface FoundName {
  readonly text: string
  readonly key: string
  readonly conflict: boolean
  /** The value under the tool's name, set when that name itself is the key. */
  readonly args?: ObjectNode
}

function nameOf(node: ObjectNode, tools: ToolIndex): FoundName | null {
  for (const key of NAME_KEYS) {
    const texts = node.entries.flatMap((entry) =>
      entry.key === key && entry.node.kind === 'string' ? [entry.node] : [],
    )
    const text = texts.at(-1)?.value.trim()
    if (text)
      return {
        text,
        key,
        conflict: texts.some((one) => one.value.trim() !== text),
      }
  }
  const rest = node.entries.filter((entry) => !ID_KEYS.includes(entry.key) && entry.key !== 'type')
  const only = rest.length === 1 ? rest[0] : undefined
  if (only?.node.kind === 'object' && tools.match(only.key))
    return { text: only.key, key: only.key, conflict: false, args: only.node }
  return null
}

/** The name of a call that broke off, if the name was already written. */
export function nameOfBroken(node: JsonNode | null): string | undefined {
  if (node?.kind !== 'object') return undefined
  const inner = entryNamed(node, ['function'])?.node
  const entry = NAME_KEYS.map((key) => entryNamed(node, [key])).find(
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

/** Chooses between `arguments` and `parameters` when both are present: the one whose keys the tool knows. */
function chooseArguments(entries: readonly Entry[], isParameter: (key: string) => boolean): Entry | undefined {
  if (entries.length < 2) return entries[0]
  const fits = (entry: Entry) =>
    entry.node.kind === 'object' &&
    entry.node.entries.length > 0 &&
    entry.node.entries.every((one) => isParameter(one.key))
  return entries.findLast(fits) ?? entries.findLast((entry) => entry.key === 'arguments') ?? entries.at(-1)
}

function argumentsNode(node: JsonNode, repairs: Set<RepairCode>): ObjectNode | 'bad' {
  const empty = objectNode([], node.start, node.end)
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
  const inner = entryNamed(args, ARGUMENT_KEYS)?.node
  const innerName = entryNamed(args, NAME_KEYS)?.node
  if (
    inner?.kind !== 'object' ||
    innerName?.kind !== 'string' ||
    !args.entries.every((entry) => CALL_KEYS.has(entry.key))
  )
    return args
  // The tool's own parameters may have these names.
  const shape = tools.callShape.child('arguments', name)
  if (shape && args.entries.every(({ key }) => shape.has(key))) return args
  const same =
    innerName.value === name ||
    (tools.match(name) !== null && tools.match(innerName.value)?.spec === tools.match(name)?.spec)
  if (!same) return args
  repairs.add('nested-envelope')
  return inner
}

const UNSURE_NAME = 'a bracket is missing, and the name may be another'
const AMBIGUOUS = 'a parameter stands outside of the arguments, and where it belongs can be read in two ways'

/**
 * Moves known parameters that were written beside `arguments` into the arguments, for example when the arguments were
 * closed too early. Returns `ambiguous` when such a key is also in the arguments, or when damage leaves a value that
 * could be a parameter.
 */
function besideArguments(
  outer: ObjectNode,
  node: ObjectNode,
  args: ObjectNode,
  nameKey: string,
  known: (key: string) => boolean,
  doubts: Doubts,
): readonly Entry[] | 'ambiguous' {
  const at = node.entries.findIndex((entry) => holds(entry.node, args))
  if (at < 0) return []
  const damaged =
    doubts.crossed !== null || doubts.repairs.has('extra-bracket') || doubts.repairs.has('missing-bracket')
  const present = new Set(args.entries.map(({ key }) => normaliseKey(key)))
  const taken: Entry[] = []
  const others = outer === node ? [] : outer.entries.filter((entry) => entry.node !== node)
  for (const [i, entry] of [...node.entries, ...others].entries()) {
    if (i === at) continue
    const reserved = CALL_KEYS.has(entry.key)
    if (!known(entry.key)) {
      if ((damaged || doubts.guessed) && i > at && !reserved) return 'ambiguous'
      continue
    }
    if (reserved) {
      // `id` beside the arguments belongs to the call, unless the arguments may have been closed before it.
      const isName = entry.key === nameKey && node.entries.filter(({ key }) => key === nameKey).length === 1
      if (damaged && i > at && !isName && entryNamed(args, [entry.key]) === null) return 'ambiguous'
      continue
    }
    if (present.has(normaliseKey(entry.key))) return 'ambiguous'
    present.add(normaliseKey(entry.key))
    taken.push(entry)
  }
  return taken
}

/** Whether the call's own keys were read by guessing: one of its strings has quotes inside, or a key repeats. */
const guessesCall = (...objects: readonly ObjectNode[]): boolean =>
  objects.some(
    ({ entries }) =>
      entries.some(({ node }) => node.kind === 'string' && node.guessed !== undefined) ||
      new Set(entries.map(({ key }) => key)).size < entries.length,
  )

/** Whether the arguments are this value, or were decoded from it or unwrapped in it. */
const holds = (node: JsonNode, args: ObjectNode): boolean =>
  node === args || (node.kind === 'object' && node.entries.some((entry) => entry.node === args))

const closed = (node: ObjectNode): boolean => node.closed

function depthOf(node: JsonNode, depth: number): number {
  if (node.kind === 'object')
    return node.entries.reduce((deepest, entry) => Math.max(deepest, depthOf(entry.node, depth + 1)), depth + 1)
  if (node.kind === 'array')
    return node.items.reduce((deepest, item) => Math.max(deepest, depthOf(item, depth + 1)), depth + 1)
  return depth
}

function isSchemaEcho(args: ObjectNode): boolean {
  const type = entryNamed(args, ['type'])?.node
  return type?.kind === 'string' && type.value === 'object' && entryNamed(args, ['properties'])?.node.kind === 'object'
}

function idOf(node: ObjectNode): string | null {
  const id = entryNamed(node, ID_KEYS)?.node
  const text = id?.kind === 'string' ? id.value : id?.kind === 'number' ? id.raw : ''
  return text !== '' && text.length <= 128 && !isUnsafeKey(text) ? text : null
}
