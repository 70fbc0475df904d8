import fc from 'fast-check'
import { expect, it, vi } from 'vitest'
import { createWorld, SLOTS, TABS, type World } from './testing/call-world'

// The digest runs on another thread; the model needs every step to be its own.
vi.mock('./call-hash', () => ({
  callHash: (...parts: unknown[]) => Promise.resolve(JSON.stringify(parts)),
  resultsMessageId: (id: string) => Promise.resolve(`results-of-${id}`),
}))

type Step = (world: World) => void | Promise<void>

const tab = fc.nat({ max: TABS - 1 })
const slot = fc.nat({ max: SLOTS - 1 })

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ tab, slots: fc.subarray([0, 1, 2], { minLength: 1 }), strict: fc.boolean() }).map(
    (click): Step =>
      (world) =>
        world.click(click.tab, (actions, id) => actions.run(id, click.slots, { stopAtFailure: click.strict })),
  ),
  fc.record({ tab, slot }).map(
    (click): Step =>
      (world) =>
        world.click(click.tab, (actions, id) => {
          actions.run(id, [click.slot])
          actions.run(id, [click.slot])
        }),
  ),
  fc.record({ tab, slots: fc.subarray([0, 1, 2], { minLength: 1 }) }).map(
    (click): Step =>
      (world) =>
        world.click(click.tab, (actions, id) => actions.deny(id, click.slots, 'no')),
  ),
  fc.record({ tab, slot }).map(
    (click): Step =>
      (world) =>
        world.click(click.tab, (actions, id) => actions.stop(id, click.slot)),
  ),
  fc.record({ tab, slot }).map(
    (click): Step =>
      (world) =>
        world.click(click.tab, (actions, id) => actions.runAgain(id, click.slot)),
  ),
  fc.record({ tab, slot }).map(
    (click): Step =>
      (world) =>
        world.click(click.tab, (actions, id) => actions.tellModel(id, click.slot)),
  ),
  tab.map(
    (which): Step =>
      (world) =>
        world.crash(which),
  ),
  tab.map(
    (which): Step =>
      (world) =>
        world.reload(which),
  ),
  fc.constantFrom('request-lost', 'answer-lost', 'request-lost').map(
    (fault): Step =>
      (world) =>
        world.breakNext(fault),
  ),
  ...Array.from({ length: 6 }, () =>
    fc.nat({ max: 20 }).map(
      (pick): Step =>
        (world) =>
          world.advance(pick),
    ),
  ),
)

it('runs no call twice in an attempt, runs nothing denied, posts once and loses no result, whatever happens', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 60, size: 'max' }), async (steps) => {
      const world = createWorld()
      for (const take of steps) {
        await take(world)
        await world.flush()
      }
      await world.settle()
      for (const [attempt, times] of world.executions) expect(times, `executions of ${attempt}`).toBe(1)
      for (const row of world.rows()) {
        if (row.decision === 'deny') expect(world.ran(row.slot), `denied call ${row.slot} ran`).toBe(false)
        // No Run again after an outcome; every attempt that ran was granted.
        expect(world.attemptsRun(row.slot)).toBeLessThanOrEqual(row.attempt)
      }
      expect(world.posts.length).toBeLessThanOrEqual(1)
      expect(Math.max(0, ...world.joins.values()), 'a tab follows the answer once').toBeLessThanOrEqual(1)
      for (const { slot: at, attempt, value } of world.survivingResults()) {
        const row = world.rows().find((other) => other.slot === at)
        if (row?.attempt === attempt) expect(row.outcome?.result, `result of call ${at}`).toEqual(value)
      }
      if (!world.hadCrash && world.allSettled()) expect(world.posts.length, 'settled, so posted').toBe(1)
    }),
    { numRuns: 1500 },
  )
}, 60_000)
