import { describe, expect, it, vi } from 'vitest'
import type { CallActions } from '@/lib/client/chats/actions'
import { callKey } from '@/lib/client/state/state'
import { createWorld, type World } from './testing/call-world'
import { call, PROMOTED, MESSAGE, UNFIT, unfit } from './testing/world-calls'
import { viewOf } from '@/lib/client/state/open-conversations'

vi.mock('@/lib/shared/calls/call-hash', () => ({
  callHash: (...parts: unknown[]) => Promise.resolve(JSON.stringify(parts)),
  argumentsHash: (...parts: unknown[]) => Promise.resolve(JSON.stringify(parts)),
  resultsMessageId: (id: string) => Promise.resolve(`results-of-${id}`),
}))

const liveOf = (world: World, slot: number, tab = 0) => viewOf(world.stateOf(tab)).live.get(callKey(MESSAGE, slot))
const rowOf = (world: World, slot: number) => world.rows().find((row) => row.slot === slot)

/** Runs an action in a tab, lets everything settle, and returns the action's result. */
async function act<T>(world: World, tab: number, work: (actions: CallActions, id: string) => Promise<T>): Promise<T> {
  let answer: Promise<T> | undefined
  world.click(tab, (actions, id) => {
    answer = work(actions, id)
  })
  await world.settle()
  if (!answer) throw new Error('no answer')
  return answer
}

const changed = { name: 'write_file', arguments: { path: '/0', content: 'mine' } }

describe('call controller: a changed call', () => {
  it('runs the user’s edit of it, and the row records that', async () => {
    const world = await createWorld({ calls: [call(0)] })
    expect(await act(world, 0, (actions, id) => actions.amend(id, 0, changed))).toBeNull()
    expect(viewOf(world.stateOf(0)).amendments.get(MESSAGE)).toHaveLength(1)
    world.click(0, (actions, id) => actions.run(id, [0]))
    await world.settle()
    expect(rowOf(world, 0)?.changed).toEqual(changed)
    expect(world.ranAs.get('0#1')).toBe(JSON.stringify([MESSAGE, 0, 'write_file', changed.arguments]))
  })

  it('asks again, with a sentence, if another tab changed the call before the click', async () => {
    const world = await createWorld({ calls: [call(0)] })
    await act(world, 1, (actions, id) => actions.amend(id, 0, changed))
    world.click(0, (actions, id) => actions.run(id, [0]))
    await world.settle()
    expect(world.executions.size).toBe(0)
    expect(world.rows()).toEqual([])
    expect(liveOf(world, 0)?.problem).toBe(
      'Nothing ran. This call was changed in another tab. Review it here and decide again.',
    )
    expect(viewOf(world.stateOf(0)).amendments.get(MESSAGE)?.[0]?.call).toEqual(changed)
    world.click(0, (actions, id) => actions.run(id, [0]))
    await world.settle()
    expect(rowOf(world, 0)?.changed).toEqual(changed)
  })

  it('says the same for a denial of a call that was changed elsewhere', async () => {
    const world = await createWorld({ calls: [call(0)] })
    await act(world, 1, (actions, id) => actions.amend(id, 0, changed))
    world.click(0, (actions, id) => actions.deny(id, [0], ''))
    await world.settle()
    expect(world.rows()).toEqual([])
    expect(liveOf(world, 0)?.problem).toContain('The call could not be denied, and nothing ran. This call was changed')
  })

  it('runs a promoted call like any other, and the results wait for it', async () => {
    const world = await createWorld()
    await act(world, 0, (actions, id) => actions.amend(id, PROMOTED, null))
    world.click(0, (actions, id) => actions.run(id, [0, 1, 2]))
    await world.settle()
    expect(world.posts).toEqual([])
    world.click(0, (actions, id) => actions.run(id, [PROMOTED]))
    await world.settle()
    expect(world.ran(PROMOTED)).toBe(true)
    expect(world.posts).toHaveLength(1)
  })

  it('sends the results if the last awaited call is removed by an edit', async () => {
    const world = await createWorld()
    await act(world, 0, (actions, id) => actions.amend(id, PROMOTED, null))
    world.click(0, (actions, id) => actions.run(id, [0, 1, 2]))
    await world.settle()
    await act(world, 0, (actions, id) => actions.amend(id, PROMOTED, 'undo'))
    expect(world.posts).toHaveLength(1)
  })

  it('refuses a change once the call was decided, here or elsewhere', async () => {
    const world = await createWorld()
    world.click(0, (actions, id) => actions.run(id, [0]))
    expect(await act(world, 0, (actions, id) => actions.amend(id, 0, changed))).toContain('already decided')
    expect(await act(world, 1, (actions, id) => actions.amend(id, 0, changed))).toBe(
      'This call was just decided, so it cannot be edited.',
    )
    expect(viewOf(world.stateOf(1)).calls.has(callKey(MESSAGE, 0))).toBe(true)
  })

  it('returns a sentence if a change can’t be stored', async () => {
    const world = await createWorld({ calls: [call(0)] })
    for (let fault = 0; fault < 3; fault += 1) world.breakNext('request-lost')
    let answer: Promise<string | null> | undefined
    world.click(0, (actions, id) => {
      answer = actions.amend(id, 0, changed)
    })
    await world.flush()
    for (let turn = 0; turn < 12; turn += 1) {
      world.advance(0)
      await world.flush()
    }
    expect(await answer).toBe('The server cannot be reached.')
  })
})

