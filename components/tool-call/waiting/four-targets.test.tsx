// @vitest-environment jsdom
import type * as builder from '@/lib/protocols/tool-context-builder'
import { cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { Segment } from '@/lib/protocols/types/segment'
import { builtIn } from '@/lib/shared/tools/testing/built-in'
import type { ToolDefinition, ToolRuntime } from '@/lib/shared/tools/tool'
import { createMemoryVfs } from '@/lib/vfs/memory/memory-vfs'
import { menuOf } from '../testing/choose'
import { callPiece, live, outcome, record, reply, textOf } from '../testing/fixtures'
import { renderMessage, type Scene } from '../testing/render-message'

const segmentsOf = new Map<string, readonly Segment[]>()
// The worker that marks origins is not in jsdom; without marks a card would stay unchecked.
vi.mock('@/lib/client/wiring/tools/call-origins.browser', () => ({
  callOrigins: { marks: () => Promise.resolve(new Map()) },
}))
vi.mock('@/lib/protocols/tool-context-builder', async (importOriginal) => {
  const actual = await importOriginal<typeof builder>()
  const parseResponse = (_: unknown, text: string) => ({ type: 'mixed', segments: segmentsOf.get(text) ?? [] })
  return { ...actual, toolContextBuilder: { ...actual.toolContextBuilder, parseResponse } }
})
vi.mock('@/components/ui/code/highlight', () => ({ highlightLines: () => Promise.resolve(null) }))
afterEach(cleanup)

function show(pieces: Parameters<typeof textOf>[0], scene: Omit<Scene, 'message'> = {}) {
  const { text, segments } = textOf(pieces)
  const message = reply({ text })
  segmentsOf.set(text, segments)
  return renderMessage({ ...scene, message, tools: { defaultToolEnabled: true, ...scene.tools } })
}

/** The tab stops inside a card. */
const stops = (card: HTMLElement): readonly string[] =>
  [...card.querySelectorAll<HTMLElement>('button, a[href], input, select, textarea, [tabindex]')]
    .filter((element) => element.tabIndex >= 0 && !element.matches(':disabled, [hidden] *'))
    .map((element) => element.getAttribute('aria-label') ?? element.textContent.trim())

const lines = (count: number) => Array.from({ length: count }, (_, at) => `line ${at}`).join('\n')
const changed = lines(80).replace('line 3', 'line three').replace('line 40', 'line forty').replace('line 70', 'seventy')

/** The smallest and the largest calls of tools on a card. */
const calls: Readonly<Record<string, readonly object[]>> = {
  browser_js_eval: [{ code: '1 + 1' }, { code: lines(90) }],
  python_eval: [{ code: '1 + 1' }],
  list_directory: [{ path: '/' }],
  read_file: [{ path: '/long.md' }, { path: '/long.md', offset: 2, limit: 3 }],
  write_file: [
    { path: '/new.md', content: lines(90) },
    { path: '/long.md', content: changed },
  ],
  edit_file: [
    {
      path: '/long.md',
      edits: [
        { search: 'line 3\n', replace: 'line three\n' },
        { search: 'line 70', replace: 'seventy' },
      ],
    },
  ],
  delete_path: [{ path: '/' }, { path: '/long.md' }],
  move_path: [{ from: '/long.md', to: '/b.md' }],
  search_files: [{ query: 'x' }, { query: 'a+', regex: true }],
  show: [{ path: '/long.md' }, { chart: { mark: 'bar', data: { values: [{ a: { b: [1, 2] } }] } } }],
  get_time: [{}, { time_zone: 'Asia/Tokyo' }],
  // A form field does not count: the decisions beside it do.
  ask_user: [{ question: 'Why?' }],
}

/** Calls of a tool: those above, or one with a text for each required argument. */
const callsOf = ({ spec: { name, parameters } }: ToolDefinition): readonly object[] => {
  const required = (parameters['required'] ?? []) as readonly string[]
  return calls[name] ?? [Object.fromEntries(required.map((key) => [key, 'x']))]
}

describe('a waiting card', () => {
  it.each(builtIn.list().flatMap((tool) => callsOf(tool).map((args) => [tool.spec.name, args] as const)))(
    'of %s has at most four targets: %j',
    async (name, args) => {
      const vfs = createMemoryVfs()
      const bytes = (text: string) => new TextEncoder().encode(text)
      await vfs.write('/long.md', bytes(lines(80)))
      for (let at = 0; at < 30; at += 1) await vfs.write(`/many/${at}.md`, bytes('x'))
      const runtime = (): Promise<ToolRuntime> =>
        Promise.resolve({ vfs, execute: () => Promise.resolve(outcome()), dispose: () => {} })
      show([callPiece(name, args)], { runtime, tools: { toolToggles: { [name]: true } } })
      const card = screen.getByRole('group', { name: `Tool call: ${name}` })
      const look = () => {
        expect(stops(card)).toContain('More')
        expect(stops(card).slice(4)).toEqual([])
      }
      // A form loads with its first question.
      if (name === 'ask_user') await within(card).findByRole('textbox')
      look()
      // Data from the files arrives a moment later.
      if ((name === 'write_file' || name === 'edit_file') && 'path' in (args ?? {})) {
        await waitFor(() => expect(card.textContent).toMatch(/unchanged|a new file/))
      }
      look()
    },
  )

  it('has no more of them after a refusal, with repairs, and in a batch', () => {
    const repaired = { verdict: 'repaired', repairs: ['trailing-comma'] }
    show([callPiece('read_file', { path: '/a' }, repaired), callPiece('list_directory', { path: '/' })], {
      lives: { 1: live({ problem: 'Nothing ran: the server can’t be reached.' }) },
    })
    const cards = screen.getAllByRole('group', { name: /^Tool call: / })
    // The offer to work on a copy is below the cards.
    expect(screen.getAllByRole('button', { name: /^(Work on a copy|Preview this reply)$/ })).toHaveLength(2)
    for (const card of cards) expect(stops(card)).toHaveLength(4)
  })

  it('opens collapsed parts and unchanged lines from its menu', async () => {
    const user = userEvent.setup()
    const vfs = createMemoryVfs()
    await vfs.write('/long.md', new TextEncoder().encode(lines(80)))
    const runtime = (): Promise<ToolRuntime> =>
      Promise.resolve({ vfs, execute: () => Promise.resolve(outcome()), dispose: () => {} })
    show([callPiece('write_file', { path: '/long.md', content: changed })], { runtime })
    const card = screen.getByRole('group', { name: 'Tool call: write_file' })
    await waitFor(() => expect(card.textContent).toContain('unchanged'))
    expect(await menuOf(user, card)).toContain('Show unchanged lines')
    await user.click(within(card).getByRole('button', { name: 'More' }))
    await user.click(within(card).getByRole('menuitem', { name: 'Show unchanged lines' }))
    await waitFor(() => expect(card.textContent).not.toContain('unchanged'))
    await user.click(within(card).getByRole('button', { name: 'More' }))
    await user.click(within(card).getByRole('menuitem', { name: 'Show everything' }))
    await waitFor(() => expect(card.textContent).toContain('line 79'))
  })
})

describe('a finished card', () => {
  it.each(builtIn.list().map((tool) => [tool.spec.name, tool] as const))(
    'of %s has at most three visible targets',
    async (name, tool) => {
      const vfs = createMemoryVfs()
      const origin = { kind: 'call', messageId: 'm1', slot: 0, attempt: 1, tool: name } as const
      const writes = tool.policy.capabilities.files === 'write'
      if (writes) await vfs.recording(origin).write('/a.md', new TextEncoder().encode(lines(40)))
      const runtime = (): Promise<ToolRuntime> =>
        Promise.resolve({ vfs, execute: () => Promise.resolve(outcome()), dispose: () => {} })
      const console = [{ level: 'log', text: 'printed', atMs: 1 }]
      show([callPiece(name, { path: '/a.md' })], {
        runtime,
        tools: { toolToggles: { [name]: true } },
        records: [record(0, { name, outcome: outcome({ console }), finishedAt: 1 })],
      })
      const card = screen.getByRole('group', { name: `Tool result: ${name}` })
      if (writes) await within(card).findByRole('button', { name: 'Undo' })
      const targets = [...card.querySelectorAll('button, a[href]')].filter((one) => !one.closest('[hidden]'))
      expect(targets.map((one) => one.textContent).slice(3)).toEqual([])
    },
  )

  it('shows printed output as text, and collapses a change', async () => {
    const console = [{ level: 'log', text: 'printed', atMs: 1 }]
    show([callPiece('browser_js_eval', { code: '1' }), callPiece('write_file', { path: '/a.md', content: 'x' })], {
      records: [
        record(0, { name: 'browser_js_eval', outcome: outcome({ console, result: { console: ['printed'] } }) }),
        record(1, { name: 'write_file', outcome: outcome() }),
      ],
    })
    const code = screen.getByRole('group', { name: 'Tool result: browser_js_eval' })
    expect(within(code).getByRole('group', { name: 'Console' }).textContent).toBe('printed')
    const written = screen.getByRole('group', { name: 'Tool result: write_file' })
    expect(within(written).getByRole('button', { name: /done/ }).getAttribute('aria-expanded')).toBe('false')
    expect(within(written).getByRole('button', { name: 'Open' })).toBeTruthy()
  })
})

describe('a safe call', () => {
  const isLine = (card: HTMLElement) => within(card).queryByRole('button', { name: 'Edit' }) === null

  it.each(builtIn.list().map((tool) => [tool.spec.name, tool] as const))(
    'is only one line if its tool declares that it changes nothing: %s',
    (name, tool) => {
      const [args = {}] = callsOf(tool)
      show([callPiece(name, args)], { tools: { toolToggles: { [name]: true } } })
      const card = screen.getByRole('group', { name: `Tool call: ${name}` })
      const { permission, capabilities } = tool.policy
      const harmless = permission === 'public' && capabilities.files !== 'write' && capabilities.network === 'off'
      const plain = tool.card.summarize(args as never).body.kind === 'none'
      // The head of a whole card names the tool.
      expect(within(card).queryByText(name) === null).toBe(harmless && plain)
    },
  )

  it('shows the whole card on a press or Enter, and goes back', async () => {
    const user = userEvent.setup()
    show([callPiece('read_file', { path: '/sales.csv', offset: 1, limit: 5 })])
    const card = screen.getByRole('group', { name: 'Tool call: read_file' })
    await user.click(within(card).getByRole('button', { name: 'Read /sales.csv, lines 1 to 5' }))
    expect(within(card).getByText('Reads this chat’s files')).toBeTruthy()
    expect(within(card).getByRole('button', { name: 'Edit' })).toBeTruthy()
    card.focus()
    await user.keyboard('{Enter}')
    expect(isLine(card)).toBe(true)
    await user.keyboard('{Enter}')
    expect(isLine(card)).toBe(false)
  })

  it('is a whole card if there is more to show: a repair, an invisible character, a third repetition', () => {
    show([
      callPiece('read_file', { path: '/a' }, { verdict: 'repaired', repairs: ['trailing-comma'] }),
      callPiece('read_file', { path: '/b\u200b' }),
      ...Array.from({ length: 3 }, () => callPiece('read_file', { path: '/c' })),
    ])
    const cards = screen.getAllByRole('group', { name: 'Tool call: read_file' })
    expect(cards.map(isLine)).toEqual([false, false, true, true, false])
  })
})

describe('the one primary button', () => {
  const filled = () =>
    screen
      .getAllByRole('button')
      .filter((button) => / bg-accent /.test(` ${button.className} `) && !button.matches(':disabled'))
      .map((button) => button.textContent.trim().replace(/ Ctrl.*/, ''))

  it('is Run of a single waiting card, and Run all for several', () => {
    const view = show([callPiece('write_file', { path: '/a', content: 'x' })])
    expect(filled()).toEqual(['Run'])
    view.unmount()
    show([callPiece('write_file', { path: '/a', content: 'x' }), callPiece('list_directory', { path: '/' })])
    expect(filled()).toEqual(['Run all'])
  })

  it('is a card’s if Run all could run none of them', () => {
    show([callPiece('read_file', { path: '/a\u200b' }), callPiece('read_file', { path: '/b\u200b' })])
    expect(screen.getByRole('button', { name: 'Run all' })).toHaveProperty('disabled', true)
    expect(filled()).toEqual(['Run'])
  })
})
