import { defaultToolConfig } from '@/lib/chat/tool-config'
import { expect, test } from 'vitest'
import type { ToolCallConfig } from '@/lib/chat/conversation'
import { discoverTools } from './discovery'
import { toolRegistry } from './registry'

const config: ToolCallConfig = defaultToolConfig

const offered = (over: Partial<ToolCallConfig>) =>
  discoverTools(toolRegistry, { ...config, ...over })
    .filter((spec) => spec.disabled !== true)
    .map((spec) => spec.name)

test('all tools are known, in one order, and offered by default', () => {
  expect(offered({})).toEqual(['browser_js_eval', 'list_directory', 'read_file', 'write_file'])
})

test('toggles and the default decide what is offered; the others stay known', () => {
  expect(offered({ toolToggles: { write_file: false } })).toEqual(['browser_js_eval', 'list_directory', 'read_file'])
  expect(offered({ defaultToolEnabled: false, toolToggles: { read_file: true } })).toEqual(['read_file'])
  expect(offered({ enabled: false, toolToggles: { read_file: true } })).toEqual([])
  expect(discoverTools(toolRegistry, { ...config, enabled: false })).toHaveLength(4)
})

test('one config gives one array', () => {
  expect(discoverTools(toolRegistry, config)).toBe(discoverTools(toolRegistry, config))
  expect(discoverTools(toolRegistry, { ...config })).not.toBe(discoverTools(toolRegistry, config))
})
