import { describe, expect, test } from 'vitest'
import type { SandboxLanguage } from '../sandbox'
import { relayBudget, type RelayBudget } from '../limits'
import type { RelayToHost, RelayToWorker } from './protocol'
import { createRelay, type RelayWorker } from './relay'

/** A worker that does nothing by itself; `say` is the postMessage of the untrusted code. */
function setUp(budget: Partial<RelayBudget> = {}) {
  const posted: RelayToHost[] = []
  const workers: (RelayWorker & { readonly received: RelayToWorker[]; isAlive: boolean; say(data: unknown): void })[] =
    []
  const relay = createRelay({
    post: (message) => posted.push(message),
    budget: () => ({ ...relayBudget, ...budget }),
    startWorker() {
      const worker = {
        received: [] as RelayToWorker[],
        isAlive: true,
        onmessage: null,
        onmessageerror: null,
        onerror: null,
        postMessage: (message: RelayToWorker) => void worker.received.push(message),
        terminate: () => void (worker.isAlive = false),
        say(data: unknown) {
          worker.onmessage?.({ data })
        },
      } as (typeof workers)[number]
      workers.push(worker)
      return worker
    },
  })
  const start = (run = 'r1', language: SandboxLanguage = 'javascript', tools?: readonly string[]) => {
    relay({ type: 'run', run, code: 'code', language, ...(tools && { tools }) })
    const worker = workers.at(-1)
    if (worker === undefined) throw new Error('no worker')
    return worker
  }
  return { relay, posted, start, ends: () => posted.filter((message) => message.type === 'done') }
}

const call = (id: number, ...args: unknown[]) => ({ type: 'call', id, op: 'read', args })

describe('a run', () => {
  test('gets its own worker, and the first done ends it', () => {
    const { posted, start } = setUp()
    const worker = start()
    expect(worker.received).toEqual([{ type: 'run', code: 'code' }])
    worker.say({ type: 'done', ok: true, text: '1', isJson: true })
    worker.say({ type: 'done', ok: true, text: '2', isJson: true })
    worker.say({ type: 'log', lines: [['log', 'late']] })
    expect(worker.isAlive).toBe(false)
    expect(posted).toEqual([{ type: 'done', run: 'r1', end: { kind: 'returned', text: '1', isJson: true } }])
  })

  test('carries the run’s own id, whatever the worker sends', () => {
    const { posted, start } = setUp()
    start('mine').say({ type: 'show', kind: 'text', data: 'x', run: 'other' })
    expect(posted).toEqual([{ type: 'show', run: 'mine', kind: 'text', data: 'x' }])
  })

  test('replaces the previous run, whose messages are dropped', () => {
    const { posted, start } = setUp()
    const first = start('r1')
    start('r2')
    first.say({ type: 'done', ok: true, text: '"late"', isJson: true })
    expect(first.isAlive).toBe(false)
    expect(posted).toEqual([])
  })

  test('ends on a kill, which is always acknowledged', () => {
    const { relay, posted, start } = setUp()
    const worker = start()
    relay({ type: 'kill', run: 'r1' })
    relay({ type: 'kill', run: 'never' })
    expect(worker.isAlive).toBe(false)
    expect(posted).toEqual([
      { type: 'killed', run: 'r1' },
      { type: 'killed', run: 'never' },
    ])
  })

  test('that crashes its worker ends as thrown', () => {
    const { ends, start } = setUp()
    start().onerror?.({ message: 'broken' })
    expect(ends()).toEqual([{ type: 'done', run: 'r1', end: { kind: 'threw', text: 'broken' } }])
  })

  test('drops the claim of JSON if the result had to be cut', () => {
    const { ends, start } = setUp({ resultCharacters: 5 })
    start().say({ type: 'done', ok: true, text: '[1,2,3,4]', isJson: true })
    expect(ends()).toEqual([{ type: 'done', run: 'r1', end: { kind: 'returned', text: '[1,2,…', isJson: false } }])
  })
})

test('ignores malformed messages', () => {
  const { posted, start } = setUp()
  const worker = start()
  const odd = [
    null,
    1,
    'x',
    [],
    { type: 'ready' },
    { type: 'pong', n: 1 },
    { type: 'killed', run: 'r1' },
    { type: 'log' },
  ]
  for (const message of odd) worker.say(message)
  for (const message of [
    { type: 'call', id: '1', op: 'read', args: [] },
    { type: 'call', id: 1, op: 5, args: [] },
  ]) {
    worker.say(message)
  }
  worker.say({ type: 'show', kind: 'video', data: 'x' })
  worker.say({ type: 'log', lines: [['fatal', 'x'], ['log', 5], 'x'] })
  expect(posted).toEqual([])
  expect(worker.isAlive).toBe(true)
})

