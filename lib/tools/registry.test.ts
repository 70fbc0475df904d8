import path from 'node:path'
import { build } from 'esbuild'
import { describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import type { JsonObject } from '@/lib/base/json'
import { createToolRegistry, toolRegistry } from './registry'
import type { ToolDefinition } from './tool'

/** JSON Schema as zod makes it, less what a hand-written one leaves out: no draft name, no bounds of all integers. */
function schemaOf(tool: ToolDefinition): unknown {
  const { schema } = tool as ToolDefinition & { readonly schema: z.ZodMiniType }
  const text = JSON.stringify(z.toJSONSchema(schema), (key, value: unknown) =>
    key === '$schema' || value === Number.MAX_SAFE_INTEGER ? undefined : value,
  )
  return JSON.parse(text)
}

const withoutDescriptions = (parameters: JsonObject): unknown =>
  JSON.parse(JSON.stringify(parameters, (key, value: unknown) => (key === 'description' ? undefined : value)))

describe('every tool', () => {
  test.each(toolRegistry.list().map((tool) => ({ tool, name: tool.name })))('$name', ({ tool }) => {
    expect(tool.name).toMatch(/^[a-z]+(_[a-z]+)*$/)
    expect(tool.description).toMatch(/\.$/)
    expect(withoutDescriptions(tool.parameters)).toEqual(schemaOf(tool))
    expect(tool.validate({ surprise: 1 }).ok).toBe(false)
    // Arguments come from a model: a summary is made of whatever they are.
    for (const odd of [{}, { path: 5, code: null, content: [], edits: [1], from: {}, query: 2 }])
      expect(tool.summarize(odd).sentence.length).toBeGreaterThan(0)
  })
})

test('the built-in tools and their permission levels', () => {
  expect(toolRegistry.list().map((tool) => [tool.name, tool.permission, tool.agentCallable, tool.vcpCommand])).toEqual([
    ['browser_js_eval', 'sensitive', true, 'BrowserJsEval'],
    ['python_eval', 'sensitive', true, 'PythonEval'],
    ['list_directory', 'public', true, 'ListDirectory'],
    ['read_file', 'public', true, 'ReadFile'],
    ['search_files', 'public', true, 'SearchFiles'],
    ['show', 'public', true, 'Show'],
    ['write_file', 'moderate', true, 'WriteFile'],
    ['edit_file', 'moderate', true, 'EditFile'],
    ['move_path', 'moderate', true, 'MoveFile'],
    ['delete_path', 'sensitive', true, 'DeleteFile'],
    ['get_time', 'public', true, 'GetTime'],
  ])
})

test('specs are sorted, serialisable, and leave out tools that models may not call', () => {
  const [first, , second] = toolRegistry.list()
  if (first === undefined || second === undefined) throw new Error('no tools')
  const registry = createToolRegistry([second, { ...first, name: 'hidden_tool', agentCallable: false }, first])
  expect(registry.specs().map((spec) => spec.name)).toEqual(['browser_js_eval', 'list_directory'])
  expect(JSON.parse(JSON.stringify(registry.specs()))).toEqual(registry.specs())
  expect(registry.get('hidden_tool')?.agentCallable).toBe(false)
  expect(registry.get('constructor')).toBeUndefined()
})

test('two tools of one name are our mistake', () => {
  const [tool] = toolRegistry.list()
  if (tool === undefined) throw new Error('no tools')
  expect(() => createToolRegistry([tool, tool])).toThrow('share one name')
})

test('a tool comes and goes, and listeners hear of it once each', () => {
  const [first, second] = toolRegistry.list()
  if (first === undefined || second === undefined) throw new Error('no tools')
  const registry = createToolRegistry([first])
  let heard = 0
  const stop = registry.subscribe(() => (heard += 1))
  const list = registry.list()
  expect(registry.list()).toBe(list)
  const takeOut = registry.register(second)
  expect([registry.version, heard]).toEqual([1, 1])
  expect(registry.list()).toEqual([first, second])
  expect(registry.specs()).toHaveLength(2)
  expect(registry.get(second.name)).toBe(second)
  expect(() => registry.register(second)).toThrow('share one name')
  expect([registry.version, heard]).toEqual([1, 1])
  takeOut()
  takeOut()
  expect([registry.version, heard]).toEqual([2, 2])
  expect(registry.get(second.name)).toBeUndefined()
  expect(registry.unregister(second.name)).toBe(false)
  stop()
  expect(registry.unregister(first.name)).toBe(true)
  expect([registry.version, heard]).toEqual([3, 2])
  expect(registry.list()).toEqual([])
})

test('taking out a tool leaves another one of its name alone', () => {
  const [first] = toolRegistry.list()
  if (first === undefined) throw new Error('no tools')
  const registry = createToolRegistry([])
  const takeOut = registry.register(first)
  registry.unregister(first.name)
  const other = { ...first }
  registry.register(other)
  takeOut()
  expect(registry.get(first.name)).toBe(other)
})

test('arguments are checked in sentences that name the parameter', () => {
  const check = (name: string, args: JsonObject) => {
    const checked = toolRegistry.get(name)?.validate(args)
    return checked?.ok === false ? checked.message : 'ok'
  }
  expect(check('read_file', { path: '/a', offset: 1, limit: 2 })).toBe('ok')
  expect(check('read_file', {})).toBe('`path` is missing: it must be a string.')
  expect(check('read_file', { path: 5 })).toBe('`path` must be a string, but it was 5.')
  expect(check('read_file', { path: '/a', offset: 0 })).toBe('`offset` must be at least 1, but it was 0.')
  expect(check('read_file', { path: '/a', limit: 1.5 })).toBe('`limit` must be a whole number, but it was 1.5.')
  expect(check('write_file', { path: '/a', content: null })).toBe('`content` must be a string, but it was null.')
  expect(check('edit_file', { path: '/a', edits: [] })).toBe('`edits` must hold at least 1 item.')
  expect(check('edit_file', { path: '/a', edits: [{ search: '', replace: '' }] })).toBe(
    '`edits.0.search` must not be empty.',
  )
  expect(
    check('edit_file', { path: '/a', edits: Array.from({ length: 101 }, () => ({ search: 'a', replace: '' })) }),
  ).toBe('`edits` may hold at most 100 items.')
  expect(check('edit_file', { path: '/a', edits: [{ search: 'a' }] })).toBe(
    '`edits.0.replace` is missing: it must be a string.',
  )
  expect(check('search_files', { query: 'a', max_results: 201 })).toBe(
    '`max_results` must be at most 200, but it was 201.',
  )
  expect(check('list_directory', { path: '/', deep: true })).toBe('There is no parameter `deep`.')
})

test('the registry pulls neither files nor sandbox into the first load', async () => {
  const root = path.resolve(import.meta.dirname, '../..')
  const { metafile } = await build({
    entryPoints: [path.join(root, 'lib/tools/registry.ts'), path.join(root, 'lib/tools/discovery.ts')],
    absWorkingDir: root,
    tsconfig: path.join(root, 'tsconfig.json'),
    bundle: true,
    write: false,
    metafile: true,
    outdir: 'unused',
    logLevel: 'error',
  })
  const heavy = Object.keys(metafile.inputs).filter((file) => /zenfs|lib\/sandbox|memory-vfs|\.browser\./.test(file))
  expect(heavy).toEqual([])
})
