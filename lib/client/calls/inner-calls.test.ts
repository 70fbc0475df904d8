import { describe, expect, it, vi } from 'vitest'
import type { JsonValue } from '@/lib/base/json'
import type { SandboxTools } from '@/lib/sandbox/sandbox'
import { viewOf } from '@/lib/client/state/open-conversations'
import { callKey } from '@/lib/client/state/state'
import { deriveCallState } from '@/lib/shared/calls/derive-call-state'
import type { ToolCallConfig } from '@/lib/shared/conversation/conversation'
import { createWorld, type World } from './testing/call-world'
import { MESSAGE } from './testing/world-calls'

vi.mock('@/lib/shared/calls/call-hash', () => ({
  callHash: (...parts: unknown[]) => Promise.resolve(JSON.stringify(parts)),
  resultsMessageId: (id: string) => Promise.resolve(`results-of-${id}`),
}))

type Answer = Awaited<ReturnType<SandboxTools['call']>>

/** A tab whose code, at slot 0, runs this script. `answers` collects what the script received. */
async function running(
  script: (call: (name: string, args?: object) => Promise<Answer>) => Promise<JsonValue>,
  tools: Partial<ToolCallConfig> = {},
) {
  const answers: Answer[] = []
  let ids = 0
  const world = await createWorld({
    tools: { mode: 'manual', ...tools },
    script: (given, signal) => {
      const over = new AbortController()
      signal.addEventListener('abort', () => over.abort(), { once: true })
      return script(async (name, args = {}) => {
        const answer = await given.call({ id: (ids += 1), name, args: JSON.stringify(args) }, over.signal)
        answers.push(answer)
        return answer
      })
    },
  })
  world.click(0, (actions, id) => actions.run(id, [0]))
  await world.settle()
  return { world, answers }
}

const key = callKey(MESSAGE, 0)
const liveOf = (world: World) => viewOf(world.stateOf(0)).live.get(key)
const asked = (world: World) => (liveOf(world)?.inner ?? []).filter(({ stage }) => stage === 'asked').map(({ n }) => n)
const inner = (world: World) => world.rows().find(({ slot }) => slot === 0)?.inner ?? []
const say = async (world: World, n: number, word: Parameters<typeof answerInner>[4]) => {
  answerInner(world, 0, n, MESSAGE, word)
  await world.settle()
}
function answerInner(
  world: World,
  tab: number,
  n: number,
  id: string,
  word: { kind: 'run' } | { kind: 'deny'; reason: string },
) {
  world.click(tab, (actions) => actions.answerInner(id, 0, n, word))
}
const run = { kind: 'run' } as const

describe('a tool that code calls', () => {
  it('waits on the card of the code, runs by a click, and is stored before the code gets the result', async () => {
    const seen: unknown[] = []
    const { world, answers } = await running(async (call) => {
      const answer = await call('list_directory', { path: '/a' })
      seen.push(inner(world).map(({ outcome }) => outcome?.status))
      return answer.text
    })
    expect(asked(world)).toEqual([1])
    const state = deriveCallState({
      reply: 'finished',
      runnable: true,
      runner: 'held',
      posted: false,
      overtaken: false,
      record: viewOf(world.stateOf(0)).calls.get(key),
      live: liveOf(world),
    })
    expect(state).toMatchObject({ status: 'executing', innerAsked: 1 })
    expect(world.executions.get('list_directory')).toBeUndefined()
    await say(world, 1, run)
    expect(answers).toEqual([{ ok: true, text: JSON.stringify('list_directory gave {"path":"/a"}') }])
    expect(seen).toEqual([['completed']])
    expect(inner(world)).toMatchObject([{ n: 1, by: { kind: 'click' }, arguments: { path: '/a' } }])
    expect(world.rows()[0]?.outcome).toMatchObject({ status: 'completed' })
  })

  it('runs as this call of the chat, so that the server carries out what is stored', async () => {
    const { world } = await running((call) => call('list_directory').then(({ text }) => text), { mode: 'auto' })
    expect(world.ranInner.at(-1)).toMatchObject({
      name: 'list_directory',
      origin: { kind: 'call', messageId: MESSAGE, slot: 0, attempt: 1 },
      innerNumber: 1,
    })
  })

  it('runs without a click where a rule covers it, and is asked about where none does', async () => {
    const { world, answers } = await running((call) => call('list_directory').then(({ text }) => text), {
      mode: 'auto',
    })
    expect(answers).toMatchObject([{ ok: true }])
    expect(inner(world)).toMatchObject([{ by: { kind: 'auto' } }])
    const strict = await running((call) => call('list_directory').then(({ text }) => text), {
      mode: 'auto',
      requireConfirmation: true,
    })
    expect(asked(strict.world)).toEqual([1])
    await strict.world.settle()
  })

  it('is shown together with calls that come at the same moment', async () => {
    const { world, answers } = await running((call) =>
      Promise.all([1, 2, 3].map((n) => call('list_directory', { n }))).then(() => 'all'),
    )
    expect(asked(world)).toEqual([1, 2, 3])
    await say(world, 3, run)
    expect(asked(world)).toEqual([1, 2])
    await say(world, 1, { kind: 'deny', reason: 'Not this.' })
    await say(world, 2, run)
    expect(answers.map(({ ok }) => ok)).toEqual([true, false, true])
    expect(answers[1]?.text).toBe('The user denied this call. Not this.')
    expect(inner(world).map(({ n, decision }) => [n, decision])).toEqual([
      [3, 'run'],
      [1, 'deny'],
      [2, 'run'],
    ])
    expect(world.executions.get('list_directory')).toBe(2)
  })

  it('is withdrawn when the code is stopped, and later answers are ignored', async () => {
    const { world, answers } = await running((call) => call('list_directory').then(({ text }) => text))
    expect(asked(world)).toEqual([1])
    world.click(0, (actions, id) => actions.stop(id, 0))
    await world.settle()
    await say(world, 1, run)
    expect(answers).toEqual([{ ok: false, text: 'The run is over.' }])
    expect([inner(world), world.executions.get('list_directory')]).toEqual([[], undefined])
    expect(world.rows()[0]?.stopped).toBeDefined()
  })

  it.each(['request-lost', 'answer-lost'] as const)(
    'runs once although its decision is sent twice: %s',
    async (fault) => {
      const { world, answers } = await running((call) => call('list_directory').then(({ text }) => text))
      world.click(0, (actions, id) => actions.answerInner(id, 0, 1, run))
      world.breakNext(fault)
      await world.flush()
      while (world.pending().length > 0) {
        world.advance(0)
        await world.flush()
      }
      expect(answers).toMatchObject([{ ok: true }])
      expect(inner(world)).toHaveLength(1)
      expect(world.executions.get('list_directory')).toBe(1)
    },
  )

  it('is refused if its arguments are not an object', async () => {
    const { answers } = await running((call) => call('list_directory', []).then(({ text }) => text))
    expect(answers).toMatchObject([{ ok: false }])
  })
})

