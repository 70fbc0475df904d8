import type { ToolCallConfig } from '@/lib/chat/conversation'
import type { ToolSpec } from '@/lib/strategies/tool-context-def'
import type { ToolRegistry } from './registry'

const cache = new WeakMap<ToolRegistry, WeakMap<ToolCallConfig, readonly ToolSpec[]>>()

const isOffered = (name: string, config: ToolCallConfig) =>
  config.enabled &&
  (Object.hasOwn(config.toolToggles, name) ? config.toolToggles[name] === true : config.defaultToolEnabled)

/**
 * Every tool that models may call, sorted by name; those that the conversation does not offer carry `disabled`, so that
 * a call to one is known and named rather than unknown. The same config object gives the same array.
 */
export function discoverTools(registry: ToolRegistry, config: ToolCallConfig): readonly ToolSpec[] {
  const known = cache.get(registry) ?? new WeakMap<ToolCallConfig, readonly ToolSpec[]>()
  cache.set(registry, known)
  const cached = known.get(config)
  if (cached !== undefined) return cached
  const specs = registry.specs().map((spec) => (isOffered(spec.name, config) ? spec : { ...spec, disabled: true }))
  known.set(config, specs)
  return specs
}
