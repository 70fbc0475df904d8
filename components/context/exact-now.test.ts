import { expect, it } from 'vitest'
import type { AssistantMessage } from '@/lib/conversation/conversation'
import { conversationRow, replyRow, userRow } from '@/lib/client/testing/rows'
import { isExactNow } from './exact-now'

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

it('is said of a chat whose last reply was held to the form that the next one is asked in', () => {
  expect(isExactNow(view(honoured))).toBe(true)
  expect(isExactNow(view({}))).toBe(false)
  for (const is of ['asked', 'broken', 'ignored', 'refused'] as const) {
    expect(isExactNow(view({ exact: { is, form: 'grammar' } }))).toBe(false)
  }
  expect(isExactNow(view(honoured, false))).toBe(false)
  expect(isExactNow(view({ ...honoured, model: 'other/one' }))).toBe(false)
  expect(isExactNow(view({ ...honoured, strategy: 'VCP' }))).toBe(false)
  expect(isExactNow({ conversation: null, path: [] })).toBe(false)
})
