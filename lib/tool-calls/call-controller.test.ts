import { describe, expect, it, vi } from 'vitest'
import { callKey, type ClientState } from '@/lib/client/state'
import type { Vfs } from '@/lib/vfs/vfs'
import { createMemoryVfs } from '@/lib/vfs/memory/memory-vfs'
import { deriveCallState } from './derive-call-state'
import { fingerprints } from './file-basis'
import { call, createWorld, MESSAGE } from './testing/call-world'

vi.mock('./call-hash', () => ({
  callHash: (...parts: unknown[]) => Promise.resolve(JSON.stringify(parts)),
  resultsMessageId: (id: string) => Promise.resolve(`results-of-${id}`),
}))

function statusOf(state: ClientState, slot: number, runner: 'held' | 'free' = 'free') {
  const key = callKey(MESSAGE, slot)
  const { calls, live } = state.view
  const facts = { reply: 'finished', runnable: true, runner, posted: false, overtaken: false } as const
  return deriveCallState({ ...facts, record: calls.get(key), live: live.get(key) }).status
}

const liveOf = (state: ClientState, slot: number) => state.view.live.get(callKey(MESSAGE, slot))

describe('call controller', () => {
  it('runs the calls of a batch in order and takes all results back in one message', async () => {
    const world = createWorld()
    world.click(0, (actions, id) => actions.run(id, [0, 1, 2]))
    expect(statusOf(world.stateOf(0), 1)).toBe('queued')
    await world.settle()
    expect([...world.executions.keys()]).toEqual(['0#1', '1#1', '2#1'])
    expect(world.posts).toEqual(['results-of-m1'])
    expect(world.joins.get('tab1')).toBe(1)
    expect(world.rows().every((row) => row.postedIn === 'results-of-m1')).toBe(true)
  })

  it('refuses the second of two clicks at once', async () => {
    const world = createWorld()
    world.click(0, (actions, id) => {
      actions.run(id, [0])
      actions.run(id, [0])
      actions.runAgain(id, 0)
    })
    await world.settle()
    expect(world.log.filter((entry) => entry === 'decide run 0')).toHaveLength(1)
  })

  it('stops at the first failure when asked to, and the rest waits again', async () => {
    const world = createWorld({ outcomes: ['error', 'completed', 'completed'] })
    world.click(0, (actions, id) => actions.run(id, [0, 1, 2], { stopAtFailure: true }))
    await world.settle()
    expect(statusOf(world.stateOf(0), 0)).toBe('error')
    expect(statusOf(world.stateOf(0), 1)).toBe('awaiting_approval')
    expect(world.posts).toEqual([])
  })

  it('goes on after a failure when not asked to stop', async () => {
    const world = createWorld({ outcomes: ['error', 'completed', 'completed'] })
    world.click(0, (actions, id) => actions.run(id, [0, 1, 2]))
    await world.settle()
    expect(world.executions.size).toBe(3)
    expect(world.posts).toHaveLength(1)
  })

  it('takes a queued call out of the queue on Stop, and it never runs', async () => {
    const world = createWorld()
    world.click(0, (actions, id) => actions.run(id, [0, 1]))
    world.click(0, (actions, id) => actions.stop(id, 1))
    await world.settle()
    expect(world.ran(1)).toBe(false)
    expect(statusOf(world.stateOf(0), 1)).toBe('awaiting_approval')
  })

  it('says “stopped”, not “waiting”, when Stop comes before the run has begun, and nothing ran', async () => {
    const world = createWorld({ calls: [call(0)] })
    world.click(0, (actions, id) => actions.run(id, [0]))
    // One step: the job has left the queue and its tools are being loaded; the server knows nothing yet.
    while (statusOf(world.stateOf(0), 0) !== 'executing') await Promise.resolve()
    expect(world.log).not.toContain('decide run 0')
    expect(statusOf(world.stateOf(0), 0)).toBe('executing')
    world.click(0, (actions, id) => actions.stop(id, 0))
    await world.settle()
    expect(world.ran(0)).toBe(false)
    expect(statusOf(world.stateOf(0), 0)).toBe('cancelled')
    expect(world.rows()[0]).toMatchObject({ decision: 'run', attempt: 1, outcome: null })
    expect(world.posts).toEqual([])
  })

  it('denies with the reason, runs nothing, and tells the model', async () => {
    const world = createWorld({ calls: [call(0)] })
    world.click(0, (actions, id) => actions.deny(id, [0], 'keep it'))
    await world.settle()
    expect(world.rows()[0]).toMatchObject({ decision: 'deny', reason: 'keep it', outcome: null })
    expect(world.executions.size).toBe(0)
    expect(world.posts).toHaveLength(1)
  })

  it('leaves a stopped call to the user: another attempt, or telling the model', async () => {
    const world = createWorld({ calls: [call(0)] })
    const stopIt = async () => {
      while (!world.pending().includes('execute 0')) {
        world.advance(0)
        await world.flush()
      }
      world.click(0, (actions, id) => actions.stop(id, 0))
      await world.settle()
    }
    world.click(0, (actions, id) => actions.run(id, [0]))
    await world.flush()
    await stopIt()
    expect(statusOf(world.stateOf(0), 0)).toBe('cancelled')
    expect(world.posts).toEqual([])
    world.click(0, (actions, id) => actions.runAgain(id, 0))
    await world.flush()
    await stopIt()
    expect(world.rows()[0]).toMatchObject({ attempt: 2, outcome: null })
    world.click(0, (actions, id) => actions.tellModel(id, 0))
    await world.settle()
    expect(world.rows()[0]?.outcome?.status).toBe('cancelled')
    expect(world.posts).toHaveLength(1)
  })

  it('shows a call of a closed tab as interrupted, which is told or run again by hand only', async () => {
    const world = createWorld({ calls: [call(0)] })
    world.click(0, (actions, id) => actions.run(id, [0]))
    await world.flush()
    while (!world.pending().includes('execute 0')) {
      world.advance(0)
      await world.flush()
    }
    world.crash(0)
    await world.settle()
    expect(statusOf(world.stateOf(0), 0)).toBe('interrupted')
    expect(world.executions.get('0#1')).toBe(1)
    world.click(0, (actions, id) => actions.run(id, [0]))
    await world.settle()
    expect(world.executions.size).toBe(1)
    world.click(0, (actions, id) => actions.tellModel(id, 0))
    await world.settle()
    expect(world.rows()[0]?.outcome?.status).toBe('interrupted')
    expect(world.posts).toHaveLength(1)
  })

  it('tells the model of calls that can’t run, when there are no others', async () => {
    const problem = { code: 'unknown-tool', nearest: ['read_file'] } as const
    const world = createWorld({ calls: [call(0, { problem }), call(1, { problem })] })
    world.click(0, (actions, id) => actions.run(id, [0, 1]))
    await world.settle()
    expect(world.log).toEqual([])
    world.click(0, (actions, id) => actions.tellModel(id, 1))
    await world.settle()
    expect(world.posts).toHaveLength(1)
  })

  it('says that nothing ran when the server can’t be reached, and the call waits again', async () => {
    const world = createWorld({ calls: [call(0)] })
    for (let fault = 0; fault < 3; fault += 1) world.breakNext('request-lost')
    world.click(0, (actions, id) => actions.run(id, [0]))
    await world.flush()
    for (let turn = 0; turn < 12; turn += 1) {
      world.advance(0)
      await world.flush()
    }
    expect(liveOf(world.stateOf(0), 0)?.problem).toContain('Nothing ran')
    expect(statusOf(world.stateOf(0), 0)).toBe('awaiting_approval')
    world.click(0, (actions, id) => actions.run(id, [0]))
    await world.settle()
    expect(world.executions.get('0#1')).toBe(1)
    expect(world.posts).toHaveLength(1)
  })

  it('keeps a result that could not be stored yet, shows it, and stores it when the server is back', async () => {
    const world = createWorld({ calls: [call(0)] })
    world.click(0, (actions, id) => actions.run(id, [0]))
    await world.flush()
    while (!world.pending().includes('finish 0')) {
      world.advance(0)
      await world.flush()
    }
    world.breakNext('request-lost')
    world.advance(world.pending().indexOf('finish 0'))
    await world.flush()
    expect(statusOf(world.stateOf(0), 0)).toBe('completed')
    expect(liveOf(world.stateOf(0), 0)?.problem).toContain('tried again')
    expect(world.rows()[0]?.outcome).toBeNull()
    await world.settle()
    expect(world.rows()[0]?.outcome?.status).toBe('completed')
    expect(liveOf(world.stateOf(0), 0)).toBeUndefined()
  })

  it('tells a second tab when the first one is through, and then knows the outcome', async () => {
    const world = createWorld({ calls: [call(0)] })
    world.click(0, (actions, id) => actions.run(id, [0]))
    await world.flush()
    while (!world.pending().includes('execute 0')) {
      world.advance(0)
      await world.flush()
    }
    world.reload(1)
    const seen: boolean[] = []
    let stop = () => {}
    world.click(1, (actions, id) => {
      stop = actions.watchRunner(id, 0, (held) => seen.push(held))
    })
    await world.flush()
    expect(seen).toEqual([true])
    expect(statusOf(world.stateOf(1), 0, 'held')).toBe('executing')
    await world.settle()
    expect(seen).toEqual([true, false])
    expect(statusOf(world.stateOf(1), 0)).toBe('completed')
    stop()
  })
})

