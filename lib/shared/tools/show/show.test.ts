import { makeModelMessage } from '@/lib/i18n/t'
import { runInNewContext } from 'node:vm'
import { describe, expect, test } from 'vitest'
import type { JsonObject, JsonValue } from '@/lib/base/json'
import { showValue, type DisplayPorts } from '@/lib/sandbox/frame/display-value'
import type { Sandbox, SandboxEvent, SandboxOutcome } from '@/lib/sandbox/sandbox'
import { filesWith, runTool } from '../testing/files'
import { show, drawnFrom } from '.'
import { jsonScript } from './run-show'

const returned = (value: JsonObject): SandboxOutcome => ({
  kind: 'returned',
  value: JSON.stringify(value),
  valueIsJson: true,
  durationMs: 1,
})

/** Runs `show` with a sandbox that displays these events and ends this way; returns the code that it got. */
async function run(
  args: JsonObject,
  files: Readonly<Record<string, string | Uint8Array>> = {},
  { outcome = returned({}), events = [] }: { outcome?: SandboxOutcome; events?: readonly SandboxEvent[] } = {},
) {
  const codes: string[] = []
  const shown: SandboxEvent[] = []
  const sandbox: Sandbox = {
    async run({ code, onEvent }) {
      codes.push(code)
      for (const event of events) onEvent(event)
      return outcome
    },
    dispose: () => {},
  }
  const vfs = await filesWith(files)
  const onEvent = (event: SandboxEvent) => void shown.push(event)
  const result = await runTool(show, args, { vfs, sandbox, timeoutMs: 1_000, onEvent })
  return { result, codes, shown }
}

const svg: SandboxEvent = { type: 'display', kind: 'svg', data: '<svg/>', atMs: 1 }
const table: SandboxEvent = { type: 'display', kind: 'table', data: '{"columns":[],"rows":[],"total":0}', atMs: 1 }
const said = (text: string): SandboxEvent => ({ type: 'console', level: 'error', text, atMs: 1 })

describe('a file', () => {
  test.each([
    ['/p.png', new Uint8Array([137, 80, 78, 71]), 'image', 'data:image/png;base64,iVBORw==', 'image'],
    ['/p.svg', '<svg/>', 'svg', '<svg/>', 'SVG'],
    ['/p.html', '<b>x</b>', 'html', '<b>x</b>', 'HTML page'],
    ['/p.md', '# x', 'text', '# x', 'text'],
  ])('%s is shown by its kind; the model gets its kind and size', async (path, content, kind, data, word) => {
    const { result, shown } = await run({ path }, { [path]: content })
    expect(shown).toEqual([{ type: 'display', kind, data, name: path.slice(1), atMs: 0 }])
    expect(result).toMatchObject({ ok: true, result: { shown: word, path, size: `${content.length} B` } })
  })

  test('of rows is read in the sandbox, and the model gets their number', async () => {
    const outcome = returned({ rows: 2, columns: ['a'] })
    const { result, codes, shown } = await run(
      { path: '/t.csv' },
      { '/t.csv': 'a\n1\n2' },
      { outcome, events: [table] },
    )
    expect(codes[0]).toContain('papaparse')
    expect(shown).toEqual([table])
    expect(result).toEqual({ ok: true, result: { shown: 'table', path: '/t.csv', rows: 2, columns: ['a'] } })
  })

  test('of any other binary kind is refused in a sentence, and so is a missing one', async () => {
    const files = { '/a.bin': new Uint8Array([0, 1]), '/sales.csv': '' }
    expect((await run({ path: '/a.bin' }, files)).result).toMatchObject({ ok: false, reason: 'binary' })
    const missing = await run({ path: '/sale.csv' }, files)
    expect(missing.result).toMatchObject({ ok: false, message: expect.stringContaining('/sales.csv') })
  })

  test('that is too large is refused, and a large image is scaled down in the sandbox', async () => {
    const long = await run({ path: '/a.txt' }, { '/a.txt': 'x'.repeat(2_000_000) })
    expect(long.result).toMatchObject({ ok: false, reason: 'too-large' })
    const picture = await run({ path: '/a.jpg' }, { '/a.jpg': new Uint8Array(1_500_000) }, { events: [svg] })
    expect(picture.codes[0]).toContain('createImageBitmap')
  })
})

