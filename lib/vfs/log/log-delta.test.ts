import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import type { ChangeOrigin, NodeImage } from '../vfs-history'
import { emptyLog, forgetOldest, record, type ChangeLog } from './change-log'
import { logDelta, withDelta } from './log-delta'

const image = fc.constantFrom<NodeImage>(null, { kind: 'directory' }, { kind: 'file', size: 1, version: 'v' })
const origin = fc.constantFrom<ChangeOrigin | null>(
  null,
  { kind: 'user', action: 'edited', messageId: null },
  { kind: 'call', messageId: 'm', slot: 0, attempt: 1, tool: 't' },
)
const deed = fc.record({
  origin,
  forgets: fc.boolean(),
  changes: fc.array(fc.record({ path: fc.constantFrom('/a', '/b', '/b/c'), before: image, after: image })),
})

test('a delta leads from one log to the next, and is null for equal logs', () => {
  fc.assert(
    fc.property(fc.array(deed), (deeds) => {
      let log: ChangeLog = emptyLog
      let follower: ChangeLog = emptyLog
      for (const [at, one] of deeds.entries()) {
        const next = record(one.forgets ? forgetOldest(log) : log, one.origin, one.changes, at)
        const delta = logDelta(log, next)
        expect(delta === null).toBe(next === log)
        if (delta !== null) follower = withDelta(follower, delta)
        log = next
        expect(follower).toEqual(log)
      }
    }),
  )
})
