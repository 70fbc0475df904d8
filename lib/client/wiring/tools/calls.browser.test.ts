import { expect, it, vi } from 'vitest'
import type { DecideCall } from '@/lib/shared/conversation/wire/call-requests'
import { chatResponse } from '@/lib/shared/conversation/testing/chat-response'
import { ok } from '@/lib/base/result'
import type { NodApi } from '@/lib/client/api/nod-api'
import type { ChatController } from '@/lib/client/chats/controller'
import { createClientStore } from '@/lib/client/state/store'
import { callRow, conversationId, conversationRow, replyRow, userRow } from '@/lib/client/chats/testing/rows'
import { toolContextBuilder } from '@/lib/protocols/tool-context-builder'
import { createCalls } from './calls.browser'

const text = toolContextBuilder.get('XML_Tag').formatCalls([{ name: 'list_directory', arguments: { path: '/' } }])

it('sends the results of calls as one message, and follows the reply to it', async () => {
  const store = createClientStore()
  const messages = [userRow('u1', null), replyRow('a1', 'u1', { text, strategy: 'XML_Tag' })]
  const rows = { messages, calls: [], amendments: [], grants: [], activeRunId: null }
  store.dispatch({ type: 'view-opened', conversationId })
  store.dispatch({ type: 'view-loaded', view: { ...rows, conversation: conversationRow({ headId: 'a1' }) } })

  const denied = (_: string, { decision, callHash }: DecideCall) =>
    Promise.resolve(ok({ granted: true, call: callRow('a1', 0, { decision, callHash, name: 'list_directory' }) }))
  const answer = chatResponse({ runId: 'r2', replyId: 'a2' })
  const chat = vi.fn<NodApi['chat']>(() => Promise.resolve(ok(answer)))
  const joinRun = vi.fn<ChatController['joinRun']>()
  const calls = createCalls({
    store,
    api: { decideCall: denied, view: () => Promise.resolve(ok(rows)), chat } as unknown as NodApi,
    chat: { joinRun, changedElsewhere: () => {} } as unknown as ChatController,
    announce: () => {},
    newId: () => 'tab',
    wait: () => Promise.resolve(),
  })
  calls.deny('a1', [0], 'No.')
  await vi.waitFor(() => expect(joinRun).toHaveBeenCalledExactlyOnceWith(conversationId, answer))
  const append = { kind: 'tool-results', id: expect.stringMatching(/^[0-9a-f-]{36}$/), parentId: 'a1' }
  expect(chat.mock.calls).toEqual([[{ conversationId, append }]])
})
