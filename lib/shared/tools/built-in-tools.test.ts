import { makeModelMessage } from '@/lib/i18n/t'
import { describe, expect, test } from 'vitest'
import type { JsonObject } from '@/lib/base/json'
import type { Sandbox, SandboxEvent, SandboxOutcome } from '@/lib/sandbox/sandbox'
import { createMemoryVfs } from '@/lib/vfs/memory/memory-vfs'
import type { Vfs } from '@/lib/vfs/vfs'
import { builtIn } from './testing/built-in'
import { runTool } from './testing/files'
import { runsOnCopy } from '@/lib/shared/calls/approval-policy'
import type { CurrentItem, ToolOutcome } from './tool'

const noSandbox: Sandbox = { run: () => Promise.reject(new Error('no sandbox')), dispose: () => {} }

function sandboxThat(outcome: SandboxOutcome, events: readonly SandboxEvent[] = []): Sandbox {
  return {
    async run({ onEvent }) {
      for (const event of events) onEvent(event)
      return outcome
    },
    dispose: () => {},
  }
}

async function run(name: string, args: JsonObject, ports: { vfs?: Vfs; sandbox?: Sandbox } = {}): Promise<ToolOutcome> {
  const tool = builtIn.get(name)
  if (tool === undefined) throw new Error(`no tool ${name}`)
  return runTool(tool, args, { vfs: createMemoryVfs(), sandbox: noSandbox, timeoutMs: 1_000, ...ports })
}

async function filesWith(files: Readonly<Record<string, string | Uint8Array>>): Promise<Vfs> {
  const vfs = createMemoryVfs()
  for (const [path, content] of Object.entries(files)) {
    await vfs.write(path, typeof content === 'string' ? new TextEncoder().encode(content) : content)
  }
  return vfs
}

const summary = (name: string, args: JsonObject, current?: CurrentItem | null) =>
  builtIn
    .get(name)
    ?.card.summarize(args, () => current)
    .sentence.map((part) => (typeof part === 'string' ? part : `\`${part.code}\``))
    .join('')

describe('summaries say what will happen', () => {
  test.each([
    [
      'write_file',
      { path: '/a.md', content: 'x'.repeat(2_100) },
      { text: '', size: 1_800 },
      'Write 2.1 KB to `/a.md`, replacing a file of 1.8 KB',
    ],
    ['write_file', { path: '/a.md', content: 'é'.repeat(209) }, null, 'Write 418 B to `/a.md`, a new file'],
    ['write_file', { path: '/a.md', content: '' }, undefined, 'Write 0 B to `/a.md`'],
    [
      'write_file',
      { path: '/a', content: '' },
      { text: null, size: 9, files: 2 },
      'Write 0 B to `/a`. A folder has that name, so this would fail',
    ],
    ['read_file', { path: '/a.md' }, undefined, 'Read `/a.md`'],
    ['read_file', { path: '/a.md', offset: 11, limit: 10 }, undefined, 'Read `/a.md`, lines 11 to 20'],
    ['read_file', { path: '/a.md', offset: 11 }, undefined, 'Read `/a.md`, from line 11'],
    ['list_directory', { path: '/' }, undefined, 'List the folder `/`'],
    ['browser_js_eval', { code: 'a\n'.repeat(14) }, undefined, 'Run 14 lines of JavaScript'],
    ['browser_js_eval', { code: 'a' }, undefined, 'Run 1 line of JavaScript'],
    ['python_eval', { code: 'a\nb\n' }, undefined, 'Run 2 lines of Python'],
  ])('%s %#', (name, args, current, sentence) => {
    expect(summary(name, args, current)).toBe(sentence)
  })
})

describe('list_directory', () => {
  test('returns names, kinds and sizes', async () => {
    const vfs = await filesWith({ '/b.txt': 'xx', '/d/a': '1' })
    expect(await run('list_directory', { path: '' }, { vfs })).toEqual({
      ok: true,
      result: {
        path: '/',
        entries: [
          { name: 'd', kind: 'directory' },
          { name: 'b.txt', kind: 'file', size: 2 },
        ],
      },
    })
  })

  test('hides the folder of stored results in the root, and shows it on request', async () => {
    const vfs = await filesWith({ '/.nod/results/a-1.txt': 'xx', '/b.txt': '1' })
    expect(await run('list_directory', { path: '/' }, { vfs })).toMatchObject({
      result: {
        entries: [{ name: 'b.txt' }],
        note: '/.nod is not shown: it holds results that were too large to send.',
      },
    })
    expect(await run('list_directory', { path: '/.nod/results' }, { vfs })).toEqual({
      ok: true,
      result: { path: '/.nod/results', entries: [{ name: 'a-1.txt', kind: 'file', size: 2 }] },
    })
  })

  test('names the nearest folder for a missing one', async () => {
    const vfs = await filesWith({ '/notes/a': '1' })
    expect(await run('list_directory', { path: '/note' }, { vfs })).toMatchObject({
      ok: false,
      reason: 'ENOENT',
      message: 'There is no folder at /note. The nearest name is /notes.',
    })
  })
})

