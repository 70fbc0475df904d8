import { describe, expect, it, vi } from 'vitest'
import type { CallActions } from '@/lib/client/chats/actions'
import { callKey, type ClientState } from '@/lib/client/state/state'
import type { Vfs } from '@/lib/vfs/vfs'
import type { ToolRuntime } from '@/lib/shared/tools/tool'
import { createMemoryVfs } from '@/lib/vfs/memory/memory-vfs'
import { CALLS_AT_ONCE } from '@/lib/shared/calls/click-reasons'
import { deriveCallState } from '@/lib/shared/calls/derive-call-state'
import { fingerprints } from './call-jobs'
import { createWorld } from './testing/call-world'
import { call, MESSAGE } from './testing/world-calls'
import { viewOf } from '@/lib/client/state/open-conversations'

vi.mock('@/lib/shared/calls/call-hash', () => ({
  callHash: (...parts: unknown[]) => Promise.resolve(JSON.stringify(parts)),
  resultsMessageId: (id: string) => Promise.resolve(`results-of-${id}`),
}))

function statusOf(state: ClientState, slot: number, runner: 'held' | 'free' = 'free') {
  const key = callKey(MESSAGE, slot)
  const { calls, live } = viewOf(state)
  const facts = { reply: 'finished', runnable: true, runner, posted: false, overtaken: false } as const
  return deriveCallState({ ...facts, record: calls.get(key), live: live.get(key) }).status
}

/** All calls are started together, and the first one is stopped while it runs. */
async function afterStop(options: Parameters<typeof createWorld>[0] = {}, settles = true) {
  const world = await createWorld(options)
  world.click(0, (actions, id) => actions.run(id, [0, 1, 2]))
  await world.flush()
  while (!world.pending().includes('execute 0')) {
    world.advance(0)
    await world.flush()
  }
  world.click(0, (actions, id) => actions.stop(id, 0))
  if (settles) await world.settle()
  return world
}

const liveOf = (state: ClientState, slot: number) => viewOf(state).live.get(callKey(MESSAGE, slot))

