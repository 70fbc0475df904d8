// @vitest-environment jsdom
import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, describe, expect, it } from 'vitest'
import { ChatProvider } from '@/components/context/chat-context'
import type { CallActions, ChatActions } from '@/lib/client/chats/actions'
import { createClientStore } from '@/lib/client/state/store'
import { replyRow } from '@/lib/client/chats/testing/rows'
import type { AssistantMessage } from '@/lib/shared/conversation/conversation'
import LostNote from './lost-note'

afterEach(cleanup)

function said(over: Partial<AssistantMessage>): string {
  render(
    <ChatProvider value={{ store: createClientStore(), chat: {} as ChatActions, calls: {} as CallActions }}>
      <LostNote message={replyRow('a', 'u', { model: 'own/qwen3', text: 'Caf\uFFFD', ...over })} />
    </ChatProvider>,
  )
  return screen.getByRole('paragraph').textContent
}

describe('a reply with bytes that are not text', () => {
  it('says where, what it may mean, and what to do about its server', () => {
    expect(said({})).toBe(
      'In one place, this reply contains �, which replaces bytes that are not valid text. Unless the model meant this character, something is missing there. Check there before you run a call, or regenerate the reply. If it happens again, the server of qwen3 may need an update.',
    )
  })

  it('says that a reply is not called exact if it should have been, and counts places, not characters', () => {
    const text = 'a\uFFFD\uFFFDb\uFFFDc\ud800'
    expect(said({ text, exact: { is: 'asked', form: 'grammar' } })).toMatch(
      /^In 3 places, .* so the reply is not marked exact\. /,
    )
  })

  it.each([
    ['browser/wllama:abc', 'another file of this model'],
    ['browser/paste:any', 'copy the reply again'],
    ['browser/ollama:qwen3', 'the server of'],
  ])('names the writer of %s', (model, way) => {
    expect(said({ model })).toContain(way)
  })
})
