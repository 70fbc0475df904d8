import { editDistance } from '@/lib/base/text/nearest-path'
import type { Shape } from '../json-repair/json-reading'
import type { ToolSpec } from '../types/tool-context-def'
import { nearKeys, normaliseKey, shapeOf } from './schema'

export const NAME_KEYS: readonly string[] = ['name', 'tool', 'tool_name', 'function']
export const ARGUMENT_KEYS: readonly string[] = ['arguments', 'parameters', 'args', 'input', 'params']
export const ENVELOPE_KEYS: readonly string[] = ['tool_calls', 'tool_call', 'function_call']
export const ID_KEYS: readonly string[] = ['id', 'tool_call_id', 'call_id']

/** Every key that a call object or an envelope may have of its own. */
export const CALL_KEYS: ReadonlySet<string> = new Set([
  ...NAME_KEYS,
  ...ARGUMENT_KEYS,
  ...ENVELOPE_KEYS,
  ...ID_KEYS,
  'type',
  'index',
  'action',
  'action_input',
])

/**
 * How much harm a call to a tool could do, judged by the words in its name: the model may copy an example into its
 * reply, and Nod then asks to run it. 0 reads, 1 is unknown, 2 destroys or reaches other people.
 */
export function riskOf({ name }: Pick<ToolSpec, 'name'>): number {
  const words = name
    .replaceAll(/([a-z])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[^a-z]+/)
  if (words.some((word) => RISKY.has(word))) return 2
  return words.some((word) => READING.has(word)) ? 0 : 1
}

const READING = new Set(['read', 'list', 'get', 'find', 'search', 'show', 'look', 'view', 'fetch', 'query', 'stat'])
const RISKY = new Set(
  (
    'delete remove drop erase clear purge reset kill stop cancel close move rename overwrite send post publish ' +
    'reply share invite pay buy order transfer deploy merge push execute exec run shell command sql'
  ).split(' '),
)

const MAX_NAME = 64
const MAX_ANSWERS = 1000
/** A shorter part of a name is not significant. */
const MIN_PART = 4

/** A tool that may be suggested. */
interface Candidate {
  readonly name: string
  /** It destroys, reaches other people or runs code: suggested only if the name is nearly the same. */
  readonly risky: boolean
}

/** Up to three tools whose names look most like `name`, best first. Names are compared by their first 64 characters. */
function nearestNames(name: string, tools: readonly Candidate[]): readonly string[] {
  const wanted = name.slice(0, MAX_NAME)
  if (plain(wanted) === '') return []
  return tools
    .map((tool) => ({ tool, distance: distanceOf(wanted, tool) }))
    .filter(({ distance }) => distance < Infinity)
    .toSorted((a, b) => a.distance - b.distance || (a.tool.name < b.tool.name ? -1 : 1))
    .slice(0, 3)
    .map(({ tool }) => tool.name)
}

/**
 * The distance between a tool's name and the written name; Infinity if the tool should not be suggested. One letter in
 * three may differ. More may differ if both names share their object (`get_file`, `read_file`) or one name is part of
 * the other. A wrong suggestion of a risky tool could do harm, so only one letter may differ there.
 */
function distanceOf(wanted: string, { name, risky }: Candidate): number {
  const [a, b] = [plain(wanted), plain(name.slice(0, MAX_NAME))]
  const letters = Math.max(a.length, b.length)
  const distance = editDistance(a, b)
  if (risky) return distance <= 1 ? distance : Infinity
  const [short, long] = a.length < b.length ? [a, b] : [b, a]
  if (short.length >= MIN_PART && long.includes(short)) return (long.length - short.length) / 4
  if (lastWord(wanted) === lastWord(name)) return distance <= letters * 0.6 ? distance / 2 : Infinity
  return distance <= Math.max(1, Math.floor(letters / 3)) ? distance : Infinity
}

const plain = (name: string): string => name.toLowerCase().replaceAll(/[_\-.:/\s]/g, '')

/** The object in a name: `file` in `read_file` and `readFile`; '' for a name of one word. */
const lastWord = (name: string): string =>
  /(?:[_\-.:/\s]|(?<=[a-z])(?=[A-Z]))([A-Za-z]{3,})$/.exec(name)?.[1]?.toLowerCase() ?? name

const PREFIX = /^(?:functions|default_api|tools)[./:]/i

