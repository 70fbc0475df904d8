// @vitest-environment jsdom
import type * as builder from '@/lib/protocols/tool-context-builder'
import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, it, vi } from 'vitest'
import type { Segment } from '@/lib/protocols/types/segment'
import type { ToolRuntime } from '@/lib/shared/tools/tool'
import { createMemoryVfs } from '@/lib/vfs/memory/memory-vfs'
import { choose, menuOf } from '../testing/choose'
import { callPiece, live, outcome, record, reply, textOf } from '../testing/fixtures'
import { renderMessage } from '../testing/render-message'

const segmentsOf = new Map<string, readonly Segment[]>()
vi.mock('@/lib/protocols/tool-context-builder', async (importOriginal) => {
  const actual = await importOriginal<typeof builder>()
  const parseResponse = (_: unknown, text: string) => ({ type: 'mixed', segments: segmentsOf.get(text) ?? [] })
  return { ...actual, toolContextBuilder: { ...actual.toolContextBuilder, parseResponse } }
})
vi.mock('@/components/ui/code/highlight', () => ({ highlightLines: () => Promise.resolve(null) }))

afterEach(cleanup)

const bytes = (text: string) => new TextEncoder().encode(text)
const runtimeOn = (vfs: ReturnType<typeof createMemoryVfs>) => (): Promise<ToolRuntime> =>
  Promise.resolve({ vfs, execute: () => Promise.resolve(outcome()), dispose: () => {} })

function messageWith(...pieces: Parameters<typeof textOf>[0]) {
  const { text, segments } = textOf(pieces)
  const message = reply({ text })
  segmentsOf.set(text, segments)
  return message
}

it('compares a write with the existing file, and follows its changes', async () => {
  const vfs = createMemoryVfs()
  await vfs.write('/a.md', bytes('one\ntwo\n'))
  renderMessage({
    message: messageWith(callPiece('write_file', { path: '/a.md', content: 'one\n2\n' })),
    runtime: runtimeOn(vfs),
  })
  const change = await screen.findByRole('group', { name: 'Change to /a.md' })
  expect([...change.querySelectorAll('[data-line=del], [data-line=add]')].map((line) => line.textContent)).toEqual([
    '2−two',
    '2+2',
  ])
  expect(screen.getByRole('group', { name: 'Tool call: write_file' }).textContent).toContain('replacing a file of 8 B')
  await act(() => vfs.write('/a.md', bytes('one\n2\n')))
  await screen.findByText('The file already contains exactly this text.')
})

it('says that a file is new', async () => {
  renderMessage({
    message: messageWith(callPiece('write_file', { path: '/new.md', content: 'x' })),
    runtime: runtimeOn(createMemoryVfs()),
  })
  await screen.findByText(/a new file/)
  expect(screen.getByRole('group', { name: 'New text of /new.md' }).textContent).toContain('x')
})

it('never compares with a file that is not text, but says that it is replaced', async () => {
  const vfs = createMemoryVfs()
  await vfs.write('/a.bin', new Uint8Array([0xff, 0xfe, 0x00]))
  renderMessage({
    message: messageWith(callPiece('write_file', { path: '/a.bin', content: 'x' })),
    runtime: runtimeOn(vfs),
  })
  await screen.findByText(/replacing a file of 3 B/)
  expect(screen.getByRole('group', { name: 'New text of /a.bin' })).toBeTruthy()
})

const edit = { path: '/a.md', edits: [{ search: 'two', replace: '2' }] }

it('shows an edit in the existing file, and says when it no longer fits', async () => {
  const vfs = createMemoryVfs()
  await vfs.write('/a.md', bytes('one\ntwo\n'))
  renderMessage({ message: messageWith(callPiece('edit_file', edit)), runtime: runtimeOn(vfs) })
  const card = screen.getByRole('group', { name: 'Tool call: edit_file' })
  await waitFor(() =>
    expect([...card.querySelectorAll('[data-line=del], [data-line=add]')].map((line) => line.textContent)).toEqual([
      '2−two',
      '2+2',
    ]),
  )
  expect(card.textContent).toContain('Edit /a.md: 1 change')
  expect(card.textContent).not.toContain('would fail')
  await act(() => vfs.write('/a.md', bytes('one\n')))
  await screen.findByText(/With the current file, this would fail: the text to change is not in the file/)
})

