// @vitest-environment jsdom
import { act, cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { EditingProvider } from '@/components/assistant-ui/editing-context'
import { InThread } from '@/components/assistant-ui/testing/in-thread'
import { ChatProvider } from '@/components/context/chat-context'
import type { Message } from '@/lib/shared/conversation/conversation'
import type { CallActions, ThreadActions } from '@/lib/client/chats/actions'
import { createClientStore } from '@/lib/client/state/store'
import { conversationId, conversationRow, refused, replyRow, stored, userRow } from '@/lib/client/chats/testing/rows'
import { inChinese } from '@/components/ui/testing/in-chinese'
import { MessageRow, preloadReplyRow } from './message-row'
import { isHere } from '@/lib/shared/conversation/message-tree'
import { viewOf } from '@/lib/client/state/open-conversations'

vi.mock('@/components/markdown/markdown', () => ({ Markdown: ({ text }: { text: string }) => <p>{text}</p> }))
beforeAll(preloadReplyRow)
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const said = userRow('u1', null, { text: 'first words' })
const answered = replyRow('a1', 'u1', { text: 'An answer.' })

function setUp(messages: readonly Message[] = [said, answered]) {
  const store = createClientStore()
  store.dispatch({ type: 'view-opened', conversationId })
  const rows = { messages, calls: [], amendments: [], grants: [] }
  const conversation = conversationRow({ headId: messages.at(-1)?.id ?? null })
  store.dispatch({ type: 'view-loaded', view: { ...rows, conversation, activeRunId: null } })
  const thread = {
    append: vi.fn<ThreadActions['append']>(() => Promise.resolve(stored)),
    stop: vi.fn<ThreadActions['stop']>(),
    retry: vi.fn<ThreadActions['retry']>(),
    regenerate: vi.fn<ThreadActions['regenerate']>(),
    edit: vi.fn<ThreadActions['edit']>(() => Promise.resolve(stored)),
    switchBranch: vi.fn<ThreadActions['switchBranch']>(),
  }
  const { path } = viewOf(store.getState())
  render(
    <ChatProvider value={{ store, chat: thread as never, calls: {} as CallActions }}>
      <InThread>
        <EditingProvider>
          {path.filter(isHere).map((message, index) => (
            <MessageRow key={message.id} message={message} index={index} isLast={index === path.length - 1} />
          ))}
        </EditingProvider>
      </InThread>
    </ChatProvider>,
  )
  return { store, thread, user: userEvent.setup() }
}

const field = () => screen.queryByRole<HTMLTextAreaElement>('textbox', { name: 'Edited message' })
const button = (name: string) => screen.getByRole('button', { name })

describe('editing a message', () => {
  it('starts with the message’s text, takes typing anywhere, and sends on Enter', async () => {
    const { thread, user } = setUp()
    await user.click(button('Edit'))
    expect(document.activeElement).toBe(field())
    await user.keyboard('!')
    expect(field()?.value).toBe('first words!')
    act(() => field()?.setSelectionRange(5, 5))
    await user.keyboard(' and last')
    expect([field()?.value, field()?.selectionStart]).toEqual(['first and last words!', 14])
    await user.keyboard('{Enter}')
    expect(thread.edit).toHaveBeenCalledExactlyOnceWith('u1', 'first and last words!')
    expect(field()).toBeNull()
  })

  it('keeps the text in its field if it is refused', async () => {
    const { thread, user } = setUp()
    thread.edit.mockResolvedValue(refused)
    await user.click(button('Edit'))
    await user.keyboard(' more')
    await user.click(button('Send'))
    expect(thread.edit).toHaveBeenCalledOnce()
    expect(field()?.value).toBe('first words more')
  })

  it('sends nothing while empty or during a reply, and Escape leaves the message unchanged', async () => {
    const { store, thread, user } = setUp()
    await user.click(button('Edit'))
    await user.clear(field() as HTMLElement)
    await user.keyboard('{Enter}')
    expect(button('Send')).toHaveProperty('disabled', true)
    await user.keyboard('other words')
    act(() => store.dispatch({ type: 'run-joined', conversationId, runId: 'r', replyId: 'a2' }))
    await user.keyboard('{Enter}')
    expect(thread.edit).not.toHaveBeenCalled()
    expect(field()?.value).toBe('other words')
    await user.keyboard('{Escape}')
    expect(field()).toBeNull()
    expect(screen.getByText('first words')).toBeDefined()
  })
})

describe('copying a message', () => {
  const last = () => screen.getAllByRole('button', { name: 'Copy' }).at(-1) as HTMLElement

  it('confirms for a moment', async () => {
    const { user } = setUp()
    await user.click(last())
    expect(await navigator.clipboard.readText()).toBe('An answer.')
    expect(last().dataset['tip']).toBe('copied')
  })

  it('says when the browser did not allow it', async () => {
    const { user } = setUp()
    vi.spyOn(navigator.clipboard, 'writeText').mockRejectedValue(new Error('no'))
    await user.click(last())
    expect(last().dataset['tip']).toBe('not allowed')
  })

  it('offers nothing to copy under a reply without text', () => {
    setUp([said, replyRow('a1', 'u1', { text: '' })])
    expect(last()).toHaveProperty('disabled', true)
  })
})

it('another version can be requested under a reply, even an unfinished one', async () => {
  const { thread, user } = setUp()
  await user.click(button('Regenerate'))
  cleanup()
  const failed = setUp([said, replyRow('a1', 'u1', { outcome: 'failed' })])
  await user.click(button('Retry'))
  cleanup()
  const stopped = setUp([said, replyRow('a1', 'u1', { outcome: 'stopped' })])
  await user.click(button('Retry'))
  for (const { regenerate } of [thread, failed.thread, stopped.thread])
    expect(regenerate).toHaveBeenCalledExactlyOnceWith('a1')
})

describe('a reply without an answer', () => {
  const model = 'ollama/qwen3:8b'

  it.each([
    ['', '', 'qwen3:8b sent an empty reply'],
    [' \n\u200b', '', 'qwen3:8b sent an empty reply'],
    ['', 'Let me see.', 'qwen3:8b ended after thinking, without an answer'],
    ['<think>Let me see.', '', 'qwen3:8b ended after thinking, without an answer'],
  ])('says so and offers actions: %j %j', async (text, reasoning, words) => {
    const { thread, user } = setUp([said, replyRow('a1', 'u1', { model, text, reasoning })])
    expect(screen.getByRole('alert').textContent).toContain(words)
    expect(screen.getByRole('heading', { name: words })).toBeTruthy()
    expect(button('Choose another model')).toBeTruthy()
    await user.click(button('Retry'))
    expect(thread.regenerate).toHaveBeenCalledExactlyOnceWith('a1')
  })

  it('names a model of another browser', () => {
    setUp([said, replyRow('a1', 'u1', { model: 'browser/ollama:qwen3:8b', text: '' })])
    expect(screen.getByRole('heading', { name: 'qwen3:8b of another browser sent an empty reply' })).toBeTruthy()
  })

  it('offers nothing once the chat has continued', () => {
    setUp([said, replyRow('a1', 'u1', { model, text: '' }), userRow('u2', 'a1')])
    expect(screen.getByRole('heading', { name: 'qwen3:8b sent an empty reply' })).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'Retry' })).toBeNull()
  })

  it('is translated to Chinese', () => {
    inChinese()
    setUp([said, replyRow('a1', 'u1', { model, text: '', reasoning: '想' })])
    expect(screen.getByRole('heading', { name: 'qwen3:8b 思考后就结束了，没有给出回答' })).toBeTruthy()
  })
})

