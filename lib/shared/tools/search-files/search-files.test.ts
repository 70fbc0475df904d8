import { makeModelMessage } from '@/lib/i18n/t'
import { describe, expect, test } from 'vitest'
import type { JsonObject } from '@/lib/base/json'
import type { Sandbox } from '@/lib/sandbox/sandbox'
import { filesWith, runTool, sentenceOf, type TestPorts } from '../testing/files'
import { searchFiles } from '.'
import { excerpt } from './searched-files'

const tree = {
  '/a.md': 'Hello\nworld\r\nsay hello again',
  '/src/b.ts': 'const hello = 1\nconst x = 22',
  '/src/deep/c.ts': 'const y = 333',
  '/pic.png': new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0]),
  '/.nod/results/r-1.txt': 'hello',
}

const search = async (args: JsonObject, ports: Partial<TestPorts> = {}) =>
  runTool(searchFiles, { query: '', ...args }, { vfs: ports.vfs ?? (await filesWith(tree)), ...ports })

test.each([
  [{ query: 'hello' }, 'Search the files for the text `hello`'],
  [{ query: 'a+', regex: true, folder: '/src' }, 'Search the files in `/src` for lines that match `a+`'],
  [{ query: 'a', glob: '*.md' }, 'Search the files `*.md` for the text `a`'],
  [{ query: '', glob: '*.md' }, 'List the files `*.md`'],
])('says what it searches for: %j', (args, sentence) => {
  expect(sentenceOf(searchFiles, args)).toBe(sentence)
})

test('a grant for its folder does not cover the neighbours', () => {
  expect(searchFiles.policy.paths?.({ query: 'a', folder: '/src/' })).toEqual(['/src/**'])
  expect(searchFiles.policy.paths?.({ query: 'a' })).toEqual(['/**'])
})

describe('a text', () => {
  test('is found in any case, with path and line, in text files only', async () => {
    expect(await search({ query: 'HELLO' })).toEqual({
      ok: true,
      result: {
        matches: [
          { path: '/a.md', line: 1, text: 'Hello' },
          { path: '/a.md', line: 3, text: 'say hello again' },
          { path: '/src/b.ts', line: 1, text: 'const hello = 1' },
        ],
        searchedFiles: 4,
        note: '1 file is not text and not searched.',
      },
    })
  })

  test('is found in files of other encodings', async () => {
    const vfs = await filesWith({
      '/latin.txt': Uint8Array.from('une\ncaf\u00e9 cr\u00e8me', (sign) => sign.charCodeAt(0)),
      '/wide.txt': Uint8Array.from([0xff, 0xfe, ...Array.from('caf\u00e9', (sign) => [sign.charCodeAt(0), 0]).flat()]),
    })
    for (const regex of [false, true])
      expect(await search({ query: 'caf\u00e9', regex }, { vfs })).toMatchObject({
        result: {
          matches: [
            { path: '/latin.txt', line: 2 },
            { path: '/wide.txt', line: 1 },
          ],
        },
      })
  })

  test('is taken literally, even if it looks like a pattern', async () => {
    expect(await search({ query: '.*' })).toMatchObject({ result: { matches: [] } })
    const vfs = await filesWith({ '/a': 'f(.*)+' })
    expect(await search({ query: '(.*)+' }, { vfs })).toMatchObject({ result: { matches: [{ line: 1 }] } })
  })

  test('is searched in a folder, in one file, or where a glob says', async () => {
    const paths = async (args: JsonObject) => {
      const outcome = await search({ query: 'const', ...args })
      const { matches } = (outcome.ok ? outcome.result : {}) as { matches: readonly { path: string }[] }
      return [...new Set(matches.map(({ path }) => path))]
    }
    expect(await paths({ folder: 'src/deep' })).toEqual(['/src/deep/c.ts'])
    expect(await paths({ folder: '/src/b.ts' })).toEqual(['/src/b.ts'])
    expect(await paths({ glob: 'src/*.ts' })).toEqual(['/src/b.ts'])
    expect(await paths({ folder: '/src', glob: '**/*.ts' })).toEqual(['/src/b.ts', '/src/deep/c.ts'])
  })

  test('searches stored results only by name', async () => {
    expect(await search({ query: 'hello', folder: '/.nod' })).toMatchObject({
      result: { matches: [{ path: '/.nod/results/r-1.txt', line: 1 }] },
    })
  })

  test('is cut at the wanted number, and says so only if there are more', async () => {
    const vfs = await filesWith({ '/a': 'x\n'.repeat(60) })
    const count = async (args: JsonObject) => {
      const outcome = await search({ query: 'x', ...args }, { vfs })
      const { matches, note } = (outcome.ok ? outcome.result : {}) as { matches: readonly unknown[]; note?: string }
      return [matches.length, note]
    }
    const more = 'there are more. Narrow it down by folder, glob or query.'
    expect(await count({})).toEqual([50, `Cut at 50 matches; ${more}`])
    expect(await count({ max_results: 59 })).toEqual([59, `Cut at 59 matches; ${more}`])
    expect(await count({ max_results: 60 })).toEqual([60, undefined])
  })

  test('is not searched in files that are too large, and they are named', async () => {
    const vfs = await filesWith({ '/big': 'x'.repeat(2_000_001), '/small': 'x' })
    expect(await search({ query: 'x' }, { vfs })).toMatchObject({
      result: { matches: [{ path: '/small' }], note: '1 file over 2 MB not searched, such as /big.' },
    })
  })

  test('shows only the surroundings of a match in a long line', async () => {
    const vfs = await filesWith({ '/a': `${'a'.repeat(5_000)}MATCH${'b'.repeat(5_000)}` })
    const outcome = await search({ query: 'match' }, { vfs })
    expect(JSON.stringify(outcome)).toMatch(/"…a+MATCHb+…"/)
    expect(JSON.stringify(outcome).length).toBeLessThan(400)
    expect(excerpt('😀'.repeat(300), 301, 240).isWellFormed()).toBe(true)
  })
})