describe('call controller: gated results', () => {
  it('holds all results until the gated one is released, and sends it as released', async () => {
    const world = await createWorld({ gated: [2] })
    world.click(0, (actions, id) => actions.run(id, [0, 1, 2]))
    await world.settle()
    expect(world.posts).toEqual([])
    const cut = { kind: 'changed', result: 'cut', changes: ['trimmed'], note: '' } as const
    expect(await act(world, 1, (actions, id) => actions.release(id, 2, cut))).toContain('no result to review')
    world.reload(1)
    expect(await act(world, 1, (actions, id) => actions.release(id, 2, cut))).toBeNull()
    expect(world.posts).toHaveLength(1)
    expect(world.posted.get(2)).toBe('cut')
  })

  it('tells the second of two tabs that the first one’s decision counts', async () => {
    const world = await createWorld({ calls: [call(0), call(1)], gated: [0] })
    world.click(0, (actions, id) => actions.run(id, [0]))
    await world.settle()
    world.reload(1)
    expect(await act(world, 0, (actions, id) => actions.release(id, 0, { kind: 'sent', note: '' }))).toBeNull()
    expect(await act(world, 1, (actions, id) => actions.release(id, 0, { kind: 'withheld', note: '' }))).toContain(
      'already decided in another tab',
    )
    expect(rowOf(world, 0)?.release?.kind).toBe('sent')
  })

  it('releases a withheld result later, as long as nothing was sent', async () => {
    const world = await createWorld({ calls: [call(0), call(1)], gated: [0] })
    world.click(0, (actions, id) => actions.run(id, [0]))
    await world.settle()
    await act(world, 0, (actions, id) => actions.release(id, 0, { kind: 'withheld', note: '' }))
    expect(await act(world, 0, (actions, id) => actions.release(id, 0, { kind: 'sent', note: '' }))).toBeNull()
    world.click(0, (actions, id) => actions.skip(id, [1]))
    await world.settle()
    expect(world.posted.get(0)).toBe('tab1 ran 0#1')
    expect(await act(world, 0, (actions, id) => actions.release(id, 0, { kind: 'withheld', note: '' }))).not.toBeNull()
  })
})