describe('secret values that code passes to tools', () => {
  const secret = `ghp_${'a1B2c3D4e5'.repeat(4).slice(0, 36)}`

  it('are visible to the user, the tool and the code, and are never stored', async () => {
    const { world, answers } = await running((call) => call('list_directory', { token: secret }).then(() => 'done'))
    expect(liveOf(world)?.inner).toMatchObject([{ stage: 'asked', arguments: { token: secret } }])
    await say(world, 1, run)
    expect(answers[0]?.text).toContain(secret)
    expect(inner(world)).toHaveLength(1)
    expect(JSON.stringify(world.rows())).not.toContain(secret)
  })

  it('are returned to code that is run again', async () => {
    const { world, answers } = await running(async (call) => {
      await call('list_directory', { token: secret })
      return (await call('read_file')).text
    })
    await say(world, 1, run)
    world.crash(0)
    await world.settle()
    answers.length = 0
    world.click(0, (actions, id) => actions.runAgain(id, 0))
    await world.settle()
    expect(answers[0]?.text).toContain(secret)
    expect(world.executions.get('list_directory')).toBe(1)
  })
})

describe('code that is run again after its page was closed', () => {
  /** The page closes while the second tool waits. The code then runs again, and may call other tools. */
  async function twice(argsOf: (attempt: number) => object) {
    let attempt = 0
    const heard: Answer[] = []
    const { world } = await running(async (call) => {
      attempt += 1
      heard.push(await call('list_directory', argsOf(attempt)))
      heard.push(await call('read_file', { path: '/second' }))
      return 'end'
    })
    await say(world, 1, run)
    expect(asked(world)).toEqual([2])
    world.crash(0)
    await world.settle()
    heard.length = 0
    world.click(0, (actions, id) => actions.runAgain(id, 0))
    await world.settle()
    return { world, heard }
  }

  it('gets the stored results, and asks for the rest', async () => {
    const { world, heard } = await twice(() => ({ path: '/first' }))
    expect(heard).toEqual([{ ok: true, text: JSON.stringify('list_directory gave {"path":"/first"}') }])
    expect(asked(world)).toEqual([2])
    await say(world, 2, run)
    expect([world.executions.get('list_directory'), world.executions.get('read_file')]).toEqual([1, 1])
    expect(world.rows()[0]).toMatchObject({ attempt: 2, outcome: { status: 'completed' } })
  })

  it('gets a list of what ran if it asks for something else, and runs nothing more', async () => {
    const { world, heard } = await twice((attempt) => ({ path: `/${attempt}` }))
    expect(heard.map(({ ok }) => ok)).toEqual([false, false])
    expect(heard[0]?.text).toContain('list_directory gave')
    expect([world.executions.get('list_directory'), world.executions.get('read_file')]).toEqual([1, undefined])
  })

  it('can be settled as interrupted, with the results of its tools', async () => {
    const { world } = await running(async (call) => {
      await call('list_directory', { path: '/a' })
      await call('read_file', { path: '/b' })
      return 'end'
    })
    await say(world, 1, run)
    world.crash(0)
    await world.settle()
    world.click(0, (actions, id) => actions.notifyModel(id, 0))
    await world.settle()
    expect(world.rows()[0]?.outcome).toMatchObject({
      status: 'interrupted',
      result: { tools: [{ tool: 'list_directory', status: 'completed', result: 'list_directory gave {"path":"/a"}' }] },
    })
  })

  it('asks again, by a click only, for a tool that may have run', async () => {
    const { world, answers } = await running((call) => call('list_directory').then(({ text }) => text))
    answerInner(world, 0, 1, MESSAGE, run)
    await world.flush()
    while (!world.pending().includes('execute list_directory')) {
      world.advance(0)
      await world.flush()
    }
    world.crash(0)
    await world.settle()
    answers.length = 0
    world.click(0, (actions, id) => actions.runAgain(id, 0))
    await world.settle()
    expect(liveOf(world)?.inner).toMatchObject([{ n: 1, stage: 'asked' }])
    expect(liveOf(world)?.inner?.[0]?.problem).toMatch(/not known whether this ran/)
    await say(world, 1, run)
    expect(answers).toMatchObject([{ ok: true }])
  })
})
