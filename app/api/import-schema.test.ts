import { expect, it } from 'vitest'
import exported from '@/lib/server/store/testing/export.json'
import { importSchema } from './import-schema'

it('takes a reply of a schema as one, and no other word for how it is read', () => {
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

it('takes an export with its calls as they are, and none of an earlier version', () => {
  const taken = importSchema.parse({ id: 'new', export: exported }).export
  expect(taken.calls).toEqual(exported.calls)
  expect(importSchema.safeParse({ id: 'new', export: { ...exported, version: 1 } }).success).toBe(false)
})
