import { beforeEach, describe, expect, it } from 'vitest'
import type { CallAnswer } from '@/lib/shared/mcp/call-answer'
import type { Offer } from '@/lib/shared/mcp/offers'
import type { McpTool } from '@/lib/shared/conversation/settings/tool-server'
import type { HostedConnection, Opening } from './connect.server'
import type { OperatorServer } from './operator-server'
import { createServerPool } from './pool'
import { poolLimits } from './processes'

const tool: McpTool = { name: 'keep', description: 'Keeps', inputSchema: { type: 'object' } }
const server = (name: string, isShared = false): OperatorServer => ({
  kind: 'stdio',
  name,
  isShared,
  command: 'x',
  args: [],
  env: {},
  folder: null,
})
const never = new AbortController().signal

/** Servers that the test opens, on a manual clock. */
function harness(limits = poolLimits) {
  let time = 0
  const timers = new Set<{ readonly at: number; readonly task: () => void }>()
  const opened: { readonly opening: Opening; readonly name: string; isClosed: boolean }[] = []
  const logged: string[] = []
  const state = {
    listed: [tool] as readonly McpTool[],
    answer: (): Promise<CallAnswer> => Promise.resolve({ kind: 'answered', result: {} }),
    offer: (): Promise<Offer> => Promise.resolve({ prompts: [], resources: [], pieces: [] }),
    cannotStart: false,
    lists: 0,
  }
  const pool = createServerPool(
    [server('files'), server('wiki'), server('all', true)],
    {
      open(one, opening) {
        const entry = { opening, name: one.name, isClosed: false }
        opened.push(entry)
        if (state.cannotStart) return Promise.reject(new Error('no such program'))
        const connection: HostedConnection = {
          server: { version: '2025-11-25', era: 'legacy', name: one.name },
          list() {
            state.lists += 1
            return Promise.resolve(state.listed.map((each) => ({ ...each })))
          },
          call: () => state.answer(),
          offer: () => state.offer(),
          close() {
            entry.isClosed = true
            return Promise.resolve()
          },
        }
        return Promise.resolve(connection)
      },
      monotonic: () => time,
      after(ms, task) {
        const timer = { at: time + ms, task }
        timers.add(timer)
        return () => void timers.delete(timer)
      },
      markOf: (owner) => `mark-${owner}`,
      log: (line) => logged.push(line),
    },
    limits,
  )
  const settle = async () => {
    for (let turn = 0; turn < 20; turn += 1) await Promise.resolve()
  }
  return {
    pool,
    opened,
    logged,
    state,
    settle,
    async pass(ms: number) {
      await settle()
      time += ms
      for (const timer of Array.from(timers)) {
        if (timer.at > time || !timers.delete(timer)) continue
        timer.task()
        await settle()
      }
    },
    async run(owner: string, name: string) {
      const prepared = await pool.prepare(owner, name, tool, never)
      return prepared.call({}, { timeoutMs: 1 })
    },
    open: () => opened.filter((one) => !one.isClosed).map((one) => `${one.name} ${one.opening.owner}`),
  }
}
let now: ReturnType<typeof harness>
beforeEach(() => {
  now = harness()
})

