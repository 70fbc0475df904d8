import path from 'node:path'
import { build } from 'esbuild'
import { describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import type { JsonObject } from '@/lib/base/json'
import { builtInTools } from './built-in-registry'
import { builtIn } from './testing/built-in'
import type { ToolDefinition } from './tool'

/** JSON Schema as zod creates it, without what is useless to a model: the draft name and the bounds of integers. */
function schemaOf(tool: ToolDefinition): unknown {
  const { schema } = tool.spec as ToolDefinition['spec'] & { readonly schema: z.ZodMiniType }
  const text = JSON.stringify(z.toJSONSchema(schema), (key, value: unknown) =>
    key === '$schema' || value === Number.MAX_SAFE_INTEGER || value === Number.MIN_SAFE_INTEGER ? undefined : value,
  )
  return JSON.parse(text)
}

describe('every tool', () => {
  test.each(builtInTools.map((tool) => ({ tool, name: tool.spec.name })))('$name', ({ tool }) => {
    expect(tool.spec.name).toMatch(/^[a-z]+(_[a-z]+)*$/)
    expect(tool.spec.description).toMatch(/\.$/)
    expect(tool.spec.parameters).toEqual(schemaOf(tool))
    expect(JSON.parse(JSON.stringify(tool.spec.parameters))).toEqual(tool.spec.parameters)
    expect(tool.run({ surprise: 1 }).ok).toBe(false)
    // Arguments come from a model: a summary must handle anything.
    for (const odd of [{}, { path: 5, code: null, content: [], edits: [1], from: {}, query: 2 }])
      expect(tool.card.summarize(odd).sentence.length).toBeGreaterThan(0)
  })
})

test('gives names and commands of VCP to one tool each', () => {
  const names = builtInTools.map((tool) => tool.spec.name)
  const commands = builtInTools.flatMap((tool) => tool.spec.vcpCommand ?? [])
  expect(new Set([...names, ...commands]).size).toBe(names.length + commands.length)
})

test('does not let tools that delete, run code or write run automatically by default', () => {
  const level = (name: string) => builtIn.get(name)?.policy.permission
  expect(['browser_js_eval', 'python_eval', 'delete_path'].map(level)).toEqual(['sensitive', 'sensitive', 'sensitive'])
  for (const tool of builtInTools)
    if (tool.policy.capabilities.files === 'write')
      expect([tool.spec.name, tool.policy.permission]).not.toContain('public')
})

test('checks arguments in sentences that name the parameter', () => {
  const check = (name: string, args: JsonObject) => {
    const checked = builtIn.get(name)?.run(args)
    return checked?.ok === false ? checked.refusals.map(({ message }) => message).join(' ') : 'ok'
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

test('loads neither files nor sandbox in the first load', async () => {
  const root = path.resolve(import.meta.dirname, '../../..')
  const { metafile } = await build({
    entryPoints: ['built-in-registry', 'tool-registry', 'discovery'].map((name) =>
      path.join(root, `lib/shared/tools/${name}.ts`),
    ),
    absWorkingDir: root,
    tsconfig: path.join(root, 'tsconfig.json'),
    bundle: true,
    splitting: true,
    format: 'esm',
    write: false,
    metafile: true,
    outdir: 'unused',
    logLevel: 'error',
  })
  // What a tool's run loads by `import()` comes with the run.
  const first = new Set<string>()
  const follow = (file: string) => {
    if (first.has(file)) return
    first.add(file)
    for (const { path: next, kind } of metafile.outputs[file]?.imports ?? [])
      if (kind === 'import-statement') follow(next)
  }
  for (const [file, { entryPoint }] of Object.entries(metafile.outputs))
    if (/(?:registry|tool-registry|discovery)\.ts$/.test(entryPoint ?? '')) follow(file)
  const inputs = [...first].flatMap((file) => Object.keys(metafile.outputs[file]?.inputs ?? {}))
  expect(inputs).toContain('lib/shared/tools/sql-query/index.ts')
  const heavy = inputs.filter((file) => /zenfs|lib\/sandbox|memory-vfs|\.browser\./.test(file))
  expect(heavy).toEqual([])
})
