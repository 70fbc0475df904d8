// @vitest-environment jsdom
import { cleanup, screen, waitFor, within } from '@testing-library/react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { JsonObject } from '@/lib/base/json'
import type { CallOutcome, CallRecord } from '@/lib/shared/conversation/call-record'
import { toolsOfSet } from '@/lib/shared/mcp/tools-of-set'
import { builtInTools } from '@/lib/shared/tools/built-in-registry'
import { createToolRegistry } from '@/lib/shared/tools/tool-registry'
import { outcome, record, reply } from '../testing/fixtures'
import { renderMessage } from '../testing/render-message'

// A calm card: at most 4 targets while it waits, at most 3 once it has run, for every built-in tool.

vi.mock('@/components/ui/code/highlight', () => ({ highlightLines: () => Promise.resolve(null) }))
afterEach(cleanup)

interface Example {
  readonly args: JsonObject
  readonly result: JsonObject
  readonly console?: readonly string[]
}

/** A call of each tool and its result; `find_tools` asks nobody, so it has no waiting card. */
const examples: Readonly<Record<string, Example>> = {
  ask_user: { args: { question: 'Which city?', choices: ['Oslo', 'Bergen'] }, result: { chosen: 'Oslo' } },
  browser_js_eval: { args: { code: 'return 6 * 7' }, result: { value: 42 }, console: ['rows: 2'] },
  delete_path: { args: { path: '/notes' }, result: { path: '/notes', files: 1 } },
  edit_file: {
    args: { path: '/a.md', edits: [{ search: 'one', replace: 'two' }] },
    result: { path: '/a.md', edits: 1, size: 4 },
  },
  edit_memory: { args: { add: 'Lives in Oslo.' }, result: { memory: 'user', characters: 14 } },
  get_time: { args: {}, result: { iso: '2026-11-28T12:00:00+01:00', time_zone: 'Europe/Oslo', weekday: 'Saturday' } },
  list_directory: { args: { path: '/' }, result: { path: '/', entries: [{ name: 'a.md', kind: 'file', size: 4 }] } },
  move_path: { args: { from: '/a.md', to: '/b.md' }, result: { from: '/a.md', to: '/b.md', files: 1 } },
  python_eval: { args: { code: 'print(6 * 7)' }, result: { value: null }, console: ['42'] },
  read_file: { args: { path: '/a.md' }, result: { path: '/a.md', content: 'one\ntwo\n', size: 8 } },
  read_page: {
    args: { url: 'https://example.com/news' },
    result: { url: 'https://example.com/news', content: '# News\nA page.' },
  },
  search_files: {
    args: { query: 'Oslo' },
    result: { query: 'Oslo', matches: [{ path: '/a.csv', line: 1, text: 'Oslo,1' }] },
  },
  search_web: {
    args: { query: 'tides' },
    result: { results: [{ title: 'Tides', url: 'https://tides.example/', text: 'High water at 14:05.' }] },
  },
  show: { args: { path: '/a.csv' }, result: { shown: 'table', rows: 2, columns: 2 } },
  sql_query: {
    args: { query: 'select city, sum from a' },
    result: { columns: ['city', 'sum'], rows: [['Oslo', 1]], total: 1 },
  },
  write_file: { args: { path: '/a.md', content: 'one\n' }, result: { path: '/a.md', size: 4, replaced: false } },
}
const names = Object.keys(examples)

const call = (name: string, args: JsonObject) =>
  reply({ text: `<tool_code>${JSON.stringify({ name, arguments: args })}</tool_code>` })
const registry = createToolRegistry(builtInTools, new Set(['pages', 'search']))

/**
 * What can be pressed in the only card, closed parts left out. A question’s choices, a table’s head, the branches of a
 * tree and the page of another site are content.
 */
const targets = () =>
  [
    ...screen
      .getByRole('group', { name: /^Tool (?:call|result): / })
      .querySelectorAll('button, a[href], input:not([type=radio]), select, textarea, summary'),
  ]
    .filter((element) => element.closest('table, li > div > [aria-expanded], [hidden], [inert]') === null)
    .map((element) => element.getAttribute('aria-label') ?? element.textContent)

