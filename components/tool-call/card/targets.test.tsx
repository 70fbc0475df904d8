// @vitest-environment jsdom
import { cleanup, screen, waitFor } from '@testing-library/react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { JsonObject } from '@/lib/base/json'
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

/** What can be pressed in the only card. A question’s choices and a table’s head are content. */
const targets = () =>
  [
    ...screen
      .getByRole('group', { name: /^Tool (?:call|result): / })
      .querySelectorAll('button, a[href], input:not([type=radio]), select, textarea, summary'),
  ]
    .filter((element) => element.closest('table, [hidden], [inert]') === null)
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
