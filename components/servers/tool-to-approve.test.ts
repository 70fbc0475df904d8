import { expect, it } from 'vitest'
import { strategyIds } from '@/lib/protocols/types/tool-context-def'
import type { McpTool } from '@/lib/shared/conversation/settings/tool-server'
import { tokensOf } from './tool-to-approve'

const tool = (name: string): McpTool => ({
  name,
  description: `Finds the ${name} of a place`,
  inputSchema: { type: 'object', properties: { place: { type: 'string' } } },
})
const server = { server: 's', host: 'maps.example', prefix: 'maps' }

it.each(strategyIds)('%s: many tools cost only a few tokens, because the model searches for them', (strategy) => {
  const many = Array.from({ length: 100 }, (_, at) => tool(`road_${at}`))
  expect(tokensOf(many, server, strategy)).toBeGreaterThan(0)
  expect(tokensOf(many, server, strategy)).toBeLessThan(tokensOf(many.slice(0, 12), server, strategy))
})

it.each(strategyIds)('%s: several tools together cost about the sum of each', (strategy) => {
  const tools = ['roads', 'rivers', 'parks', 'hills', 'lakes'].map(tool)
  const sum = tools.reduce((total, one) => total + tokensOf([one], server, strategy), 0)
  const together = tokensOf(tools, server, strategy)
  expect(together).toBeGreaterThan(0)
  expect(Math.abs(together - sum)).toBeLessThanOrEqual(together * 0.25)
})
