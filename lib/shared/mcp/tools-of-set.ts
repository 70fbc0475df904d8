import { isJsonObject, type JsonObject, type JsonValue } from '@/lib/base/json'
import {
  registeredToolLimits as limits,
  registeredToolLimits,
  type RegisteredTool,
  type PermissionLevel,
} from '@/lib/shared/conversation/settings/registered-tool'
import { restoreSchema } from '@/lib/shared/conversation/settings/bounded-schema'
import type { ToolSetRef, McpTool } from '@/lib/shared/conversation/settings/tool-server'
import { foldToolName } from '@/lib/base/text/nearest-path'

/** Every provider and every call format accepts names up to this length. */
const MAX_NAME = 64
const MAX_PREFIX = 16

/**
 * The names for models, by the server's own: `fs` and `read.file` give `fs_read_file`. A name that would be too long,
 * empty, or equal to another of its server ends in four digits of a hash of the server's own name.
 */
export function toolNames(prefix: string, own: readonly string[]): ReadonlyMap<string, string> {
  const plain = own.map((name) => [name, joined(prefix, name)] as const)
  const uses = new Map<string, number>()
  for (const [, name] of plain) uses.set(foldToolName(name), (uses.get(foldToolName(name)) ?? 0) + 1)
  return new Map(
    plain.map(([name, made]) => {
      const isClear = made.length <= MAX_NAME && made !== `${prefix}_` && uses.get(foldToolName(made)) === 1
      return [name, isClear ? made : withMark(made, name)]
    }),
  )
}

const joined = (prefix: string, name: string): string =>
  `${prefix}_${name.replaceAll(/[^A-Za-z0-9_-]+/g, '_').replaceAll(/^[_-]+|[_-]+$/g, '')}`

/** The name, cut if necessary, with four hex digits of a hash of `of`. */
export const withMark = (name: string, of: string): string =>
  `${name.slice(0, MAX_NAME - 5).replace(/_$/, '')}_${shortHash(of)}`

/** FNV-1a, folded to 16 bits: only to tell names apart. */
function shortHash(text: string): string {
  let hash = 0x811c9dc5
  for (const byte of new TextEncoder().encode(text)) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0
  return ((hash >>> 16) ^ (hash & 0xffff)).toString(16).padStart(4, '0')
}

/**
 * The prefix of a server's tool names: its name in letters and digits. It gets a number if another server has it, or if
 * a name would equal a built-in tool's.
 */
export function choosePrefix(
  name: string,
  taken: readonly string[],
  own: readonly string[],
  isFree: (name: string) => boolean,
): string {
  const [head = 'server', ...words] = name
    .toLowerCase()
    .replace(/^[^a-z]+/, '')
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '')
  // Whole words, as many as fit.
  let begin = head.slice(0, MAX_PREFIX)
  for (const word of words) {
    if (begin.length + word.length > MAX_PREFIX) break
    begin += word
  }
  for (let count = 1; ; count += 1) {
    const prefix = count === 1 ? begin : `${begin}${count}`
    if (!taken.includes(prefix) && [...toolNames(prefix, own).values()].every(isFree)) return prefix
  }
}

/** How often a recursive schema is unfolded. */
const MAX_UNFOLD = 2
const MAX_DEPTH = 12
/** Branching references can turn a few kilobytes into more than a page can hold. */
const MAX_PARTS = 4_000

/**
 * A schema that readers and prompts can handle. Parts that are too much for them (a recursive schema, a very deep one)
 * allow anything: the server itself checks the arguments last.
 */
export function usableSchema(schema: JsonObject): JsonObject {
  const typed: JsonObject = { ...schema, type: 'object' }
  if (fits(typed)) return typed
  const unfolded = unfold(typed, { root: typed, parts: 0 }, [], 0)
  const bounded = isJsonObject(unfolded) ? withoutOddNames(unfolded) : { type: 'object' }
  if (fits(bounded)) return bounded
  const flat = flattened(bounded)
  return fits(flat) ? flat : { type: 'object' }
}

const fits = (schema: JsonObject): boolean =>
  restoreSchema(schema) === null && JSON.stringify(schema).length <= limits.maxParametersChars

interface Unfolding {
  readonly root: JsonObject
  parts: number
}

/** Replaces references by what they name. */
function unfold(value: JsonValue, unfolding: Unfolding, open: readonly string[], depth: number): JsonValue {
  if (typeof value !== 'object' || value === null) return value
  unfolding.parts += 1
  if (depth > MAX_DEPTH || unfolding.parts > MAX_PARTS) return {}
  if (Array.isArray(value)) return value.map((one: JsonValue) => unfold(one, unfolding, open, depth + 1))
  const { $ref: ref, $defs: _defs, definitions: _definitions, ...rest } = value as JsonObject
  if (typeof ref === 'string') {
    const isTooOften = open.filter((one) => one === ref).length >= MAX_UNFOLD
    const target = { ...targetOf(ref, unfolding.root), ...rest }
    return isTooOften ? {} : unfold(target, unfolding, [...open, ref], depth + 1)
  }
  return Object.fromEntries(Object.entries(rest).map(([key, one]) => [key, unfold(one, unfolding, open, depth + 1)]))
}

