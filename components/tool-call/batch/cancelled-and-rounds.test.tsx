// @vitest-environment jsdom
import { cleanup, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { Message, UserMessage } from '@/lib/shared/conversation/conversation'
import type { Grant } from '@/lib/shared/conversation/call-record'
import { stoppedWithOthers, stoppedOutcome } from '@/lib/shared/conversation/stopped-outcome'
import { live, outcome, record, reply } from '../testing/fixtures'
import { renderMessage, type Scene } from '../testing/render-message'

vi.mock('@/components/markdown/markdown', () => ({ Markdown: ({ text }: { text: string }) => <p>{text}</p> }))
vi.mock('@/components/ui/code/highlight', () => ({ highlightLines: () => Promise.resolve(null) }))
afterEach(cleanup)

const code = (name: string, args: object) => `<tool_code>${JSON.stringify({ name, arguments: args })}</tool_code>`
const read = code('read_file', { path: '/notes/a.md' })
const list = code('list_directory', { path: '/notes' })
const run = code('browser_js_eval', { code: '1 + 1' })
const show = (texts: readonly string[], scene: Omit<Scene, 'message'> = {}) =>
  renderMessage({ ...scene, message: reply({ text: texts.join('\n'), parentId: scene.before?.at(-1)?.id ?? null }) })
const card = (name: string) => within(screen.getByRole('group', { name }))

describe('calls cancelled after a stopped one', () => {
  const stopped = record(0, {
    stopped: { at: 5, outcome: outcome({ status: 'cancelled', result: { error: 'stopped' }, durationMs: 900 }) },
  })
  const cancelled = (slot: number, name: string) => record(slot, { name, stopped: stoppedWithOthers(5) })
  const rows = [stopped, cancelled(1, 'list_directory'), cancelled(2, 'browser_js_eval')]

  it('say in their row that nothing of them ran', () => {
    show([read, list, run], { records: rows })
    for (const name of ['list_directory', 'browser_js_eval']) {
      const { getByText } = card(`Tool result: ${name}`)
      expect(getByText('cancelled')).toBeTruthy()
      expect(getByText('You stopped an earlier call, so this one was cancelled. Nothing ran.')).toBeTruthy()
      expect(getByText('Run anyway')).toBeTruthy()
    }
    expect(card('Tool result: read_file').getByText('stopped')).toBeTruthy()
  })

  it('can be run together, or reported together with the stopped one', async () => {
    const user = userEvent.setup()
    const { calls } = show([read, list, run], { records: rows })
    const bar = within(screen.getByRole('group', { name: '2 calls were cancelled' }))
    await user.click(bar.getByRole('button', { name: 'Run anyway' }))
    expect(calls.runAgain).toHaveBeenCalledExactlyOnceWith('m1', 1, 2)
    await user.click(bar.getByRole('button', { name: 'Send finished results' }))
    expect(calls.notifyModel).toHaveBeenCalledExactlyOnceWith('m1', 0, 1, 2)
  })

  it('stay cancelled when they are settled, and ask nothing more', () => {
    const settled = (row: ReturnType<typeof cancelled>) =>
      row.stopped ? { ...row, outcome: stoppedOutcome(row.stopped), finishedAt: 6 } : row
    show([read, list], { records: [settled(stopped), settled(cancelled(1, 'list_directory'))] })
    expect(card('Tool result: list_directory').getByText('cancelled')).toBeTruthy()
    expect(screen.queryByRole('group', { name: /cancelled$/ })).toBeNull()
    expect(screen.queryByRole('button', { name: 'Run anyway' })).toBeNull()
  })

  it('say why running them was refused', () => {
    const lives = { 1: live({ attempt: 2, problem: 'Nothing ran: /notes changed since you looked.' }) }
    show([read, list], { records: rows.slice(0, 2), lives })
    expect(card('Tool result: list_directory').getByRole('alert').textContent).toContain('changed since you looked')
  })
})

describe('an approved call beyond the concurrency limit', () => {
  it('waits for its turn without counting time', () => {
    const events = [{ type: 'turn', waits: true, atMs: 0 }] as const
    const lives = { 0: live({ waitsForTurn: true, events }) }
    show([run], { records: [record(0, { name: 'browser_js_eval' })], lives })
    const { getByText, queryByText } = card('Tool call: browser_js_eval')
    expect(getByText('queued')).toBeTruthy()
    expect(getByText('Waiting for its turn…')).toBeTruthy()
    expect(queryByText('running')).toBeNull()
    expect(queryByText(/3\.\d s/)).toBeNull()
  })

  it('counts time from its start', () => {
    const events = [true, false].map((waits) => ({ type: 'turn', waits, atMs: 0 }) as const)
    const lives = { 0: live({ waitsForTurn: false, events }) }
    show([run], { records: [record(0, { name: 'browser_js_eval' })], lives })
    expect(card('Tool call: browser_js_eval').getByText('running')).toBeTruthy()
    expect(screen.queryByText('Waiting for its turn…')).toBeNull()
  })
})

describe('the limit of rounds', () => {
  const user = (id: string, parentId: string | null, text: string): UserMessage => ({
    id,
    conversationId: 'c1',
    parentId,
    createdAt: 1,
    role: 'user',
    text,
    results: [],
  })
  /** A user message with `count` rounds of results. */
  const rounds = (count: number): readonly Message[] =>
    Array.from({ length: count }, (_, at) => [
      reply({ id: `a${at}`, parentId: at === 0 ? 'u' : `t${at - 1}` }),
      user(`t${at}`, `a${at}`, ''),
    ]).reduce<Message[]>((path, round) => [...path, ...round], [user('u', null, 'Go on by yourself.')])
  const auto = { mode: 'auto', maxIterations: 2, toolRules: { list_directory: { execution: 'never' } } } as const
  const yes: Grant = {
    id: 'g1',
    scope: { kind: 'tool', tool: 'list_directory' },
    createdAt: 0,
    uses: 0,
    lastUsedAt: null,
    revokedAt: null,
  }
  const question = /tool rounds without a message from you\. Continue\?/

  it.each([
    ['a rule of mode auto', { tools: auto }],
    ['a remembered answer', { tools: { maxIterations: 2 }, grants: [yes] }],
  ] as const)('asks where %s would have continued, from stored data alone', async (_, scene) => {
    const { calls } = show([list, run], { ...scene, before: rounds(2) })
    expect((await screen.findByText(question)).textContent).toBe(
      '2 tool rounds without a message from you. Continue? This runs list_directory, which was going to run automatically.',
    )
    await userEvent.setup().click(screen.getByRole('button', { name: 'Continue' }))
    expect(calls.continueRounds).toHaveBeenCalledExactlyOnceWith('m1', [0])
  })

  it.each([
    ['below it', { tools: auto, before: rounds(1) }],
    ['past it, once the user went on', { tools: auto, before: rounds(3) }],
    ['where ask before every call anyway', { tools: { maxIterations: 2 }, before: rounds(2) }],
    [
      'where the answer was taken back',
      { tools: { maxIterations: 2 }, grants: [{ ...yes, revokedAt: 3 }], before: rounds(2) },
    ],
    [
      'where the call was decided',
      { tools: auto, before: rounds(2), records: [record(0, { name: 'list_directory' })] },
    ],
  ])('asks nothing %s', async (_, scene) => {
    show([list], scene)
    await new Promise((resolve) => setImmediate(resolve))
    expect(screen.queryByText(question)).toBeNull()
  })
})