describe('call controller', () => {
  it('runs the calls of a batch in order and sends all results back in one message', async () => {
    const world = await createWorld()
    world.click(0, (actions, id) => actions.run(id, [0, 1, 2]))
    expect(statusOf(world.stateOf(0), 1)).toBe('queued')
    await world.settle()
    expect([...world.executions.keys()]).toEqual(['0#1', '1#1', '2#1'])
    expect(world.posts).toEqual(['results-of-m1'])
    expect(world.joins.get('tab1')).toBe(1)
    expect(world.rows().every((row) => row.postedIn === 'results-of-m1')).toBe(true)
  })

  it('runs a call approved on another device once, in one tab, and shows what was denied there', async () => {
    const world = await createWorld()
    const heard: boolean[] = []
    const hear = (tab: number, slot: number) =>
      world.click(tab, (actions, id) => void actions.checkLookAnswer(id, slot).then((isOver) => heard.push(isOver)))
    hear(0, 0)
    await world.settle()
    expect([heard, world.executions.size]).toEqual([[false], 0])
    await world.decideElsewhere(0, 'run')
    await world.decideElsewhere(1, 'deny')
    for (const tab of [0, 1]) for (const slot of [0, 1]) hear(tab, slot)
    await world.settle()
    expect(heard).toEqual([false, true, true, true, true])
    expect([...world.executions]).toEqual([['0#2', 1]])
    world.click(0, (actions, id) => actions.run(id, [2]))
    await world.settle()
    expect(world.posts).toEqual(['results-of-m1'])
    expect(world.rows().map(({ slot, decision }) => [slot, decision])).toEqual([
      [0, 'run'],
      [1, 'deny'],
      [2, 'run'],
    ])
  })

  it('runs a call that asks for input only with that input, and once', async () => {
    const heard: unknown[] = []
    const runtime: ToolRuntime = {
      vfs: createMemoryVfs(),
      asksUser: () => true,
      execute: (_name, _args, { answer }) => {
        heard.push(answer)
        return Promise.resolve({ status: 'completed', result: 1, durationMs: 1, console: [], displays: [] })
      },
      dispose: () => {},
    }
    const world = await createWorld({ runtime })
    world.click(0, (actions, id) => actions.run(id, [0]))
    await world.settle()
    expect(heard).toEqual([])
    expect(liveOf(world.stateOf(0), 0)?.problem).toContain('Answer it on its card')
    const answers = new Map([[0, 'tea']])
    world.click(0, (actions, id) => actions.run(id, [0], { answers }))
    world.click(1, (actions, id) => actions.run(id, [0], { answers }))
    await world.settle()
    expect(heard).toEqual(['tea'])
  })

  it('keeps a call open whose server requires sign-in, continues with the others, and runs it once signed in', async () => {
    const said = [{ reason: 'told.remote-sign-in', values: { host: 'mcp.example.com' } }]
    const kept = { status: 'cancelled', result: { error: '' }, durationMs: 1, console: [], displays: [], said } as const
    const ran: string[] = []
    let isSignedIn = false
    const runtime: ToolRuntime = {
      vfs: createMemoryVfs(),
      execute: (_name, _args, { origin }) => {
        const slot = origin && 'slot' in origin ? origin.slot : -1
        if (slot === 0 && !isSignedIn) return Promise.resolve(kept)
        ran.push(`${slot}`)
        return Promise.resolve({ status: 'completed', result: 1, durationMs: 1, console: [], displays: [] })
      },
      dispose: () => {},
    }
    const world = await createWorld({ runtime })
    world.click(0, (actions, id) => actions.run(id, [0, 1, 2]))
    await world.settle()
    expect(ran).toEqual(['1', '2'])
    expect(statusOf(world.stateOf(0), 0)).toBe('cancelled')
    expect(world.rows().find(({ slot }) => slot === 0)).toMatchObject({ outcome: null, stopped: { outcome: { said } } })
    // The results of the others wait for it.
    expect(world.posts).toEqual([])
    isSignedIn = true
    world.click(0, (actions, id) => {
      actions.runAgain(id, 0)
      actions.runAgain(id, 0)
    })
    await world.settle()
    expect(ran).toEqual(['1', '2', '0'])
    expect(statusOf(world.stateOf(0), 0)).toBe('completed')
    expect(world.posts).toEqual(['results-of-m1'])
  })

  it('refuses the second of two clicks at once', async () => {
    const world = await createWorld()
    world.click(0, (actions, id) => {
      actions.run(id, [0])
      actions.run(id, [0])
      actions.runAgain(id, 0)
    })
    await world.settle()
    expect(world.log.filter((entry) => entry === 'decide run 0')).toHaveLength(1)
  })

  // The server checks this too. This test is about the page's own check: a second click must not show anywhere in it.
  it.each<[string, (actions: CallActions, id: string) => void]>([
    ['Run', (actions, id) => actions.run(id, [0])],
    ['Run all', (actions, id) => actions.run(id, [0, 1, 2])],
    ['Run again', (actions, id) => actions.runAgain(id, 0)],
    ['Tell the model', (actions, id) => actions.notifyModel(id, 0)],
  ])('a second click while the first is being handled changes nothing in the page: %s', async (_, again) => {
    const world = await createWorld({ calls: [call(0)] })
    const began = () => viewOf(world.stateOf(0)).live.get(callKey(MESSAGE, 0))
    world.click(0, (actions, id) => actions.run(id, [0]))
    const first = began()
    world.click(0, again)
    expect(began()).toBe(first)
    while (!world.pending().includes('execute 0')) {
      world.advance(0)
      await world.flush()
    }
    const running = began()
    world.click(0, again)
    expect(began()).toBe(running)
    expect(statusOf(world.stateOf(0), 0)).toBe('executing')
    // Stop reaches the running call, not a refused click.
    world.click(0, (actions, id) => actions.stop(id, 0))
    await world.settle()
    expect(statusOf(world.stateOf(0), 0)).toBe('cancelled')
    expect(world.log.filter((entry) => entry === 'decide run 0')).toHaveLength(1)
    expect(world.attemptsRun(0)).toBe(1)
  })

  it.each<[string, (actions: CallActions, id: string) => void, string]>([
    ['Run again', (actions, id) => actions.runAgain(id, 0), 'decide run 0'],
    ['Tell the model', (actions, id) => actions.notifyModel(id, 0), 'finish 0'],
  ])('two clicks at once on a stopped call count as one: %s', async (_, twice, request) => {
    const world = await afterStop({ calls: [call(0)] })
    const before = world.log.filter((entry) => entry === request).length
    world.click(0, twice)
    const first = world.stateOf(0)
    world.click(0, twice)
    expect(world.stateOf(0)).toBe(first)
    await world.settle()
    expect(world.log.filter((entry) => entry === request)).toHaveLength(before + 1)
  })

  it('stops at the first failure when asked to, and the rest waits again', async () => {
    const world = await createWorld({ outcomes: ['error', 'completed', 'completed'] })
    world.click(0, (actions, id) => actions.run(id, [0, 1, 2], { stopAtFailure: true }))
    await world.settle()
    expect(statusOf(world.stateOf(0), 0)).toBe('error')
    expect(statusOf(world.stateOf(0), 1)).toBe('awaiting_approval')
    expect(world.posts).toEqual([])
  })

  it('continues after a failure when not asked to stop', async () => {
    const world = await createWorld({ outcomes: ['error', 'completed', 'completed'] })
    world.click(0, (actions, id) => actions.run(id, [0, 1, 2]))
    await world.settle()
    expect(world.executions.size).toBe(3)
    expect(world.posts).toHaveLength(1)
  })

  it('takes a queued call out of the queue on Stop, and it never runs', async () => {
    const world = await createWorld()
    world.click(0, (actions, id) => actions.run(id, [0, 1]))
    world.click(0, (actions, id) => actions.stop(id, 1))
    await world.settle()
    expect(world.ran(1)).toBe(false)
    expect(statusOf(world.stateOf(0), 1)).toBe('awaiting_approval')
  })

  it('shows “stopped”, not “waiting”, when Stop comes before the run has begun, and runs nothing', async () => {
    const world = await createWorld({ calls: [call(0)] })
    world.click(0, (actions, id) => actions.run(id, [0]))
    // One step: the job has left the queue and its tools are being loaded; the server has no request yet.
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

  it('cancels the rest of a batch when one is stopped, for every tab and after a reload', async () => {
    const world = await afterStop()
    expect([...world.executions.keys()]).toEqual(['0#1'])
    for (const slot of [1, 2]) {
      expect(world.rows()[slot]).toMatchObject({
        decision: 'run',
        by: { kind: 'run-stopped' },
        stopped: { begun: false },
      })
      expect(statusOf(world.stateOf(0), slot)).toBe('cancelled')
      expect(liveOf(world.stateOf(0), slot)).toBeUndefined()
    }
    world.reload(1)
    expect([0, 1, 2].map((slot) => statusOf(world.stateOf(1), slot))).toEqual(['cancelled', 'cancelled', 'cancelled'])
    expect(world.posts).toEqual([])
  })

  it('keeps the results from before the stop', async () => {
    const world = await createWorld({ outcomes: ['completed', 'completed', 'completed'] })
    world.click(0, (actions, id) => actions.run(id, [0, 1, 2]))
    while (!world.pending().includes('execute 1')) {
      world.advance(0)
      await world.flush()
    }
    world.click(0, (actions, id) => actions.stop(id, 1))
    await world.settle()
    expect([0, 1, 2].map((slot) => statusOf(world.stateOf(0), slot))).toEqual(['completed', 'cancelled', 'cancelled'])
    world.click(0, (actions, id) => actions.notifyModel(id, 1, 2))
    await world.settle()
    expect(world.posts).toHaveLength(1)
    expect(world.rows().map(({ outcome }) => outcome?.status)).toEqual(['completed', 'cancelled', 'cancelled'])
    expect(JSON.stringify(world.rows()[2]?.outcome?.result)).toContain('did not run')
  })

  it('cancels at the click: also when the stopped run ends well, and when its page closes', async () => {
    const world = await afterStop({}, false)
    expect([1, 2].map((slot) => statusOf(world.stateOf(0), slot))).toEqual(['cancelled', 'cancelled'])
    await world.flush()
    while (world.pending().some((label) => label.startsWith('decide cancel'))) {
      const at = world.pending().findIndex((label) => label.startsWith('decide cancel'))
      world.advance(at)
      await world.flush()
    }
    world.crash(0)
    await world.settle()
    expect([1, 2].map((slot) => statusOf(world.stateOf(0), slot))).toEqual(['cancelled', 'cancelled'])
  })

  it('runs cancelled calls on request, as a new attempt, in one chain', async () => {
    const world = await afterStop({ outcomes: ['completed', 'completed', 'completed'] })
    world.click(0, (actions, id) => actions.runAgain(id, 1, 2))
    await world.settle()
    expect([...world.executions.keys()]).toEqual(['0#1', '1#2', '2#2'])
    world.click(0, (actions, id) => actions.notifyModel(id, 0))
    await world.settle()
    expect(world.posts).toHaveLength(1)
  })

  it('in parallel, stops one, lets the running others continue, and cancels those that have not begun', async () => {
    const calls = Array.from({ length: CALLS_AT_ONCE + 2 }, (_, slot) => call(slot))
    const outcomes = calls.map(() => 'completed' as const)
    const world = await createWorld({ calls, outcomes, tools: { parallelExecution: true } })
    world.click(0, (actions, id) =>
      actions.run(
        id,
        calls.map((_call, slot) => slot),
      ),
    )
    await world.flush()
    while (world.pending().some((label) => label.startsWith('decide'))) {
      world.advance(0)
      await world.flush()
    }
    expect(world.pending()).toEqual(['execute 0', 'execute 1', 'execute 2', 'execute 3'])
    expect(statusOf(world.stateOf(0), CALLS_AT_ONCE)).toBe('queued')
    world.click(0, (actions, id) => actions.stop(id, 1))
    await world.settle()
    expect(calls.map((_call, slot) => statusOf(world.stateOf(0), slot)).join(' ')).toBe(
      'completed cancelled completed completed cancelled cancelled',
    )
    expect(world.executions.size).toBe(CALLS_AT_ONCE)
  })

  it('reports a cancellation that is not stored, and the call waits again', async () => {
    const world = await afterStop({}, false)
    world.breakNext('request-lost')
    world.breakNext('request-lost')
    world.breakNext('request-lost')
    for (let turn = 0; turn < 40; turn += 1) {
      world.advance(0)
      await world.flush()
    }
    await world.settle()
    const states = [1, 2].map((slot) => statusOf(world.stateOf(0), slot))
    expect(states.every((state) => state === 'cancelled' || state === 'awaiting_approval')).toBe(true)
    for (const [at, state] of states.entries()) {
      if (state === 'awaiting_approval') expect(liveOf(world.stateOf(0), at + 1)?.problem).toContain('not stored')
    }
  })

  it('sends past the round limit once the user allows it, and runs what would have run automatically', async () => {
    const asked = await createWorld({ calls: [call(0)], roundsUsedUp: true })
    asked.click(0, (actions, id) => actions.run(id, [0]))
    await asked.settle()
    expect(asked.posts).toEqual([])
    const world = await createWorld({ calls: [call(0), call(2)], roundsUsedUp: true })
    world.click(0, (actions, id) => actions.continueRounds(id, [0]))
    await world.settle()
    expect(world.ran(0)).toBe(true)
    expect(world.rows()).toMatchObject([{ by: { kind: 'click' } }])
    expect(world.posts).toEqual([])
    world.click(0, (actions, id) => actions.run(id, [1]))
    await world.settle()
    expect(world.posts).toHaveLength(1)
  })

  it('denies with the reason, runs nothing, and tells the model', async () => {
    const world = await createWorld({ calls: [call(0)] })
    world.click(0, (actions, id) => actions.deny(id, [0], 'keep it'))
    await world.settle()
    expect(world.rows()[0]).toMatchObject({ decision: 'deny', reason: 'keep it', outcome: null })
    expect(world.executions.size).toBe(0)
    expect(world.posts).toHaveLength(1)
  })

  it('leaves a stopped call to the user: another attempt, or telling the model', async () => {
    const world = await createWorld({ calls: [call(0)] })
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
    world.click(0, (actions, id) => actions.notifyModel(id, 0))
    await world.settle()
    expect(world.rows()[0]?.outcome?.status).toBe('cancelled')
    expect(world.posts).toHaveLength(1)
  })

  it('shows a call of a closed tab as interrupted; only the user reports it or runs it again', async () => {
    const world = await createWorld({ calls: [call(0)] })
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
    world.click(0, (actions, id) => actions.notifyModel(id, 0))
    await world.settle()
    expect(world.rows()[0]?.outcome?.status).toBe('interrupted')
    expect(world.posts).toHaveLength(1)
  })

  it('tells the model of calls that can’t run, when there are no others', async () => {
    const problem = { code: 'unknown-tool', nearest: ['read_file'] } as const
    const world = await createWorld({ calls: [call(0, { problem }), call(1, { problem })] })
    world.click(0, (actions, id) => actions.run(id, [0, 1]))
    await world.settle()
    expect(world.log).toEqual([])
    world.click(0, (actions, id) => actions.notifyModel(id, 1))
    await world.settle()
    expect(world.posts).toHaveLength(1)
  })

  it('says that nothing ran when the server can’t be reached, and the call waits again', async () => {
    const world = await createWorld({ calls: [call(0)] })
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

  it('keeps and shows a result that could not be stored yet, and stores it when the server is back', async () => {
    const world = await createWorld({ calls: [call(0)] })
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
    expect(liveOf(world.stateOf(0), 0)?.problem).toContain('Nod retries')
    expect(world.rows()[0]?.outcome).toBeNull()
    await world.settle()
    expect(world.rows()[0]?.outcome?.status).toBe('completed')
    expect(liveOf(world.stateOf(0), 0)).toBeUndefined()
  })

  it('notifies a second tab when the first one is done, which then knows the outcome', async () => {
    const world = await createWorld({ calls: [call(0)] })
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

describe('a click and the file versions on its card', () => {
  const bytes = (text: string) => new TextEncoder().encode(text)
  const seenNow = async (vfs: Vfs) => fingerprints(vfs, ['/f'])

  it('runs nothing if the files changed since; the next click runs on the current files', async () => {
    const vfs = createMemoryVfs()
    await vfs.write('/f', bytes('one'))
    const world = await createWorld({ vfs, calls: [call(0)] })
    const first = await seenNow(vfs)
    world.click(0, (actions, id) => actions.look(id, 0, first))
    await vfs.write('/f', bytes('two'))
    world.click(0, (actions, id) => actions.run(id, [0]))
    await world.settle()
    expect(world.ran(0)).toBe(false)
    expect(statusOf(world.stateOf(0), 0)).toBe('awaiting_approval')
    expect(liveOf(world.stateOf(0), 0)?.problem).toContain('/f changed after you looked')
    const second = await seenNow(vfs)
    world.click(0, (actions, id) => actions.look(id, 0, second))
    // Long enough to count as read.
    world.pass(500)
    world.click(0, (actions, id) => actions.run(id, [0]))
    await world.settle()
    expect(world.ran(0)).toBe(true)
  })

  it('allows changes that another call of the same batch made', async () => {
    const vfs = createMemoryVfs()
    await vfs.write('/f', bytes('one'))
    const world = await createWorld({
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
