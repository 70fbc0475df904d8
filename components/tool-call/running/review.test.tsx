// @vitest-environment jsdom
import { cleanup, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { CallOutcome, FileChanges } from '@/lib/shared/conversation/call-record'
import type { LiveCall } from '@/lib/shared/calls/call-state'
import type { FileReview, ToolRuntime } from '@/lib/shared/tools/tool'
import { createMemoryVfs } from '@/lib/vfs/memory/memory-vfs'
import type { Vfs } from '@/lib/vfs/vfs'
import { outcome, record, reply } from '../testing/fixtures'
import { renderMessage, type Scene } from '../testing/render-message'

vi.mock('@/components/markdown/markdown', () => ({ Markdown: ({ text }: { text: string }) => <p>{text}</p> }))
vi.mock('@/components/ui/code/highlight', () => ({ highlightLines: () => Promise.resolve(null) }))
afterEach(cleanup)

const text = '<tool_code>{"name":"browser_js_eval","arguments":{"code":"1"}}</tool_code>'
const changes: FileChanges['changes'] = [
  { path: '/a.txt', change: 'changed', kind: 'file', size: 7 },
  { path: '/d', change: 'created', kind: 'directory', size: 0 },
  { path: '/old.bin', change: 'deleted', kind: 'file', size: 0 },
]
const texts = vi.fn<FileReview['texts']>(async (path) =>
  path === '/a.txt' ? { before: 'one\n', after: 'two\n' } : { before: null, after: null },
)
const live: LiveCall = {
  startedAt: 1000,
  attempt: 1,
  events: [],
  outcome: null,
  problem: null,
  review: { changes, total: 3, texts },
}

async function reviewing(tools: Scene['tools'] = {}) {
  const view = renderMessage({
    message: reply({ text }),
    records: [record(0, { name: 'browser_js_eval' })],
    lives: { 0: live },
    tools,
  })
  const group = screen.getByRole('group', { name: 'Tool call: browser_js_eval' })
  const card = within(group)
  await card.findByRole('button', { name: 'Keep' })
  return { ...view, card, group, user: userEvent.setup() }
}

describe('a card whose changes wait', () => {
  it('is a waiting card: blue, current, with the changes', async () => {
    const { card, group } = await reviewing()
    expect(card.getByText('changes need review')).toBeTruthy()
    expect(group.dataset).toMatchObject({ callCard: 'waiting', current: '' })
    expect(group.dataset['callCard']).toBe('waiting')
    expect(
      card.getByText(/The code ran and would change 2 files and 1 folder\. Your files are unchanged so far\./),
    ).toBeTruthy()
    expect(card.getByText(/If you close or reload the page now, these changes are lost\./)).toBeTruthy()
    expect(within(card.getByRole('list', { name: 'Changed files' })).getAllByRole('listitem')).toHaveLength(3)
    expect(card.queryByRole('button', { name: 'Stop' })).toBeNull()
  })

  it.each([
    ['dialog', 1],
    ['inline', 0],
  ] as const)('asked in %s: scrolls into view %i times, and takes no focus', async (approvalUi, times) => {
    const seen: Element[] = []
    Object.assign(Element.prototype, {
      scrollIntoView(this: Element) {
        seen.push(this)
      },
    })
    const { group } = await reviewing({ approvalUi })
    expect(seen).toEqual(times === 1 ? [group] : [])
    expect(document.activeElement).toBe(document.body)
  })

  it('opens a text file to its difference, and says if there is none', async () => {
    const { card, user } = await reviewing()
    expect(texts).not.toHaveBeenCalled()
    await user.click(card.getByRole('button', { name: '/a.txt' }))
    expect(await card.findByText('two')).toBeTruthy()
    await user.click(card.getByRole('button', { name: '/old.bin' }))
    expect(await card.findByText('This is not a text file, or it is too large to compare here.')).toBeTruthy()
    expect(card.queryByRole('button', { name: '/d/' })).toBeNull()
  })

  it.each([
    ['Keep', 'keep'],
    ['Discard', 'discard'],
  ] as const)('%s answers', async (name, answer) => {
    const { card, user, calls } = await reviewing()
    await user.click(card.getByRole('button', { name }))
    expect(calls.answerReview).toHaveBeenCalledExactlyOnceWith('m1', 0, answer)
  })

  it.each([
    ['{Control>}{Enter}{/Control}', 'keep'],
    ['{Control>}{Backspace}{/Control}', 'discard'],
  ] as const)('handles the keys of a waiting card: %s', async (keys, answer) => {
    const { group, user, calls } = await reviewing()
    group.focus()
    await user.keyboard(keys)
    expect(calls.answerReview).toHaveBeenCalledExactlyOnceWith('m1', 0, answer)
  })
})

describe('a card of code that ran', () => {
  const ended = async (files: FileChanges, patch: Partial<CallOutcome> = {}) => {
    renderMessage({
      message: reply({ text }),
      records: [record(0, { name: 'browser_js_eval', outcome: outcome({ ...patch, files }) })],
    })
    const user = userEvent.setup()
    const head = screen.getByRole('button', { name: /browser_js_eval/ })
    if (head.getAttribute('aria-expanded') === 'false') await user.click(head)
    return user
  }

  it('says how many files it changed and lists them', async () => {
    const user = await ended({ kept: true, changes, total: 230 })
    expect(screen.getByText('It changed 230 paths.')).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Details' }))
    await user.click(screen.getByRole('tab', { name: 'Files 230' }))
    expect(screen.getByText('/old.bin')).toBeTruthy()
    expect(screen.getByText('and 227 more')).toBeTruthy()
  })

  it('says that its changes were discarded, also after a failure', async () => {
    await ended({ kept: false, changes, total: 3 }, { status: 'error', result: { error: 'TypeError: x' } })
    expect(screen.getByText('Its changes (2 files and 1 folder) were not kept. The files are unchanged.')).toBeTruthy()
  })

  const cutOff = async (runtime: Scene['runtime']) => {
    renderMessage({
      message: reply({ text }),
      records: [record(0, { name: 'browser_js_eval' })],
      held: false,
      ...(runtime && { runtime }),
    })
    return screen.findByText(/None of its file changes|It changed|may have changed/)
  }
  const filesOf = (vfs: Vfs) => () => Promise.resolve({ vfs } as unknown as ToolRuntime)

  it('says so if it was interrupted before anything was kept', async () => {
    expect((await cutOff(filesOf(createMemoryVfs()))).textContent).toBe('None of its file changes were kept.')
  })

  it('lists the changes kept before an interruption, from the file history', async () => {
    const vfs = createMemoryVfs()
    const origin = { kind: 'call', messageId: 'm1', slot: 0, attempt: 1, tool: 'browser_js_eval' } as const
    await vfs.recording(origin).write('/kept.md', new Uint8Array(3))
    expect((await cutOff(filesOf(vfs))).textContent).toBe('It changed 1 file.')
    expect(screen.getAllByText('/kept.md')).not.toEqual([])
  })

  it('claims nothing after an interruption if the files can’t be read', async () => {
    expect((await cutOff(undefined)).textContent).toBe('It may have changed files before it stopped.')
  })
})
