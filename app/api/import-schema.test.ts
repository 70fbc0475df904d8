import { describe, expect, it } from 'vitest'
import exports from '@/lib/store/testing/old-rows/exports-1.json'
import { importSchema } from './import-schema'

/** What the service of version 1 exported, taken in by this one: who decided each call, and who kept its result. */
const take = (exported: unknown) => {
  const { calls, log, version } = importSchema.parse({ id: 'new', export: exported }).export
  expect(version).toBe(2)
  return {
    calls: calls.map(({ by, callHash, release }) => [
      by.kind,
      callHash === null ? 'not approved' : 'approved',
      ...(release ? [release.by.kind, release.note] : []),
    ]),
    log: log.flatMap(({ event, detail }) => {
      const by = detail['by'] as { readonly kind: string } | undefined
      return by && by.kind !== 'click' ? [`${event} ${by.kind}`] : []
    }),
  }
}

it('takes a reply of a schema as one, and no other word for how it is read', () => {
  const [exported] = exports
  const withReading = (reading: unknown) => ({
    ...exported,
    messages: exported?.messages.map((one) => (one.role === 'assistant' ? { ...one, reading } : one)),
  })
  const taken = importSchema.parse({ id: 'new', export: withReading('whole') }).export.messages
  expect(taken.filter((one) => 'reading' in one).length).toBe(
    exported?.messages.filter(({ role }) => role === 'assistant').length,
  )
  expect(importSchema.safeParse({ id: 'new', export: withReading('twice') }).success).toBe(false)
})

describe('an export of version 1', () => {
  const note = 'the user wrote something else'
  const ran = ['click', 'approved']
  it.each([
    ['overtaken', [ran, ran, ran, ['overtaken', 'not approved']], ['call-decided overtaken']],
    ['limit of two', [ran, ran, ['limit', 'not approved']], ['call-decided limit']],
    ['withheld with the very sentence', [[...ran, 'click', note]], []],
    [
      'gated and overtaken',
      [
        [...ran, 'overtaken', ''],
        ['overtaken', 'not approved'],
      ],
      ['result-released overtaken', 'call-decided overtaken'],
    ],
    ['late', [[...ran, 'overtaken', '']], ['result-released overtaken']],
    ['withheld and waiting', [[...ran, 'click', note]], []],
    ['cancelled before it began', [ran, ['run-stopped', 'approved']], ['call-stopped run-stopped']],
  ])('says who, though it hid it: %s', (title, calls, log) => {
    const exported = exports.find(({ conversation }) => conversation.title === title)
    expect(take(exported)).toEqual({ calls, log })
  })
})