it('covers every tool', () => {
  expect([...names, 'find_tools'].toSorted()).toEqual(builtInTools.map(({ spec }) => spec.name).toSorted())
})

describe.each(names)('the card of %s', (name) => {
  const { args = {}, result = {}, console = [] } = examples[name] ?? {}

  it('has at most 4 targets while it waits', async () => {
    renderMessage({ message: call(name, args), registry, tools: { toolToggles: { [name]: true } } })
    await waitFor(() => expect(screen.getByRole('button', { name: /^(?:Run|Answer)/ })).toBeTruthy())
    expect(targets().length).toBeGreaterThan(2)
    expect(targets().slice(4)).toEqual([])
  })

  it('has at most 3 targets once it has run', async () => {
    const said = console.map((text) => ({ level: 'log' as const, text, atMs: 1 }))
    renderMessage({
      message: call(name, args),
      registry,
      records: [record(0, { name, outcome: outcome({ result, console: said }) })],
    })
    await waitFor(() => expect(screen.getByRole('group', { name: `Tool result: ${name}` })).toBeTruthy())
    await waitFor(() => expect(targets().length).toBeGreaterThan(0))
    expect(targets().slice(3)).toEqual([])
  })
})

const rows = (count: number) => Array.from({ length: count }, (_, n) => [`2026-11-${n}`, n])
const table = (count: number, columns = 2) => ({
  kind: 'table',
  name: 'sums',
  data: JSON.stringify({
    columns: Array.from({ length: columns }, (_, n) => `column ${n}`),
    rows: rows(count),
    total: count,
  }),
})
const svg = { kind: 'svg', name: 'chart', data: '<svg xmlns="http://www.w3.org/2000/svg"/>' }
const picture = { kind: 'image', name: 'photo', data: 'data:image/png;base64,AAAA' }
const html = { kind: 'html', name: 'page', data: '<p>x</p>' }
const audio = { kind: 'audio', name: 'sound', data: 'data:audio/wav;base64,AAAA' }
const printed = [{ level: 'log' as const, text: 'a line\n'.repeat(60), atMs: 1 }]
const nested = { a: { b: [1, { c: 2 }] }, d: [{ e: 1 }, { e: 2 }] }
const many = Array.from({ length: 60 }, (_, n) => ({ day: `2026-11-${n}`, n }))
const links = [1, 2, 3].map((n) => ({ uri: `maps://${n}`, name: `Legend ${n}`, mimeType: 'text/plain', size: 9 }))
const skill = '---\nname: report\ndescription: Writes a report.\n---\n'
const remote = toolsOfSet({ server: 's', host: 'maps.example.org', prefix: 'maps' }, [
  { name: 'find', inputSchema: { type: 'object' } },
])
const code = { name: 'browser_js_eval', args: { code: 'draw()' } }
const query = { name: 'sql_query', args: { query: 'select 1' } }
const find = { name: 'maps_find', args: {} }
const files = (count: number) => ({
  kept: true,
  total: count,
  changes: Array.from({ length: count }, (_, n) => ({
    path: `/out/${n}.md`,
    kind: 'file' as const,
    change: 'created' as const,
    size: 4,
  })),
})

interface Settled {
  readonly name: string
  readonly args: JsonObject
  readonly end?: Partial<CallOutcome>
  readonly row?: Partial<CallRecord>
}