describe('write_file', () => {
  test('says how much and whether something was replaced', async () => {
    const vfs = createMemoryVfs()
    const write = (content: string) => run('write_file', { path: 'a/b.md', content }, { vfs })
    expect(await write('é')).toEqual({ ok: true, result: { path: '/a/b.md', size: 2, replaced: false } })
    expect(await write('')).toEqual({ ok: true, result: { path: '/a/b.md', size: 0, replaced: true } })
  })

  test('refuses text that no file can contain', async () => {
    expect(await run('write_file', { path: '/a', content: '\ud800' })).toMatchObject({ ok: false, reason: 'EINVAL' })
  })
})

describe('read_file', () => {
  const read = async (content: string | Uint8Array, args: JsonObject = {}) =>
    run('read_file', { path: '/f.txt', ...args }, { vfs: await filesWith({ '/f.txt': content }) })
  const lines = (count: number) => Array.from({ length: count }, (_, at) => `line ${at + 1}\n`).join('')

  test('returns a short file whole', async () => {
    expect(await read('one\r\ntwo')).toEqual({ ok: true, result: { path: '/f.txt', content: 'one\r\ntwo' } })
    expect(await read('')).toEqual({ ok: true, result: { path: '/f.txt', content: '' } })
  })

  test('returns a page, and says how to read on', async () => {
    expect(await read(lines(10), { offset: 3, limit: 2 })).toEqual({
      ok: true,
      result: {
        path: '/f.txt',
        content: 'line 3\nline 4\n',
        firstLine: 3,
        lastLine: 4,
        totalLines: 10,
        note: 'Lines 3 to 4 of 10. Read on with offset 5.',
      },
    })
    expect(await read(lines(10), { offset: 9 })).toMatchObject({
      result: { note: 'Lines 9 to 10 of 10. That is the end.' },
    })
  })

  test('reading page by page returns the whole file', async () => {
    const whole = lines(20_000)
    const vfs = await filesWith({ '/f.txt': whole })
    let text = ''
    for (let offset = 1; offset <= 20_000;) {
      const page = await run('read_file', { path: '/f.txt', offset }, { vfs })
      if (!page.ok) throw new Error(page.message)
      const { content, lastLine } = page.result as { content: string; lastLine: number }
      expect(content.length).toBeLessThanOrEqual(48_000)
      text += content
      offset = lastLine + 1
    }
    expect(text).toBe(whole)
  })

  test('returns a line that is longer than a page in parts, and says how to read on', async () => {
    expect(await read(`${'x'.repeat(100_000)}\nnext`)).toMatchObject({
      ok: true,
      result: {
        content: 'x'.repeat(48_000),
        firstLine: 1,
        lastLine: 1,
        totalLines: 2,
        note: 'Line 1 is very long: these are its characters 1 to 48000 of 100001. Read on with offset 1 and column 48001.',
      },
    })
    expect(await read(`${'x'.repeat(100_000)}\nnext`, { column: 99_990 })).toMatchObject({
      result: {
        content: `${'x'.repeat(11)}\nnext`,
        note: 'Lines 1 to 2 of 2 (line 1 from character 99990). That is the end.',
      },
    })
    expect(await read('short', { column: 9 })).toMatchObject({
      ok: false,
      message: 'Line 1 has 5 characters; there is no column 9.',
    })
    expect(await read('a😀b', { column: 3 })).toMatchObject({ result: { content: '😀b' } })
  })

  test.each([
    ['quotes', '"'.repeat(150_000)],
    ['emoji', '😀'.repeat(40_000)],
    ['control characters', '\u0001'.repeat(60_000)],
    ['lines of every length', Array.from({ length: 40 }, (_, at) => 'ab'.repeat(at * 2_000)).join('\n')],
  ])('reading on through %s as the notes say returns the whole file', async (_what, whole) => {
    const vfs = await filesWith({ '/f.txt': whole })
    let text = ''
    let next: JsonObject | null = { offset: 1 }
    for (let pages = 0; next !== null && pages < 200; pages++) {
      const page = await run('read_file', { path: '/f.txt', ...next }, { vfs })
      if (!page.ok) throw new Error(page.message)
      const { content, note = '' } = page.result as { content: string; note?: string }
      expect(JSON.stringify(page.result).length).toBeLessThan(50_000)
      text += content
      const on = /offset (\d+)(?: and column (\d+))?/.exec(note)
      next = on && { offset: Number(on[1]), ...(on[2] !== undefined && { column: Number(on[2]) }) }
    }
    expect(text).toBe(whole)
  })

  test('pages of text that JSON makes longer stay below the limit, too', async () => {
    const page = await read(`${'"'.repeat(1_000)}\n`.repeat(60))
    expect(page.ok && JSON.stringify(page.result).length).toBeLessThan(50_000)
    expect(page.ok && JSON.stringify(page.result)).toContain('Lines 1 to 23 of 60')
  })

  test('reports a page after the end', async () => {
    expect(await read(lines(2), { offset: 9 })).toMatchObject({
      ok: false,
      message: 'The file has 2 lines; there is no line 9.',
    })
  })

  test('says what a file without text is', async () => {
    const png = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0, 0])
    expect(await read(png)).toMatchObject({
      ok: false,
      reason: 'binary',
      message: expect.stringContaining('a PNG image, 6 B'),
    })
    expect(await read(new Uint8Array([65, 0, 66]))).toMatchObject({ reason: 'binary' })
    expect(await read(new Uint8Array([0xff, 0xfe, 0x41]))).toMatchObject({ reason: 'binary' })
  })

  test.each([
    ['/notes/a.txt', '/notes/a.md'],
    ['/a.md', '/notes/a.md'],
    ['/notes/A.MD', '/notes/a.md'],
    ['/notes/reprot.csv', '/notes/report.csv'],
  ])('of %s, which is missing, names %s', async (wanted, nearest) => {
    const vfs = await filesWith({ '/notes/a.md': '1', '/notes/report.csv': '2', '/zzz': '3' })
    expect(await run('read_file', { path: wanted }, { vfs })).toMatchObject({
      message: `There is no file at ${wanted}. The nearest name is ${nearest}.`,
    })
  })

  test('names nothing if nothing is near', async () => {
    const vfs = await filesWith({ '/completely-different.bin': '1' })
    expect(await run('read_file', { path: '/notes.md' }, { vfs })).toMatchObject({
      message: 'There is no file at /notes.md.',
    })
  })
})

