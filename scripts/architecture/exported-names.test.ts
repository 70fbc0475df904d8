import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { exportedNames, namedTwice } from './exported-names'

const root = path.resolve(import.meta.dirname, '../..')

it('a name is exported by one file, so that whoever looks for it finds one thing', () => {
  const files = globSync('{lib,components}/**/*.{ts,tsx}', { cwd: root })
    .filter((file) => !/\.(?:test|contract)\.tsx?$|\/(?:testing|fixtures)\/|\/cases[./]|contract-checks/.test(file))
    .toSorted()
  expect(files.length).toBeGreaterThan(700)
  const twice = namedTwice(new Map(files.map((file) => [file, readFileSync(path.join(root, file), 'utf8')])))
  expect([...twice].map(([name, all]) => `${name}: ${all.join(', ')}`)).toEqual([])
})

it('reads what a file declares, not what it hands on', () => {
  const source = `export const a = 1, b = 2
    export function c() {}
    export interface D { a: 1 }
    export type { E } from './e'
    export * from './f'
    const g = 1
    import { h } from './h'
    export { g as G, h }`
  expect(exportedNames('x.ts', source)).toEqual(['a', 'b', 'c', 'D', 'G'])
})

it('takes siblings that fulfil one contract as one', () => {
  const of = (...files: readonly string[]) => [
    ...namedTwice(new Map(files.map((file) => [file, 'export const a = 1']))),
  ]
  expect(of('lib/strategies/vcp/format.ts', 'lib/strategies/native/format.ts')).toEqual([])
  expect(of('lib/strategies/vcp/format.ts', 'lib/strategies/native/read.ts')).toHaveLength(1)
  expect(of('lib/vfs/path.ts', 'lib/chat/path.ts')).toHaveLength(1)
})
