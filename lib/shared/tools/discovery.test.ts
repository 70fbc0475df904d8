import { defaultToolConfig } from '@/lib/shared/conversation/settings/registered-tool'
import { expect, test, vi } from 'vitest'
import type { ToolCallConfig } from '@/lib/shared/conversation/conversation'
import { discoverTools } from './discovery'
import { builtInTools } from './built-in-registry'
import { builtIn } from './testing/built-in'
import type { ToolDefinition } from './tool'
import { createToolRegistry } from './tool-registry'

const config: ToolCallConfig = defaultToolConfig

const offered = (over: Partial<ToolCallConfig>) =>
  discoverTools(builtIn, { ...config, ...over })
    .filter((spec) => spec.disabled !== true)
    .map((spec) => spec.name)

test('lists all tools in one order, and offers them by default', () => {
  const callable = builtIn.list().filter((tool) => tool.policy.agentCallable)
  const names = (tools: readonly ToolDefinition[]) => tools.map(({ spec }) => spec.name).toSorted()
  expect(offered({})).toEqual(names(callable.filter((tool) => tool.policy.offByDefault === undefined)))
  expect(discoverTools(builtIn, config).map(({ name }) => name)).toEqual(names(callable))
  expect(offered({})).toContain('read_file')
})

test('toggles and the default decide what is offered; the others stay known', () => {
  const without = offered({}).filter((name) => name !== 'write_file')
  expect(offered({ toolToggles: { write_file: false } })).toEqual(without)
  expect(offered({ defaultToolEnabled: false, toolToggles: { read_file: true } })).toEqual(['read_file'])
  expect(offered({ enabled: false, toolToggles: { read_file: true } })).toEqual([])
  expect(discoverTools(builtIn, { ...config, enabled: false })).toHaveLength(builtIn.specs().length)
})

test('a tool that is off by default is offered only if it was switched on by name', () => {
  expect(offered({ defaultToolEnabled: true })).not.toContain('python_eval')
  expect(offered({ toolToggles: { python_eval: true } })).toContain('python_eval')
  expect(offered({ enabled: false, toolToggles: { python_eval: true } })).toEqual([])
  expect(discoverTools(builtIn, config).find(({ name }) => name === 'python_eval')?.disabled).toBe(true)
})

const tool = (name: string): ToolDefinition => {
  const [first] = builtInTools
  if (first === undefined) throw new Error('no tools')
  return { ...first, spec: { ...first.spec, name } }
}

/** Tools that count how often they were requested. */
function countingTools() {
  const tools = createToolRegistry([tool('alpha'), tool('beta')]).of([])
  const specs = vi.spyOn(tools, 'specs')
  return { tools, asked: () => specs.mock.calls.length }
}

test('equal configs give one array, and nothing is computed twice', () => {
  const { tools, asked } = countingTools()
  const first = discoverTools(tools, { ...config, toolToggles: { alpha: false, beta: true } }, 'VCP')
  const again = { ...config, timeoutMs: 1_000, toolToggles: { beta: true, alpha: false } }
  for (let round = 0; round < 10; round++) expect(discoverTools(tools, again, 'VCP')).toBe(first)
  expect(asked()).toBe(1)
})

test('another strategy and another choice of tools are computed separately', () => {
  const { tools, asked } = countingTools()
  const first = discoverTools(tools, config, 'VCP')
  expect(discoverTools(tools, config, 'XML_Tag')).toEqual(first)
  const other = discoverTools(tools, { ...config, toolToggles: { beta: false } }, 'VCP')
  expect(other.filter(({ disabled }) => disabled).map(({ name }) => name)).toEqual(['beta'])
  expect(asked()).toBe(3)
  expect(discoverTools(tools, config, 'VCP')).toBe(first)
  expect(asked()).toBe(3)
})

test('the cache stays limited', () => {
  const { tools, asked } = countingTools()
  const nth = (at: number) => discoverTools(tools, { ...config, toolToggles: { [`tool_${at}`]: true } })
  for (let at = 0; at < 100; at++) nth(at)
  expect(asked()).toBe(100)
  nth(99)
  expect(asked()).toBe(100)
  nth(0)
  expect(asked()).toBe(101)
})
