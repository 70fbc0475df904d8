import { describe, expect, it } from 'vitest'
import { discoverTools } from '../discovery'
import { executionRule } from '@/lib/shared/calls/approval-policy'
import { defaultToolConfig } from '@/lib/shared/conversation/settings/registered-tool'
import type { RegisteredTool } from '@/lib/shared/conversation/settings/registered-tool'
import { toolRegistry } from '../testing/built-in'
import type { ToolContext, ToolOf } from '../tool'
import { maxFound, searchTools } from './search-tools'

const tool = (name: string, description: string, server = 'maps'): RegisteredTool => ({
  name,
  description,
  parameters: { type: 'object', properties: { place_name: { type: 'string' } } },
  permission: 'sensitive',
  files: 'none',
  origin: 'registered',
  remote: { server, host: `${server}.example.com`, name },
})
const many = (count: number, server = 'maps') =>
  Array.from({ length: count }, (_, at) => tool(`${server}_tool_${at}`, `Does thing number ${at}.`, server))

describe('searching tools', () => {
  const tools = [
    tool('git_create_issue', 'Opens a new issue in a repository.'),
    tool('git_list_issues', 'Lists issues of a repository.'),
    tool('mail_sendMessage', 'Sends an e-mail.'),
    tool('maps_route', '计算两个地点之间的路线。'),
    ...many(20),
  ]
  it.each([
    ['create issue', 'git_create_issue'],
    ['Create an ISSUE for this bug', 'git_create_issue'],
    ['send message', 'mail_sendMessage'],
    ['email', 'mail_sendMessage'],
    ['两个地点的路线', 'maps_route'],
    ['git_list_issues', 'git_list_issues'],
    ['creat isue', 'git_create_issue'],
  ])('%s → %s first', (query, name) => {
    expect(searchTools(tools, query)[0]).toBe(name)
  })

  it('returns a few, and none if nothing matches', () => {
    expect(searchTools(tools, 'thing number')).toHaveLength(maxFound)
    expect(searchTools(tools, 'zzz qqq')).toEqual([])
    expect(searchTools(tools, ' ')).toEqual([])
  })
})

describe('find_tools', () => {
  const specsWith = (registered: readonly RegisteredTool[], toggles = {}) =>
    discoverTools(toolRegistry.of(registered), { ...defaultToolConfig, toolToggles: toggles })
  const named = (specs: ReturnType<typeof specsWith>, name: string) => specs.find((spec) => spec.name === name)

  it('is not offered in chats with few server tools, which are listed', () => {
    for (const registered of [[], many(12)]) {
      const specs = specsWith(registered)
      expect(named(specs, 'find_tools')).toBeUndefined()
      expect(specs.some((spec) => spec.unlisted)).toBe(false)
    }
  })

  it('replaces the definitions if there are more, and names the servers', () => {
    const specs = specsWith([...many(10), ...many(3, 'files')])
    expect(named(specs, 'find_tools')?.disabled).toBeUndefined()
    expect(named(specs, 'find_tools')?.description).toContain(
      'files.example.com: files_tool_0, files_tool_1, files_tool_2',
    )
    expect(specs.filter((spec) => spec.unlisted)).toHaveLength(13)
    expect(named(specs, 'read_file')?.unlisted).toBeUndefined()
  })

  it('names a server briefly if it has many tools', () => {
    const description = named(specsWith(many(250)), 'find_tools')?.description ?? ''
    expect(description).toContain('maps.example.com: 250 tools, as maps_tool_')
    expect(description.length).toBeLessThan(250)
  })

  it('counts only tools that are switched on, and leaves the others as they are', () => {
    const off = Object.fromEntries(many(4).map(({ name }) => [name, false]))
    const specs = specsWith(many(14), off)
    expect(specs.some((spec) => spec.unlisted)).toBe(false)
    expect(named(specs, 'find_tools')?.disabled).toBe(true)
  })

  it('switched off: all tools are listed', () => {
    const specs = specsWith(many(30), { find_tools: false })
    expect(specs.some((spec) => spec.unlisted)).toBe(false)
  })

  it('runs without a click in both modes, but not if every call needs one', () => {
    const finder = toolRegistry.builtIn.get('find_tools') ?? expect.fail()
    for (const mode of ['manual', 'auto'] as const) {
      expect(executionRule(finder, { ...defaultToolConfig, mode })).toBe('never')
      expect(executionRule(finder, { ...defaultToolConfig, mode, requireConfirmation: true })).toBe('always')
      const ask = { find_tools: { execution: 'always' as const } }
      expect(executionRule(finder, { ...defaultToolConfig, mode, toolRules: ask })).toBe('always')
    }
  })

  it('gives names to the page, and reports a server that is not connected', async () => {
    const finder = toolRegistry.builtIn.get('find_tools') as ToolOf<'none'>
    const run = async (tools?: readonly RegisteredTool[]) => {
      const call = finder.run({ query: 'thing' })
      const context = { ...(tools && { connectedTools: () => tools }) } as unknown as ToolContext<'none'>
      return call.ok ? call.run(context) : expect.fail()
    }
    expect(await run(many(1))).toMatchObject({ result: { found: [{ name: 'maps_tool_0' }] } })
    expect(await run(many(20))).toMatchObject({ ok: true, result: { searched: 20 } })
    expect(await run()).toMatchObject({ ok: false, reason: 'no-tool-servers' })
  })
})