describe('file calls', () => {
  test('pass strings, and nothing else', () => {
    const { posted, start } = setUp()
    start().say(call(7, '/a', new Uint8Array([1, 2]), { evil: true }, 'dropped'))
    expect(posted).toEqual([{ type: 'call', run: 'r1', id: 7, op: 'read', args: ['/a', 'object', 'object'] }])
  })

  test('are answered only to the run that made them', () => {
    const { relay, start } = setUp()
    const first = start('r1')
    first.say(call(1, '/a'))
    const second = start('r2')
    relay({ type: 'answer', run: 'r1', id: 1, answer: { ok: true, value: null } })
    expect(second.received).toHaveLength(1)
    second.say(call(1, '/a'))
    relay({ type: 'answer', run: 'r2', id: 1, answer: { ok: false, code: 'EIO', message: 'x' } })
    expect(second.received.at(-1)).toMatchObject({ type: 'answer', id: 1, answer: { code: 'EIO' } })
  })

  test('fail alone if they are too large', () => {
    const { posted, start } = setUp({ callSize: 10 })
    const worker = start()
    worker.say(call(1, '/a', 'x'.repeat(11)))
    expect(posted).toEqual([])
    expect(worker.received.at(-1)).toMatchObject({ type: 'answer', id: 1, answer: { ok: false, code: 'EFBIG' } })
  })
})

describe('the changes of a run', () => {
  const commit = (id: number, ...args: unknown[]) => ({ type: 'call', id, op: 'commit', args })

  test('pass with one Blob, once; a Blob elsewhere is ignored', () => {
    const { posted, start } = setUp()
    const worker = start()
    const [first, second] = [new Blob(['first']), new Blob(['second'])]
    worker.say({ type: 'call', id: 1, op: 'write', args: ['/a', first] })
    worker.say(commit(2, '[]', first))
    worker.say(commit(3, '[]', second))
    expect(posted.map((message) => message.type === 'call' && message.args)).toEqual([
      ['/a', 'object'],
      ['[]', first],
      ['[]', 'object'],
    ])
  })

  test('may be larger than a call, up to a limit of their own', () => {
    const { posted, start } = setUp({ callSize: 10, commitBytes: 100 })
    start('fits').say(commit(1, '[]', new Blob(['x'.repeat(100)])))
    expect(posted).toHaveLength(1)
    const worker = start('too-large')
    worker.say(commit(1, '[]', new Blob(['x'.repeat(101)])))
    expect(posted).toHaveLength(1)
    expect(worker.received.at(-1)).toMatchObject({ type: 'answer', id: 1, answer: { ok: false, code: 'EFBIG' } })
  })
})

describe('the budget ends a run that sends', () => {
  test('too many messages', () => {
    const { ends, start } = setUp({ messages: 10 })
    const worker = start()
    for (let at = 0; at < 20; at++) worker.say({})
    expect(ends()).toEqual([{ type: 'done', run: 'r1', end: { kind: 'flooded', of: 'messages' } }])
    expect(worker.isAlive).toBe(false)
  })

  test('too many calls', () => {
    const all = setUp({ calls: 3 })
    const worker = all.start()
    for (let id = 0; id < 4; id++) {
      worker.say(call(id, '/'))
      all.relay({ type: 'answer', run: 'r1', id, answer: { ok: true, value: null } })
    }
    expect(all.ends()).toMatchObject([{ end: { kind: 'flooded' } }])
  })

  test('too many console lines or displays, which are cut while the run continues', () => {
    const { posted, start } = setUp({ logLines: 3, displays: 1, logCharacters: 1_000 })
    const worker = start()
    worker.say({ type: 'log', lines: Array.from({ length: 9 }, (_, at) => ['log', String(at)]) })
    worker.say({ type: 'show', kind: 'text', data: 'one' })
    worker.say({ type: 'show', kind: 'text', data: 'two' })
    expect(posted).toEqual([
      {
        type: 'log',
        run: 'r1',
        lines: [
          ['log', '0'],
          ['log', '1'],
          ['log', '2'],
        ],
      },
      { type: 'show', run: 'r1', kind: 'text', data: 'one' },
    ])
    expect(worker.isAlive).toBe(true)
  })
})

test('a ping is answered with its own number', () => {
  const { relay, posted } = setUp()
  relay({ type: 'ping', n: 42 })
  expect(posted).toEqual([{ type: 'pong', n: 42 }])
})

