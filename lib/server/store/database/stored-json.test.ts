import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { JsonObject } from '@/lib/base/json'
import {
  callFormat,
  eventFormat,
  messageFormat,
  releaseFormat,
  type CallColumns,
  decodeStored,
  encodeStored,
} from './row-formats'
import { testReply, testUserMessage } from '../testing/rows'

const body: CallColumns = {
  callId: 'call_1',
  name: 'read_file',
  callHash: null,
  reason: '',
  changed: { name: 'read_file', arguments: { v: 1, __proto__x: null } },
  by: { kind: 'limit', maxCalls: 3 },
}
const formats = [messageFormat, callFormat, releaseFormat, eventFormat]

describe('a JSON column', () => {
  it('returns what was written, member by member', () => {
    expect(decodeStored(encodeStored(body, callFormat), callFormat)).toEqual(body)
    for (const message of [testUserMessage('c', 'u'), testReply('c', 'a', 'u')]) {
      const text = encodeStored(message, messageFormat)
      expect(encodeStored(decodeStored(text, messageFormat) ?? message, messageFormat)).toBe(text)
    }
  })

  it('keeps members that this version does not know', () => {
    const text = JSON.stringify({ ...testReply('c', 'a', 'u'), later: { much: 1 } })
    expect(decodeStored(text, messageFormat)).toMatchObject({ later: { much: 1 } })
  })

  it('of a newer or invalid version is not read', () => {
    for (const v of [3, 1.5, 0, -1, '2', null, true, [], {}]) {
      expect(decodeStored(JSON.stringify({ v, ...body }), callFormat)).toBeUndefined()
    }
  })

  it('migrates an older version step by step', () => {
    const format = {
      version: 3,
      schema: z.object({ name: z.string(), size: z.number() }),
      steps: {
        1: ({ title, ...rest }: JsonObject) => ({ ...rest, name: title ?? '' }),
        2: (old: JsonObject) => ({ size: 0, ...old }),
      },
    }
    expect(decodeStored(JSON.stringify({ title: 'a' }), format)).toEqual({ name: 'a', size: 0 })
    expect(decodeStored(JSON.stringify({ v: 2, name: 'a' }), format)).toEqual({ name: 'a', size: 0 })
    expect(decodeStored(JSON.stringify({ v: 2, title: 'a' }), format)).toBeUndefined()
  })

  it('never throws, whatever it contains', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.json(),
          fc.anything(),
          fc.object().map((one) => JSON.stringify(one)),
        ),
        (text) => {
          for (const format of formats) expect(decodeStored(text, format as typeof messageFormat)).toBeUndefined()
        },
      ),
    )
  })
})
