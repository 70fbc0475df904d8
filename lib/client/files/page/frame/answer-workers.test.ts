// @vitest-environment jsdom
import { runInNewContext } from 'node:vm'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { siblingWorkers } from './answer-workers'
import { createSiblingFiles } from './frame-modules'

const encode = (text: string) => new TextEncoder().encode(text)
const made = new Map<string, Blob>()
vi.stubGlobal(
  'URL',
  class extends URL {
    static override createObjectURL(blob: Blob): string {
      made.set(`blob:${made.size}`, blob)
      return `blob:${made.size - 1}`
    }
    static override revokeObjectURL(): void {}
  },
)
const textAt = async (address: string) => (await made.get(address)?.text()) ?? expect.fail(`nothing at ${address}`)

/** What the browser was asked to start. */
let started: { readonly address: string; readonly options: WorkerOptions | undefined }[] = []
let ended = 0
vi.stubGlobal(
  'Worker',
  class {
    constructor(address: string, options?: WorkerOptions) {
      started.push({ address, options })
    }
    terminate(): void {
      ended += 1
    }
  },
)

beforeEach(() => {
  started = []
  ended = 0
})

function setUp(files: Readonly<Record<string, string>>) {
  const said: object[] = []
  const say = (message: object) => void said.push(message)
  const bundle = { files: new Map(Object.entries(files).map(([path, text]) => [path, encode(text)])), left: [] }
  const path = '/site/index.html'
  const beside = createSiblingFiles({ path, base: path, bundle, frame: 'https://nod.example/run.html', say })
  return { said, PageWorker: siblingWorkers(beside, say) }
}
const addressOf = (index: number) => started[index]?.address ?? expect.fail('no worker was started')

describe('a worker of a page', () => {
  it('runs its file’s code, under the file’s name', async () => {
    const { PageWorker, said } = setUp({ '/site/work.js': 'postMessage(1)' })
    expect(new PageWorker('work.js?v=2', { name: 'one' })).toBeInstanceOf(Worker)
    expect(started[0]?.options).toEqual({ name: 'one' })
    expect(await textAt(addressOf(0))).toBe('postMessage(1)\n//# sourceURL=/site/work.js')
    expect(said).toEqual([{ type: 'file', what: 'used', path: '/site/work.js' }])
  })

  it('imports scripts beside it, relative to its own file, and keeps its line numbers', async () => {
    const { PageWorker } = setUp({
      '/site/lib/work.js': "importScripts('part.js', '../up.js', 'https://out.example/x.js')",
      '/site/lib/part.js': 'part()',
      '/site/up.js': 'up()',
    })
    void new PageWorker('lib/work.js')
    const code = await textAt(addressOf(0))
    expect(code.split('\n')).toHaveLength(2)
    const loaded: string[] = []
    const worker: Record<string, unknown> = { URL, importScripts: (address: string) => void loaded.push(address) }
    runInNewContext(code, Object.assign(worker, { self: worker }))
    expect(loaded).toHaveLength(3)
    expect(await textAt(loaded[0] ?? '')).toBe('part()\n//# sourceURL=/site/lib/part.js')
    expect(await textAt(loaded[1] ?? '')).toBe('up()\n//# sourceURL=/site/up.js')
    // If no file matches, the browser refuses it.
    expect(loaded[2]).toBe('https://out.example/x.js')
  })

  it('may be a module, started by a script that keeps messages until the module listens', async () => {
    const { PageWorker } = setUp({ '/site/work.js': 'import "./b.js"', '/site/b.js': 'export const b = 1' })
    void new PageWorker('work.js', { type: 'module' })
    expect(started[0]?.options).toEqual({ name: '' })
    const start = await textAt(addressOf(0))
    const [, named = ''] = /import\("(blob:\d+)"\)/.exec(start) ?? []
    const [, part = ''] = /^import "(blob:\d+)"/.exec(await textAt(named)) ?? []
    expect(await textAt(part)).toContain('export const b = 1')
    expect(start.indexOf("addEventListener('message', keep)")).toBeLessThan(start.indexOf('import('))
  })

  it('may be a text of the page’s own', async () => {
    const { PageWorker, said } = setUp({})
    void new PageWorker('blob:own')
    expect(addressOf(0)).toBe('blob:own')
    void new PageWorker('data:text/javascript,1', { type: 'module' })
    expect(await textAt(addressOf(1))).toContain('import("data:text/javascript,1")')
    expect(said).toEqual([])
  })

  it('fails if there is no file, and nothing is fetched from elsewhere', () => {
    const { PageWorker, said } = setUp({})
    const refusal = expect.objectContaining({ name: 'SecurityError' })
    expect(() => new PageWorker('no.js')).toThrow(refusal)
    expect(() => new PageWorker(new URL('https://out.example/w.js?kept'))).toThrow(refusal)
    expect(started).toEqual([])
    expect(said).toEqual([
      { type: 'file', what: 'missing', path: '/site/no.js' },
      { type: 'refused', address: 'https://out.example/w.js?kept' },
    ])
  })

  it('is limited to eight at once; one that ends frees its place', () => {
    const { PageWorker } = setUp({ '/site/work.js': '' })
    const workers = Array.from({ length: 8 }, () => new PageWorker('work.js'))
    expect(() => new PageWorker('work.js')).toThrow(expect.objectContaining({ name: 'QuotaExceededError' }))
    workers[3]?.terminate()
    expect(ended).toBe(1)
    void new PageWorker('work.js')
    expect(started).toHaveLength(9)
    expect(() => new PageWorker('work.js')).toThrow('8 workers')
  })
})