it('shows nothing of a non-text file for an edit', async () => {
  const vfs = createMemoryVfs()
  await vfs.write('/a.md', new Uint8Array([0xff, 0xfe, 0x00]))
  renderMessage({ message: messageWith(callPiece('edit_file', edit)), runtime: runtimeOn(vfs) })
  await screen.findByRole('group', { name: 'Change to /a.md' })
  expect(screen.getByRole('group', { name: 'Tool call: edit_file' }).textContent).not.toContain('would fail')
})

it('says how much a deletion would remove, and follows it', async () => {
  const vfs = createMemoryVfs()
  await vfs.write('/notes/a.md', bytes('one'))
  renderMessage({ message: messageWith(callPiece('delete_path', { path: '/notes' })), runtime: runtimeOn(vfs) })
  await screen.findByText(/, 1 file, 3 B/)
  await act(() => vfs.write('/notes/deep/b.md', bytes('four')))
  expect(await screen.findByText(/, 2 files, 7 B/)).toBeTruthy()
})

it('says when a move’s target exists', async () => {
  const vfs = createMemoryVfs()
  await vfs.write('/a', bytes('x'))
  await vfs.write('/b', bytes('x'))
  renderMessage({ message: messageWith(callPiece('move_path', { from: '/a', to: '/b' })), runtime: runtimeOn(vfs) })
  expect(await screen.findByText(/where a file already exists, so this would fail/)).toBeTruthy()
})

it('lists a folder’s files that would be deleted, and the new places of a moved folder’s files', async () => {
  const vfs = createMemoryVfs()
  for (const name of ['a.md', 'b.md']) await vfs.write(`/notes/${name}`, bytes('one'))
  renderMessage({
    message: messageWith(
      callPiece('delete_path', { path: '/notes' }),
      callPiece('move_path', { from: '/notes', to: '/old' }),
    ),
    runtime: runtimeOn(vfs),
  })
  const rows = async (name: string) =>
    [...(await screen.findByRole('list', { name })).children].map((row) => row.textContent)
  expect(await rows('Files to delete')).toEqual(['/notes/a.md3 B', '/notes/b.md3 B'])
  expect(await rows('Files to move')).toEqual(['/notes/a.md → /old/a.md3 B', '/notes/b.md → /old/b.md3 B'])
})

it('runs only with the files that it showed, and says when they changed', async () => {
  const vfs = createMemoryVfs()
  await vfs.write('/a.md', bytes('one\ntwo\n'))
  const { calls } = renderMessage({
    message: messageWith(callPiece('write_file', { path: '/a.md', content: 'one\n2\n' })),
    runtime: runtimeOn(vfs),
  })
  await screen.findByRole('group', { name: 'Change to /a.md' })
  const first = calls.look.mock.calls.at(-1)?.[2]
  expect([...(first ?? [])].map(([path]) => path)).toEqual(['/a.md'])
  expect(screen.queryByText(/changed while this waited/)).toBeNull()
  await act(() => vfs.write('/a.md', bytes('one\nTWO\n')))
  await screen.findByText(/changed while this waited/)
  expect(calls.look.mock.calls.at(-1)?.[2]).not.toEqual(first)
})

it('shows no change notice after an edited path, or once the files are as before', async () => {
  const vfs = createMemoryVfs()
  await vfs.write('/b.md', bytes('other\n'))
  const message = messageWith(callPiece('write_file', { path: '/a.md', content: 'one\n' }))
  const { store } = renderMessage({ message, runtime: runtimeOn(vfs) })
  await screen.findByText(/a new file/)
  const amended = { name: 'write_file', arguments: { path: '/b.md', content: 'one\n' } }
  act(() =>
    store.dispatch({
      type: 'amendments-changed',
      conversationId: 'c1',
      messageId: message.id,
      amendments: [{ messageId: message.id, slot: 0, call: amended, amendedAt: 1 }],
    }),
  )
  await screen.findByText(/replacing a file of 6 B/)
  expect(screen.queryByText(/changed while this waited/)).toBeNull()
  await act(() => vfs.write('/b.md', bytes('another\n')))
  await screen.findByText(/changed while this waited/)
})

/** The menu offers it once the texts are compared. */
async function chooseParts(user: ReturnType<typeof userEvent.setup>): Promise<void> {
  const waiting = screen.getByRole('group', { name: /^Tool call: / })
  await waitFor(async () => expect(await menuOf(user, waiting)).toContain('Choose changes…'))
  await choose(user, waiting, 'Choose changes…')
}