it('a message that can’t be read says so in place, and another reply can be requested', async () => {
  const lost = { text: '', unreadable: 'whole' } as const
  const { user, thread } = setUp([userRow('u1', null, lost), replyRow('a1', 'u1', { ...lost, outcome: 'interrupted' })])
  expect(screen.getByText(/^Your message cannot be read because its stored data is damaged/)).toBeTruthy()
  expect(screen.getByText(/^This reply cannot be read because its stored data is damaged/)).toBeTruthy()
  await user.click(button('Retry'))
  expect(thread.regenerate).toHaveBeenCalledExactlyOnceWith('a1')
  cleanup()
  setUp([said, replyRow('a1', 'u1', { text: 'half', outcome: 'interrupted', unreadable: 'part' })])
  expect(screen.getByText('half')).toBeTruthy()
  expect(screen.getByText(/^Part of this reply cannot be read.*its calls cannot run\.$/)).toBeTruthy()
})

it('branches are counted and switched under the message that has them', async () => {
  const { thread, user } = setUp([said, answered, replyRow('a2', 'u1', { text: 'Another.' })])
  expect(screen.getByText('2 of 2')).toBeDefined()
  expect(button('Next branch')).toHaveProperty('disabled', true)
  await user.click(button('Previous branch'))
  expect(thread.switchBranch).toHaveBeenCalledExactlyOnceWith('a1')
})

describe('a reply that should have been constrained', () => {
  it.each([
    ['refused', /rejected the grammar of JSON_Strict/],
    ['ignored', /ignores the grammar of JSON_Strict/],
    ['broken', /the server of demo enforces it only in part/],
  ] as const)('says that its server has %s it', async (is, words) => {
    setUp([said, { ...answered, exact: { is, form: 'grammar' } }])
    expect(await screen.findByText(words)).toBeTruthy()
  })

  it('of a browser model names what constrained it: a server, or an engine in the browser', async () => {
    for (const [model, words] of [
      ['browser/wllama:abc', /^The engine of abc of another browser rejected/],
      ['browser/openai-compatible:qwen3:8b', /^The server of qwen3:8b of another browser rejected/],
    ] as const) {
      setUp([said, { ...answered, model, exact: { is: 'refused', form: 'grammar' } }])
      expect(await screen.findByText(words)).toBeTruthy()
    }
  })
})

describe('a reply to a part of the chat', () => {
  it('says before its text how much was not sent to its model, unlike other replies', async () => {
    setUp([said, { ...answered, trimmed: { messages: 1_214, windowTokens: 8_192 } }])
    const note = await screen.findByText(
      '1,214 earlier messages were not sent to the model: the chat is larger than its context window of 8,192 tokens.',
    )
    const reply = screen.getByText('An answer.')
    expect(note.compareDocumentPosition(reply)).toBe(Node.DOCUMENT_POSITION_FOLLOWING)
    expect(screen.getAllByText(/not sent to the model/)).toHaveLength(1)
  })

  it('gives the most that is sent if the context window is unknown', async () => {
    setUp([said, { ...answered, trimmed: { messages: 1, windowTokens: 1_000_000, assumed: true } }])
    const note = await screen.findByText(/^1 earlier message was not sent to the model\./)
    expect(note.textContent).toMatch(/unknown, so at most 1,000,000 tokens are sent\.$/)
  })
})
