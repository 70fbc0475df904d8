// @vitest-environment jsdom
import { cleanup, render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeAll, expect, test, vi } from 'vitest'
import { englishIn, inChinese } from '@/components/ui/testing/in-chinese'
import type { LogEntry } from '@/lib/shared/conversation/conversation'
import type { NodApi } from '@/lib/client/api/nod-api'
import { answering, refusal } from '@/lib/client/chats/testing/answering'
import LogDialog from './log-dialog'

beforeAll(() => {
  // jsdom has no modal dialogs.
  HTMLDialogElement.prototype.showModal = function showModal() {
    this.open = true
  }
  HTMLDialogElement.prototype.close = function close() {
    this.open = false
  }
})
afterEach(cleanup)

const entry = (seq: number, over: Partial<LogEntry> = {}): LogEntry => ({
  seq,
  at: Date.UTC(2026, 0, 1, 12, 0, seq),
  actor: 'k3f9',
  event: 'call-decided',
  messageId: 'm1',
  slot: 0,
  tool: 'read_file',
  detail: { decision: 'run', by: { kind: 'click' }, attempt: 1 },
  ...over,
})

function open(entries: () => Promise<readonly LogEntry[]>) {
  const onClose = vi.fn<() => void>()
  render(<LogDialog conversationId="c1" onClose={onClose} api={answering<Pick<NodApi, 'log'>>({ log: entries })} />)
  return { user: userEvent.setup(), onClose }
}

test('shows each entry as a sentence, newest last, with who and when', async () => {
  open(async () => [entry(1), entry(2, { event: 'call-finished', detail: { status: 'completed', durationMs: 12 } })])
  const list = within(await screen.findByRole('list', { name: 'Entries, newest last' }))
  const rows = list.getAllByRole('button')
  expect(rows[0]?.textContent).toContain('read_file was approved by a click')
  expect(rows[1]?.textContent).toContain('read_file ran, 12 ms')
  expect(rows[1]?.textContent).toContain('k3f9')
  expect(rows[1]?.querySelector('time')?.dateTime).toBe('2026-01-01T12:00:02.000Z')
})

test('opens an entry to show all its details', async () => {
  const { user } = open(async () => [entry(1, { detail: { decision: 'deny', reason: 'not now' } })])
  const row = await screen.findByRole('button', { name: /was denied: “not now”/ })
  expect(row.getAttribute('aria-expanded')).toBe('false')
  await user.click(row)
  expect(screen.getByRole('group', { name: 'Entry 1' }).textContent).toContain('decision')
})

test('can be filtered by tool', async () => {
  const { user } = open(async () => [entry(1), entry(2, { tool: 'write_file' }), entry(3, { tool: null })])
  await user.selectOptions(await screen.findByRole('combobox', { name: 'Show' }), 'only write_file')
  expect(within(screen.getByRole('list')).getAllByRole('button')).toHaveLength(1)
  expect(screen.getByText('1 entry')).toBeTruthy()
})

test('starts a long log with its newest part', async () => {
  const { user } = open(async () => Array.from({ length: 450 }, (_, at) => entry(at + 1)))
  expect(await screen.findByText('450 entries')).toBeTruthy()
  const rows = () => within(screen.getByRole('list')).getAllByRole('listitem')
  expect(rows()).toHaveLength(200)
  await user.click(screen.getByRole('button', { name: 'Show earlier entries, 250 more' }))
  await user.click(screen.getByRole('button', { name: 'Show earlier entries, 50 more' }))
  expect(rows()).toHaveLength(450)
  expect(screen.queryByRole('button', { name: /earlier/ })).toBeNull()
})

test('shows the error and retries', async () => {
  let fail = true
  const { user } = open(async () => {
    if (fail) throw refusal('unreachable', 0, 'The server cannot be reached.')
    return []
  })
  expect((await screen.findByRole('alert')).textContent).toBe(
    'The log could not be loaded. The server cannot be reached.',
  )
  fail = false
  await user.click(screen.getByRole('button', { name: 'Try again' }))
  expect(await screen.findByText('No decisions, runs or changes in this chat yet.')).toBeTruthy()
})

test('downloads the log as a file, and the chat as an address', async () => {
  const made: Blob[] = []
  // jsdom has no object URLs.
  Object.assign(URL, {
    createObjectURL: (blob: Blob) => {
      made.push(blob)
      return 'blob:log'
    },
    revokeObjectURL: () => {},
  })
  const clicked: string[] = []
  const click = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function click(
    this: HTMLAnchorElement,
  ) {
    clicked.push(this.download)
  })
  const { user } = open(async () => [entry(1)])
  await user.click(await screen.findByRole('button', { name: 'Download log' }))
  expect(clicked).toEqual(['nod-log-c1.json'])
  expect(JSON.parse((await made[0]?.text()) ?? '')).toEqual({ entries: [entry(1)] })
  expect(screen.getByRole<HTMLAnchorElement>('link', { name: 'Export chat' }).getAttribute('href')).toBe(
    '/api/conversations/c1/export',
  )
  click.mockRestore()
})

test('in Chinese shows nothing in English', async () => {
  inChinese()
  open(async () => [
    entry(1),
    entry(2, { event: 'settings-changed', tool: null, detail: { strategy: { to: 'VCP' }, exact: { to: true } } }),
  ])
  expect(await screen.findByRole('list', { name: '记录，最新的在最后' })).toBeTruthy()
  expect(screen.getByRole('button', { name: /^设置已更改：调用格式；精确调用：开/ })).toBeTruthy()
  expect(screen.getByText('2 条')).toBeTruthy()
  expect(englishIn(screen.getByRole('dialog'))).toEqual([])
})
