import { readFileSync } from 'node:fs'
import path from 'node:path'
import { globSync } from 'tinyglobby'
import { expect, it } from 'vitest'
import { directReadings, wallClockSpans } from './wall-clock'

const root = path.resolve(import.meta.dirname, '../..')
const clocks = 'lib/base/clocks.ts'
const files = globSync(['{app,components,lib}/**/*.{ts,tsx}', '*.ts'], { cwd: root })
  .filter((file) => !/\.(test|contract)\.tsx?$|\/testing\/|\.d\.ts$/.test(file) && file !== clocks)
  .toSorted()
const inFiles = (find: typeof wallClockSpans) =>
  files.flatMap((file) =>
    find(file, readFileSync(path.join(root, file), 'utf8')).map(({ text, line }) => `${file}:${line} ${text}`),
  )

it('no duration is measured with the wall clock', () => {
  expect(files.length).toBeGreaterThan(1_000)
  expect(inFiles(wallClockSpans), `use the monotonic clock, or a function of ${clocks} for a stored time`).toEqual([])
})

it('the wall clock is read in one place only', () => {
  expect(inFiles(directReadings), `use wallClock of ${clocks}`).toEqual([])
})

it.each([
  ['a difference', 'const a = Date.now(); wait(); tell(Date.now() - a)'],
  ['a difference of port readings', 'const at = clock.now(); tell(clock.now() - at)'],
  ['a difference of names', 'const a = ports.now(), b = ports.now(); tell(b - a)'],
  ['a remaining time', 'const until = now() + 500; wait(until - now())'],
  ['a deadline', 'const until = now() + 500; while (now() < until) look()'],
  ['a deadline in a field', 'kept.until = now() + 500; if (kept.until > other) stop()'],
  ['a property', 'const kept = { at: now() }; tell(5 - kept.at)'],
  ['an argument', 'const age = (at: number, now: number) => now - at'],
  ['a date', 'tell(new Date().getTime() - at)'],
  ['a name for the clock', 'tell(wallClock() - at)'],
  ['a maximum', 'const at = Math.max(0, now()); tell(at - 5)'],
  ['a default', 'let at: number | null = null; at ??= now(); tell(10 - at!)'],
  ['a subtraction', 'let left = 500; left -= now()'],
])('finds %s', (_, source) => {
  expect(wallClockSpans('a.ts', source)).not.toEqual([])
})

it.each([
  ['a monotonic span', 'const a = performance.now(); tell(performance.now() - a)'],
  ['a monotonic port', 'const at = clock.monotonic(); tell(clock.monotonic() - at)'],
  ['an end to store', 'store({ endsAt: now() + 500 })'],
  ['a stored time asked by name', 'if (isOver(grant.endsAt, now())) forget(grant)'],
  ['a date of a given time', 'const a = new Date(at).getTime() - new Date(other).getTime()'],
])('leaves %s', (_, source) => {
  expect(wallClockSpans('a.ts', source)).toEqual([])
})

it('finds a direct reading, even as a passed function', () => {
  expect(directReadings('a.ts', 'open({ now: Date.now })\nconst at = Date.now()')).toHaveLength(2)
  expect(directReadings('a.ts', 'const at = performance.now()')).toEqual([])
})
