// @vitest-environment jsdom
import { cleanup, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { LiveCall, LiveInner } from '@/lib/shared/calls/call-state'
import type { CallOutcome, InnerCall } from '@/lib/shared/conversation/call-record'
import { record, reply } from '../testing/fixtures'
import { renderMessage } from '../testing/render-message'

vi.mock('@/components/markdown/markdown', () => ({ Markdown: ({ text }: { text: string }) => <p>{text}</p> }))
vi.mock('@/components/ui/code/highlight', () => ({ highlightLines: () => Promise.resolve(null) }))
afterEach(cleanup)

const text = '<tool_code>{"name":"browser_js_eval","arguments":{"code":"await tools.get_time()"}}</tool_code>'
const name = 'browser_js_eval'

const asks = (n: number, over: Partial<LiveInner> = {}): LiveInner => ({
  n,
  name: 'get_time',
  arguments: { time_zone: 'Asia/Tokyo' },
  stage: 'asked',
  startedAt: 1000,
  problem: null,
  ...over,
})
const stored = (n: number, over: Partial<InnerCall> = {}): InnerCall => ({
  n,
  attempt: 1,
  name: 'get_time',
  arguments: {},
  decision: 'run',
  reason: '',
  by: { kind: 'click' },
  decidedAt: 1000,
  outcome: { status: 'completed', result: { iso: '2026-11-27' }, durationMs: 1, console: [], displays: [] },
  ...over,
})

async function running(inner: readonly LiveInner[], known: readonly InnerCall[] = []) {
  const live: LiveCall = { startedAt: 1000, attempt: 1, events: [], outcome: null, problem: null, inner }
  const view = renderMessage({
    message: reply({ text }),
    records: [record(0, { name, ...(known.length > 0 && { inner: known }) })],
    lives: { 0: live },
  })
  const group = screen.getByRole('group', { name: `Tool call: ${name}` })
  const list = within(await within(group).findByRole('region', { name: 'Tools called by the code' }))
  return { ...view, group, list, user: userEvent.setup() }
}

describe('tool calls of running code', () => {
  it('wait on the card of the code, show their effects, and have their own buttons', async () => {
    const { group, list, user, calls } = await running([asks(1), asks(2, { arguments: {} })])
    expect(group.dataset['callCard']).toBe('waiting')
    expect(within(group).getAllByText('waiting for you').length).toBeGreaterThan(0)
    expect(list.getByText('The code asks to call 2 tools. Its time limit is paused.')).toBeTruthy()
    const [first] = list.getAllByRole('group', { name: 'Tool call: get_time' })
    expect(first?.textContent).toContain('Asia/Tokyo')
    await user.click(within(first as HTMLElement).getByRole('button', { name: 'Run' }))
    expect(calls.answerInner).toHaveBeenCalledExactlyOnceWith('m1', 0, 1, { kind: 'run' })
  })

  it('can be denied with a reason', async () => {
    const { list, user, calls } = await running([asks(1)])
    await user.click(list.getByRole('button', { name: 'Deny with a reason' }))
    await user.keyboard('Not now{Enter}')
    expect(calls.answerInner).toHaveBeenCalledExactlyOnceWith('m1', 0, 1, { kind: 'deny', reason: 'Not now' })
  })

  it('run together, except those that need a click of their own', async () => {
    const hidden = { time_zone: `Asia${String.fromCodePoint(0x202e)}/Tokyo` }
    const question = asks(4, { name: 'ask_user', arguments: { question: 'Which?' } })
    const { list, user, calls } = await running([asks(1), asks(2), asks(3, { arguments: hidden }), question])
    await user.click(list.getByRole('button', { name: 'Run all 2' }))
    expect(calls.answerInner.mock.calls.map(([, , n]) => n)).toEqual([1, 2])
  })

  it('ask the user in a form', async () => {
    const { list, user, calls } = await running([asks(1, { name: 'ask_user', arguments: { question: 'Which town?' } })])
    expect(list.getByText('Which town?')).toBeTruthy()
    await user.type(list.getByRole('textbox'), 'Oslo')
    await user.click(list.getByRole('button', { name: 'Answer' }))
    expect(calls.answerInner).toHaveBeenCalledExactlyOnceWith('m1', 0, 1, {
      kind: 'run',
      answer: expect.objectContaining({ text: 'Oslo' }) as object,
    })
  })

  it('explain why they wait although a rule covers them', async () => {
    const { list } = await running([asks(1, { problem: 'The settings were just changed.' })])
    expect(list.getByText('The settings were just changed.')).toBeTruthy()
  })
})

describe('finished tool calls of code', () => {
  const ended: CallOutcome = { status: 'completed', result: { value: 1 }, durationMs: 9, console: [], displays: [] }

  it('stay on the card with their outcomes', async () => {
    const failed = {
      status: 'error',
      result: { error: 'No such zone.' },
      durationMs: 1,
      console: [],
      displays: [],
    } as const
    renderMessage({
      message: reply({ text }),
      records: [
        record(0, {
          name,
          outcome: ended,
          finishedAt: 2000,
          inner: [
            stored(1),
            stored(2, { decision: 'deny', reason: 'Not this one', outcome: null }),
            stored(3, { outcome: failed }),
            stored(4, { outcome: null }),
          ],
        }),
      ],
    })
    const user = userEvent.setup()
    const card = screen.getByRole('group', { name: `Tool result: ${name}` })
    const head = within(card).getAllByRole('button', { expanded: false })[0]
    if (head) await user.click(head)
    const list = within(await within(card).findByRole('region', { name: 'Tools called by the code' }))
    const rows = list.getAllByRole('group', { name: 'Tool result: get_time' })
    expect(rows.map((row) => /done|denied|failed|interrupted/.exec(row.textContent)?.[0])).toEqual([
      'done',
      'denied',
      'failed',
      'interrupted',
    ])
    for (const row of rows) await user.click(within(row).getByRole('button', { expanded: false }))
    expect(rows[0]?.textContent).toContain('2026-11-27')
    expect(rows[1]?.textContent).toContain('Not this one')
    expect(rows[2]?.textContent).toContain('No such zone.')
  })
})
