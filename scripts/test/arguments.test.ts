import { describe, expect, it } from 'vitest'
import { readArguments } from './arguments.mjs'
import { testFiles } from './test-files.mjs'

const tests = {
  unit: ['lib/vfs/paths.test.ts', 'components/files/tree.test.tsx'],
  e2e: ['e2e/approval.spec.ts', 'e2e/look.spec.ts'],
}
const read = (...words: readonly string[]) => readArguments(words, tests)
const why = (...words: readonly string[]) => {
  const given = read(...words)
  return given.ok ? '' : given.why
}
const asked = (...words: readonly string[]) => {
  const given = read(...words)
  return given.ok ? given.asked : given.why
}

describe('npm test -- …', () => {
  it('runs both halves by default, or the named one', () => {
    expect(asked()).toEqual({ halves: ['unit', 'e2e'], files: [], shard: null, rest: [] })
    expect(asked('e2e')).toEqual({ halves: ['e2e'], files: [], shard: null, rest: [] })
  })

  it('accepts files, a shard in either spelling, and passes other options to the runner', () => {
    const whole = { halves: ['unit'], files: ['lib/vfs', 'tree'], shard: '2/3', rest: [] }
    expect(asked('unit', './lib/vfs', 'tree', '--shard', '2/3')).toEqual(whole)
    expect(asked('unit', '--shard=2/3', 'lib/vfs', 'tree')).toEqual(whole)
    expect(asked('e2e', 'look', '-g', 'the screens')).toEqual({
      halves: ['e2e'],
      files: ['look'],
      shard: null,
      rest: ['-g', 'the screens'],
    })
  })

  it('refuses impossible requests with a sentence', () => {
    expect(why('untt')).toMatch(/^There is no half “untt”\. Say `npm test`/)
    expect(why('lib/vfs')).toMatch(/^There is no half “lib\/vfs”/)
    expect(why('unit', 'lib/vsf')).toBe('No test file of unit has “lib/vsf” in its path.')
    expect(why('unit', 'e2e/look.spec.ts')).toBe(
      '“e2e/look.spec.ts” is a test of the other half: npm test -- e2e e2e/look.spec.ts',
    )
    for (const shard of ['0/2', '3/2', '2', 'a/b', ''])
      expect(why('unit', '--shard', shard)).toBe(`A shard is a part of parts, as in \`--shard 1/4\`, not “${shard}”.`)
    expect(why('unit', '--shard')).toContain('not “”')
  })

  it('knows the existing files', async () => {
    const files = await testFiles()
    expect(files.unit).toContain('scripts/test/arguments.test.ts')
    expect(files.unit).toContain('next.config.test.ts')
    expect(files.e2e).toContain('e2e/approval.spec.ts')
    expect([...files.unit, ...files.e2e].some((name) => name.includes('node_modules'))).toBe(false)
  })
})
