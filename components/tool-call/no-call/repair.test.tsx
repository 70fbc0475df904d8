// @vitest-environment jsdom
import { cleanup, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { AssistantMessage, Message, UserMessage } from '@/lib/shared/conversation/conversation'
import { defaultToolConfig } from '@/lib/shared/conversation/settings/registered-tool'
import { parsedReply } from '@/lib/client/state/parsed-reply'
import { promotedSlot } from '@/lib/shared/calls/message-calls'
import { reply } from '../testing/fixtures'
import { renderMessage, type Scene } from '../testing/render-message'
import { builtIn } from '@/lib/shared/tools/testing/built-in'

vi.mock('@/components/markdown/markdown', () => ({ Markdown: ({ text }: { text: string }) => <p>{text}</p> }))
vi.mock('@/components/ui/code/highlight', () => ({ highlightLines: () => Promise.resolve(null) }))
afterEach(cleanup)

const show = (text: string, scene: Omit<Scene, 'message'> = {}) => renderMessage({ ...scene, message: reply({ text }) })
const broken = () => within(screen.getByRole('group', { name: 'Broken tool call' }))
const cutText = '<tool_code>{"name":"write_file","arguments":{"path":"/a","content":"# Pl'

describe('a broken call', () => {
  it('offers a repair that only adds markup, and applies it on a click', async () => {
    const user = userEvent.setup()
    const { calls, append } = show('Here:\n<tool_code>{"name":"read_file","arguments":{"path":"/a.md"}')
    expect(broken().getByText('}</tool_code>')).toBeTruthy()
    expect(broken().queryByText(/had more to write/)).toBeNull()
    expect(broken().getByRole('group', { name: 'Before and after the repair' })).toBeTruthy()
    await user.click(broken().getByRole('button', { name: 'Use this call' }))
    expect(calls.amend).toHaveBeenCalledExactlyOnceWith('m1', promotedSlot(6), {
      name: 'read_file',
      arguments: expect.objectContaining({ path: '/a.md' }) as object,
    })
    expect(calls.run).not.toHaveBeenCalled()
    expect(append).not.toHaveBeenCalled()
  })

  it('says where the model may have been about to write more', () => {
    show('<tool_code>{"name":"read_file","arguments":{"path":"/a.md"')
    expect(broken().getByText(/The model may have had more to write\./)).toBeTruthy()
  })

  it('offers no repair for a value that was cut off, but the editor with the readable part', async () => {
    const user = userEvent.setup()
    const { calls } = show(cutText)
    expect(broken().queryByRole('button', { name: 'Use this call' })).toBeNull()
    await user.click(broken().getByRole('button', { name: 'Edit' }))
    const form = within(await screen.findByRole('form'))
    expect(form.getByRole<HTMLSelectElement>('combobox', { name: 'Tool' }).value).toBe('write_file')
    await user.type(form.getByRole('textbox', { name: 'path' }), '/a')
    await user.type(form.getByRole('textbox', { name: 'content' }), 'x')
    await user.click(form.getByRole('button', { name: 'Save' }))
    expect(calls.amend).toHaveBeenCalledExactlyOnceWith('m1', promotedSlot(0), {
      name: 'write_file',
      arguments: { path: '/a', content: 'x' },
    })
  })

  it('is dismissed on a click: nothing more is offered', async () => {
    const user = userEvent.setup()
    show(cutText)
    await user.click(broken().getByRole('button', { name: 'Ignore' }))
    expect(broken().queryByRole('button', { name: 'Edit' })).toBeNull()
    expect(broken().queryByRole('button', { name: 'Ask the model to fix it' })).toBeNull()
  })

  it('becomes a waiting call once it is fixed', () => {
    const call = { name: 'read_file', arguments: { path: '/b' } }
    show(cutText, { amendments: [{ messageId: 'm1', slot: promotedSlot(0), call, amendedAt: 1 }] })
    const { getByText, getByRole } = within(screen.getByRole('group', { name: 'Tool call: read_file' }))
    expect(getByText('You replaced a call that could not be read.')).toBeTruthy()
    expect(getByRole('button', { name: 'Run' })).toBeTruthy()
    expect(screen.queryByRole('group', { name: 'Broken tool call' })).toBeNull()
  })
})

describe('repair requests', () => {
  const user = (id: string, text: string): UserMessage => ({
    id,
    conversationId: 'c1',
    parentId: null,
    createdAt: 1,
    role: 'user',
    text,
    results: [],
  })
  const messageOf = (row: AssistantMessage): string => {
    const segment = parsedReply(row, defaultToolConfig, builtIn).segments.find((one) => one.kind === 'broken')
    return segment?.kind === 'broken' ? segment.message : ''
  }
  const rounds = (count: number): Message[] => {
    const path: Message[] = [user('u0', 'Write it.')]
    for (let n = 0; n < count; n++) {
      const row = reply({ id: `b${n}`, text: cutText })
      path.push(row, user(`u${n + 1}`, messageOf(row)))
    }
    return path
  }

  it.each([0, 1])('can be sent after %i of them', async (count) => {
    const typing = userEvent.setup()
    const { append } = show(cutText, { before: rounds(count) })
    await typing.click(broken().getByRole('button', { name: 'Ask the model to fix it' }))
    expect(append).toHaveBeenCalledTimes(1)
  })

  it('end after two: the card says so and offers the editor', () => {
    show(cutText, { before: rounds(2) })
    expect(broken().queryByRole('button', { name: 'Ask the model to fix it' })).toBeNull()
    expect(broken().getByText(/was asked twice to fix this, without success.*another call format/)).toBeTruthy()
    expect(broken().getByRole('button', { name: 'Edit' })).toBeTruthy()
    expect(broken().getByRole('button', { name: 'Message to the model (not sent)' })).toBeTruthy()
  })
})

describe('a call that was parsed with a guess', () => {
  const guessed = '<tool_code>{"name":"write_file","arguments":{"path":"/a.md","content":"say "hi" now"}}</tool_code>'
  const plain = '<tool_code>{"name":"read_file","arguments":{"path":"/a"}}</tool_code>'

  it('shows the original beside the parsed text, and runs on its own click', async () => {
    const user = userEvent.setup()
    const { calls } = show(guessed)
    expect(screen.getByText('Read with a guess')).toBeTruthy()
    expect((await screen.findByRole('group', { name: 'The model’s text and the reading' })).textContent).toContain(
      '\\"hi\\"',
    )
    await user.click(screen.getByRole('button', { name: 'Run' }))
    expect(calls.run).toHaveBeenCalledExactlyOnceWith('m1', [0], { stopAtFailure: false })
  })

  it('is left out of Run all, which says so', async () => {
    const user = userEvent.setup()
    const { calls } = show(`${plain}\n${guessed}`)
    const bar = within(screen.getByRole('group', { name: '2 calls are waiting for you' }))
    expect(bar.getByText(/Run all skips 1 call that was read with a guess\./)).toBeTruthy()
    await user.click(bar.getByRole('button', { name: 'Run all' }))
    expect(calls.run).toHaveBeenCalledExactlyOnceWith('m1', [0], { stopAtFailure: true })
  })
})
