import { open, readFile } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { type Asset, type AssetBody, type AssetManifest, readRange, type ByteRange, chooseBody } from './asset'
import { createHash } from 'node:crypto'

const FOR_GOOD = 'public, max-age=31536000, immutable'

/** Up to this many bytes, a file is read at once and sent with its header; a stream would cost more than it saves. */
const AT_ONCE_BYTES = 256 * 1024

export interface AssetPorts {
  readonly manifest: AssetManifest
  /** The folder of the bodies. */
  readonly folder: string
  /** A request with `?v=` and this version asks for exactly these files, and may cache them permanently. */
  readonly version: string
  /** Files whose Content-Security-Policy depends on their query parameters, by path. */
  readonly policies?: Readonly<Record<string, (query: URLSearchParams) => string>>
}

/**
 * Serves the files of the build. Returns false if the path is none of them, so that another handler must answer.
 * Rejects if a file cannot be read; then nothing was sent, unless sending had begun.
 */
export function createAssetServer({ manifest, folder, version, policies = {} }: AssetPorts) {
  // Clients may request any path; `constructor` must not match.
  const assets = new Map(Object.entries(manifest))
  const policyByPath = new Map(Object.entries(policies))

  return async function serveAsset(request: IncomingMessage, response: ServerResponse): Promise<boolean> {
    if (request.method !== 'GET' && request.method !== 'HEAD') return false
    const path = pathOf(request.url)
    const asset = assets.get(path)
    if (asset === undefined) return false

    const body = chooseBody(asset, request.headers['accept-encoding'])
    writeHeaders(response, asset, body)
    const policyOf = policyByPath.get(path)
    if (policyOf) response.setHeader('Content-Security-Policy', policyOf(queryOf(request.url)))
    if (asset.isSettled !== false && version !== '' && request.url?.endsWith(`?v=${version}`) === true) {
      response.setHeader('Cache-Control', FOR_GOOD)
    }
    if (holds(request.headers['if-none-match'], body.etag)) {
      response.writeHead(304).end()
      return true
    }
    response.setHeader('Accept-Ranges', 'bytes')
    const range = rangeOf(request, body)
    if (range === 'none') {
      response.setHeader('Content-Range', `bytes */${body.bytes}`)
      response.writeHead(416, { 'Content-Length': 0 }).end()
      return true
    }
    const { first, last } = range === 'whole' ? { first: 0, last: body.bytes - 1 } : range
    response.setHeader('Content-Length', last - first + 1)
    if (range !== 'whole') response.setHeader('Content-Range', `bytes ${first}-${last}/${body.bytes}`)
    response.statusCode = range === 'whole' ? 200 : 206
    if (request.method === 'HEAD' || body.bytes === 0) response.end()
    else await sendOrTakeBack(join(folder, body.file), { first, last, body }, response)
    return true
  }
}

/** The path without its query; file names may be escaped. */
function pathOf(url = '/'): string {
  const [raw = '/'] = url.split('?', 1)
  try {
    return decodeURIComponent(raw)
  } catch {
    return raw
  }
}

const queryOf = (url = ''): URLSearchParams => new URLSearchParams(url.slice(url.indexOf('?') + 1 || url.length))

function writeHeaders(response: ServerResponse, { headers, bodies }: Asset, { encoding, etag }: AssetBody): void {
  for (const [name, value] of headers) response.setHeader(name, value)
  response.setHeader('ETag', etag)
  if (bodies.length > 1) response.setHeader('Vary', 'Accept-Encoding')
  if (encoding !== 'identity') response.setHeader('Content-Encoding', encoding)
}

/** `If-None-Match`: a list of tags, weak or strong, or a star. */
const holds = (header: string | undefined, etag: string): boolean =>
  header !== undefined && header.split(',').some((tag) => tag.trim() === '*' || tag.trim().replace(/^W\//, '') === etag)

/** A range is sent only if the client holds the rest of the same bytes. */
function rangeOf({ headers }: IncomingMessage, { bytes, etag }: AssetBody): ReturnType<typeof readRange> {
  const held = headers['if-range']
  return held === undefined || held === etag ? readRange(headers.range, bytes) : 'whole'
}

async function sendOrTakeBack(...[file, part, response]: Parameters<typeof send>): Promise<void> {
  try {
    await send(file, part, response)
  } catch (error) {
    if (!response.headersSent) for (const name of response.getHeaderNames()) response.removeHeader(name)
    throw error
  }
}

interface Sent extends ByteRange {
  readonly body: AssetBody
}

async function send(file: string, { first, last, body }: Sent, response: ServerResponse): Promise<void> {
  const isComplete = first === 0 && last === body.bytes - 1
  if (isComplete && last < AT_ONCE_BYTES && !body.isPacked) {
    response.end(await readFile(file))
    return
  }
  // Opened before anything is sent, so that a missing file can still be reported.
  const opened = await open(file)
  const sent = body.isPacked
    ? pipeline(opened.createReadStream(), createGunzip(), (bytes) => partOf(bytes, { first, last }), response)
    : pipeline(opened.createReadStream({ start: first, end: last }), response)
  await sent.catch((error: unknown) => {
    // The client has disconnected, which is no error.
    if (!response.destroyed) throw error
  })
}

/** A compressed stream can't start in the middle, so it is read from its start. */
async function* partOf(bytes: AsyncIterable<Buffer>, { first, last }: ByteRange): AsyncGenerator<Buffer> {
  let at = 0
  for await (const chunk of bytes) {
    const wanted = chunk.subarray(Math.max(0, first - at), Math.max(0, last + 1 - at))
    at += chunk.length
    if (wanted.length > 0) yield wanted
    if (at > last) return
  }
}

const POLICY = 'Content-Security-Policy'

/**
 * The built files, with policies from the server's settings, by path: a build does not know which hosts an operator
 * will allow. A file's tags depend on its policy, so that no browser keeps an outdated policy.
 */
export function withWorkerPolicies(manifest: AssetManifest, policies: Readonly<Record<string, string>>): AssetManifest {
  const changed = Object.entries(policies).flatMap(([path, policy]) => {
    const asset = Object.hasOwn(manifest, path) ? manifest[path] : undefined
    return asset === undefined ? [] : [[path, withPolicy(asset, policy)] as const]
  })
  return { ...manifest, ...Object.fromEntries(changed) }
}

function withPolicy({ headers, bodies }: Asset, policy: string): Asset {
  const mark = createHash('sha256').update(policy).digest('base64url').slice(0, 8)
  return {
    headers: [...headers.filter(([name]) => name !== POLICY), [POLICY, policy]],
    bodies: bodies.map((body) => ({ ...body, etag: body.etag.replace(/"$/, `.${mark}"`) })),
    isSettled: false,
  }
}
