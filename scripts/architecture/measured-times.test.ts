import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { measuredTimes } from './measured-times'

const root = path.resolve(import.meta.dirname, '../..')

it('no test expects anything of a time that it measured: a busy machine would fail it', () => {
  const files = globSync('{app,components,lib,scripts}/**/*.{test,contract}.{ts,tsx}', { cwd: root }).toSorted()
  expect(files.length).toBeGreaterThan(300)
  const found = files.flatMap((file) =>
    measuredTimes(file, readFileSync(path.join(root, file), 'utf8')).map((line) => `${file}:${line}`),
  )
  expect(found, 'count what is done instead, as lib/base/testing/count-work.ts does').toEqual([])
})

it.each([
  ['a difference', 'const from = performance.now()\nexpect(performance.now() - from).toBeLessThan(9)'],
  ['a name for the difference', 'const a = Date.now()\nconst ms = Date.now() - a; expect(ms < 9).toBe(true)'],
  ['two names', 'let b: number\nconst a = Date.now(); b = Date.now(); expect(Math.round(b - a)).toBe(1)'],
  ['a function', 'expect(time()).toBeLessThan(9)\nfunction time() { const a = Date.now(); return Date.now() - a }'],
  [
    'an arrow function',
    'const time = () => { const a = performance.now(); return performance.now() - a }\nexpect.soft(time())',
  ],
  [
    'a quotient',
    'const t = (n: number) => { const a = performance.now(); return performance.now() - a }\nexpect(t(2) / t(1))',
  ],
  ['the clock itself', 'const a = Date.now() + 5\nexpect(Date.now()).toBeLessThan(a)'],
  ['Node’s own clock', 'const a = process.hrtime.bigint()\nexpect(Number(process.hrtime.bigint() - a)).toBe(1)'],
])('finds %s', (_, source) => {
  expect(measuredTimes('a.test.ts', source)).toHaveLength(1)
})

it.each([
  ['a time that is given on', 'const vfs = open({ now: () => Date.now() })\nexpect(vfs.list()).toEqual([])'],
  ['a time some while ago', 'const grant = { at: Date.now() - 12 * 60_000 }\nexpect(grant.at).toBe(1)'],
  ['a clock that is played', 'vi.useFakeTimers()\nconst a = Date.now()\nexpect(Date.now() - a).toBe(1)'],
  [
    'a time that only decides when to give up',
    'const a = Date.now()\nwhile (Date.now() - a < 9) look()\nexpect(seen).toBe(1)',
  ],
])('leaves %s', (_, source) => {
  expect(measuredTimes('a.test.ts', source)).toEqual([])
})
