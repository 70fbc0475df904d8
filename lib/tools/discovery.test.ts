import { defaultToolConfig } from '@/lib/conversation/tool-config'
import { expect, test, vi } from 'vitest'
import type { ToolCallConfig } from '@/lib/conversation/conversation'
import { discoverTools } from './discovery'
import { createToolRegistry, toolRegistry } from './registry'
import type { ToolDefinition } from './tool'

const config: ToolCallConfig = defaultToolConfig

const offered = (over: Partial<ToolCallConfig>) =>
  discoverTools(toolRegistry, { ...config, ...over })
    .filter((spec) => spec.disabled !== true)
    .map((spec) => spec.name)

test('all tools are known, in one order, and offered by default', () => {
  const callable = toolRegistry.list().filter((tool) => tool.agentCallable)
  const names = (tools: readonly { readonly name: string }[]) => tools.map(({ name }) => name).toSorted()
  expect(offered({})).toEqual(names(callable.filter((tool) => tool.offByDefault === undefined)))
  expect(discoverTools(toolRegistry, config).map(({ name }) => name)).toEqual(names(callable))
  expect(offered({})).toContain('read_file')
})

test('toggles and the default decide what is offered; the others stay known', () => {
  const without = offered({}).filter((name) => name !== 'write_file')
  expect(offered({ toolToggles: { write_file: false } })).toEqual(without)
  expect(offered({ defaultToolEnabled: false, toolToggles: { read_file: true } })).toEqual(['read_file'])
  expect(offered({ enabled: false, toolToggles: { read_file: true } })).toEqual([])
  expect(discoverTools(toolRegistry, { ...config, enabled: false })).toHaveLength(toolRegistry.specs().length)
})

test('a tool that is off by default is offered only where it was switched on by name', () => {
  expect(offered({ defaultToolEnabled: true })).not.toContain('python_eval')
  expect(offered({ toolToggles: { python_eval: true } })).toContain('python_eval')
  expect(offered({ enabled: false, toolToggles: { python_eval: true } })).toEqual([])
  expect(discoverTools(toolRegistry, config).find(({ name }) => name === 'python_eval')?.disabled).toBe(true)
})

const tool = (name: string): ToolDefinition => {
  const [first] = toolRegistry.list()
  if (first === undefined) throw new Error('no tools')
  return { ...first, name }
}

/** A registry that counts how often it was asked for its tools. */
function countingRegistry() {
  const registry = createToolRegistry([tool('alpha'), tool('beta')])
  const specs = vi.spyOn(registry, 'specs')
  return { registry, asked: () => specs.mock.calls.length }
}

const names = (tools: readonly { readonly name: string }[]) => tools.map(({ name }) => name)

test('equal configs give one array, and nothing is computed twice', () => {
  const { registry, asked } = countingRegistry()
  const first = discoverTools(registry, { ...config, toolToggles: { alpha: false, beta: true } }, 'VCP')
  const again = { ...config, timeoutMs: 1_000, toolToggles: { beta: true, alpha: false } }
  for (let round = 0; round < 10; round++) expect(discoverTools(registry, again, 'VCP')).toBe(first)
  expect(asked()).toBe(1)
})

test('another strategy and another choice of tools are found apart', () => {
  const { registry, asked } = countingRegistry()
  const first = discoverTools(registry, config, 'VCP')
  expect(discoverTools(registry, config, 'XML_Tag')).toEqual(first)
  const other = discoverTools(registry, { ...config, toolToggles: { beta: false } }, 'VCP')
  expect(other.filter(({ disabled }) => disabled).map(({ name }) => name)).toEqual(['beta'])
  expect(asked()).toBe(3)
  expect(discoverTools(registry, config, 'VCP')).toBe(first)
  expect(asked()).toBe(3)
})

test('a tool that comes or goes drops what was found', () => {
  const { registry, asked } = countingRegistry()
  const before = discoverTools(registry, config, 'VCP')
  const takeOut = registry.register(tool('gamma'))
  const during = discoverTools(registry, config, 'VCP')
  expect(names(during)).toEqual(['alpha', 'beta', 'gamma'])
  expect(asked()).toBe(2)
  takeOut()
  const after = discoverTools(registry, config, 'VCP')
  expect(after).not.toBe(before)
  expect(after).toEqual(before)
  expect(asked()).toBe(3)
  registry.unregister('alpha')
  expect(names(discoverTools(registry, config, 'VCP'))).toEqual(['beta'])
})

test('what is kept stays bounded', () => {
  const { registry, asked } = countingRegistry()
  const nth = (at: number) => discoverTools(registry, { ...config, toolToggles: { [`tool_${at}`]: true } })
  for (let at = 0; at < 100; at++) nth(at)
  expect(asked()).toBe(100)
  nth(99)
  expect(asked()).toBe(100)
  nth(0)
  expect(asked()).toBe(101)
})
