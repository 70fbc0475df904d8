import { describe, expect, test } from 'vitest'
import type { RegisteredTool } from '@/lib/shared/conversation/settings/registered-tool'
import { builtInTools } from './built-in-registry'
import type { ToolDefinition } from './tool'
import { builtIn, toolRegistry } from './testing/built-in'
import { createToolRegistry, toolOfRegistered } from './tool-registry'

const own = (name: string, over: Partial<RegisteredTool> = {}): RegisteredTool => ({
  name,
  description: `Does ${name}.`,
  parameters: { type: 'object', properties: { q: { type: 'string' } }, required: ['q'] },
  permission: 'public',
  files: 'none',
  origin: 'registered',
  ...over,
})

describe('the tools of a conversation', () => {
  test('are the built-in ones, followed by its own', () => {
    const set = toolRegistry.of([own('ask_wiki'), own('search_issues')])
    expect(set.list().slice(0, builtIn.list().length)).toEqual(builtIn.list())
    expect(
      set
        .list()
        .slice(builtIn.list().length)
        .map(({ spec }) => spec.name),
    ).toEqual(['ask_wiki', 'search_issues'])
    expect(set.get('ask_wiki')?.spec.description).toBe('Does ask_wiki.')
    const names = set.specs().map(({ name }) => name)
    expect(names).toEqual(names.toSorted())
    expect(names).toContain('search_issues')
  })

  test('differ from chat to chat', () => {
    const [one, other] = [toolRegistry.of([own('ask_wiki')]), toolRegistry.of([own('search_issues')])]
    expect([one.get('search_issues'), other.get('ask_wiki'), builtIn.get('ask_wiki')]).toEqual([
      undefined,
      undefined,
      undefined,
    ])
  })

  test('are one set for equal rows, no matter who loaded them, and another one for other rows', () => {
    const rows = [own('ask_wiki')]
    const set = toolRegistry.of(rows)
    expect(toolRegistry.of(rows)).toBe(set)
    expect(toolRegistry.of(structuredClone(rows))).toBe(set)
    expect(set.specs()).toBe(set.specs())
    expect(toolRegistry.of([own('ask_wiki', { permission: 'sensitive' })])).not.toBe(set)
    expect(toolRegistry.of([])).toBe(builtIn)
  })

  test('a name of a built-in tool is that tool’s, whatever a row says', () => {
    const set = toolRegistry.of([own('read_file'), own('ReadFile'), own('read-file')])
    expect(set.list()).toHaveLength(builtIn.list().length)
    expect(set.get('read_file')).toBe(builtIn.get('read_file'))
    expect(['read_file', 'Read-File', 'readfile', 'READ_FILE', 'get_time'].filter(toolRegistry.isFree)).toEqual([])
    const commands = builtInTools.flatMap(({ spec }) => spec.vcpCommand ?? [])
    expect(commands.filter(toolRegistry.isFree)).toEqual([])
    expect(['ask_wiki', 'constructor'].filter(toolRegistry.isFree)).toEqual(['ask_wiki', 'constructor'])
  })

  test('a tool not registered here asks every time and is offered only if it was switched on by name', () => {
    const set = toolRegistry.of([
      own('ask_wiki'),
      own('brought', { origin: 'imported' }),
      own('lost', { origin: 'damaged' }),
    ])
    const facts = ['ask_wiki', 'brought', 'lost'].map((name) => {
      const tool = set.get(name)
      return [tool?.policy.permission, tool?.policy.offByDefault !== undefined]
    })
    expect(facts).toEqual([
      ['moderate', false],
      ['sensitive', true],
      ['sensitive', true],
    ])
  })
})

test('no external tool counts as harmless, whatever it declares; harmless ones of ours stay in the page', () => {
  for (const remote of [undefined, { server: 's', host: 'maps.example.org', name: 'get_map' }]) {
    const levels = (['public', 'moderate', 'sensitive'] as const).map(
      (permission) =>
        toolOfRegistered({ ...own('get_map', { permission }), ...(remote && { remote }) }).policy.permission,
    )
    expect(levels).toEqual(['moderate', 'moderate', 'sensitive'])
  }
  const harmless = builtInTools.filter(({ policy }) => policy.permission === 'public')
  expect(harmless.length).toBeGreaterThan(3)
  for (const { policy } of harmless)
    expect([policy.capabilities.network, policy.capabilities.files]).not.toContain('write')
  expect(new Set(harmless.map(({ policy }) => policy.capabilities.network))).toEqual(new Set(['off']))
})

test('specs are sorted, serializable, and leave out tools that models may not call', () => {
  const first = builtIn.get('browser_js_eval')
  const second = builtIn.get('list_directory')
  if (first === undefined || second === undefined) throw new Error('no tools')
  const hidden = {
    ...first,
    spec: { ...first.spec, name: 'hidden_tool' },
    policy: { ...first.policy, agentCallable: false },
  } as ToolDefinition
  const set = createToolRegistry([second, hidden, first]).of([])
  expect(set.specs().map((spec) => spec.name)).toEqual(['browser_js_eval', 'list_directory'])
  expect(JSON.parse(JSON.stringify(set.specs()))).toEqual(set.specs())
  expect(set.get('hidden_tool')?.policy.agentCallable).toBe(false)
  expect(set.get('constructor')).toBeUndefined()
})

test('two tools of one name are a bug', () => {
  const [tool] = builtInTools
  if (tool === undefined) throw new Error('no tools')
  expect(() => createToolRegistry([tool, tool])).toThrow('share one name')
})

describe('tools that the operator must switch on', () => {
  const namesOf = (access: readonly string[]) =>
    createToolRegistry(builtInTools, new Set(access))
      .of([])
      .list()
      .flatMap(({ spec, policy }) => (policy.needs === undefined ? [] : [spec.name]))

  test('exist only if they are switched on', () => {
    expect(namesOf([])).toEqual([])
    expect(namesOf(['pages'])).toEqual(['read_page'])
    expect(namesOf(['search'])).toEqual(['search_web'])
    expect(namesOf(['pages', 'search', 'other'])).toEqual(['read_page', 'search_web'])
  })

  test('reserve their names, and their results wait for review', () => {
    expect(toolRegistry.isFree('read_page')).toBe(false)
    expect(toolRegistry.of([own('Search_Web')]).get('Search_Web')).toBeUndefined()
    const web = builtInTools.filter(({ policy }) => policy.needs !== undefined)
    for (const { policy } of web) {
      expect(policy).toMatchObject({ permission: 'moderate', requireResultApproval: 'always' })
      expect(policy.capabilities).toEqual({ files: 'none', network: 'web' })
    }
    for (const { policy } of builtInTools) {
      expect(policy.capabilities.network === 'web').toBe(policy.needs !== undefined)
    }
  })
})
