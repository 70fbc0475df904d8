// @vitest-environment jsdom
import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { useState } from 'react'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { ChatProvider } from '@/components/context/chat-context'
import { messageFieldId } from '@/components/context/show-in-page'
import type { CallActions, ChatActions } from '@/lib/client/chats/actions'
import { createDrafts } from '@/lib/client/outbox/drafts'
import { createClientStore } from '@/lib/client/state/store'
import { conversationId, conversationRow, replyRow, userRow } from '@/lib/client/chats/testing/rows'
import type { AssistantMessage } from '@/lib/shared/conversation/conversation'
import type { ModelInfo } from '@/lib/shared/models/model'
import ContextMeter from './context-meter'

const drafts = createDrafts({ storage: null, schedule: () => () => {} })
beforeEach(() => localStorage.clear())
afterEach(cleanup)

const model = (patch: Partial<ModelInfo>): ModelInfo => ({
  id: 'demo/demo',
  label: 'qwen3:8b',
  providerLabel: 'Ollama',
  contextTokens: null,
  simulated: false,
  ...patch,
})

function Composer() {
  const [notes, setNotes] = useState<HTMLElement | null>(null)
  return (
    <>
      <div data-testid="notes" ref={setNotes} />
      <form>
        <textarea id={messageFieldId} aria-label="Message" />
        <ContextMeter drafts={drafts} notes={notes} />
      </form>
    </>
  )
}

/** A chat of `turns` turns with about 50 tokens per message. */
function setUp(turns: number, info: Partial<ModelInfo> = {}, last: Partial<AssistantMessage> = {}) {
  const store = createClientStore()
  store.dispatch({ type: 'models-loaded', models: { models: [model(info)], defaultModel: 'demo/demo', problems: [] } })
  store.dispatch({ type: 'view-opened', conversationId })
  const words = 'some words of a message '.repeat(10)
  const messages = Array.from({ length: turns }, (_, n) => [
    userRow(`u${n}`, n === 0 ? null : `a${n - 1}`, { text: words }),
    replyRow(`a${n}`, `u${n}`, { text: words, ...(n === turns - 1 && last) }),
  ]).flat()
  const rest = { calls: [], amendments: [], grants: [], activeRunId: null }
  store.dispatch({
    type: 'view-loaded',
    view: { conversation: conversationRow({ headId: `a${turns - 1}` }), messages, ...rest },
  })
  render(
    <ChatProvider value={{ store, chat: {} as Partial<ChatActions> as ChatActions, calls: {} as CallActions }}>
      <Composer />
    </ChatProvider>,
  )
  act(() => void fireEvent.pointerMove(document.body))
}

const meter = () => screen.findByRole('button', { name: /^about [\d,]+/ }, { timeout: 3_000 })
const countOf = (text: string | null) => Number(/about ([\d,]+)/.exec(text ?? '')?.[1]?.replaceAll(',', ''))

it('counts the typed text after a pause, and shows the parts, the last reply and its cost', async () => {
  const usage = { inputTokens: 3_000, outputTokens: 100, cachedInputTokens: 2_500 }
  const price = { perMillionIn: 1_000, perMillionOut: 10_000 }
  setUp(1, { price }, { usage, pace: { firstMs: 800, ms: 2_800 }, promptTokens: 2_500 })
  const button = await meter()
  const before = countOf(button.textContent)
  fireEvent.input(screen.getByRole('textbox', { name: 'Message' }), { target: { value: 'more words '.repeat(100) } })
  await waitFor(() => expect(countOf(button.textContent)).toBeGreaterThan(before + 150), { timeout: 3_000 })
  fireEvent.click(button)
  const details = await screen.findByRole('dialog', { name: 'What the next message sends' })
  expect(details.textContent).toContain('The context window of qwen3:8b is unknown.')
  expect(details.textContent).toContain('Your draft')
  expect(details.textContent).toContain('multiplied by 1.2 to match the token counts that qwen3:8b reported')
  expect(details.textContent).toContain('First token after 800 ms · 50 tokens per second')
  expect(details.textContent).toContain('3,000 input tokens (2,500 cached), 100 output tokens')
  expect(details.textContent).toContain('Cost 4.00, all replies of this branch 4.00')
  // The learned ratio applies to the next chat, too.
  expect(localStorage.getItem('nod:token-ratios')).toContain('"last":"a0"')
})

it('warns before the context window is full, and says what is left out when it is', async () => {
  setUp(14, { contextTokens: 5_200 })
  await meter()
  const notes = screen.getByTestId('notes')
  await waitFor(() => expect(notes.textContent).toMatch(/^This chat fills \d\d % of the context window of qwen3:8b\./))
  cleanup()
  setUp(60, { contextTokens: 4_200 })
  await meter()
  await waitFor(() =>
    expect(screen.getByTestId('notes').textContent).toMatch(
      /^This chat is larger than the context window of qwen3:8b\. The \d+ oldest/,
    ),
  )
  act(() => screen.getByRole('button', { name: 'Dismiss' }).click())
  expect(screen.getByTestId('notes').textContent).toBe('')
})