describe('assets', () => {
  test('are requested once each per run, by a short name', () => {
    const { relay, posted, start } = setUp({ assets: 2 })
    const worker = start()
    for (const [id, name] of ['a.js', 'a.js', 'x'.repeat(81), 'b.js', 'c.js'].entries())
      worker.say({ type: 'asset', id, name })
    worker.say({ type: 'asset', id: 'x', name: 'd.js' })
    worker.say({ type: 'asset', id: 9, name: {} })
    expect(posted).toEqual([
      { type: 'asset', run: 'r1', id: 0, name: 'a.js' },
      { type: 'asset', run: 'r1', id: 3, name: 'b.js' },
    ])
    expect(worker.received.slice(1)).toEqual([1, 2, 4].map((id) => ({ type: 'asset', id, bytes: null })))
    relay({ type: 'asset', run: 'r1', id: 0, bytes: new Uint8Array([7]) })
    relay({ type: 'asset', run: 'other', id: 3, bytes: new Uint8Array([8]) })
    expect(worker.received.slice(4)).toEqual([{ type: 'asset', id: 0, bytes: new Uint8Array([7]) }])
  })
})

describe('a language that has to start', () => {
  test('gets the code once, when its prelude is ready', () => {
    const { relay, posted, start } = setUp()
    relay({ type: 'run', run: 'r0', code: 'print(1)', language: 'python' })
    relay({ type: 'kill', run: 'r0' })
    const worker = start('r1', 'python')
    expect(worker.received).toEqual([])
    worker.say({ type: 'ready' })
    worker.say({ type: 'ready' })
    expect(worker.received).toEqual([{ type: 'run', code: 'code' }])
    expect(posted.filter((message) => message.type === 'started')).toEqual([{ type: 'started', run: 'r1' }])
  })

  test('can’t be used by JavaScript to restart its clock', () => {
    const { posted, start } = setUp()
    start().say({ type: 'ready' })
    expect(posted).toEqual([])
  })
})

describe('a tool that the code calls', () => {
  const tool = (id: unknown, name: unknown = 'get_time', args: unknown = '{}') => ({ type: 'tool', id, name, args })
  const refused = (worker: { readonly received: readonly RelayToWorker[] }) =>
    worker.received.flatMap((message) => (message.type === 'tool-answer' && !message.ok ? [message.id] : []))
  const toolsOf = (posted: readonly RelayToHost[]) => posted.filter((message) => message.type === 'tool')

  test('is forwarded as text with the run’s id, and its answer is returned', () => {
    const { relay, posted, start } = setUp()
    const worker = start('r1', 'javascript', ['get_time'])
    expect(worker.received).toEqual([{ type: 'run', code: 'code', tools: ['get_time'] }])
    worker.say({ ...tool(1), run: 'other', extra: {} })
    expect(posted).toEqual([{ type: 'tool', run: 'r1', id: 1, name: 'get_time', args: '{}' }])
    relay({ type: 'tool-answer', run: 'other', id: 1, ok: true, text: '0' })
    relay({ type: 'tool-answer', run: 'r1', id: 1, ok: true, text: '1' })
    expect(worker.received.slice(1)).toEqual([{ type: 'tool-answer', id: 1, ok: true, text: '1' }])
  })

  test('is refused if the run may call no tools, or not this one', () => {
    const { posted, start } = setUp()
    const without = start('r1')
    without.say(tool(1))
    const other = start('r2', 'javascript', ['ask_user'])
    other.say(tool(1))
    other.say(tool(2, '__proto__'))
    expect(refused(without)).toEqual([1])
    expect(refused(other)).toEqual([1, 2])
    expect(toolsOf(posted)).toEqual([])
  })

  test('is one call per id, and is ignored if it is not text', () => {
    const { posted, start } = setUp()
    const worker = start('r1', 'javascript', ['get_time'])
    for (const args of [{}, null, 1]) worker.say(tool(7, 'get_time', args))
    worker.say(tool('8'))
    worker.say(tool(1))
    worker.say(tool(1))
    expect(toolsOf(posted)).toHaveLength(1)
    expect(refused(worker)).toEqual([])
  })

  test('is refused once the run has used up its calls or its arguments; the run continues', () => {
    const { posted, start, ends } = setUp({ toolCalls: 2, toolArguments: 20 })
    const worker = start('r1', 'javascript', ['get_time'])
    worker.say(tool(1, 'get_time', JSON.stringify({ a: 'x'.repeat(40) })))
    for (const id of [2, 3, 4]) worker.say(tool(id))
    expect(refused(worker)).toEqual([1, 4])
    expect(toolsOf(posted)).toHaveLength(2)
    expect(ends()).toEqual([])
  })

  test('costs no messages while it waits, if the page asked', () => {
    const { relay, posted, start, ends } = setUp({ messages: 3 })
    const worker = start('r1', 'javascript', ['get_time'])
    for (let n = 1; n <= 50; n++) {
      relay({ type: 'idle', run: 'r1', n })
      worker.say({ type: 'idle', n })
    }
    expect(ends()).toEqual([])
    expect(posted.filter(({ type }) => type === 'idle')).toHaveLength(50)
    for (let n = 1; n <= 4; n++) worker.say({ type: 'idle', n: 50 })
    expect(ends()).toMatchObject([{ end: { kind: 'flooded' } }])
    expect(posted.filter(({ type }) => type === 'idle')).toHaveLength(50)
  })
})
