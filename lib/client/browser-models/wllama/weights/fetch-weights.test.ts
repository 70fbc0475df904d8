import { describe, expect, it } from 'vitest'
import { ggufBytes, tinyShape } from '../testing/write-gguf'
import { createMemoryPlace } from '../testing/memory-store'
import { fetchWeights, storeFile, inspectWeights, type FetchPorts } from './fetch-weights'
import { listWeights, removeWeights, weightsFile } from './weights-store'

const model = ggufBytes(tinyShape)
const address = 'https://models.example.com/tiny.gguf'
const never = new AbortController().signal

interface Server {
  /** The length that it reports, instead of the body's. */
  readonly says?: number
  readonly body?: Uint8Array<ArrayBuffer>
  readonly takesRanges?: boolean
  readonly saysRange?: boolean
  readonly saysLength?: boolean
  /** Breaks the connection after this many bytes of one response. */
  readonly breaksAfter?: number
  readonly status?: number
  readonly etag?: string
}

const asked: string[] = []

function served(server: Server): FetchPorts['fetch'] {
  const { body = model, takesRanges = true, saysRange = true, saysLength = true, status, etag } = server
  const { breaksAfter = Number.POSITIVE_INFINITY } = server
  return (_, init) => {
    const range = new Headers(init.headers).get('range')
    asked.push(`${init.method ?? 'GET'} ${range ?? 'all'}`)
    if (status !== undefined) return Promise.resolve(new Response('no', { status }))
    const [, from = '0', to = ''] = /^bytes=(\d+)-(\d*)$/.exec((takesRanges && range) || '') ?? []
    const isPart = takesRanges && range !== null
    const part = body.slice(Number(from), isPart && to !== '' ? Number(to) + 1 : undefined)
    const headers = new Headers(etag === undefined ? {} : { etag })
    if (isPart && saysRange)
      headers.set('content-range', `bytes ${from}-${body.length - 1}/${server.says ?? body.length}`)
    if (saysLength) headers.set('content-length', String(part.length))
    let at = 0
    const stream = new ReadableStream<Uint8Array>({
      pull(out) {
        if (at >= part.length) return out.close()
        const next = part.slice(at, at + 50_000)
        at += next.length
        if (at > breaksAfter && part.length > 4096) return out.error(new TypeError('network error'))
        out.enqueue(next)
      },
    })
    return Promise.resolve(
      new Response(init.method === 'HEAD' ? null : stream, { status: isPart ? 206 : 200, headers }),
    )
  }
}

const portsOf = (server: Server = {}, more: Partial<FetchPorts> = {}): FetchPorts => ({
  fetch: served(server),
  place: createMemoryPlace(),
  hosts: ['https://models.example.com'],
  free: () => Promise.resolve(null),
  ...more,
})

const fetchAll = (ports: FetchPorts, onBytes = (_done: number, _total: number) => {}) =>
  fetchWeights(ports, address, onBytes, never)

