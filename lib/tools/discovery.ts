import type { ToolCallConfig } from '@/lib/chat/conversation'
import type { StrategyId, ToolSpec } from '@/lib/strategies/tool-context-def'
import type { ToolRegistry } from './registry'

/** What was found for one state of a registry. */
interface Found {
  readonly version: number
  readonly tools: Map<string, readonly ToolSpec[]>
}

/** A server meets many configs; the oldest found goes first. */
const maxFound = 64

const foundIn = new WeakMap<ToolRegistry, Found>()
const hashes = new WeakMap<ToolCallConfig, string>()

const isOffered = (name: string, config: ToolCallConfig) =>
  config.enabled &&
  (Object.hasOwn(config.toolToggles, name) ? config.toolToggles[name] === true : config.defaultToolEnabled)

/** The part of a config that decides what is offered, as text: equal configs are equal, whoever made them. */
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
 * Every tool that models may call, sorted by name; those that the conversation does not offer carry `disabled`, so that
 * a call to one is known and named rather than unknown. Kept by strategy, config and registry version: the same array
 * until one of them changes; a tool that comes or goes drops all that was kept.
 */
export function discoverTools(
  registry: ToolRegistry,
  config: ToolCallConfig,
  strategy: StrategyId | null = null,
): readonly ToolSpec[] {
  const { version } = registry
  let found = foundIn.get(registry)
  if (found?.version !== version) {
    found = { version, tools: new Map() }
    foundIn.set(registry, found)
  }
  const key = `${strategy ?? ''} ${configHash(config)}`
  const known = found.tools.get(key)
  if (known !== undefined) return known
  const specs = registry.specs().map((spec) => (isOffered(spec.name, config) ? spec : { ...spec, disabled: true }))
  const [oldest] = found.tools.keys()
  if (found.tools.size >= maxFound && oldest !== undefined) found.tools.delete(oldest)
  found.tools.set(key, specs)
  return specs
}
