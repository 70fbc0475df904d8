import { describe, expect, it } from 'vitest'
import { compactionIn, contextMarkLimits, isPinned, withCompaction, withoutCompaction, withPin } from './context-marks'
import { contextMarksSchema } from './settings-schemas'

const made = (through: string, madeAt: number) => ({ through, summary: `of ${through}`, madeAt })
const path = ['a', 'b', 'c', 'd'].map((id) => ({ id }))

describe('the user’s decisions about what is sent', () => {
  it('use the last compaction whose message is part of the branch', () => {
    const marks = { compactions: [made('b', 1), made('c', 2), made('x', 3)], pinned: [] }
    expect(compactionIn(path, marks)).toEqual({ compaction: made('c', 2), at: 2 })
    expect(compactionIn(path.slice(0, 2), marks)?.at).toBe(1)
    expect(compactionIn([], marks)).toBeNull()
    expect(compactionIn(path, undefined)).toBeNull()
  })

  it('keep one compaction per place, up to a limit, and each can be undone', () => {
    let marks = withCompaction(undefined, made('a', 0))
    for (let n = 1; n < 20; n += 1) marks = withCompaction(marks, made(`m${n}`, n))
    expect(marks.compactions).toHaveLength(contextMarkLimits.maxCompactions)
    const again = withCompaction(marks, made('m19', 99))
    expect(again.compactions).toHaveLength(contextMarkLimits.maxCompactions)
    expect(withoutCompaction(again, 99).compactions.some(({ through }) => through === 'm19')).toBe(false)
    expect(contextMarksSchema.safeParse(again).success).toBe(true)
  })

  it('pin and unpin messages', () => {
    const marks = withPin(withPin(undefined, 'a'), 'b')
    expect([isPinned(marks, 'a'), isPinned(withPin(marks, 'a'), 'a'), isPinned(undefined, 'a')]).toEqual([
      true,
      false,
      false,
    ])
  })
})
