// @vitest-environment jsdom
import { act, cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeAll, expect, it, vi } from 'vitest'
import { ChatProvider } from '@/components/context/chat-context'
import type { CallActions, ChatActions } from '@/lib/client/chats/actions'
import { createClientStore } from '@/lib/client/state/store'
import { conversationId, conversationRow, replyRow, userRow } from '@/lib/client/chats/testing/rows'
import type { ContextMarks } from '@/lib/shared/conversation/settings/context-marks'
import type { TrialLine } from '@/lib/shared/conversation/wire/trial'
import CompactionLine from './compaction-line'
import FreeSpaceDialog from './free-space-dialog'
import { PinMessage } from '../thread/message-actions'

let lines: readonly TrialLine[] = []
vi.mock('@/lib/client/wiring/models/summary.browser', () => ({
  summaryModel: {
    async *ask() {
      await Promise.resolve()
      yield* lines
    },
  },
}))

beforeAll(() => {
  HTMLDialogElement.prototype.showModal ??= function (this: HTMLDialogElement) {
    this.open = true
  }
  HTMLDialogElement.prototype.close ??= function (this: HTMLDialogElement) {
    this.open = false
  }
})
afterEach(cleanup)

const words = 'some words of a message '.repeat(40)
const end = (outcome: 'finished' | 'failed' | 'length', message = ''): TrialLine => ({
  type: 'end',
  outcome,
  failure: message === '' ? null : { code: 'unreachable', message, detail: '' },
  usage: null,
  firstTextMs: 1,
  ms: 2,
})

function setUp(turns: number, marks?: ContextMarks) {
  const store = createClientStore()
  store.dispatch({ type: 'view-opened', conversationId })
  const messages = Array.from({ length: turns }, (_, n) => [
    userRow(`u${n}`, n === 0 ? null : `a${n - 1}`, { text: `question ${n} ${words}` }),
    replyRow(`a${n}`, `u${n}`, { text: `answer ${n} ${words}` }),
  ]).flat()
  const conversation = conversationRow({ headId: `a${turns - 1}`, ...(marks && { marks }) })
  const rest = { calls: [], amendments: [], grants: [], activeRunId: null }
  store.dispatch({ type: 'view-loaded', view: { conversation, messages, ...rest } })
  const updateMarks = vi.fn<ChatActions['updateMarks']>((next) => {
    const { marks: _before, ...row } = store.getState().open.get(conversationId)?.conversation ?? conversation
    store.dispatch({ type: 'conversation-changed', conversation: { ...row, ...(next && { marks: next }) } })
    return Promise.resolve(null)
  })
  const context = { store, chat: { updateMarks } as Partial<ChatActions> as ChatActions, calls: {} as CallActions }
  const show = (part: React.ReactNode) => render(<ChatProvider value={context}>{part}</ChatProvider>)
  return { updateMarks, show }
}

it('shows what is left out and what is saved, and stores it with the model’s summary', async () => {
  const onClose = vi.fn<() => void>()
  const { updateMarks, show } = setUp(4)
  show(<FreeSpaceDialog onClose={onClose} />)
  const apply = screen.getByRole<HTMLButtonElement>('button', { name: 'Leave them out' })
  expect(apply.disabled).toBe(true)
  expect(screen.getByRole('combobox', { name: 'Leave out everything before' })).toHaveProperty('value', 'u2')
  expect(within(screen.getByRole('list', { name: 'Left out' })).getAllByRole('listitem')).toHaveLength(4)
  fireEvent.change(screen.getByRole('textbox', { name: 'Summary' }), { target: { value: ' They spoke. ' } })
  expect(screen.getByText(/^Removes 4 messages and frees about \d+ tokens\.$/)).toBeTruthy()
  await act(async () => apply.click())
  expect(updateMarks).toHaveBeenCalledWith({
    pinned: [],
    compactions: [{ through: 'a1', summary: 'They spoke.', madeAt: expect.any(Number) as number }],
  })
  expect(onClose).toHaveBeenCalledOnce()
})