describe('call controller: grants', () => {
  it('runs one call by the click and remembers the approval for later: other waiting calls keep waiting', async () => {
    const world = await createWorld()
    expect(await act(world, 0, (actions, id) => actions.remember(id, 0, 'tool'))).toBeNull()
    const [grantId = ''] = world.grants.keys()
    expect(rowOf(world, 0)?.by).toEqual({ kind: 'click' })
    expect(viewOf(world.stateOf(0)).grants).toMatchObject([
      { id: grantId, revokedAt: null, uses: 0, givenOn: { messageId: 'm1', slot: 0 } },
    ])
    expect([1, 2].map((slot) => rowOf(world, slot))).toEqual([undefined, undefined])
    // A tab that assumes otherwise must not run it either.
    world.click(1, (actions, id) => actions.run(id, [1], { by: { kind: 'grant', grantId } }))
    await world.settle()
    expect(world.ran(1)).toBe(false)
  })

  it('also runs other calls named by the same click, and none that was not named', async () => {
    const world = await createWorld()
    expect(await act(world, 0, (actions, id) => actions.remember(id, 0, 'tool', [2, 2, 99]))).toBeNull()
    expect([0, 1, 2].map((slot) => rowOf(world, slot)?.by)).toEqual([{ kind: 'click' }, undefined, { kind: 'click' }])
  })

  it('runs calls by a grant older than their reply, until it is withdrawn', async () => {
    const grantId = 'before'
    const world = await createWorld({
      grants: [
        {
          id: grantId,
          scope: { kind: 'tool', tool: 'write_file' },
          createdAt: 0,
          uses: 0,
          lastUsedAt: null,
          revokedAt: null,
        },
      ],
    })
    world.click(1, (actions, id) => actions.run(id, [1], { by: { kind: 'grant', grantId } }))
    await world.settle()
    expect(rowOf(world, 1)?.by.kind).toBe('grant')
    expect(await act(world, 1, (actions) => actions.revokeGrant(grantId))).toBeNull()
    // Tab 0 does not know of it.
    world.click(0, (actions, id) => actions.run(id, [2], { by: { kind: 'grant', grantId } }))
    await world.settle()
    expect(world.ran(2)).toBe(false)
    expect(liveOf(world, 2)?.problem).toContain('No saved approval covers this call')
    expect(viewOf(world.stateOf(0)).grants[0]?.revokedAt).not.toBeNull()
  })

  it('creates one grant for one click, also when the response is lost', async () => {
    const world = await createWorld({ calls: [call(0)] })
    world.breakNext('answer-lost')
    world.click(0, (actions, id) => {
      void actions.remember(id, 0, 'tool')
      void actions.remember(id, 0, 'tool')
      actions.run(id, [0])
    })
    await world.settle()
    expect(world.grants.size).toBe(1)
    expect(world.executions.get('0#1')).toBe(1)
  })

  it('sends the results if another tab decided the call while its grant was being stored', async () => {
    const world = await createWorld({ calls: [call(0)] })
    world.click(0, (actions, id) => void actions.remember(id, 0, 'tool'))
    await world.flush()
    world.click(1, (actions, id) => actions.deny(id, [0], ''))
    await world.flush()
    // That tab closes with its request on the way; this tab learns of the denial.
    world.crash(1)
    world.advance(world.pending().indexOf('decide deny 0'))
    world.reload(0)
    await world.settle()
    expect(world.posts).toHaveLength(1)
  })

  it('remembers nothing and runs nothing for a call that was changed elsewhere', async () => {
    const world = await createWorld({ calls: [call(0)] })
    await act(world, 1, (actions, id) => actions.amend(id, 0, changed))
    expect(await act(world, 0, (actions, id) => actions.remember(id, 0, 'tool'))).toContain(
      'The approval was not saved, and nothing ran. This call was changed',
    )
    expect(world.grants.size + world.executions.size).toBe(0)
  })

  it('runs a guessed call only on a click', async () => {
    const world = await createWorld({ calls: [call(0, { repairs: ['bare-quote'] })], tools: { mode: 'auto' } })
    world.click(0, (actions, id) => actions.run(id, [0], { by: { kind: 'auto' } }))
    await world.settle()
    expect(world.log).toEqual([])
    world.click(0, (actions, id) => actions.run(id, [0]))
    await world.settle()
    expect(world.executions.size).toBe(1)
  })

  it('records for each call why it ran', async () => {
    const world = await createWorld({ tools: { mode: 'auto' } })
    world.click(0, (actions, id) => actions.run(id, [0, 1], { by: new Map([[0, { kind: 'auto' }]]) }))
    await world.settle()
    expect([rowOf(world, 0)?.by.kind, rowOf(world, 1)?.by.kind]).toEqual(['auto', 'click'])
  })
})