it('takes a change in parts: left-out parts are stored as the user’s edit, and can be taken again', async () => {
  const user = userEvent.setup()
  const vfs = createMemoryVfs()
  await vfs.write('/a.md', bytes('one\ntwo\nthree\n'))
  const args = { path: '/a.md', content: 'ONE\ntwo\nTHREE\n' }
  const message = messageWith(callPiece('write_file', args))
  const { calls, store } = renderMessage({ message, runtime: runtimeOn(vfs) })
  await chooseParts(user)
  const boxes = await screen.findAllByRole('checkbox')
  expect(boxes.map((box) => (box as HTMLInputElement).checked)).toEqual([true, true])
  await user.click(screen.getByRole('checkbox', { name: 'Change 2 of 2' }))
  const amended = { name: 'write_file', arguments: { path: '/a.md', content: 'ONE\ntwo\nthree\n' } }
  expect(calls.amend).toHaveBeenLastCalledWith('m1', 0, amended)
  act(() =>
    store.dispatch({
      type: 'amendments-changed',
      conversationId: 'c1',
      messageId: message.id,
      amendments: [{ messageId: message.id, slot: 0, call: amended, amendedAt: 1 }],
    }),
  )
  expect(await screen.findByText(/1 of 2 changes/)).toBeTruthy()
  expect(screen.getByRole<HTMLInputElement>('checkbox', { name: 'Change 1 of 2' }).disabled).toBe(true)
  await user.click(screen.getByRole('checkbox', { name: 'Not used: change 2 of 2' }))
  expect(calls.amend).toHaveBeenLastCalledWith('m1', 0, 'undo')
})

it('leaves out one edit of several', async () => {
  const user = userEvent.setup()
  const vfs = createMemoryVfs()
  await vfs.write('/a.md', bytes('one\ntwo\nthree\n'))
  const edits = [
    { search: 'one', replace: '1' },
    { search: 'three', replace: '3' },
  ]
  const { calls } = renderMessage({
    message: messageWith(callPiece('edit_file', { path: '/a.md', edits })),
    runtime: runtimeOn(vfs),
  })
  await chooseParts(user)
  await user.click(await screen.findByRole('checkbox', { name: 'Change 1 of 2' }))
  await waitFor(() =>
    expect(calls.amend).toHaveBeenLastCalledWith('m1', 0, {
      name: 'edit_file',
      arguments: { path: '/a.md', edits: [{ search: 'three\n', replace: '3\n' }] },
    }),
  )
})

it('can be run even if the files can’t be reached', async () => {
  const { calls } = renderMessage({ message: messageWith(callPiece('write_file', { path: '/a', content: 'x' })) })
  await userEvent.setup().click(screen.getByRole('button', { name: 'Run' }))
  expect(calls.run).toHaveBeenCalledOnce()
})

it('collapses a call that ran in view only when pointer and focus have left it', async () => {
  const user = userEvent.setup()
  const message = messageWith(callPiece('list_directory', { path: '/' }))
  const { store } = renderMessage({ message })
  await user.click(screen.getByRole('button', { name: 'Run' }))
  expect(document.activeElement).toBe(screen.getByRole('group', { name: 'Tool call: list_directory' }))
  act(() => store.dispatch({ type: 'call-live', key: 'm1:0', live: live() }))
  act(() => store.dispatch({ type: 'call-recorded', call: record(0, { name: 'list_directory', outcome: outcome() }) }))
  const card = screen.getByRole('group', { name: 'Tool result: list_directory' })
  expect(document.activeElement).toBe(card)
  expect(screen.getByRole('button', { name: 'Details' })).toBeTruthy()
  fireEvent.pointerLeave(card)
  expect(screen.getByRole('button', { name: 'Details' })).toBeTruthy()
  // Nothing moves under a click elsewhere that takes the focus away.
  fireEvent.pointerDown(document.body)
  act(() => card.blur())
  fireEvent.pointerUp(document.body)
  fireEvent.click(document.body)
  expect(screen.getByRole('button', { name: 'Details' })).toBeTruthy()
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Details' })).toBeNull())
})

it('offers to send results that were not sent, with the server’s error', async () => {
  const user = userEvent.setup()
  const message = messageWith(callPiece('list_directory', { path: '/' }))
  const problem = '5 tool rounds without a message from you. Continue?'
  const { calls } = renderMessage({
    message,
    records: [record(0, { name: 'list_directory', outcome: outcome() })],
    heldBack: problem,
  })
  await waitFor(() => screen.getByText(problem))
  await user.click(screen.getByRole('button', { name: 'Continue' }))
  expect(calls.notifyModel).toHaveBeenCalledExactlyOnceWith('m1', 0)
})