export interface ToolMatch {
  readonly spec: ToolSpec
  /** The name was not written exactly as registered. */
  readonly normalised: boolean
}

/** The known tools, prepared for matching. */
export interface ToolIndex {
  readonly specs: readonly ToolSpec[]
  /**
   * Exact match, else the only match without prefix, case, `_` and `-`. `commands` also admits a tool's `vcpCommand`.
   */
  match(name: string, options?: { readonly commands?: boolean }): ToolMatch | null
  nearest(name: string): readonly string[]
  /** Anchors of a call object: its own keys, and below `arguments` the parameters of the named tool. */
  readonly callShape: Shape
}

const indexes = new WeakMap<readonly ToolSpec[], ToolIndex>()

/** The index of a list of tools, built once: a page reads many replies with the same list, which never changes. */
export function toolIndexOf(specs: readonly ToolSpec[]): ToolIndex {
  const known = indexes.get(specs) ?? createToolIndex(specs)
  indexes.set(specs, known)
  return known
}

export function createToolIndex(specs: readonly ToolSpec[]): ToolIndex {
  const exact = new Map<string, ToolSpec>()
  const commands = new Map<string, ToolSpec>()
  const loose = new Map<string, ToolSpec[]>()
  const addLoose = (name: string, spec: ToolSpec) => {
    const key = normaliseKey(name)
    const list = loose.get(key) ?? []
    if (!list.includes(spec)) list.push(spec)
    loose.set(key, list)
  }
  for (const spec of specs) {
    exact.set(spec.name, spec)
    addLoose(spec.name, spec)
    if (spec.vcpCommand !== undefined && !commands.has(spec.vcpCommand)) commands.set(spec.vcpCommand, spec)
  }

  const answers = new Map<string, ToolMatch | null>()
  const matchLoosely = (name: string): ToolMatch | null => {
    const trimmed = name.trim().replace(PREFIX, '')
    const found =
      exact.get(trimmed) ?? only(loose.get(normaliseKey(trimmed))) ?? only(loose.get(normaliseKey(half(trimmed))))
    return found ? { spec: found, normalised: true } : null
  }
  const match: ToolIndex['match'] = (name, options) => {
    const known = exact.get(name) ?? (options?.commands ? commands.get(name) : undefined)
    if (known) return { spec: known, normalised: false }
    if (name.length > MAX_NAME) return matchLoosely(name)
    // The index is asked for every key of a call's JSON, and most are the same few.
    const before = answers.get(name)
    if (before !== undefined) return before
    const found = matchLoosely(name)
    if (answers.size >= MAX_ANSWERS) answers.clear()
    answers.set(name, found)
    return found
  }

  const parameters = new Map(specs.map((spec) => [spec.name, shapeOf([spec.parameters], [spec.parameters])]))
  const union = shapeOf(
    specs.map((spec) => spec.parameters),
    specs.map((spec) => spec.parameters),
  )
  const callShape: Shape = {
    has: (key) => CALL_KEYS.has(key) || (union?.has(key) ?? false),
    near: (word) => [...nearKeys(FORM_KEYS, word), ...(union?.near(word) ?? [])],
    open: false,
    odd: union?.odd ?? [],
    child(key, name) {
      if (ARGUMENT_KEYS.includes(key) || key === 'action_input') {
        const tool = name === null ? null : match(name)
        return tool ? (parameters.get(tool.spec.name) ?? null) : union
      }
      const tool = match(key)
      return tool ? (parameters.get(tool.spec.name) ?? null) : callShape
    },
  }
  const candidates = specs.map((spec) => ({ name: spec.name, risky: spec.sensitive === true || riskOf(spec) === 2 }))
  return { specs, match, nearest: (name) => nearestNames(name, candidates), callShape }
}

/** The keys that our own formats write, normalised. */
const FORM_KEYS = ['name', 'toolname', 'arguments', 'toolcalls', 'action']

const only = (list: readonly ToolSpec[] | undefined): ToolSpec | undefined => (list?.length === 1 ? list[0] : undefined)

/** `read_fileread_file` → `read_file`: some models repeat the name. */
const half = (name: string): string =>
  name.length % 2 === 0 && name.slice(0, name.length / 2) === name.slice(name.length / 2)
    ? name.slice(name.length / 2)
    : ''