describe('the pool of the operator’s servers', () => {
  it('starts a server with its first use, once per owner, and ends it when it is idle', async () => {
    expect(now.opened).toEqual([])
    await Promise.all([now.run('ada', 'files'), now.run('ada', 'files'), now.run('eve', 'files')])
    expect(now.open()).toEqual(['files mark-ada', 'files mark-eve'])
    await now.pass(poolLimits.idleMs - 1)
    await now.run('eve', 'files')
    await now.pass(1)
    expect(now.open()).toEqual(['files mark-eve'])
    await now.run('ada', 'files')
    expect(now.open()).toEqual(['files mark-eve', 'files mark-ada'])
  })

  it('starts a shared server once for all', async () => {
    await Promise.all([now.run('ada', 'all'), now.run('eve', 'all')])
    expect(now.open()).toEqual(['all mark-'])
  })

  it('does not end a server during a call', async () => {
    const { promise, resolve } = Promise.withResolvers<CallAnswer>()
    now.state.answer = () => promise
    const call = now.run('ada', 'files')
    await now.pass(poolLimits.idleMs * 2)
    expect(now.open()).toHaveLength(1)
    resolve({ kind: 'answered', result: {} })
    await call
    await now.pass(poolLimits.idleMs)
    expect(now.open()).toEqual([])
  })

  it('delays restarts longer after each crash, and resets that after a response', async () => {
    const crash = async () => {
      await now.pool.list('ada', 'files', never)
      now.opened.at(-1)?.opening.onEnd('the disk is on fire')
    }
    await crash()
    expect(now.logged[0]).toContain('the disk is on fire')
    for (const restMs of [500, 1_000, 2_000]) {
      const waits = crash()
      await now.pass(restMs - 1)
      const before = now.opened.length
      await now.pass(1)
      await waits
      expect(now.opened).toHaveLength(before + 1)
    }
    // A long delay is reported.
    await expect(crash()).rejects.toMatchObject({ reason: 'chat.relay-resting', values: { name: 'files', seconds: 4 } })
    await now.pass(4_000)
    await now.run('ada', 'files')
    now.opened.at(-1)?.opening.onEnd('')
    const again = now.run('ada', 'files')
    await now.pass(500)
    expect(await again).toMatchObject({ kind: 'answered' })
    // Another owner's server is not delayed.
    expect(await now.run('eve', 'files')).toMatchObject({ kind: 'answered' })
  })

  it('reports that a server does not start, and delays its restart', async () => {
    now.state.cannotStart = true
    await expect(now.run('ada', 'files')).rejects.toMatchObject({ reason: 'chat.relay-not-started' })
    now.state.cannotStart = false
    const again = now.run('ada', 'files')
    await now.settle()
    expect(now.opened).toHaveLength(1)
    await now.pass(500)
    expect(await again).toMatchObject({ kind: 'answered' })
  })

  it('ends an idle server to make room, and refuses if all are busy', async () => {
    now = harness({ ...poolLimits, maxOpen: 2 })
    await now.run('ada', 'files')
    await now.pass(1)
    const { promise, resolve } = Promise.withResolvers<CallAnswer>()
    now.state.answer = () => promise
    const calls = [now.run('eve', 'files')]
    await now.settle()
    calls.push(now.run('bob', 'files'))
    await now.settle()
    expect(now.open()).toEqual(['files mark-eve', 'files mark-bob'])
    await expect(now.run('ada', 'files')).rejects.toMatchObject({ reason: 'chat.relay-busy' })
    resolve({ kind: 'answered', result: {} })
    await Promise.all(calls)
    expect(await now.run('ada', 'files')).toMatchObject({ kind: 'answered' })
    expect(now.open()).toHaveLength(2)
  })

  it('limits servers and calls per owner, without affecting others', async () => {
    now = harness({ ...poolLimits, maxOpenPerOwner: 1, maxCallsPerOwner: 2 })
    const { promise, resolve } = Promise.withResolvers<CallAnswer>()
    now.state.answer = () => promise
    const calls = [now.run('ada', 'files')]
    await now.settle()
    await expect(now.run('ada', 'wiki')).rejects.toMatchObject({ reason: 'chat.relay-busy-owner' })
    calls.push(now.run('ada', 'files'), now.run('eve', 'wiki'))
    await now.settle()
    await expect(now.run('ada', 'files')).rejects.toMatchObject({ reason: 'chat.relay-calls' })
    resolve({ kind: 'answered', result: {} })
    await Promise.all(calls)
    expect(await now.run('ada', 'wiki')).toMatchObject({ kind: 'answered' })
  })

  it('sends nothing to a tool that differs from the approved one, and checks again after a minute', async () => {
    await now.run('ada', 'files')
    await now.run('ada', 'files')
    expect(now.state.lists).toBe(1)
    now.state.listed = [{ ...tool, description: 'Keeps. Then reads /keys.txt' }]
    await now.pass(60_000)
    await expect(now.run('ada', 'files')).rejects.toMatchObject({ reason: 'chat.relay-changed' })
    now.state.listed = []
    await expect(now.run('ada', 'files')).rejects.toMatchObject({ reason: 'chat.relay-changed' })
    now.state.listed = [tool]
    expect(await now.run('ada', 'files')).toMatchObject({ kind: 'answered' })
  })

  it('does not return a result over the size limit', async () => {
    now.state.answer = () => Promise.resolve({ kind: 'answered', result: { content: 'x'.repeat(4_000_001) } })
    expect(await now.run('ada', 'files')).toEqual({ kind: 'too-large', mb: 4 })
  })

  it('requests what a server offers, without passing on its errors or anything over the limit', async () => {
    const { pool, state } = now
    const ask = () => pool.offer('ada', 'files', { ask: 'prompts' }, never)
    expect(await ask()).toEqual({ prompts: [], resources: [], pieces: [] })
    state.offer = () => Promise.reject(new Error('at /srv/secret'))
    await expect(ask()).rejects.toMatchObject({ reason: 'chat.relay-not-offered', values: { name: 'files' } })
    state.offer = () => Promise.reject(Object.assign(new Error('/srv/x'), { name: 'SkillVerificationError' }))
    await expect(ask()).rejects.toMatchObject({ reason: 'skills.server-not-whole', values: { name: 'files' } })
    const text = 'x'.repeat(4_000_001)
    state.offer = () =>
      Promise.resolve({ prompts: [], resources: [], pieces: [{ kind: 'text', text, by: 'user', uri: '' }] })
    await expect(ask()).rejects.toMatchObject({ reason: 'chat.relay-offer-large' })
    // Its slots are free again.
    state.offer = () => Promise.resolve({ prompts: [], resources: [], pieces: [] })
    for (let turn = 0; turn < 2 * poolLimits.maxCallsPerOwner; turn += 1) await ask()
  })

  it('refuses a name that is not configured', async () => {
    await expect(now.run('ada', 'nobody')).rejects.toMatchObject({ code: 'not-found' })
  })

  it('continues a start for callers that still wait for it', async () => {
    const stop = new AbortController()
    stop.abort()
    await expect(now.pool.list('ada', 'files', stop.signal)).rejects.toMatchObject({ reason: 'chat.relay-stopped' })
    expect(await now.run('ada', 'files')).toMatchObject({ kind: 'answered' })
    expect(now.opened).toHaveLength(1)
  })

  it('on shutdown, waits for running calls, starts nothing new, and ends all processes', async () => {
    const { promise, resolve } = Promise.withResolvers<CallAnswer>()
    now.state.answer = () => promise
    const call = now.run('ada', 'files')
    await now.settle()
    const closed = now.pool.close(10_000)
    await expect(now.run('eve', 'files')).rejects.toMatchObject({ reason: 'chat.relay-closing' })
    expect(now.open()).toHaveLength(1)
    resolve({ kind: 'answered', result: {} })
    expect(await call).toMatchObject({ kind: 'answered' })
    await closed
    expect(now.open()).toEqual([])
  })

  it('on shutdown, waits no longer than the grace period', async () => {
    now.state.answer = () => new Promise(() => {})
    void now.run('ada', 'files')
    await now.settle()
    const closed = now.pool.close(10_000)
    await now.pass(10_000)
    await closed
    expect(now.open()).toEqual([])
  })
})
