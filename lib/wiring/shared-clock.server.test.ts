import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Clock } from '@/lib/chat/clock'
import { decodeSettings } from '@/lib/conversation/settings'
import type { Store } from '@/lib/store/store'
import { openTestStore } from '@/lib/store/testing/open-test-store'
import { createFairUse } from './fair-use.server'
import { createSharedClock } from './shared-clock.server'

const HOUR = 3_600_000
const NOON = Date.UTC(2026, 10, 20, 12)
const clockAt = (now: () => number): Clock => ({ now, after: () => () => {} })

let store: Store
beforeAll(async () => {
  store = await openTestStore({ decodeSettings: (text) => decodeSettings(text, 'demo/demo'), now: () => NOON })
})
afterAll(() => store.close())

describe('a clock that nodes share', () => {
  it('is the store’s, however wrong the node’s own is, and follows when that is set right', async () => {
    for (const skewMs of [-40 * HOUR, -90_000, 90_000, 40 * HOUR]) {
      let skew = skewMs
      const clock = createSharedClock(
        clockAt(() => NOON + skew),
        () => store.time(),
      )
      await clock.look()
      expect(clock.now()).toBe(NOON)
      skew = 0
      await clock.look()
      expect(clock.now()).toBe(NOON)
    }
  })

  it('is the node’s own where the two agree about, and stands still while the difference wavers', async () => {
    let said = NOON + 900
    let own = NOON
    const clock = createSharedClock(
      clockAt(() => own),
      () => Promise.resolve(said),
    )
    await clock.look()
    expect(clock.now()).toBe(NOON)
    said = NOON + HOUR
    await clock.look()
    expect(clock.now()).toBe(NOON + HOUR)
    said += 600
    await clock.look()
    expect(clock.now()).toBe(NOON + HOUR)
    own += 5
    expect(clock.now()).toBe(NOON + HOUR + 5)
  })

  it('takes nothing from an answer that came late, and keeps what it knew when none comes', async () => {
    let own = NOON
    const late = createSharedClock(
      clockAt(() => own),
      () => {
        own += 20_000
        return Promise.resolve(NOON + HOUR)
      },
    )
    await late.look()
    expect(late.now()).toBe(own)
    const away = createSharedClock(
      clockAt(() => NOON),
      () => Promise.reject(new Error('away')),
    )
    await expect(away.look()).rejects.toThrow('away')
    expect(away.now()).toBe(NOON)
  })

  it('gives nodes whose clocks are hours apart one window, and not one each', async () => {
    const settings = {
      maxRunsPerAddress: 1,
      maxStreamsPerAddress: 1,
      maxQueued: 0,
      maxQueuedPerOwner: 0,
      maxBytesPerOwner: null,
      budgets: [],
      retentionDays: null,
      requestsPerMinute: 80,
      requestsPerMinuteOfAddress: 1_000,
      newcomersPerHour: 10,
      bytesPerDayOfAddress: 1_000,
    }
    const nodes = await Promise.all(
      [-5 * HOUR, 0, 26 * HOUR].map(async (skew) => {
        const clock = createSharedClock(
          clockAt(() => NOON + skew),
          () => store.time(),
        )
        await clock.look()
        return createFairUse(settings, {
          clientAddress: () => null,
          secret: new Uint8Array(32),
          now: () => clock.now(),
          store,
        })
      }),
    )
    const visitor = { role: 'anonymous', address: 'one' } as const
    const ask = (kind: 'newcomerWait' | 'requestWait') =>
      Promise.all(
        nodes.flatMap((node) =>
          Array.from({ length: 100 }, () =>
            kind === 'newcomerWait'
              ? node.newcomerWait(visitor)
              : node.requestWait('ada', { ...visitor, address: null }),
          ),
        ),
      )
    expect((await ask('newcomerWait')).filter((seconds) => seconds === 0)).toHaveLength(10)
    // A node passes an eighth more than the limit.
    expect((await ask('requestWait')).filter((seconds) => seconds === 0)).toHaveLength(80 + 3 * 10)
  })
})
