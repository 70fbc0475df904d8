import { expect, it } from 'vitest'
import exported from '@/lib/server/store/testing/export.json'
import { importSchema } from './import-schema'

it('accepts a reply with a schema, and no other word for how it is parsed', () => {
  const withReading = (reading: unknown) => ({
    ...exported,
    messages: exported.messages.map((one) => (one.role === 'assistant' ? { ...one, reading } : one)),
  })
  const taken = importSchema.parse({ id: 'new', export: withReading('whole') }).export.messages
  expect(taken.filter((one) => 'reading' in one).length).toBe(
    exported.messages.filter(({ role }) => role === 'assistant').length,
  )
  expect(importSchema.safeParse({ id: 'new', export: withReading('twice') }).success).toBe(false)
})

it('accepts an export with its calls, and refuses an earlier version', () => {
  const taken = importSchema.parse({ id: 'new', export: exported }).export
  expect(taken.calls).toEqual(exported.calls)
  const inner = { n: 1, attempt: 1, name: 'get_time', arguments: {}, decision: 'run', reason: '', decidedAt: 1 }
  const called = exported.calls.map((call) => ({
    ...call,
    inner: [{ ...inner, by: { kind: 'click' }, outcome: null }],
  }))
  const withInner = { ...exported, calls: called }
  expect(importSchema.parse({ id: 'new', export: withInner }).export.calls).toEqual(called)
  expect(importSchema.safeParse({ id: 'new', export: { ...exported, version: 1 } }).success).toBe(false)
})
