import { describe, expect, test } from 'vitest'
import { bundleLibrary } from '@/scripts/build-sandbox.mjs'
import type { ModulePorts, PreparedEntry } from './module-registry'

// Tests the shipped bundle of the transformation, run as the sandbox's worker runs it.
const built = await bundleLibrary('modules.ts')
const script = { exports: {} as { createModuleGraph: (ports: ModulePorts) => Graph } }
interface Graph {
  prepare(code: string, types: readonly string[]): Promise<PreparedEntry>
}
type Callable = (...values: readonly unknown[]) => unknown
const AsyncFunction = (async () => {}).constructor as new (...parts: readonly string[]) => Callable
const SyncFunction = (() => {}).constructor as new (...parts: readonly string[]) => Callable
new SyncFunction('module', 'exports', built)(script, script.exports)

function graphOf(files: Readonly<Record<string, string>> = {}): Graph {
  return script.exports.createModuleGraph({
    builtIns: {},
    missing: {},
    libraries: ['papaparse'],
    loadLibrary: async (name) => ({ name }),
    listFolder: (folder) =>
      folder === '/' ? new Map(Object.keys(files).map((path) => [path.slice(1), 'file' as const])) : null,
    readText: (path) => ({ ok: true, text: files[path] ?? '' }),
    compile: (kind, parameters, body) => new (kind === 'async' ? AsyncFunction : SyncFunction)(...parameters, body),
    placeOfSyntaxError: () => '',
  })
}

async function valueOf(code: string, files: Readonly<Record<string, string>> = {}): Promise<unknown> {
  const entry = await graphOf(files).prepare(code, ['javascript', 'typescript'])
  if (!entry.ok) throw new SyntaxError(`${entry.error.message} at ${entry.error.line}:${entry.error.column}`)
  expect(entry.body.split('\n')).toHaveLength(code.split('\n').length)
  return new AsyncFunction(...entry.parameters, entry.body)(...entry.values)
}

describe('code keeps its lines and its meaning', () => {
  test.each<[string, Readonly<Record<string, string>>, unknown]>([
    ['import { a } from "./a"\nreturn a', { '/a.js': 'export const a = 1, b = 2;' }, 1],
    [
      'import { a, b } from "./a"\nreturn [a, b]',
      { '/a.js': 'export let a = [1, 2]\n, b = { c: 1, d: 2 }\nb.e = 3' },
      [[1, 2], { c: 1, d: 2, e: 3 }],
    ],
    ['import { f } from "./a"; return f()', { '/a.js': 'export { g as f }; function g() { return "late" }' }, 'late'],
    [
      'import f, * as all from "./a"; return [f(), Object.keys(all)]',
      { '/a.js': 'export default function () { return 1 }' },
      [1, ['default']],
    ],
    ['import Box from "./a"; return new Box().n', { '/a.js': 'export default class { n = 5 }' }, 5],
    [
      'import { x, y } from "./a"; return [x, y]',
      { '/a.js': 'export const { x, z: { y } } = { x: 1, z: { y: 2 } }' },
      [1, 2],
    ],
    ['return (await import("./a.js")).default', { '/a.js': 'export default import.meta.filename' }, '/a.js'],
    ['return "import(x)" + `${1}import.meta`', {}, 'import(x)1import.meta'],
    ['const o = { import: 1, require: (x) => x }\nreturn [o.import, o.require("./none")]', {}, [1, './none']],
    ['import papa from "papaparse"\nreturn papa.name', {}, 'papaparse'],
    ['const a: number = 1\ntype T = string\nreturn a as unknown', {}, 1],
    ['import type { T } from "./none"\nlet a: T | 1 = 1\nreturn a', {}, 1],
    ['import { n } from "./a"\nreturn n', { '/a.ts': 'enum E { A = 4 }\nexport const n: number = E.A' }, 4],
  ])('%j %j', async (code, files, value) => {
    expect(await valueOf(code, files)).toEqual(value)
  })
})

test('says where code can’t be parsed', async () => {
  await expect(valueOf('import a from "papaparse"\nconst x = = 2')).rejects.toThrow(/ at 2:\d+$/)
})

test('two concurrent imports of one file both give the complete file', async () => {
  const files = { '/a.js': 'import "./b.js"; export const a = 1', '/b.js': 'await 0; export {}' }
  expect(
    await valueOf('return (await Promise.all([import("./a.js"), import("./a.js")])).map((m) => m.a)', files),
  ).toEqual([1, 1])
})
