// @vitest-environment jsdom
import { act, cleanup, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { CallRecord } from '@/lib/shared/conversation/call-record'
import { record, reply } from '../testing/fixtures'
import { renderMessage } from '../testing/render-message'

vi.mock('@/components/ui/code/highlight', () => ({ highlightLines: () => Promise.resolve(null) }))
afterEach(cleanup)

const text = '<tool_code>{"name":"read_file","arguments":{"path":"/a.md"}}</tool_code>'
const show = (patch: Partial<CallRecord> = {}) =>
  renderMessage({ message: reply({ text }), records: [record(0, { decision: 'deny', ...patch })] })
const card = () => screen.getByRole('group', { name: 'Tool result: read_file' })

describe('a call that was denied without a reason', () => {
  it('accepts a reason until the model is informed, and holds the results while it is written', async () => {
    const user = userEvent.setup()
    const release = vi.fn<() => void>()
    const { calls } = show()
    calls.holdForReason.mockReturnValue(release)
    expect(card().textContent).toContain('Nothing ran. The model does not know yet.')
    await user.click(screen.getByRole('button', { name: 'Add a reason' }))
    expect(calls.holdForReason).toHaveBeenCalledExactlyOnceWith('m1', 0)
    expect(document.activeElement).toBe(screen.getByRole('textbox', { name: 'Reason' }))
    await user.keyboard('Not before Friday.{Enter}')
    expect(calls.explain).toHaveBeenCalledExactlyOnceWith('m1', 0, 'Not before Friday.')
    await waitFor(() => expect(screen.queryByRole('textbox', { name: 'Reason' })).toBeNull())
    expect(release).toHaveBeenCalledOnce()
  })

  it('opens the field with R on the card, which has the focus after Deny', async () => {
    const user = userEvent.setup()
    show()
    act(() => card().focus())
    await user.keyboard('r')
    expect(document.activeElement).toBe(screen.getByRole('textbox', { name: 'Reason' }))
    await user.keyboard('{Escape}')
    expect(screen.queryByRole('textbox', { name: 'Reason' })).toBeNull()
    expect(document.activeElement).toBe(card())
  })

  it('is sent immediately on a click', async () => {
    const { calls } = show()
    await userEvent.setup().click(screen.getByRole('button', { name: 'Tell the model now' }))
    expect(calls.notifyModel).toHaveBeenCalledExactlyOnceWith('m1', 0)
  })

  it('keeps the typed text if it could not be stored', async () => {
    const user = userEvent.setup()
    const { calls } = show()
    calls.explain.mockResolvedValue('The reason was not added. The server cannot be reached.')
    await user.click(screen.getByRole('button', { name: 'Add a reason' }))
    await user.keyboard('Words.{Enter}')
    expect((await screen.findByRole('alert')).textContent).toContain('cannot be reached')
    expect(screen.getByRole<HTMLInputElement>('textbox', { name: 'Reason' }).value).toBe('Words.')
  })

  it('moves the text to the message field if the denial was sent first', async () => {
    const user = userEvent.setup()
    const { store } = show()
    await user.click(screen.getByRole('button', { name: 'Add a reason' }))
    await user.keyboard('Words.')
    const told = { ...record(0, { decision: 'deny' }), postedIn: 'u2' }
    const sent = { id: 'u2', conversationId: 'c1', parentId: 'm1', createdAt: 3, role: 'user', text: '' } as const
    const result = { messageId: 'm1', slot: 0, callId: 'call_1', name: 'read_file' } as const
    act(() => {
      store.dispatch({ type: 'call-recorded', call: told })
      store.dispatch({
        type: 'messages-loaded',
        conversationId: 'c1',
        messages: [
          {
            ...sent,
            results: [{ ...result, status: 'execution_rejected', result: { error: 'no' }, durationMs: null }],
          },
        ],
        calls: [told],
        amendments: [],
        grants: [],
      })
    })
    await waitFor(() => expect(card().textContent).not.toContain('does not know yet'))
    expect(card().textContent).toContain('Nothing ran. The model knows.')
    expect((await screen.findByRole('alert')).textContent).toContain('so the model does not know the reason')
    expect(screen.getByRole('button', { name: 'Add to my message' })).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'Add' })).toBeNull()
  })
})

it.each([
  ['given beforehand', { reason: 'No.' }],
  ['of a rule of before', { by: { kind: 'unknown' } }],
  ['that the model was told', { postedIn: 'u2' }],
] as const)('a denial %s accepts no other reason', (_, patch) => {
  show(patch)
  expect(screen.queryByRole('button', { name: 'Add a reason' })).toBeNull()
})

describe('a call that a reviewer denied', () => {
  it('names the reviewer and the reason as foreign text, and takes no reason of the user', () => {
    const by = { kind: 'reviewer', name: 'Grace\u202e' } as const
    const { container } = show({ by, reason: 'Wrong \u202e folder.' })
    expect(card().textContent).toContain('The reviewer Grace⟨U+202E⟩ denied this: Wrong ⟨U+202E⟩ folder.')
    expect([...container.querySelectorAll('code')].map(({ textContent }) => textContent)).toContain('Grace⟨U+202E⟩')
    expect(screen.queryByRole('button', { name: 'Add a reason' })).toBeNull()
    cleanup()
    show({ by, reason: '' })
    expect(card().textContent).toContain('The reviewer Grace⟨U+202E⟩ denied this.')
    expect(screen.queryByRole('button', { name: 'Add a reason' })).toBeNull()
    cleanup()
    show({ by, reason: 'No.', postedIn: 'u2' })
    expect(card().textContent).toContain('The model got the reviewer’s reason.')
  })
})

it('says of an approved call who approved it', () => {
  const outcome = { status: 'completed', result: 'done', durationMs: 1, console: [], displays: [] } as const
  show({ decision: 'run', by: { kind: 'reviewer', name: 'Grace\u202e' }, outcome, finishedAt: 2 })
  expect(card().textContent).toContain('approved by the reviewer Grace⟨U+202E⟩')
})
