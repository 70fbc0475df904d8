import { runInNewContext } from 'node:vm'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import type { JsonObject } from '@/lib/base/json'
import { type Vfs, failures } from '@/lib/vfs/vfs'
import { buildSandboxFiles } from '@/scripts/build-sandbox.mjs'
import { executeTool } from '../client-executor'
import type { SearchReply, SearchRequest, SearchWorkerPort } from '../search-worker-port'
import { filesWith, runTool, vmSandbox, type TestPorts } from '../testing/files'
import { createFakeSearchWorker, type FakeSearchWorker } from '../testing/search-worker'
import { searchFiles } from '.'

const tree = {
  '/a.md': 'Hello\nworld\r\nsay hello again',
  '/src/b.ts': 'const hello = 1',
  '/src/none.ts': '',
  '/pic.png': new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0]),
  '/latin1.txt': new Uint8Array([0x68, 0xe9]),
}

let vfs: Vfs
beforeEach(async () => {
  vfs = await filesWith(tree)
})

const search = (args: JsonObject, worker: FakeSearchWorker | null, ports: Partial<TestPorts> = {}) =>
  runTool(searchFiles, args, { vfs, ...(worker && { startSearchWorker: worker.start }), ...ports })

describe('the worker of a search', () => {
  test('finds what the page would find, and is ended', async () => {
    for (const args of [{ query: 'HELLO' }, { query: 'hello', max_results: 1 }, { query: 'h', folder: '/src' }]) {
      const worker = createFakeSearchWorker()
      const outcome = await search(args, worker)
      expect(outcome).toEqual(await search(args, null))
      expect(outcome.ok).toBe(true)
      expect([worker.requests.length, worker.isTerminated()]).toEqual([1, true])
    }
  })

  test('reads files in batches, and stops once it found enough', async () => {
    vfs = await filesWith(Object.fromEntries(Array.from({ length: 350 }, (_, at) => [`/f${1_000 + at}`, `line ${at}`])))
    const all = createFakeSearchWorker()
    expect(await search({ query: 'LINE 34', max_results: 200 }, all)).toMatchObject({
      result: { matches: { length: 11 }, searchedFiles: 350 },
    })
    expect(all.requests.map(({ files }) => files.length)).toEqual([100, 100, 100, 50])
    const few = createFakeSearchWorker()
    const outcome = await search({ query: 'line', max_results: 120 }, few)
    expect(outcome).toMatchObject({ result: { matches: { length: 120 }, searchedFiles: 121 } })
    expect(few.requests.map(({ most, files }) => [most, files.length])).toEqual([
      [121, 100],
      [21, 100],
    ])
  })

  test('gets a batch for each megabyte', async () => {
    vfs = await filesWith({ '/a': 'x'.repeat(999_999), '/b': 'x'.repeat(1_000_000), '/c': 'y' })
    const worker = createFakeSearchWorker()
    expect(await search({ query: 'y' }, worker)).toMatchObject({ result: { matches: [{ path: '/c' }] } })
    expect(worker.requests.map(({ files }) => files.map(({ path }) => path))).toEqual([['/a', '/b'], ['/c']])
  })

  test('gets the bytes without a copy, but never takes others with them', async () => {
    const whole = new TextEncoder().encode('hello')
    const backing = new TextEncoder().encode('[hello]')
    const given = new Map([
      ['/a.md', whole],
      ['/src/b.ts', backing.subarray(1, 6)],
    ])
    const lending: Vfs = { ...vfs, read: async (path) => ({ ok: true, value: given.get(path) ?? new Uint8Array() }) }
    const worker = createFakeSearchWorker()
    expect(await search({ query: 'hello' }, worker, { vfs: lending })).toMatchObject({
      result: { matches: [{ text: 'hello' }, { text: 'hello' }] },
    })
    expect([whole.byteLength, backing.byteLength]).toEqual([0, 7])
  })

  test('is ended at once by a stop, in the middle of its work', async () => {
    const worker = createFakeSearchWorker(null)
    const stop = new AbortController()
    const outcome = search({ query: 'hello' }, worker, { signal: stop.signal })
    await vi.waitFor(() => expect(worker.requests).toHaveLength(1))
    stop.abort()
    expect(await outcome).toMatchObject({ ok: false, reason: 'stopped' })
    expect(worker.isTerminated()).toBe(true)
  })

  test('is ended before the call’s time is up, and the matches until then are kept', async () => {
    vi.useFakeTimers()
    try {
      vfs = await filesWith(Object.fromEntries(Array.from({ length: 150 }, (_, at) => [`/f${1_000 + at}`, 'x'])))
      const { searchBatch } = await import('./search-batch')
      let asked = 0
      const worker = createFakeSearchWorker((request) => {
        if (++asked === 1) return searchBatch({ ...request, files: request.files.slice(0, 2) })
        vi.advanceTimersByTime(800)
        return searchBatch(request)
      })
      expect(await search({ query: 'x' }, worker, { timeoutMs: 1_000 })).toMatchObject({
        ok: false,
        reason: 'timed-out',
        message:
          'The search took too long and was stopped. It came as far as /f1100. Try again, with a folder or a glob.',
        result: { matches: [{ path: '/f1000' }, { path: '/f1001' }] },
      })
      expect(worker.isTerminated()).toBe(true)
    } finally {
      vi.useRealTimers()
    }
  })

  test('that fails ends the search with a sentence', async () => {
    const worker = createFakeSearchWorker(null)
    const outcome = search({ query: 'hello' }, worker)
    await vi.waitFor(() => expect(worker.requests).toHaveLength(1))
    worker.breakWith('out of memory')
    expect(await outcome).toMatchObject({
      ok: false,
      reason: 'unavailable',
      message: expect.stringMatching(
        /^The part of Nod that searches stopped \(out of memory\)\. It came as far as \/a/,
      ),
    })
    expect(worker.isTerminated()).toBe(true)
  })

  test('whose script can’t be loaded, or that can’t be started, ends it too', async () => {
    const worker = createFakeSearchWorker(null)
    const early: Vfs = {
      ...vfs,
      read: (path) => {
        worker.breakWith('')
        return vfs.read(path)
      },
    }
    expect(await search({ query: 'hello' }, worker, { vfs: early })).toMatchObject({
      reason: 'unavailable',
      message: expect.stringMatching(/^The part of Nod that searches stopped\. /),
    })
    const refused = { startSearchWorker: () => { throw new Error('no workers here') } } // oxfmt-ignore
    expect(await search({ query: 'hello' }, null, refused)).toMatchObject({
      reason: 'unavailable',
      message: expect.stringContaining('could not be started (Error: no workers here)'),
    })
  })

  test('is not started for names or patterns', async () => {
    const startSearchWorker = vi.fn<() => SearchWorkerPort>(() => createFakeSearchWorker().start())
    await search({ query: '', glob: '*' }, null, { startSearchWorker })
    await search({ query: 'h', regex: true }, null, { startSearchWorker })
    expect(startSearchWorker).not.toHaveBeenCalled()
  })

  test('reaches the tool through the executor', async () => {
    const worker = createFakeSearchWorker()
    const context = {
      vfs,
      sandbox: vmSandbox,
      signal: new AbortController().signal,
      timeoutMs: 5_000,
      onEvent: () => {},
      startSearchWorker: worker.start,
    }
    const outcome = await executeTool(searchFiles, { query: 'world' }, context, {
      monotonic: () => 0,
      name: 'search_files',
    })
    expect(outcome).toMatchObject({ status: 'completed', result: { matches: [{ path: '/a.md', line: 2 }] } })
    expect(worker.requests).toHaveLength(1)
  })

  test('answers from its built file, which is self-contained', async () => {
    const code = (await buildSandboxFiles({ only: 'public/workers/search.js' }))['public/workers/search.js'] ?? ''
    const replies: SearchReply[] = []
    const self: {
      onmessage: ((event: { data: SearchRequest }) => void) | null
      postMessage: (reply: SearchReply) => void
    } = { onmessage: null, postMessage: (reply) => replies.push(reply) }
    runInNewContext(code, { self, TextDecoder })
    const files = [
      { path: '/a', data: new TextEncoder().encode('x\nHay') },
      { path: '/b', data: new Uint8Array([0, 1]) },
      { path: '/c', data: new TextEncoder().encode('hay') },
      { path: '/d', data: new TextEncoder().encode('hay') },
    ]
    self.onmessage?.({ data: { query: 'hAY', most: 2, excerptCharacters: 240, files } })
    expect(JSON.parse(JSON.stringify(replies))).toEqual([
      {
        found: [
          { path: '/a', line: 2, text: 'Hay' },
          { path: '/c', line: 1, text: 'hay' },
        ],
        searched: 3,
        binary: 1,
      },
    ])
  })
})

test('reports a failure for files that can’t be listed, not an empty result', async () => {
  const broken: Vfs = {
    ...vfs,
    tree: async () => failures.unreadable(),
  }
  for (const args of [{ query: 'a' }, { query: '', glob: '*' }, { query: 'a', regex: true }]) {
    expect(await search(args, null, { vfs: broken })).toMatchObject({ ok: false, reason: 'EIO' })
  }
})

test('returns paths higher up first', async () => {
  vfs = await filesWith({ '/z/y/x': '', '/z/a': '', '/b/c/d/e': '', '/t': '' })
  expect(await search({ query: '', glob: '*' }, null)).toMatchObject({
    result: { files: ['/t', '/z/a', '/z/y/x', '/b/c/d/e'].map((path) => ({ path })) },
  })
})
