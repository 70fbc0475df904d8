import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { dayOf, poisson, usualDay } from './simulate/crowds.ts'
import { erlangB, erlangC, meanWait } from './simulate/erlang.ts'
import type { FleetOptions } from './simulate/fleet.ts'
import { createChance } from './simulate/random.ts'
import { quantile, simulate, type Fault } from './simulate/simulate.ts'

const endless: FleetOptions = {
  nodes: 1,
  places: 8,
  policy: 'least-runs',
  queue: 'shared',
  queuePlaces: Infinity,
  patienceMs: Infinity,
  firstTextMs: 0,
  cores: 1,
  busiest: 0.85,
}
const mean = (values: Float64Array) => values.reduce((sum, value) => sum + value, 0) / values.length
/** As a share of what was expected. */
const offBy = (value: number, expected: number): number => Math.abs(value - expected) / expected

const anyFault = fc.oneof(
  fc.record({
    kind: fc.constant('crash' as const),
    atMs: fc.integer({ min: 0, max: 7_200_000 }),
    node: fc.integer({ min: 0, max: 5 }),
    downMs: fc.integer({ min: 0, max: 600_000 }),
  }),
  fc.record({
    kind: fc.constant('rolling' as const),
    atMs: fc.integer({ min: 0, max: 7_200_000 }),
    graceMs: fc.integer({ min: 0, max: 60_000 }),
    downMs: fc.integer({ min: 0, max: 20_000 }),
  }),
)
const anyFleet = fc.record({
  nodes: fc.integer({ min: 1, max: 6 }),
  places: fc.integer({ min: 1, max: 12 }),
  policy: fc.constantFrom('round-robin', 'least-runs'),
  queue: fc.constantFrom('shared', 'node'),
  queuePlaces: fc.constantFrom(0, 1, 5, 100, Infinity),
  patienceMs: fc.constantFrom(0, 1_000, 60_000, Infinity),
  firstTextMs: fc.constantFrom(0, 5),
  cores: fc.constantFrom(0.02, 1),
  busiest: fc.constant(0.85),
})

