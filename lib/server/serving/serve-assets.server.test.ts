import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { createServer, request as ask, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { compressAsset } from '@/scripts/release/compress.mjs'
import type { AssetManifest } from './asset'
import { createAssetServer } from './serve-assets.server'

const script = Buffer.from('const words = "nothing runs until you nod"\n'.repeat(400))
/** Data that compresses well and is sent in several pieces. */
const packed = Buffer.from(Array.from({ length: 20_000 }, (_, index) => `row ${index}`).join('\n'))
const large = Buffer.from(Array.from({ length: 400_000 }, (_, index) => (index * 2_654_435_761) >>> 13))
const policy = ['Content-Security-Policy', "default-src 'none'"] as const

interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

let folder: string
let port: number
let close: () => Promise<void>

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'nod-assets-'))
  const places = { folder, cache: path.join(folder, 'cache') }
  const manifest: AssetManifest = {
    '/_next/static/a b.js': {
      headers: [['Content-Type', 'application/javascript'], policy],
      bodies: await compressAsset(script, places),
    },
    '/large.bin': {
      headers: [['Content-Type', 'application/octet-stream']],
      bodies: await compressAsset(large, places),
    },
    '/packed.txt': { headers: [['Content-Type', 'text/plain']], bodies: await compressAsset(packed, places) },
    '/empty.txt': { headers: [['Content-Type', 'text/plain']], bodies: await compressAsset(Buffer.alloc(0), places) },
    '/gone.js': { headers: [], bodies: [{ encoding: 'identity', file: 'gone', bytes: 3, etag: '"gone"' }] },
  }
  await rm(places.cache, { recursive: true, force: true })
  await writeFile(path.join(folder, 'secret'), 'nobody asked for it')
  const serve = createAssetServer({ manifest, folder, version: 'abc123' })
  const server = createServer((request, response) => {
    serve(request, response).then(
      (done) => void (done || response.writeHead(404).end('another one answers')),
      () => response.writeHead(500).end(),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  port = (server.address() as AddressInfo).port
  close = () => new Promise((resolve) => server.close(() => resolve()))
})

afterAll(async () => {
  await close()
  await rm(folder, { recursive: true, force: true })
})

const get = (url: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const sent = ask({ port, host: '127.0.0.1', path: url, headers, method, agent: false }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () => {
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) })
      })
      response.on('error', reject)
    })
    sent.on('error', reject)
    sent.end()
  })

const unpack = { br: brotliDecompressSync, gzip: gunzipSync }