/** Every kind of settled card: what it can hold, and how a call can end. */
const kinds: Readonly<Record<string, Settled>> = {
  'a drawing': { ...code, end: { displays: [svg], result: { value: nested } } },
  'a picture': { ...code, end: { displays: [picture], result: { value: 1 } } },
  'a picture with printed output': { ...code, end: { displays: [picture], console: printed, result: { value: 1 } } },
  'a sound': { ...code, end: { displays: [audio], result: { value: null } } },
  'a page': { ...code, end: { displays: [html], result: { value: null } } },
  'several pictures, a page and a table': {
    ...code,
    end: { displays: [svg, picture, html, table(40)], result: { value: nested } },
  },
  'a chart of a query': { ...query, end: { displays: [svg, table(30)], result: { columns: ['a'], rows: [['1']] } } },
  'a short table': { ...query, end: { displays: [table(3)], result: { columns: ['a'], rows: [['1']] } } },
  'a long table': { ...query, end: { displays: [table(1000)], result: { columns: ['a'], rows: [['1']] } } },
  'a long and wide table': { ...query, end: { displays: [table(1000, 80)], result: { rows: [['1']] } } },
  'a shown table': {
    name: 'show',
    args: { path: '/a.csv' },
    end: { displays: [table(90)], result: { shown: 'table' } },
  },
  'printed output': { ...code, end: { console: printed, result: { value: null } } },
  'printed output and a tree': { ...code, end: { console: printed, result: { value: nested } } },
  'printed output and rows': { ...code, end: { console: printed, result: { value: many } } },
  'printed output and changed files': {
    ...code,
    end: { console: printed, files: files(12), result: { value: null, files: ['created /out'] } },
  },
  'a file': { name: 'write_file', args: { path: '/a.md', content: 'x\n'.repeat(90) } },
  'an edit with many changes': {
    name: 'edit_file',
    args: { path: '/a.md', edits: [1, 2, 3].map((n) => ({ search: `${n}`, replace: `x${n}` })) },
  },
  'a document': {
    name: 'read_file',
    args: { path: '/a.pdf' },
    end: { displays: [picture], result: { path: '/a.pdf', content: '--- page 1 ---\n'.repeat(60), size: 9 } },
  },
  'a skill': { name: 'write_file', args: { path: '/skills/report/SKILL.md', content: skill } },
  'a page of the web': {
    name: 'read_page',
    args: { url: 'https://example.com/' },
    end: { result: { url: 'https://example.com/', content: '# News\n'.repeat(60) } },
  },
  'a memory': { name: 'edit_memory', args: { add: 'Lives in Oslo.' } },
  'an answered question': {
    name: 'ask_user',
    args: { question: 'Which?', choices: ['a', 'b'] },
    end: { result: { chosen: 'a' } },
  },
  'a remote result': { ...find, end: { result: { text: 'x\n'.repeat(60), structured: nested } } },
  'a remote picture with links': { ...find, end: { displays: [picture], result: { text: 'a map', links } } },
  'a result that was changed': {
    ...code,
    end: { console: printed },
    row: {
      gated: true,
      release: {
        kind: 'changed',
        by: { kind: 'click' },
        releasedAt: 3,
        result: { rows: many },
        changes: ['edited'],
        note: 'Only these.',
      },
    },
  },
  'a result that was withheld': {
    ...code,
    end: { displays: [table(90)] },
    row: { gated: true, release: { kind: 'withheld', by: { kind: 'click' }, releasedAt: 3, note: 'No.' } },
  },
  'an error': { ...code, end: { status: 'error', result: { error: 'x is not defined' }, console: printed } },
  'an error with changed files': { ...code, end: { status: 'error', result: { error: 'x' }, files: files(12) } },
  'a stopped call': { ...code, end: { status: 'cancelled', result: null, console: printed, files: files(12) } },
  'a denied call': { ...code, row: { decision: 'deny', outcome: null } },
  'a denied call, with its reason': {
    ...code,
    row: { decision: 'deny', reason: 'Not now.', outcome: null, postedIn: 'm2' },
  },
  'a skipped call': { ...code, row: { decision: 'skip', outcome: null, by: { kind: 'overtaken' } } },
  'an interrupted call': { ...code, row: { outcome: null } },
}

it.each(Object.entries(kinds))(
  'the settled card of %s has at most 3 targets',
  async (_kind, { name, args, end, row }) => {
    renderMessage({
      message: call(name, args),
      registry,
      registered: remote,
      records: [record(0, { name, outcome: outcome({ result: {}, ...end }), ...row })],
    })
    const card = await screen.findByRole('group', { name: /^Tool (?:call|result): / })
    for (const display of end?.displays ?? []) {
      await waitFor(() => expect(card.innerHTML).toContain(display.name))
      if (display.kind === 'table') await within(card).findAllByRole('table')
    }
    await waitFor(() => expect(card.textContent).not.toMatch(/Loading/))
    expect(targets().length).toBeGreaterThan(0)
    expect(targets().slice(3)).toEqual([])
  },
)
