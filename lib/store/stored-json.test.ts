import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { callFormat, eventFormat, messageFormat, releaseFormat, type CallColumns } from './row-formats'
import { decodeStored, encodeStored } from './stored-json'
import { testReply, testUserMessage } from './testing/rows'

const body: CallColumns = {
  callId: 'call_1',
  name: 'read_file',
  callHash: null,
  reason: '',
  changed: { name: 'read_file', arguments: { v: 1, __proto__x: null } },
  by: { kind: 'limit', maxCalls: 3 },
}
const formats = [messageFormat, callFormat, releaseFormat, eventFormat]

describe('a column of JSON', () => {
  it('gives back what was written, member by member', () => {
    expect(decodeStored(encodeStored(body, callFormat), callFormat)).toEqual(body)
    for (const message of [testUserMessage('c', 'u'), testReply('c', 'a', 'u')]) {
      const text = encodeStored(message, messageFormat)
      expect(encodeStored(decodeStored(text, messageFormat) ?? message, messageFormat)).toBe(text)
    }
  })

  it('keeps members of which this version knows nothing', () => {
    const text = JSON.stringify({ ...testReply('c', 'a', 'u'), later: { much: 1 } })
    expect(decodeStored(text, messageFormat)).toMatchObject({ later: { much: 1 } })
  })

  it('of a newer version, or of none that there is, is not read', () => {
    for (const v of [3, 1.5, 0, -1, '2', null, true, [], {}]) {
      expect(decodeStored(JSON.stringify({ v, ...body }), callFormat)).toBeUndefined()
    }
  })

  it('of an older version is told in today’s words, or said to be unknown', () => {
    const old = { callId: 'call_1', name: 'read_file', callHash: '', reason: '' }
    const decidedBy = (over: object) => decodeStored(JSON.stringify({ ...old, ...over }), callFormat)?.by
    expect(decidedBy({})).toEqual({ kind: 'overtaken' })
    expect(decidedBy({ callHash: 'f' })).toEqual({ kind: 'click' })
    expect(decidedBy({ reason: 'This call did not run: 7 calls of one reply may run in this chat.' })).toEqual({
      kind: 'limit',
      maxCalls: 7,
    })
    expect(decidedBy({ reason: 'something else' })).toEqual({ kind: 'unknown' })
    const kept = (over: object) =>
      decodeStored(JSON.stringify({ kind: 'withheld', note: '', releasedAt: 1, ...over }), releaseFormat)?.by.kind
    expect(kept({ note: 'mine' })).toBe('click')
    expect(kept({ note: 'the user wrote something else' })).toBe('unknown')
    expect(kept({ by: { kind: 'overtaken' } })).toBe('overtaken')
  })

  it('never throws, whatever stands in it', () => {
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