function targetOf(ref: string, root: JsonObject): JsonObject {
  let target: JsonValue = ref.startsWith('#') ? root : {}
  for (const step of ref.split('/').slice(1)) {
    target = isJsonObject(target) && Object.hasOwn(target, step) ? (target[step] ?? {}) : {}
  }
  return isJsonObject(target) ? target : {}
}

/** Keywords whose check can take exponential or square time, or that lead elsewhere in the schema. */
const COSTLY =
  /^(?:pattern|patternProperties|propertyNames|uniqueItems|format|\$(?:id|anchor|dynamic\w+|recursive\w+))$/
const BY_NAME = /^(?:properties|dependentSchemas)$/
const VALUES = /^(?:enum|const|default|examples)$/

/**
 * A server's schema for checking its results, so that no schema takes longer than its length times the result's: without
 * references, and without the keywords whose check can.
 */
export function checkableSchema(schema: JsonObject): JsonObject {
  const whole = JSON.stringify(schema).includes('"$ref"') ? unfold(schema, { root: schema, parts: 0 }, [], 0) : schema
  const bounded = withoutCostly(whole, false)
  return isJsonObject(bounded) ? bounded : {}
}

function withoutCostly(value: JsonValue, isByName: boolean): JsonValue {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((one: JsonValue) => withoutCostly(one, false))
  const schema = value as JsonObject
  const isOpen = !isByName && 'patternProperties' in schema
  const kept = Object.entries(schema).filter(
    ([key]) => isByName || !(COSTLY.test(key) || (isOpen && /^(?:additional|unevaluated)Properties$/.test(key))),
  )
  return Object.fromEntries(
    kept.map(([key, one]) => [
      key,
      !isByName && VALUES.test(key) ? one : withoutCostly(one, !isByName && BY_NAME.test(key)),
    ]),
  )
}

/** Call formats write parameters as names, so one with spaces or brackets is left out. */
function withoutOddNames(schema: JsonObject): JsonObject {
  const { properties, required } = schema
  if (!isJsonObject(properties)) return schema
  const isPlain = (name: string) => /^[\w.$-]{1,64}$/.test(name)
  const kept = Object.fromEntries(Object.entries(properties).filter(([name]) => isPlain(name)))
  return {
    ...schema,
    properties: kept,
    ...(Array.isArray(required) && { required: required.filter((name) => typeof name === 'string' && isPlain(name)) }),
  }
}

/** The names of the parameters, with only their types. */
function flattened({ properties, required }: JsonObject): JsonObject {
  const named = isJsonObject(properties) ? Object.entries(properties).slice(0, 100) : []
  return {
    type: 'object',
    properties: Object.fromEntries(
      named.map(([name, one]) => [
        name,
        isJsonObject(one) && typeof one['type'] === 'string' ? { type: one['type'] } : {},
      ]),
    ),
    ...(Array.isArray(required) && { required }),
  }
}

/** The tools of a set for readers, prompts and cards: those that only pages may ask for are left out. */
export function toolsOfSet(
  { server, host, prefix }: Omit<ToolSetRef, 'hash'>,
  approved: readonly McpTool[],
): readonly RegisteredTool[] {
  const tools = approved.filter(({ visibility }) => visibility !== 'app')
  const names = toolNames(
    prefix,
    tools.map(({ name }) => name),
  )
  return tools.map((tool) => ({
    name: names.get(tool.name) ?? tool.name,
    description: descriptionOf(tool),
    parameters: usableSchema(tool.inputSchema),
    permission: levelOf(tool),
    files: 'none',
    ...(titleOf(tool) !== '' && { title: titleOf(tool) }),
    origin: 'registered',
    remote: { server, host, name: tool.name },
  }))
}

/** The tools of a chat: its own, and those of its sets. A duplicate name gets a mark. */
export function withSetTools(
  own: readonly RegisteredTool[],
  ofSets: readonly RegisteredTool[],
): readonly RegisteredTool[] {
  if (ofSets.length === 0) return own
  const taken = new Set(own.map(({ name }) => foldToolName(name)))
  const all = [...own]
  for (const tool of ofSets) {
    const isTaken = taken.has(foldToolName(tool.name))
    const name = isTaken ? withMark(tool.name, `${tool.remote?.server} ${tool.remote?.name}`) : tool.name
    if (taken.has(foldToolName(name))) continue
    taken.add(foldToolName(name))
    all.push(isTaken ? { ...tool, name } : tool)
  }
  return all.toSorted((a, b) => (a.name < b.name ? -1 : 1))
}

/** A server's hints lower nothing: read-only is at best moderate, and a tool without hints is sensitive. */
const levelOf = ({ annotations = {} }: McpTool): PermissionLevel =>
  annotations['readOnlyHint'] === true && annotations['destructiveHint'] !== true ? 'moderate' : 'sensitive'

const titleOf = ({ title, annotations }: McpTool): string => {
  const shownTitle = title ?? annotations?.['title']
  return typeof shownTitle === 'string' ? shownTitle.trim().slice(0, registeredToolLimits.maxTitleChars) : ''
}

const descriptionOf = (tool: McpTool): string => tool.description?.trim() || titleOf(tool) || tool.name
