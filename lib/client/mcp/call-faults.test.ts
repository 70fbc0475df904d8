import { createHash } from 'node:crypto'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createManualClock, settle, type ManualClock } from '@/lib/server/chats/testing/manual-clock'
import { openTestStore } from '@/lib/server/store/testing/open-test-store'
import { decodeSettings } from '@/lib/shared/conversation/settings/settings'
import { runCallFaultRound } from './testing/call-fault-round'

// The real digest runs on another thread; the simulated world needs each step to be synchronous.
vi.mock('@/lib/base/sha256-hex', () => ({
  sha256Hex: (text: string) => Promise.resolve(createHash('sha256').update(text).digest('hex')),
}))

// `npm test -- faults --rounds 1000` sets these, with a fresh seed. Here the seed is fixed.
const isPostgres = process.env['NOD_TEST_STORE'] === 'postgres'
const rounds = Number(process.env['NOD_FAULT_ROUNDS'] ?? (isPostgres ? 2 : 6))
const first = Number(process.env['NOD_FAULT_SEED'] ?? 20_261_127)

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
})
afterEach(() => {
  vi.useRealTimers()
})

/** The timers of the official client follow the clock of the world. */
function withTimers(clock: ManualClock): ManualClock {
  return {
    ...clock,
    async pass(ms) {
      let left = ms
      do {
        const step = vi.getTimerCount() > 0 ? Math.min(left, 1_000) : left
        await clock.pass(step)
        vi.advanceTimersByTime(step)
        left -= step
      } while (left > 0)
      await settle()
    },
  }
}

// The database matters where Nod's server claims a run.
const ways: readonly (readonly [string, boolean])[] = [
  ...(isPostgres ? [] : [['of the browser’s own connection', false] as const]),
  ['through Nod’s server, on two nodes', true],
]

it.each(ways)(
  'sends no call twice and loses none without a sentence: %s',
  async (_way, relayed) => {
    let clock = createManualClock()
    const store = await openTestStore({ decodeSettings, now: () => clock.now() })
    const sum = { faults: 0, calls: 0, ran: 0 }
    const broken: string[] = []
    for (let round = 0; round < rounds; round += 1) {
      const seed = first + round
      clock = withTimers(createManualClock())
      const { wrong, deeds, faults, calls, ran } = await runCallFaultRound(store, seed, clock, { relayed })
      sum.faults += faults
      sum.calls += calls
      sum.ran += ran
      if (wrong.length > 0) broken.push(`seed ${seed}: ${wrong.join('; ')}\n  ${deeds.join(', ')}`)
    }
    console.info(
      `${rounds} rounds from seed ${first}: ${sum.faults} faults, ${sum.calls} calls started, ${sum.ran} ran, ${broken.length} broken rounds`,
    )
    await store.close()
    expect(broken).toEqual([])
    expect(sum.faults).toBeGreaterThan(rounds)
    expect(sum.ran).toBeGreaterThan(rounds / 2)
  },
  Math.max(120_000, rounds * 20_000),
)
