import type { ToolCallConfig } from '@/lib/shared/conversation/conversation'
import { maxListed, withServers } from '@/lib/protocols/prompt/unlisted-tools'
import type { StrategyId, ToolSpec } from '@/lib/protocols/types/tool-context-def'
import type { ToolPolicy, ToolText, ToolCard } from './tool'
import type { ToolSet } from './tool-registry'

/** A server handles many configs; the oldest entry is dropped first. */
const maxFound = 64

const foundIn = new WeakMap<ToolSet, Map<string, readonly ToolSpec[]>>()
const hashes = new WeakMap<ToolCallConfig, string>()

/** Whether a tool is switched on in this config, whatever the switch for all of them says. */
export const isSwitchedOn = (
  { spec: { name }, policy }: Switchable,
  { toolToggles, defaultToolEnabled }: ToolCallConfig,
): boolean =>
  Object.hasOwn(toolToggles, name)
    ? toolToggles[name] === true
    : defaultToolEnabled && policy.offByDefault === undefined

/** The fields of a tool that decide whether it is offered. */
export interface Switchable {
  readonly spec: Pick<ToolText, 'name'>
  readonly policy: Pick<ToolPolicy, 'offByDefault'>
}

/** The part of a config that decides what is offered, as text: equal for equal configs. */
function configHash(config: ToolCallConfig): string {
  const known = hashes.get(config)
  if (known !== undefined) return known
  const { enabled, defaultToolEnabled, toolToggles } = config
  const toggles = Object.entries(toolToggles).toSorted(([a], [b]) => (a < b ? -1 : 1))
  const hash = JSON.stringify(enabled ? [defaultToolEnabled, toggles] : null)
  hashes.set(config, hash)
  return hash
}

/**
 * If tool servers have more tools than a prompt lists, those are `unlisted`, and `find_tools` is offered; else it is
 * not.
 */
function withUnlisted(tools: ToolSet, specs: readonly ToolSpec[]): readonly ToolSpec[] {
  const serverOf = ({ name }: ToolSpec) => tools.get(name)?.policy.server
  const isFinder = ({ name }: ToolSpec) => tools.get(name)?.policy.findsTools === true
  const ofServers = specs.filter((spec) => spec.disabled !== true && serverOf(spec) !== undefined)
  const finds = ofServers.length > maxListed && specs.some((spec) => isFinder(spec) && spec.disabled !== true)
  if (!finds) return specs.map((spec) => (isFinder(spec) ? { ...spec, disabled: true } : spec))
  const byHost = Map.groupBy(ofServers, (spec) => serverOf(spec) ?? '')
  const servers = [...byHost].map(([host, found]) => ({ host, names: found.map(({ name }) => name) }))
  const unlisted = new Set(ofServers)
  return specs.map((spec) => {
    if (isFinder(spec)) return withServers(spec, servers)
    return unlisted.has(spec) ? { ...spec, unlisted: true } : spec
  })
}

/**
 * Every tool that models may call, sorted by name; those that the conversation does not offer are `disabled`, so that a
 * call to one is reported as such rather than unknown. Those of many tool servers are `unlisted`. Cached by set,
 * strategy and config: the same array until one of them changes.
 */
export function discoverTools(
  tools: ToolSet,
  config: ToolCallConfig,
  strategy: StrategyId | null = null,
): readonly ToolSpec[] {
  const found = foundIn.get(tools) ?? new Map<string, readonly ToolSpec[]>()
  foundIn.set(tools, found)
  const key = `${strategy ?? ''} ${configHash(config)}`
  const known = found.get(key)
  if (known !== undefined) return known
  const isOffered = ({ name }: ToolSpec) =>
    config.enabled && isSwitchedOn(tools.get(name) ?? { spec: { name }, policy: {} }, config)
  const specs = withUnlisted(
    tools,
    tools.specs().map((spec) => (isOffered(spec) ? spec : { ...spec, disabled: true })),
  )
  const [oldest] = found.keys()
  if (found.size >= maxFound && oldest !== undefined) found.delete(oldest)
  found.set(key, specs)
  return specs
}

/** Names of the tools that code may call in a conversation with this config. */
export const namesForCode = (tools: ToolSet, config: ToolCallConfig): readonly string[] =>
  discoverTools(tools, config).flatMap(({ name, fromCode, disabled }) =>
    fromCode !== undefined && disabled !== true ? [name] : [],
  )

interface TaggedTools<T> {
  /** Null: tools without a tag. */
  readonly tag: string | null
  readonly tools: readonly T[]
}

/** Tools under their first tag, in the order in which tags and tools come. Each is in one group. */
export function groupByTag<T extends { readonly card: Pick<ToolCard, 'tags'> }>(
  tools: readonly T[],
): readonly TaggedTools<T>[] {
  const groups = new Map<string | null, T[]>()
  for (const tool of tools) {
    const tag = tool.card.tags[0] ?? null
    const group = groups.get(tag)
    if (group) group.push(tool)
    else groups.set(tag, [tool])
  }
  return [...groups].map(([tag, of]) => ({ tag, tools: of }))
}