describe('call controller: a batch that stopped', () => {
  const failing = () =>
    createWorld({ calls: [call(0), call(1), call(2)], outcomes: ['error', 'completed', 'completed'] })
  const stopped = async () => {
    const world = await failing()
    world.click(0, (actions, id) => actions.run(id, [0, 1, 2], { stopAtFailure: true }))
    await world.settle()
    return world
  }

  it('marks the remaining calls, with a sentence', async () => {
    const world = await stopped()
    for (const slot of [1, 2]) {
      expect(liveOf(world, slot)).toMatchObject({ leftOver: true, problem: 'Not started: an earlier call failed.' })
    }
  })

  it('continues with the rest', async () => {
    const world = await stopped()
    world.click(0, (actions, id) => actions.run(id, [1, 2]))
    await world.settle()
    expect(world.executions.size).toBe(3)
    expect(world.posts).toHaveLength(1)
  })

  it('skips the next one and continues', async () => {
    const world = await stopped()
    world.click(0, (actions, id) => {
      actions.skip(id, [1])
      actions.run(id, [2])
    })
    await world.settle()
    expect(rowOf(world, 1)?.decision).toBe('skip')
    expect(world.ran(2)).toBe(true)
    expect(world.posts).toHaveLength(1)
    expect(liveOf(world, 1)).toBeUndefined()
  })

  it('sends the results when the rest is skipped', async () => {
    const world = await stopped()
    world.click(0, (actions, id) => actions.skip(id, [1, 2]))
    await world.settle()
    expect(world.executions.size).toBe(1)
    expect(world.posts).toHaveLength(1)
  })

  it('runs calls in parallel where the chat’s settings say so', async () => {
    const world = await createWorld({ tools: { parallelExecution: true } })
    world.click(0, (actions, id) => actions.run(id, [0, 1, 2]))
    await world.flush()
    for (let turn = 0; turn < 3; turn += 1) {
      world.advance(0)
      await world.flush()
    }
    expect(world.pending()).toEqual(['execute 0', 'execute 1', 'execute 2'])
    await world.settle()
    expect(world.posts).toHaveLength(1)
  })

  it('starts no more calls of one reply than the chat allows, and sends without the rest', async () => {
    const world = await createWorld({ tools: { maxCallsPerReply: 2 } })
    world.click(0, (actions, id) => actions.run(id, [0, 1, 2]))
    await world.settle()
    expect(world.executions.size).toBe(2)
    expect(world.posts).toHaveLength(1)
    expect(world.leftOver.map(({ slot }) => slot)).toEqual([2])
  })

  it('waits past the limit for a result that needs a review', async () => {
    const world = await createWorld({ tools: { maxCallsPerReply: 2 }, gated: [0] })
    world.click(0, (actions, id) => actions.run(id, [0, 1, 2]))
    await world.settle()
    expect(world.posts).toHaveLength(0)
    expect(liveOf(world, 2)?.problem).toContain('2 calls of this reply have run')
    world.click(0, (actions, id) => void actions.release(id, 0, { kind: 'sent', note: '' }))
    await world.settle()
    expect(world.posts).toHaveLength(1)
  })
})