describe('weights from an address', () => {
  it('are checked before they are downloaded, whatever size the server reports', async () => {
    for (const server of [{}, { saysRange: false }, { takesRanges: false }, { takesRanges: false, saysRange: false }]) {
      const seen = await inspectWeights(portsOf(server), address, never)
      expect(seen).toEqual({ name: 'tiny.gguf', address, bytes: model.length, keptBytes: 0 })
    }
    await expect(
      inspectWeights(portsOf({ saysRange: false, saysLength: false }), address, never),
    ).rejects.toMatchObject({
      reason: 'wllama.no-size',
    })
  })

  it('are downloaded with progress, byte for byte', async () => {
    const ports = portsOf()
    const steps: number[] = []
    const kept = await fetchAll(ports, (done, total) => {
      expect(total).toBe(model.length)
      steps.push(done)
    })
    expect(kept).toMatchObject({ name: 'tiny.gguf', address, bytes: model.length, isWhole: true })
    expect(steps).toEqual(steps.toSorted((a, b) => a - b))
    expect(steps.at(-1)).toBe(model.length)
    const file = await weightsFile(ports.place, kept)
    expect(new Uint8Array(await file.arrayBuffer())).toEqual(model)
  })

  it('resume where they were cut off; a file that changed meanwhile starts again', async () => {
    const ports = portsOf({ breaksAfter: 200_000, etag: '"a"' })
    await expect(fetchAll(ports)).rejects.toMatchObject({ reason: 'wllama.cut-off', values: { total: model.length } })
    const [part] = await listWeights(ports.place)
    expect(part).toMatchObject({ isWhole: false, bytes: model.length, keptBytes: 200_000 })
    await expect(weightsFile(ports.place, part ?? { id: '', name: '' })).rejects.toMatchObject({
      reason: 'wllama.gone',
    })

    asked.length = 0
    const whole = await fetchAll({ ...ports, fetch: served({ etag: '"a"' }) })
    expect(asked).toEqual(['GET bytes=0-4095', 'GET bytes=200000-'])
    expect(new Uint8Array(await (await weightsFile(ports.place, whole)).arrayBuffer())).toEqual(model)

    const other = ggufBytes({ ...tinyShape, seed: 2 })
    const again = await fetchAll({ ...ports, fetch: served({ body: other, etag: '"b"' }) })
    expect(new Uint8Array(await (await weightsFile(ports.place, again)).arrayBuffer())).toEqual(other)
  })

  it('start again if a server sends the whole instead of the rest', async () => {
    const ports = portsOf({ breaksAfter: 200_000 })
    await expect(fetchAll(ports)).rejects.toMatchObject({ reason: 'wllama.cut-off' })
    const whole = await fetchAll({ ...ports, fetch: served({ takesRanges: false }) })
    expect(new Uint8Array(await (await weightsFile(ports.place, whole)).arrayBuffer())).toEqual(model)
  })

  it('are not downloaded again once they are stored', async () => {
    const ports = portsOf()
    await fetchAll(ports)
    asked.length = 0
    await fetchAll(ports)
    expect(asked).toEqual(['GET bytes=0-4095'])
  })

  it('stop on abort, and keep what was downloaded', async () => {
    const ports = portsOf()
    const stop = new AbortController()
    const fetching = fetchWeights(ports, address, (done) => void (done > 100_000 && stop.abort('enough')), stop.signal)
    await expect(fetching).rejects.toBe('enough')
    expect(await listWeights(ports.place)).toEqual([expect.objectContaining({ isWhole: false })])
    await expect(fetchAll(ports)).resolves.toMatchObject({ isWhole: true })
  })

  it('are refused with a reason, and nothing of them is kept', async () => {
    const page = new TextEncoder().encode('<!DOCTYPE html><title>tiny</title>')
    const noise = new Uint8Array(5000).fill(7)
    const cases: readonly [Server, string][] = [
      [{ status: 404 }, 'wllama.refused'],
      [{ status: 403 }, 'wllama.refused'],
      [{ body: page }, 'wllama.not-gguf'],
      [{ body: noise }, 'wllama.not-gguf'],
      [{ body: model.slice(0, -1) }, 'wllama.truncated'],
      [{ body: model.slice(0, 30) }, 'wllama.truncated-early'],
    ]
    for (const [server, reason] of cases) {
      const ports = portsOf(server)
      await expect(fetchAll(ports)).rejects.toMatchObject({ reason })
      expect(await listWeights(ports.place)).toEqual([])
    }
    const away = portsOf({}, { fetch: () => Promise.reject(new TypeError('Failed to fetch')) })
    await expect(fetchAll(away)).rejects.toMatchObject({ reason: 'wllama.unreachable' })
    await expect(fetchAll(portsOf({}, { hosts: [] }))).rejects.toMatchObject({ reason: 'wllama.host-not-allowed' })
  })

  it('are refused at the check if no page could run them, or there is no space', async () => {
    const huge = portsOf({ says: 4 * 1024 ** 3 })
    for (const doing of [inspectWeights(huge, address, never), fetchAll(huge)]) {
      await expect(doing).rejects.toMatchObject({ reason: 'wllama.too-large', values: { name: 'tiny.gguf' } })
    }
    expect(await listWeights(huge.place)).toEqual([])
    const ports = portsOf()
    const narrow = { ...ports, free: () => Promise.resolve(1_000_000) }
    await expect(inspectWeights(narrow, address, never)).rejects.toMatchObject({ reason: 'wllama.no-room' })
    // Stored bytes need no more space.
    await fetchAll(ports)
    await expect(inspectWeights(narrow, address, never)).resolves.toMatchObject({ keptBytes: model.length })
  })

  it('are not started without space, and removed if it runs out', async () => {
    const free = () => Promise.resolve(1_000_000)
    await expect(fetchAll(portsOf({}, { free }))).rejects.toMatchObject({
      reason: 'wllama.no-room',
      values: { needs: model.length, free: 1_000_000 },
    })
    const ports = portsOf({}, { place: createMemoryPlace(300_000) })
    await expect(fetchAll(ports)).rejects.toMatchObject({ reason: 'wllama.no-room', values: { free: null } })
    expect(await listWeights(ports.place)).toEqual([])
    // A number that browsers report to all pages alike explains nothing.
    const tenGigabytes = portsOf({}, { place: createMemoryPlace(300_000), free: () => Promise.resolve(10 * 1024 ** 3) })
    await expect(fetchAll(tenGigabytes)).rejects.toThrow(
      /^There is not enough space for .* stores no more for this page\. Remove/,
    )
  })

  it('are downloaded by one tab at a time', async () => {
    const ports = portsOf()
    const { id } = await fetchAll(ports)
    const writer = await ports.place.append(`${id}.gguf`)
    await expect(fetchAll(ports)).rejects.toMatchObject({ reason: 'wllama.busy-elsewhere' })
    await expect(removeWeights(ports.place, { id, name: 'tiny.gguf' })).rejects.toMatchObject({
      reason: 'wllama.busy-elsewhere',
    })
    writer.close()
    await removeWeights(ports.place, { id, name: 'tiny.gguf' })
    expect(await listWeights(ports.place)).toEqual([])
  })
})

describe('a picked file', () => {
  it('is stored as a copy on request, once', async () => {
    const ports = portsOf()
    const file = new File([model], 'mine.gguf', { lastModified: 5 })
    const kept = await storeFile(ports, file, () => {}, never)
    expect(kept).toMatchObject({ name: 'mine.gguf', address: null, isWhole: true })
    expect(new Uint8Array(await (await weightsFile(ports.place, kept)).arrayBuffer())).toEqual(model)
    expect(await storeFile(ports, file, () => {}, never)).toEqual(kept)
    expect(await listWeights(ports.place)).toHaveLength(1)
  })

  it('is not copied if no page could run it', async () => {
    const ports = portsOf()
    const file = Object.defineProperty(new File([model], 'mine.gguf'), 'size', { value: 4 * 1024 ** 3 })
    await expect(storeFile(ports, file, () => {}, never)).rejects.toMatchObject({ reason: 'wllama.too-large' })
    expect(await listWeights(ports.place)).toEqual([])
  })

  it('is not copied if it is no model', async () => {
    const ports = portsOf()
    const file = new File(['no model'], 'mine.gguf')
    await expect(storeFile(ports, file, () => {}, never)).rejects.toMatchObject({ reason: 'wllama.not-gguf' })
    expect(await listWeights(ports.place)).toEqual([])
  })
})
