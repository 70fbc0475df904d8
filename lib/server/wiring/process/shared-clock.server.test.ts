import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Clock } from '@/lib/server/runs/clock'
import { decodeSettings } from '@/lib/shared/conversation/settings/settings'
import type { Store } from '@/lib/server/store/ports/store'
import { openTestStore } from '@/lib/server/store/testing/open-test-store'
import { createQuotas } from '../requests/quotas.server'
import { createSharedClock } from './shared-clock.server'

const HOUR = 3_600_000
const NOON = Date.UTC(2026, 10, 20, 12)
/** `now`: the node's own wall clock. Without `monotonic` no time passes. */
const clockAt = (now: () => number, monotonic: () => number = () => 0): Clock => ({
  now,
  monotonic,
  after: () => () => {},
})

let store: Store
beforeAll(async () => {
  store = await openTestStore({ decodeSettings: (text) => decodeSettings(text, 'demo/demo'), now: () => NOON })
})
afterAll(() => store.close())

describe('a clock that nodes share', () => {
  it('is the store’s, however wrong the node’s own is, and follows when that is corrected', async () => {
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

  it('keeps the node’s own time if both roughly agree, and continues with the monotonic clock', async () => {
    let answer = NOON + 900
    let passed = 0
    const clock = createSharedClock(
      clockAt(
        () => NOON + passed,
        () => passed,
      ),
      () => Promise.resolve(answer),
    )
    await clock.look()
    expect(clock.now()).toBe(NOON)
    expect(clock.steppedAt()).toBe(Number.NEGATIVE_INFINITY)
    passed = 5
    answer += 605
    expect(clock.now()).toBe(NOON + 5)
    await clock.look()
    expect(clock.now()).toBe(answer)
  })

  it.each([HOUR, -HOUR, 500 * 24 * HOUR])(
    'does not follow a node’s own clock that is changed by %d ms',
    async (stepMs) => {
      let own = NOON
      let passed = 0
      const clock = createSharedClock(
        clockAt(
          () => own + passed,
          () => passed,
        ),
        () => Promise.resolve(NOON + passed),
      )
      await clock.look()
      passed += 2_000
      own += stepMs
      expect(clock.now()).toBe(NOON + 2_000)
      await clock.look()
      expect(clock.now()).toBe(NOON + 2_000)
      expect(clock.steppedAt()).toBe(Number.NEGATIVE_INFINITY)
    },
  )

  it.each([HOUR, -HOUR])('follows the store’s clock that is changed by %d ms, and tells when', async (stepMs) => {
    let stepped = 0
    let passed = 0
    const clock = createSharedClock(
      clockAt(
        () => NOON + passed,
        () => passed,
      ),
      () => Promise.resolve(NOON + stepped + passed),
    )
    await clock.look()
    passed = 60_000
    await clock.look()
    expect(clock.steppedAt()).toBe(Number.NEGATIVE_INFINITY)
    stepped = stepMs
    passed = 63_000
    await clock.look()
    expect(clock.now()).toBe(NOON + 63_000 + stepMs)
    expect(clock.steppedAt()).toBe(63_000)
  })

  it('queries at once if the node’s own clock was changed: on SQLite both are the same', async () => {
    let own = NOON
    const clock = createSharedClock(
      clockAt(() => own),
      () => Promise.resolve(own),
    )
    await clock.look()
    own += HOUR
    clock.now()
    await Promise.resolve()
    await Promise.resolve()
    expect(clock.now()).toBe(NOON + HOUR)
  })

  it('ignores a late answer, and keeps its value if there is none', async () => {
    let passed = 0
    const late = createSharedClock(
      clockAt(
        () => NOON + passed,
        () => passed,
      ),
      () => {
        passed += 20_000
        return Promise.resolve(NOON + HOUR)
      },
    )
    await late.look()
    expect(late.now()).toBe(NOON + 20_000)
    const away = createSharedClock(
      clockAt(() => NOON),
      () => Promise.reject(new Error('away')),
    )
    await expect(away.look()).rejects.toThrow('away')
    expect(away.now()).toBe(NOON)
  })

  it('gives nodes whose clocks are hours apart one window, not one each', async () => {
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
        return createQuotas(settings, {
          clientAddress: () => null,
          secret: new Uint8Array(32),
          now: () => clock.now(),
          store,
          after: () => {},
        })
      }),
    )
    const visitor = { role: 'anonymous', address: 'one' } as const
    const ask = (kind: 'newcomerWait' | 'requestWait') =>
      Promise.all(
        nodes.flatMap((node) =>
          Array.from({ length: 100 }, () =>
            kind === 'newcomerWait'
              ? node.newVisitorWait(visitor)
              : node.requestWait('ada', { ...visitor, address: null }),
          ),
        ),
      )
    expect((await ask('newcomerWait')).filter((seconds) => seconds === 0)).toHaveLength(10)
    // Each node allows an eighth more than the limit.
    expect((await ask('requestWait')).filter((seconds) => seconds === 0)).toHaveLength(80 + 3 * 10)
  })
})