describe('a click holds to the files that the card showed', () => {
  const bytes = (text: string) => new TextEncoder().encode(text)
  const seenNow = async (vfs: Vfs) => fingerprints(vfs, ['/f'])

  it('nothing runs when they changed since; the next click, on what stands there now, runs', async () => {
    const vfs = createMemoryVfs()
    await vfs.write('/f', bytes('one'))
    const world = createWorld({ vfs, calls: [call(0)] })
    const first = await seenNow(vfs)
    world.click(0, (actions, id) => actions.look(id, 0, first))
    await vfs.write('/f', bytes('two'))
    world.click(0, (actions, id) => actions.run(id, [0]))
    await world.settle()
    expect(world.ran(0)).toBe(false)
    expect(statusOf(world.stateOf(0), 0)).toBe('awaiting_approval')
    expect(liveOf(world.stateOf(0), 0)?.problem).toContain('/f changed since you looked')
    const second = await seenNow(vfs)
    world.click(0, (actions, id) => actions.look(id, 0, second))
    // Long enough to have been read.
    world.pass(500)
    world.click(0, (actions, id) => actions.run(id, [0]))
    await world.settle()
    expect(world.ran(0)).toBe(true)
  })

  it('what a call of the same batch changed is no surprise to the next one', async () => {
    const vfs = createMemoryVfs()
    await vfs.write('/f', bytes('one'))
    const world = createWorld({
      vfs,
      calls: [call(0), call(1)],
      onExecute: (slot) => (slot === 0 ? vfs.write('/f', bytes('by the first call')) : undefined),
    })
    const basis = await seenNow(vfs)
    for (const slot of [0, 1]) world.click(0, (actions, id) => actions.look(id, slot, basis))
    world.click(0, (actions, id) => actions.run(id, [0, 1]))
    await world.settle()
    expect(world.executions.size).toBe(2)
  })
})