describe('a chart', () => {
  test('uses the file as its data, and its title', async () => {
    const chart = { mark: 'bar', encoding: {} }
    const { codes, result } = await run({ path: 't.csv', chart, title: 'Sales' }, {}, { events: [svg] })
    expect(codes[0]).toContain('display.chart')
    expect(codes[0]).toContain(JSON.stringify(JSON.stringify({ title: 'Sales', ...chart, data: { url: '/t.csv' } })))
    expect(result).toEqual({ ok: true, result: { shown: 'chart', path: '/t.csv' } })
  })

  test('keeps data of its own', async () => {
    const { codes } = await run({ path: '/t.csv', chart: { mark: 'bar', data: { values: [] } } }, {}, { events: [svg] })
    expect(codes[0]).not.toContain('t.csv')
  })

  test('that could not be drawn fails with the reason, and ignored parts are a warning', async () => {
    const events = [said('display: Error: The chart can’t be drawn. The spec has no `mark`.')]
    const failed = await run({ chart: {} }, {}, { events })
    expect(failed.result).toMatchObject({ ok: false, message: 'The chart can’t be drawn. The spec has no `mark`.' })
    const warned = await run({ chart: {} }, {}, { events: [svg, said('display.chart: Unknown type')] })
    expect(warned.result).toMatchObject({ ok: true, result: { warnings: ['Unknown type'] } })
  })

  test.each<[SandboxOutcome['kind'], SandboxOutcome]>([
    ['timed-out', { kind: 'timed-out', durationMs: 1 }],
    ['stopped', { kind: 'stopped', durationMs: 1 }],
    ['threw', { kind: 'threw', message: 'Error: no\n  at line 1', durationMs: 1 }],
    ['unavailable', { kind: 'unavailable', refusal: makeModelMessage('run.closed'), durationMs: 1 }],
  ])('is reported when its run ends as %s', async (reason, outcome) => {
    expect((await run({ chart: {} }, {}, { outcome })).result).toMatchObject({ ok: false, reason })
  })
})

test('reports what to give if there is nothing to show', async () => {
  expect((await run({ title: 'x' })).result).toMatchObject({ ok: false, message: expect.stringContaining('`path`') })
})

test('a chart may read any file, so a grant for a folder does not cover it', () => {
  expect(show.policy.paths?.({ path: '/a.csv' })).toEqual(['/a.csv'])
  expect(show.policy.paths?.({ path: '/a.csv', chart: {} })).toEqual(['/**'])
  expect(show.policy.paths?.({ path: '/a.JSON' })).toEqual(['/**'])
})

test('the summary names the file or the chart', () => {
  const sentence = (args: JsonObject) =>
    show.card
      .summarize(args)
      .sentence.map((part) => (typeof part === 'string' ? part : part.code))
      .join('')
  expect(sentence({ path: '/a.csv' })).toBe('Show /a.csv')
  expect(sentence({ path: '/a.csv', chart: {} })).toBe('Show a chart of /a.csv')
  expect(sentence({ chart: {} })).toBe('Show a chart')
})

describe('the card of a JSON file', () => {
  const path = '/a.JSON'
  const summary = (text: string | null, size = text?.length ?? 0) =>
    show.card.summarize({ path }, () => ({ text, size }))
  const words = (text: string | null) =>
    summary(text)
      .sentence.map((part) => (typeof part === 'string' ? part : part.code))
      .join('')
  const spec = { $schema: 'https://vega.github.io/schema/vega/v6.json', marks: [] }

  test.each<[JsonValue, string]>([
    [spec, 'Draw the chart in /a.JSON'],
    [[{ a: 1 }], 'Show /a.JSON as a table'],
    [{ html: '<b>x</b>' }, 'Show the HTML page in /a.JSON'],
    [{ svg: '<svg/>' }, 'Show the SVG in /a.JSON'],
    [{ a: 1 }, 'Show /a.JSON'],
    [[], 'Show /a.JSON'],
  ])('says what %j will be drawn as, and shows it', (value, sentence) => {
    expect(words(JSON.stringify(value))).toBe(sentence)
    expect(summary(JSON.stringify(value)).body).toEqual({
      kind: 'code',
      language: 'json',
      text: JSON.stringify(value, null, 2),
    })
    expect(summary('x').dependsOn).toEqual([path])
  })

  test.each(['/a.json/', 'a.json', './b/../a.json/.', '//a.JSON'])('reads %s as the run does', (written) => {
    const { body, dependsOn } = show.card.summarize({ path: written }, () => ({ text: JSON.stringify(spec), size: 1 }))
    expect([body.kind, dependsOn]).toEqual(['code', [written]])
  })

  test('says which part it could not read', () => {
    expect(words(null)).toContain('too large for a preview')
    expect(words('{')).toContain('not valid JSON')
    expect(show.card.summarize({ path }).body).toEqual({ kind: 'none' })
  })

  test('says what the script then does, for every kind', async () => {
    const kinds: JsonValue[] = [
      spec,
      { ...spec, $schema: 'http://vega.github.io/schema/vega-lite/v6.json' },
      { $schema: 'x' },
    ]
    kinds.push([[1]], [1], [], {}, 'x', null, 5, { html: 'x' }, { html: 1 }, { svg: 'x' }, { svg: 'x', html: 'y' }, [
      null,
    ])
    const ports: DisplayPorts = { toDataUrl: async () => '', drawing: () => null, chart: async () => '<svg/>' }
    const asShown = {
      svg: 'SVG',
      html: 'HTML page',
      table: 'table',
      json: 'JSON',
      text: 'JSON',
      image: 'image',
    } as const
    for (const value of kinds) {
      const drawn: string[] = []
      const display = Object.assign(
        async (shown: unknown) => void drawn.push(asShown[(await showValue(shown, ports)).kind]),
        {
          chart: async () => void drawn.push('chart'),
          table: async () => void drawn.push('table'),
        },
      )
      const fs = { readFile: async () => JSON.stringify(value) }
      await runInNewContext(`(async () => { ${jsonScript('/x.json', 'x')} })()`, { fs, display })
      expect([value, drawn]).toEqual([value, [drawnFrom(value)]])
    }
  })
})