describe('browser_js_eval', () => {
  const evaluate = (outcome: SandboxOutcome, events: readonly SandboxEvent[] = []) =>
    run('browser_js_eval', { code: 'x' }, { sandbox: sandboxThat(outcome, events) })
  const log = (text: string, level: 'log' | 'error' = 'log'): SandboxEvent => ({
    type: 'console',
    level,
    text,
    atMs: 0,
  })
  const returned = (value: string, valueIsJson: boolean) =>
    ({ kind: 'returned', value, valueIsJson, durationMs: 1 }) as const

  test('returns the value, the console and the displays', async () => {
    const display: SandboxEvent = { type: 'display', kind: 'svg', data: 'x'.repeat(1_200), atMs: 0 }
    expect(await evaluate(returned('{"a":1}', true), [log('hi'), log('oh', 'error'), display])).toEqual({
      ok: true,
      result: { value: { a: 1 }, console: ['hi', '[error] oh'], displayed: ['svg, 1.2 KB'] },
    })
  })

  test('keeps text that only claims to be JSON as text', async () => {
    expect(await evaluate(returned('{oops', true))).toEqual({ ok: true, result: { value: '{oops' } })
    expect(await evaluate(returned('Map(0) {}', false))).toEqual({ ok: true, result: { value: 'Map(0) {}' } })
  })

  test('reports no value and no console', async () => {
    expect(await evaluate(returned('undefined', false))).toMatchObject({
      result: { note: expect.stringContaining('nothing') },
    })
    expect(await evaluate(returned('undefined', false), [log('hi')])).toEqual({ ok: true, result: { console: ['hi'] } })
  })

  test('cuts a long console for the model', async () => {
    const outcome = await evaluate(
      returned('1', true),
      Array.from({ length: 500 }, (_, at) => log(`line ${at}`)),
    )
    const { console } = (outcome.ok ? outcome.result : {}) as { console: readonly string[] }
    expect(console).toHaveLength(201)
    expect(console.at(-1)).toBe('… 300 more console lines, shown to the user only')
  })

  test.each<[SandboxOutcome, string, string]>([
    [{ kind: 'threw', message: 'TypeError: x', durationMs: 1 }, 'threw', 'TypeError: x'],
    [{ kind: 'timed-out', durationMs: 1_000 }, 'timed-out', 'still running after 1 s'],
    [{ kind: 'stopped', durationMs: 5 }, 'stopped', 'The user stopped'],
    [
      { kind: 'flooded', refusal: makeModelMessage('run.flooded', { what: 'calls' }), durationMs: 5 },
      'flooded',
      'too many',
    ],
    [{ kind: 'unavailable', refusal: makeModelMessage('run.closed'), durationMs: 5 }, 'unavailable', 'was closed'],
  ])('%# an end of another kind is a failure with a sentence', async (outcome, reason, words) => {
    const failed = await evaluate(outcome, [log('before')])
    expect(failed).toMatchObject({ ok: false, reason, message: expect.stringContaining(words) })
    expect(failed.ok ? null : failed.result).toMatchObject({ console: ['before'] })
  })
})

test('tools whose code changes files declare that they change at its end, so that a cut-off run changed none', () => {
  const running = builtIn.list().filter(({ card }) => card.tags.includes('code'))
  expect(running.length).toBeGreaterThan(1)
  expect(running.filter(({ policy }) => policy.filesAtTheEnd !== true).map(({ spec }) => spec.name)).toEqual([])
})

test('on a copy of the files runs only tools that read or change files', () => {
  const asked = builtIn
    .list()
    .filter((tool) => !runsOnCopy(tool))
    .map(({ spec }) => spec.name)
  expect(asked.toSorted()).toEqual(['ask_user', 'edit_memory'])
})
