import { expect, it } from 'vitest'
import type { AssistantMessage } from '@/lib/shared/conversation/conversation'
import { conversationRow, replyRow, userRow } from '@/lib/client/chats/testing/rows'
import { isConstrainedNow } from './model-status'

const { settings } = conversationRow()
const view = (reply: Partial<AssistantMessage>, exact?: boolean) => ({
  conversation: conversationRow({ settings: { ...settings, ...(exact !== undefined && { exact }) } }),
  path: [
    userRow('u', null),
    replyRow('a', 'u', { model: settings.model, strategy: settings.strategy, ...reply }),
    userRow('u2', 'a'),
  ],
})
const honoured = { exact: { is: 'honoured', form: 'grammar' } } as const

it('is true for a chat whose last reply was constrained to the format of the next request', () => {
  expect(isConstrainedNow(view(honoured))).toBe(true)
  expect(isConstrainedNow(view({}))).toBe(false)
  for (const is of ['asked', 'broken', 'ignored', 'refused'] as const) {
    expect(isConstrainedNow(view({ exact: { is, form: 'grammar' } }))).toBe(false)
  }
  expect(isConstrainedNow(view(honoured, false))).toBe(false)
  expect(isConstrainedNow(view({ ...honoured, model: 'other/one' }))).toBe(false)
  expect(isConstrainedNow(view({ ...honoured, strategy: 'VCP' }))).toBe(false)
  expect(isConstrainedNow({ conversation: null, path: [] })).toBe(false)
})