describe('names', () => {
  test('are listed by a glob alone', async () => {
    expect(await search({ glob: '*.ts' })).toEqual({
      ok: true,
      result: {
        files: [
          { path: '/src/b.ts', size: 28 },
          { path: '/src/deep/c.ts', size: 13 },
        ],
      },
    })
    expect(await search({ glob: '*', max_results: 1 })).toMatchObject({
      result: { files: [{ path: '/a.md' }], note: 'Cut at 1 files; there are more.' },
    })
  })
})

describe('a pattern', () => {
  test('finds the lines that it matches, case-sensitively', async () => {
    expect(await search({ query: '^[a-z]+ [xy] = (\\d)\\1+$', regex: true })).toMatchObject({
      result: {
        matches: [
          { path: '/src/b.ts', line: 2, text: 'const x = 22' },
          { path: '/src/deep/c.ts', line: 1, text: 'const y = 333' },
        ],
      },
    })
    expect(await search({ query: 'HELLO', regex: true })).toMatchObject({ result: { matches: [] } })
  })

  test('goes through many lines in several runs, and stops at the wanted number', async () => {
    const vfs = await filesWith({ '/a': Array.from({ length: 40_000 }, (_, at) => `line number ${at}`).join('\n') })
    const lines = async (args: JsonObject) => {
      const outcome = await search({ regex: true, ...args }, { vfs })
      const { matches } = (outcome.ok ? outcome.result : {}) as { matches: readonly { line: number }[] }
      return matches.map(({ line }) => line)
    }
    expect(await lines({ query: ' \\d?9999$' })).toEqual([10_000, 20_000, 30_000, 40_000])
    expect(await lines({ query: ' \\d?9999$', max_results: 2 })).toEqual([10_000, 20_000])
  })

  test('that takes forever is stopped, and says how far it came', async () => {
    const vfs = await filesWith({ '/a': 'aab', '/b': `${'a'.repeat(40)}!` })
    const outcome = await search({ query: '^(a+)+b$', regex: true }, { vfs, timeoutMs: 200 })
    expect(outcome).toMatchObject({
      ok: false,
      reason: 'timed-out',
      message:
        'The pattern took too long and was stopped. It came as far as /a:1. ' +
        'Try a simpler pattern, or a text without `regex`.',
    })
  })

  test('that is invalid is reported in a sentence, before anything runs', async () => {
    expect(await search({ query: '(a', regex: true })).toMatchObject({
      ok: false,
      reason: 'EINVAL',
      message: expect.stringMatching(
        /^`query` is not a regular expression that JavaScript can read: .*Unterminated group/,
      ),
    })
  })

  test('sees only the beginning of a long line, and says so', async () => {
    const vfs = await filesWith({ '/a': `${'a'.repeat(2_000)}b` })
    expect(await search({ query: 'b', regex: true }, { vfs })).toMatchObject({
      result: { matches: [], note: '1 line is long: the pattern saw the first 2000 characters.' },
    })
  })

  test('can’t break out of its quotes, nor can a line', async () => {
    const vfs = await filesWith({ '/a': '"]; throw 1; //\n\u2028`${x}' })
    expect(await search({ query: '"\\]|`', regex: true }, { vfs })).toMatchObject({
      result: { matches: [{ line: 1 }, { line: 2 }] },
    })
  })

  test('a sandbox that can’t start, or invents matches, gives no match', async () => {
    const sandboxThat = (value: string | null): Sandbox => ({
      run: () =>
        Promise.resolve(
          value === null
            ? { kind: 'unavailable', refusal: makeModelMessage('run.closed'), durationMs: 0 }
            : { kind: 'returned', value, valueIsJson: true, durationMs: 0 },
        ),
      dispose: () => {},
    })
    expect(await search({ query: 'a', regex: true }, { sandbox: sandboxThat(null) })).toMatchObject({
      reason: 'unavailable',
      message: expect.stringContaining('The sandbox was closed.'),
    })
    expect(await search({ query: 'a', regex: true }, { sandbox: sandboxThat('[[99999,0],["0",0],5]') })).toMatchObject({
      result: { matches: [] },
    })
  })
})

test.each([
  [{ query: '' }, '`query` is empty'],
  [{ query: 'a\nb' }, 'line break'],
  [{ query: 'a'.repeat(1_001) }, 'longer than 1000 characters'],
  [{ query: 'a', folder: '/sr' }, 'There is no folder at /sr. The nearest name is /src.'],
  [{ query: 'a', folder: '/..' }, 'leads out'],
])('refuses %j', async (args, words) => {
  expect(await search(args)).toMatchObject({ ok: false, message: expect.stringContaining(words) })
})

test('a stopped search says that it was stopped', async () => {
  for (const args of [{ query: 'a' }, { query: 'a', regex: true }, { glob: '*' }]) {
    expect(await search(args, { signal: AbortSignal.abort() })).toMatchObject({ ok: false, reason: 'stopped' })
  }
})