it('leaves out messages from the start on request, and keeps a pinned message', async () => {
  const { updateMarks, show } = setUp(4)
  show(<FreeSpaceDialog onClose={vi.fn<() => void>()} />)
  fireEvent.click(screen.getByRole('radio', { name: 'Nothing' }))
  await act(async () =>
    within(screen.getByRole('list', { name: 'Left out' }))
      .getAllByRole('button', { name: 'Always send to the model' })[1]
      ?.click(),
  )
  expect(screen.getByText(/^Removes 3 messages .*\. 1 pinned message stays\.$/)).toBeTruthy()
  await act(async () => screen.getByRole('button', { name: 'Leave them out' }).click())
  expect(updateMarks).toHaveBeenLastCalledWith({
    pinned: ['a0'],
    compactions: [{ through: 'a1', summary: '', madeAt: expect.any(Number) as number }],
  })
})

it('lets the model write the summary only on request, reports its error, and keeps typed text', async () => {
  const { show } = setUp(3)
  show(<FreeSpaceDialog onClose={vi.fn<() => void>()} />)
  const field = screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Summary' })
  lines = [{ type: 'text', text: 'They ', ms: 1 }, { type: 'text', text: 'spoke.', ms: 2 }, end('finished')]
  fireEvent.click(screen.getByRole('button', { name: /^Let .* write it$/ }))
  await waitFor(() => expect(field.value).toBe('They spoke.'))
  lines = [end('failed', 'The model is away.')]
  fireEvent.click(await screen.findByRole('button', { name: /^Let .* write it$/ }))
  expect((await screen.findByRole('alert')).textContent).toBe(
    'The summary was not written. The model is away. You can write it yourself.',
  )
  expect(field.value).toBe('They spoke.')
})

it('offers nothing in a chat of one turn', () => {
  const { show } = setUp(1)
  show(<FreeSpaceDialog onClose={vi.fn<() => void>()} />)
  expect(screen.getByText(/^There is nothing to leave out yet/)).toBeTruthy()
  expect(screen.queryByRole('combobox')).toBeNull()
})

it('stays open and shows the error if it could not be stored', async () => {
  const onClose = vi.fn<() => void>()
  const { updateMarks, show } = setUp(3)
  updateMarks.mockResolvedValueOnce('The server cannot be reached.')
  show(<FreeSpaceDialog onClose={onClose} />)
  fireEvent.click(screen.getByRole('radio', { name: 'Nothing' }))
  await act(async () => screen.getByRole('button', { name: 'Leave them out' }).click())
  expect(screen.getByRole('alert').textContent).toBe('The change could not be saved. The server cannot be reached.')
  expect(onClose).not.toHaveBeenCalled()
})

it('shows in the thread what is left out above, and undoes it', async () => {
  const compaction = { through: 'a1', summary: 'They spoke.', madeAt: 7 }
  const { updateMarks, show } = setUp(4, { compactions: [compaction], pinned: ['u0'] })
  show(<CompactionLine compaction={compaction} />)
  const line = screen.getByRole('region', { name: 'Messages above are left out' })
  expect(line.textContent).toContain('The 3 messages above are no longer sent to the model, except 1 pinned message.')
  expect(line.textContent).toContain('They spoke.')
  await act(async () => within(line).getByRole('button', { name: 'Send them again' }).click())
  expect(updateMarks).toHaveBeenCalledWith({ compactions: [], pinned: ['u0'] })
})

it('pins a message from the button under it', async () => {
  const { updateMarks, show } = setUp(2)
  show(<PinMessage messageId="a0" />)
  await act(async () => screen.getByRole('button', { name: 'Always send to the model' }).click())
  expect(updateMarks).toHaveBeenCalledWith({ compactions: [], pinned: ['a0'] })
  expect(screen.getByRole('button', { name: 'Stop always sending', pressed: true })).toBeTruthy()
})
