import { describe, expect, it } from 'vitest'
import { sweptLines, cleanUpData } from './clean-up-data.server'

/** The due rows of each kind; a step deletes as many as it may. */
function storeWith(due: Readonly<Record<string, number>>) {
  const left = new Map(Object.entries(due))
  const steps: string[] = []
  const take = (name: string, most: number) => {
    const gone = Math.min(left.get(name) ?? 0, most)
    left.set(name, (left.get(name) ?? 0) - gone)
    steps.push(name)
    return Promise.resolve(gone)
  }
  return {
    steps,
    left: (name: string) => left.get(name),
    store: {
      purgeErased: (most: number) => take('erased', most),
      sweepFairUse: () => take('windows', 200),
      purgeDeleted: (_before: number, most: number) => take('deleted', most),
      purgeTemporary: (_now: number, most: number) => take('temporary', most),
      purgeDeletedMessages: (_before: number, most: number) => take('messages', most),
      sweepShares: (_before: number, most: number) => take('shares', most),
      deleteUntouched: (_before: number, most: number) => take('untouched', most),
      deleteOrphans: (_before: number, most: number) => take('orphans', most),
      forgetRuns: (_before: number, most: number) => take('runs', most),
    },
  }
}
const kinds = ['erased', 'windows', 'deleted', 'temporary', 'messages', 'shares', 'untouched', 'orphans', 'runs']
const days = { retention: 30, orphans: 430 }

describe('a sweep', () => {
  it('continues until nothing is left of any kind, and checks once more at the end', async () => {
    const { store, steps, left } = storeWith({ untouched: 1_020, windows: 1_000, runs: 60 })
    const swept = await cleanUpData(store, days, { now: 0, isOver: () => false })
    expect(swept).toEqual({ untouched: 1_020, orphans: 0 })
    expect(kinds.map((kind) => left(kind) ?? 0)).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 0])
    const asked = kinds.map((kind) => steps.filter((step) => step === kind).length)
    expect(asked).toEqual([1, 6, 1, 1, 1, 1, 22, 1, 3])
  })

  it('ends when its time is up, after one step of each kind, and leaves the rest for later', async () => {
    const { store, steps, left } = storeWith({ untouched: 500, runs: 500 })
    let rounds = 0
    await cleanUpData(store, days, { now: 0, isOver: () => (rounds += 1) === 3 })
    expect([left('untouched'), left('runs')]).toEqual([350, 350])
    await cleanUpData(store, days, { now: 0, isOver: () => true })
    expect([left('untouched'), left('runs')]).toEqual([300, 300])
    expect(steps.slice(-9)).toEqual(kinds)
  })

  it('deletes nothing by age while the clock is not trusted, only what users deleted for good', async () => {
    const { store, steps, left } = storeWith({
      erased: 120,
      deleted: 10,
      untouched: 10,
      windows: 10,
      shares: 10,
      runs: 10,
    })
    await cleanUpData(store, days, { now: null, isOver: () => false })
    expect(left('erased')).toBe(0)
    expect(new Set(steps)).toEqual(new Set(['erased']))
  })

  it('keeps data without a configured retention', async () => {
    const { store, left } = storeWith({ untouched: 10 })
    await cleanUpData(store, { retention: null, orphans: 430 }, { now: 0, isOver: () => false })
    expect(left('untouched')).toBe(10)
  })
})

describe('the log lines about deleted data', () => {
  const set = { retention: 30, orphans: 50 }

  it('contain the number and the setting, and are omitted if nothing was deleted', () => {
    expect(sweptLines({ untouched: 0, orphans: 0 }, set)).toEqual([])
    expect(sweptLines({ untouched: 1, orphans: 0 }, set)).toEqual([
      'Deleted 1 chat that nobody touched for 30 days (NOD_RETENTION_DAYS).',
    ])
    const [chats, rows] = sweptLines({ untouched: 2_500, orphans: 3 }, set)
    expect(chats).toMatch(/^Deleted 2500 chats /)
    expect(rows).toMatch(/^Deleted 3 rows of visitors .* 50 days.*\(NOD_ORPHAN_DAYS\)\.$/)
  })
})
