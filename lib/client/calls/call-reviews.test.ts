import type * as builder from '@/lib/protocols/tool-context-builder'
import { describe, expect, it, vi } from 'vitest'
import { waitingCount } from '@/lib/client/state/last-reply'
import { callKey } from '@/lib/client/state/state'
import { deriveCallState } from '@/lib/shared/calls/derive-call-state'
import { resultPictures } from '@/lib/client/files/attach/load-pictures'
import { createWorld } from './testing/call-world'
import { MESSAGE } from './testing/world-calls'
import { viewOf } from '@/lib/client/state/open-conversations'
import { builtIn } from '@/lib/shared/tools/testing/built-in'

vi.mock('@/lib/shared/calls/call-hash', () => ({
  callHash: (...parts: unknown[]) => Promise.resolve(JSON.stringify(parts)),
  resultsMessageId: (id: string) => Promise.resolve(`results-of-${id}`),
}))
// The test world reads its calls itself.
vi.mock('@/lib/protocols/tool-context-builder', async (importOriginal) => {
  const actual = await importOriginal<typeof builder>()
  const { call: callOf } = await import('./testing/world-calls')
  const parseResponse = () => ({ type: 'tool_call', segments: [0, 1, 2].map((slot) => callOf(slot)) })
  return { ...actual, toolContextBuilder: { ...actual.toolContextBuilder, parseResponse } }
})

type World = Awaited<ReturnType<typeof createWorld>>

function stateOf(world: World, slot: number) {
  const { calls, live } = viewOf(world.stateOf(0))
  const key = callKey(MESSAGE, slot)
  return deriveCallState({
    reply: 'finished',
    runnable: true,
    runner: 'held',
    posted: false,
    overtaken: false,
    record: calls.get(key),
    live: live.get(key),
  })
}

async function reviewed(codeChanges: 'keep' | 'ask' = 'ask', reviewedPath = '/out-0') {
  const world = await createWorld({ reviewed: [0], reviewedPath, tools: { codeChanges } })
  world.click(0, (actions, id) => actions.run(id, [0, 2]))
  await world.settle()
  return world
}

describe('changes to files that wait for the user', () => {
  it('wait in the call’s state, are counted, and hold the calls behind it', async () => {
    const world = await reviewed()
    expect(stateOf(world, 0)).toMatchObject({
      status: 'executing',
      here: true,
      review: { total: 1, changes: [{ path: '/out-0' }] },
    })
    expect(stateOf(world, 2).status).toBe('queued')
    // The undecided call, and this one.
    expect(waitingCount(viewOf(world.stateOf(0)), builtIn)).toBe(2)
    expect(world.rows()[0]?.outcome).toBeNull()
  })

  it.each(['keep', 'discard'] as const)('are answered once: %s', async (answer) => {
    const world = await reviewed()
    world.click(0, (actions, id) => {
      actions.answerReview(id, 0, answer)
      actions.answerReview(id, 0, 'keep')
      actions.answerReview(id, 1, 'keep')
    })
    await world.settle()
    const row = world.rows().find(({ slot }) => slot === 0)
    expect(row?.outcome).toMatchObject({ status: 'completed', files: { kept: answer === 'keep', total: 1 } })
    expect(stateOf(world, 0)).toMatchObject({ status: 'completed' })
    expect(world.executions.get('2#1')).toBe(1)
  })

  it('are discarded by Stop; the run itself is not undone', async () => {
    const world = await reviewed()
    world.click(0, (actions, id) => actions.stop(id, 0))
    await world.settle()
    expect(world.rows().find(({ slot }) => slot === 0)?.outcome).toMatchObject({
      status: 'completed',
      files: { kept: false },
    })
  })

  it('need no review if the conversation keeps them at once', async () => {
    const world = await reviewed('keep')
    expect(world.rows().find(({ slot }) => slot === 0)?.outcome?.files).toMatchObject({ kept: true })
    expect(stateOf(world, 0).status).toBe('completed')
  })

  it('need a review even there if they change a skill', async () => {
    const world = await reviewed('keep', '/skills/pdf/SKILL.md')
    expect(stateOf(world, 0)).toMatchObject({ status: 'executing', review: { total: 1 } })
    world.click(0, (actions, id) => actions.answerReview(id, 0, 'discard'))
    await world.settle()
    expect(world.rows().find(({ slot }) => slot === 0)?.outcome?.files).toMatchObject({ kept: false })
  })

  it('each run gets the id under which its changes are recorded', async () => {
    const world = await reviewed('keep')
    expect(world.origins[0]).toEqual({ kind: 'call', messageId: MESSAGE, slot: 0, attempt: 1, tool: 'write_file' })
  })
})

describe('a question of the server that runs a call', () => {
  async function asked() {
    const world = await createWorld({ asked: [0] })
    world.click(0, (actions, id) => actions.run(id, [0]))
    await world.settle()
    return world
  }
  const outcomeOf = (world: World) => world.rows().find(({ slot }) => slot === 0)?.outcome

  it('waits in the call’s state, on the running row and attempt', async () => {
    const world = await asked()
    expect(stateOf(world, 0)).toMatchObject({
      status: 'executing',
      here: true,
      attempt: 1,
      question: { host: 'a.example', message: 'Which?' },
    })
    expect(waitingCount(viewOf(world.stateOf(0)), builtIn)).toBe(3)
    expect(outcomeOf(world)).toBeNull()
  })

  it('is answered once', async () => {
    const world = await asked()
    world.click(0, (actions, id) => {
      actions.answerQuestion(id, 0, { action: 'decline' })
      actions.answerQuestion(id, 0, { action: 'cancel' })
    })
    await world.settle()
    expect(outcomeOf(world)).toMatchObject({ status: 'completed', result: 'decline' })
    expect(world.rows().find(({ slot }) => slot === 0)).toMatchObject({ attempt: 1 })
  })

  it('ends with Stop', async () => {
    const world = await asked()
    world.click(0, (actions, id) => actions.stop(id, 0))
    await world.settle()
    expect(stateOf(world, 0)).toMatchObject({ status: 'cancelled', outcome: { result: 'cancel' } })
  })
})

describe('images of a result', () => {
  it.each([
    ['go along where the user lets the model see them', true, 'sent', 1],
    ['stay where the user does not', false, 'sent', 0],
    ['stay with a result that is kept', true, 'withheld', 0],
  ] as const)('%s', async (_what, isShown, kind, count) => {
    const world = await createWorld({ pictured: [0], gated: [0] })
    world.click(0, (actions, id) => {
      actions.run(id, [0])
      actions.skip(id, [1, 2])
    })
    await world.settle()
    world.click(0, (actions, id) => {
      actions.showPictures(id, 0, isShown)
      void actions.release(id, 0, { kind, note: '' })
    })
    await world.settle()
    expect(world.appends).toHaveLength(1)
    expect(world.appends[0]?.attachments ?? []).toHaveLength(count)
  })

  it('are not created for foreign code’s output that looks like them', () => {
    const files = [{ path: '/.nod/results/draw-1.png', type: 'image/png', bytes: 4 }]
    const image = { kind: 'image', data: 'data:image/png;base64,iVBOR' }
    expect(resultPictures({ displays: [], result: { files } })).toEqual([])
    expect(resultPictures({ displays: [image], result: { files: [{ ...files[0], path: '/mine.png' }] } })).toEqual([])
    expect(resultPictures({ displays: [image], result: { files } })).toMatchObject([{ path: files[0]?.path }])
  })
})