describe('call controller: a call that cannot run', () => {
  const calls = [call(0), call(1, { problem: unfit })]
  const amendUnfit = { name: 'write_file', arguments: { path: '/1', v: UNFIT } }

  it('can be denied, and the model gets that with the other results', async () => {
    const world = await createWorld({ calls })
    world.click(0, (actions, id) => actions.deny(id, [1], 'not this'))
    await world.settle()
    expect(world.rows()).toMatchObject([{ slot: 1, decision: 'deny', reason: 'not this' }])
    expect(world.posts).toHaveLength(0)
    world.click(0, (actions, id) => actions.run(id, [0]))
    await world.settle()
    expect(world.posts).toHaveLength(1)
  })

  it('holds the results while the user edits the call: until undone', async () => {
    const world = await createWorld({ calls })
    world.click(0, (actions, id) => void actions.amend(id, 1, amendUnfit))
    await world.settle()
    world.click(0, (actions, id) => actions.run(id, [0, 1]))
    await world.settle()
    expect([...world.executions.keys()]).toEqual(['0#1'])
    expect(world.posts).toHaveLength(0)
    world.click(0, (actions, id) => void actions.amend(id, 1, 'undo'))
    await world.settle()
    expect(world.posts).toHaveLength(1)
  })

  it('never applies a retried change after a newer one of the same call', async () => {
    const world = await createWorld({ calls })
    world.breakNext('request-lost')
    world.click(0, (actions, id) => void actions.amend(id, 1, amendUnfit))
    world.click(0, (actions, id) => void actions.amend(id, 1, { name: 'write_file', arguments: { path: '/1' } }))
    await world.flush()
    // The first request fails, and everything else happens before its second try.
    world.advance(0)
    await world.flush()
    while (world.pending().some((label) => label !== 'wait')) {
      world.advance(world.pending().findIndex((label) => label !== 'wait'))
      await world.flush()
    }
    await world.settle()
    expect(viewOf(world.stateOf(0)).amendments.get(MESSAGE)).toMatchObject([{ call: { arguments: { path: '/1' } } }])
  })

  it('sends the results when the user accepts the call as it is, which cannot run either', async () => {
    const world = await createWorld({ calls })
    await act(world, 0, (actions, id) => actions.amend(id, 1, amendUnfit))
    world.click(0, (actions, id) => actions.run(id, [0]))
    await world.settle()
    expect(world.posts).toHaveLength(0)
    await act(world, 0, (actions, id) => actions.amend(id, 1, null))
    expect(world.posts).toHaveLength(1)
  })

  it('sends again after a refusal for a call that another tab stopped editing meanwhile', async () => {
    const world = await createWorld({ calls })
    world.click(0, (actions, id) => actions.run(id, [0]))
    await world.flush()
    while (!world.pending().includes('send')) {
      world.advance(0)
      await world.flush()
    }
    // Another tab edits the call before the results arrive, and stops before this tab asks why.
    world.click(1, (actions, id) => void actions.amend(id, 1, amendUnfit))
    await world.flush()
    world.advance(world.pending().indexOf('amend 1'))
    await world.flush()
    world.advance(world.pending().indexOf('send'))
    await world.flush()
    world.click(1, (actions, id) => void actions.amend(id, 1, 'undo'))
    await world.flush()
    // That tab is closed with its last request on the way, so only this tab can send.
    world.crash(1)
    world.advance(world.pending().indexOf('amend 1'))
    await world.settle()
    expect(world.posts).toHaveLength(1)
  })

  it('… until repaired and run, or denied', async () => {
    for (const end of ['run', 'deny'] as const) {
      const world = await createWorld({ calls })
      world.click(0, (actions, id) => void actions.amend(id, 1, amendUnfit))
      await world.settle()
      world.click(0, (actions, id) => actions.run(id, [0]))
      await world.settle()
      if (end === 'run') {
        world.click(0, (actions, id) => void actions.amend(id, 1, { name: 'write_file', arguments: { path: '/1' } }))
        await world.settle()
        expect(world.posts).toHaveLength(0)
        world.click(0, (actions, id) => actions.run(id, [1]))
      } else world.click(0, (actions, id) => actions.deny(id, [1], ''))
      await world.settle()
      expect(world.posts).toHaveLength(1)
      expect(world.ran(1)).toBe(end === 'run')
    }
  })
})
