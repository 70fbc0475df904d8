import { describe, expect, it, vi } from 'vitest'
import type { CallRecord } from '@/lib/shared/conversation/call-record'
import { createWorld, type World } from './testing/call-world'
import { MESSAGE } from './testing/world-calls'
import { createReasonWait } from './call-page'

vi.mock('@/lib/shared/calls/call-hash', () => ({
  callHash: (...parts: unknown[]) => Promise.resolve(JSON.stringify(parts)),
  resultsMessageId: (id: string) => Promise.resolve(`results-of-${id}`),
}))

/** Lets everything happen, except the wait for a reason. */
async function settleButWaiting(world: World): Promise<void> {
  await world.flush()
  for (let at = world.pending().findIndex((label) => label !== 'wait'); at >= 0;) {
    world.advance(at)
    await world.flush()
    at = world.pending().findIndex((label) => label !== 'wait')
  }
}

const rowOf = (world: World) => world.rows().find(({ slot }) => slot === 0)

/** All three calls are denied, the first without a reason. */
async function denied(): Promise<World> {
  const world = await createWorld()
  world.click(0, (actions, id) => {
    actions.deny(id, [1, 2], 'No.')
    actions.deny(id, [0], '')
  })
  await settleButWaiting(world)
  return world
}

describe('a denial without a reason', () => {
  it('is stored at once, and sent after a moment in which a reason can be added', async () => {
    const world = await denied()
    expect(world.rows().map(({ decision }) => decision)).toEqual(['deny', 'deny', 'deny'])
    expect(world.posts).toEqual([])
    await world.settle()
    expect(world.posts).toEqual(['results-of-m1'])
  })

  it('is sent with the reason, which ends the wait: the results are sent once', async () => {
    const world = await denied()
    world.click(0, (actions, id) => void actions.explain(id, 0, 'Keep it until Friday.'))
    await settleButWaiting(world)
    expect(rowOf(world)).toMatchObject({ decision: 'deny', reason: 'Keep it until Friday.', postedIn: 'results-of-m1' })
    expect(world.posts).toEqual(['results-of-m1'])
    await world.settle()
    expect(world.posts).toEqual(['results-of-m1'])
    expect(JSON.stringify(world.posted.get(0))).toContain('Keep it until Friday.')
  })

  it('waits while the field is open, also in another tab, and uses the reason that is written there', async () => {
    const world = await denied()
    let release = () => {}
    world.click(1, (actions, id) => {
      release = actions.holdForReason(id, 0)
    })
    await world.settle()
    expect(world.posts).toEqual([])
    world.click(1, (actions, id) => void actions.explain(id, 0, 'From the other tab.'))
    await settleButWaiting(world)
    release()
    await world.settle()
    expect(world.posts).toEqual(['results-of-m1'])
    expect(JSON.stringify(world.posted.get(0))).toContain('From the other tab.')
  })

  it('is sent at once if the user says so; a later reason is refused with a sentence', async () => {
    const world = await denied()
    world.click(0, (actions, id) => actions.notifyModel(id, 0))
    await settleButWaiting(world)
    expect(world.posts).toEqual(['results-of-m1'])
    let said: string | null = null
    world.click(0, (actions, id) => void actions.explain(id, 0, 'Too late.').then((why) => (said = why)))
    await world.settle()
    expect(said).toBe('The reason was not added. The model got this denial before its reason was added.')
    expect(rowOf(world)?.reason).toBe('')
  })

  it('of a closed page is not sent by itself: a click sends it, with a reason or without', async () => {
    const world = await denied()
    world.crash(0)
    await world.settle()
    expect(world.posts).toEqual([])
    world.click(1, (actions, id) => void actions.explain(id, 0, 'After the reload.'))
    await world.settle()
    world.click(1, (actions, id) => actions.notifyModel(id, 0))
    await world.settle()
    expect(world.posts).toEqual(['results-of-m1'])
    expect(JSON.stringify(world.posted.get(0))).toContain('After the reload.')
  })
})

it('restarts the wait at a second denial, and does not wait if a reason was given at once', async () => {
  const waits: (() => void)[] = []
  const reasons = createReasonWait({
    wait: () => new Promise((resolve) => waits.push(resolve)),
    locks: {
      isHeld: () => Promise.resolve(false),
      tryHold: () => Promise.resolve({ held: false }),
      whenFree: () => Promise.resolve(),
    },
  })
  const rows: Partial<CallRecord>[] = []
  const reply = {
    messageId: MESSAGE,
    calls: () => rows.map((_, slot) => ({ slot })),
    recordOf: () => undefined,
  } as never
  const isOver = vi.fn<() => void>()
  await reasons.over(reply)
  reasons.begin(MESSAGE)
  void reasons.over(reply).then(isOver)
  reasons.begin(MESSAGE)
  waits[0]?.()
  await new Promise((resolve) => setImmediate(resolve))
  expect(isOver).not.toHaveBeenCalled()
  waits[1]?.()
  await vi.waitFor(() => expect(isOver).toHaveBeenCalledOnce())
})