describe('a static file', () => {
  it('has the same content in every encoding, each with its own tag', async () => {
    const plain = await get('/_next/static/a%20b.js')
    expect(plain.body.equals(script)).toBe(true)
    expect(plain.headers['content-encoding']).toBeUndefined()
    const tags = new Set([plain.headers.etag])
    for (const encoding of ['br', 'gzip'] as const) {
      const { status, headers, body } = await get('/_next/static/a%20b.js?v=1', { 'accept-encoding': encoding })
      expect(status).toBe(200)
      expect(headers['content-encoding']).toBe(encoding)
      expect(headers['content-length']).toBe(String(body.length))
      expect(unpack[encoding](body).equals(script)).toBe(true)
      expect(body.length).toBeLessThan(script.length)
      tags.add(headers.etag)
    }
    expect(tags.size).toBe(3)
    expect([...tags].every((tag) => /^"[^"]+"$/.test(tag ?? ''))).toBe(true)
  })

  it('is sent with its type, its policy and the headers it varies by', async () => {
    const first = await get('/_next/static/a%20b.js', { 'accept-encoding': 'br' })
    const again = await get('/_next/static/a%20b.js', {
      'accept-encoding': 'br',
      'if-none-match': String(first.headers.etag),
    })
    const part = await get('/_next/static/a%20b.js', { 'accept-encoding': 'br', range: 'bytes=0-1' })
    const outside = await get('/_next/static/a%20b.js', { range: 'bytes=999999999-' })
    expect([first.status, again.status, part.status, outside.status]).toEqual([200, 304, 206, 416])
    for (const { headers } of [first, again, part, outside]) {
      expect(headers['content-security-policy']).toBe(policy[1])
      expect(headers['vary']).toBe('Accept-Encoding')
      expect(headers['content-type']).toBe('application/javascript')
    }
    expect(again.body.length).toBe(0)
    expect(outside.headers['content-range']).toBe(`bytes */${script.length}`)
  })

  it('is not sent again if the client has it in this encoding', async () => {
    const { etag } = (await get('/_next/static/a%20b.js', { 'accept-encoding': 'gzip' })).headers
    for (const held of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const answer = await get('/_next/static/a%20b.js', { 'accept-encoding': 'gzip', 'if-none-match': String(held) })
      expect(answer.status).toBe(304)
    }
    const other = await get('/_next/static/a%20b.js', { 'accept-encoding': 'br', 'if-none-match': String(etag) })
    expect(other.status).toBe(200)
  })

  it('is sent in ranges, small and large', async () => {
    const whole = await get('/large.bin')
    expect(whole.body.equals(large)).toBe(true)
    const { headers, body, status } = await get('/large.bin', { range: 'bytes=1000-299999' })
    expect(status).toBe(206)
    expect(headers['content-range']).toBe(`bytes 1000-299999/${large.length}`)
    expect(body.equals(large.subarray(1_000, 300_000))).toBe(true)
    expect((await get('/large.bin', { range: 'bytes=0-3' })).body.equals(large.subarray(0, 4))).toBe(true)
    const changed = await get('/large.bin', { range: 'bytes=0-3', 'if-range': '"another"' })
    expect([changed.status, changed.body.length]).toEqual([200, large.length])
    const same = await get('/large.bin', { range: 'bytes=0-3', 'if-range': String(whole.headers.etag) })
    expect(same.status).toBe(206)
  })

  it('that is stored only compressed is sent whole and in ranges to clients without compression', async () => {
    expect((await get('/packed.txt', { 'accept-encoding': 'gzip' })).body.length).toBeLessThan(packed.length / 3)
    const whole = await get('/packed.txt')
    expect(whole.headers['content-length']).toBe(String(packed.length))
    expect(whole.headers['content-encoding']).toBeUndefined()
    expect(whole.body.equals(packed)).toBe(true)
    for (const [first, last] of [
      [0, 0],
      [0, 99],
      [70_000, 150_001],
      [packed.length - 1, packed.length - 1],
    ] as const) {
      const { status, headers, body } = await get('/packed.txt', { range: `bytes=${first}-${last}` })
      expect([status, headers['content-range']]).toEqual([206, `bytes ${first}-${last}/${packed.length}`])
      expect(body.equals(packed.subarray(first, last + 1))).toBe(true)
    }
    const { status, headers, body } = await get('/packed.txt', {}, 'HEAD')
    expect([status, headers['content-length'], body.length]).toEqual([200, String(packed.length), 0])
    const lying = await readdir(folder)
    expect(lying.filter((name) => lying.some((other) => other === `${name}.gzip`))).toEqual([])
  })

  it('is answered with headers only for HEAD', async () => {
    const { status, headers, body } = await get('/large.bin', {}, 'HEAD')
    expect([status, headers['content-length'], body.length]).toEqual([200, String(large.length), 0])
  })

  it('may be empty', async () => {
    const { status, headers, body } = await get('/empty.txt', { 'accept-encoding': 'br' })
    expect([status, headers['content-length'], body.length]).toEqual([200, '0', 0])
  })
})

describe('a path without a static file', () => {
  it('is left to other handlers, however the path is written', async () => {
    for (const url of [
      '/secret',
      '/../secret',
      '/%2e%2e/secret',
      '/_next/static/../../secret',
      '/constructor',
      '/__proto__',
      '/%',
      '/%c3%28',
      '/large.bin/',
      '//large.bin',
    ]) {
      expect([url, (await get(url)).status]).toEqual([url, 404])
    }
    for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS'])
      expect((await get('/large.bin', {}, method)).status).toBe(404)
  })

  it('rejects instead of an empty response if the file is missing on disk', async () => {
    expect((await get('/gone.js')).status).toBe(500)
  })
})

describe('a file requested with its version', () => {
  it('is cached permanently, and revalidated each time under any other URL', async () => {
    expect((await get('/large.bin?v=abc123')).headers['cache-control']).toBe('public, max-age=31536000, immutable')
    for (const other of ['/large.bin', '/large.bin?v=abc124', '/large.bin?v=', '/large.bin?v=abc123&x=1']) {
      expect((await get(other)).headers['cache-control']).toBeUndefined()
    }
  })
})