describe('a simulated fleet', () => {
  it('loses no request and ends none twice, whatever breaks', () => {
    const seen = new Set<string>()
    fc.assert(
      fc.property(
        anyFleet,
        fc.array(anyFault, { maxLength: 3 }),
        fc.integer(),
        (fleet, faults: readonly Fault[], seed) => {
          const day = { ...usualDay, owners: 40, profile: [1, 3, 1] }
          const { arrived, outcomes, waits, left, peakRunning, hours } = simulate(
            fleet,
            dayOf(day, createChance(seed)),
            {
              faults,
              hours: 3,
            },
          )
          for (const [outcome, count] of Object.entries(outcomes)) if (count > 0) seen.add(outcome)
          expect(Object.values(outcomes).reduce((sum, count) => sum + count)).toBe(arrived)
          // Everything that started has ended, finished or not; nothing else has a first text.
          expect(waits).toHaveLength(outcomes.finished + outcomes.interrupted)
          expect(left).toBe(0)
          expect(peakRunning).toBeLessThanOrEqual(fleet.nodes * fleet.places)
          expect(waits.every((wait) => wait >= 0 && (fleet.patienceMs !== 0 || wait <= fleet.firstTextMs * 20))).toBe(
            true,
          )
          expect(hours.every(({ places }) => places <= 1 + 1e-9)).toBe(true)
        },
      ),
      { numRuns: 60 },
    )
    expect([...seen].toSorted()).toEqual(['finished', 'gave-up', 'interrupted', 'refused'])
  })

  it('is the same again with the same seed, and different with another', () => {
    const run = (seed: number) =>
      simulate(
        { ...endless, nodes: 2, policy: 'round-robin', queue: 'node', places: 3 },
        dayOf({ ...usualDay, owners: 100, profile: [1, 2] }, createChance(seed)),
      )
    expect(run(1)).toEqual(run(1))
    expect(run(1).waits).not.toEqual(run(2).waits)
  })

  it('makes nobody wait longer because there is one more node', () => {
    fc.assert(
      fc.property(
        fc.integer(),
        fc.integer({ min: 1, max: 5 }),
        fc.integer({ min: 1, max: 4 }),
        (seed, nodes, places) => {
          const waitsOf = (count: number) => {
            const waits = new Map<number, number>()
            const crowd = poisson({ count: 300, everyMs: 900, serviceMs: 4_000 }, createChance(seed))
            simulate({ ...endless, nodes: count, places }, crowd, {}, (job, wait) => waits.set(job.arrivedAt, wait))
            return waits
          }
          const [fewer, more] = [waitsOf(nodes), waitsOf(nodes + 1)]
          expect(more.size).toBe(fewer.size)
          for (const [job, wait] of more) expect(wait).toBeLessThanOrEqual((fewer.get(job) ?? 0) + 1e-6)
        },
      ),
      { numRuns: 40 },
    )
  })

  it.each([
    // The busier, the longer a queue lasts, and the fewer samples there are for the mean.
    [8, 0.8, 0.05],
    [8, 0.95, 0.15],
    [50, 0.9, 0.1],
  ])('waits as Erlang’s formula says, with %d places of which %d are in use', (places, share, error) => {
    const serviceMs = 10_000
    const load = places * share
    const crowd = poisson({ count: 400_000, everyMs: serviceMs / load, serviceMs }, createChance(3))
    const { waits, queued, meanRunning } = simulate({ ...endless, places }, crowd, { hours: 1 })
    expect(offBy(queued / waits.length, erlangC(places, load))).toBeLessThan(error)
    expect(offBy(mean(waits), meanWait(places, load, serviceMs))).toBeLessThan(error)
    // Little's law: the mean number present is the arrival rate times the time in the system.
    expect(offBy(meanRunning, load)).toBeLessThan(0.02)
  })

  it.each([
    ['shared', 1],
    ['node', 1],
    ['shared', 4],
  ] as const)('refuses as Erlang’s formula says if nobody may wait: %s queue, %d nodes', (queue, nodes) => {
    const crowd = poisson({ count: 200_000, everyMs: 1_000, serviceMs: 18_000 }, createChance(4))
    const fleet = { ...endless, nodes, queue, places: 20 / nodes, queuePlaces: 0 }
    const { arrived, outcomes } = simulate(fleet, crowd, { hours: 1 })
    expect(offBy(outcomes.refused / arrived, erlangB(20, 18))).toBeLessThan(0.05)
  })

  it('interrupts the replies of a crashing node, and none on a restart with enough time', () => {
    const crowd = () => dayOf({ ...usualDay, owners: 2_000, profile: [1, 1, 1] }, createChance(5))
    const fleet = { ...endless, nodes: 4, places: 200, queuePlaces: 0, cores: 8 }
    const interruptedBy = (fault: Fault) => simulate(fleet, crowd(), { faults: [fault], hours: 3 }).outcomes.interrupted
    const at = { atMs: 5_400_000, downMs: 30_000 }
    expect(interruptedBy({ kind: 'crash', node: 1, ...at })).toBeGreaterThan(10)
    expect(interruptedBy({ kind: 'rolling', graceMs: 600_000, ...at })).toBe(0)
    expect(interruptedBy({ kind: 'rolling', graceMs: 1_000, ...at })).toBeGreaterThan(10)
  })

  it('has its arrivals at the hours of the day’s profile', () => {
    const profile = [1, 5, 2]
    const { hours } = simulate(
      { ...endless, places: 100_000, cores: 1_000 },
      dayOf({ ...usualDay, owners: 20_000, profile, messagesPerSession: 1, repliesPerMessage: 1 }, createChance(6)),
      { hours: 3 },
    )
    for (const [at, weight] of profile.entries())
      expect(offBy(hours[at]?.arrived ?? 0, (50_000 * weight) / 8)).toBeLessThan(0.03)
  })
})

it('quantiles are existing values', () => {
  const sorted = Float64Array.from([1, 2, 3, 4])
  expect([0, 0.25, 0.5, 0.51, 1].map((share) => quantile(sorted, share))).toEqual([1, 1, 2, 3, 4])
})
