import { request, type IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import type { Duplex, Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { bareHost, readWebAddress } from '@/lib/shared/web/web-address'
import { maxPageBytes, type PageKind, type WebAnswer, type WebFault } from '@/lib/shared/web/web-answer'
import type { Permit, Reach } from './reach'

/*
 * Fetches one page on a user's behalf. Every hop is checked again: the URL, then all addresses of the host, and the
 * connection goes to one of exactly those, so that a second lookup can't return others. No agent, no proxy, no cookies.
 */

export interface Dial {
  readonly address: string
  readonly port: number
  /** The host name for the certificate; null: no TLS. */
  readonly tls: string | null
  readonly signal: AbortSignal
}

export interface FetchPorts {
  /**
   * All addresses of a host; rejects or returns none if there are none. `isLocal`: includes names that only this
   * machine knows.
   */
  readonly resolve: (host: string, isLocal: boolean, signal: AbortSignal) => Promise<readonly string[]>
  /** Connects to exactly this address. */
  readonly dial: (dial: Dial) => Promise<Duplex>
}

export interface FetchRequest {
  readonly url: URL
  readonly reach: Reach
  readonly headers?: Readonly<Record<string, string>>
  readonly signal: AbortSignal
  readonly limits?: FetchLimits
}

interface FetchLimits {
  /** For each hop, until its headers arrive; in milliseconds. `totalMs` is for the whole request. */
  readonly headersMs: number
  readonly totalMs: number
  readonly maxBytes: number
}

export const fetchLimits: FetchLimits = { headersMs: 4_000, totalMs: 15_000, maxBytes: maxPageBytes }
const maxRedirects = 4
/** The most addresses of one host to try, one after another. */
const maxDials = 3
const userAgent = 'NodPageReader/1 (one page, asked for by a person)'

/** Why there is no page; this detail stays within this file. */
class Failed extends Error {
  readonly why: WebFault
  readonly more: FailureDetails

  constructor(why: WebFault, more: FailureDetails = {}) {
    super(why)
    this.why = why
    this.more = more
  }
}

type FailureDetails = Pick<Extract<WebAnswer, { readonly kind: 'failed' }>, 'status' | 'to'>

/** Never rejects. A redirect to another host ends the request: the user has to approve that host. */
export async function fetchPage(asked: FetchRequest, ports: FetchPorts): Promise<WebAnswer> {
  const { limits = fetchLimits } = asked
  let url = asked.url
  // One time limit for all hops; an error after it counts as `late`.
  const end = new AbortController()
  const timer = setTimeout(() => end.abort(), limits.totalMs)
  const signal = AbortSignal.any([asked.signal, end.signal])
  try {
    for (let hops = 0; ; hops++) {
      const step = await fetchOnce(url, asked, limits, signal, ports)
      if (step.kind === 'page') return step
      if (hops >= maxRedirects) throw new Failed('redirects')
      url = step.to
    }
  } catch (error) {
    const failed = error instanceof Failed ? error : new Failed(signal.aborted ? 'late' : 'broken')
    return { kind: 'failed', why: failed.why, host: url.host, ...failed.more }
  } finally {
    clearTimeout(timer)
  }
}

type Step = Extract<WebAnswer, { readonly kind: 'page' }> | { readonly kind: 'on'; readonly to: URL }

async function fetchOnce(
  url: URL,
  { reach, headers }: FetchRequest,
  limits: FetchLimits,
  signal: AbortSignal,
  ports: FetchPorts,
): Promise<Step> {
  const permit = reach(url)
  if (!permit.ok) throw new Failed(permit.why)
  const begin = new AbortController()
  const timer = setTimeout(() => begin.abort(), limits.headersMs)
  const untilHeaders = AbortSignal.any([signal, begin.signal])
  let socket: Duplex | null = null
  try {
    const addresses = await admitted(url, permit, untilHeaders, ports)
    socket = await connect(url, addresses, untilHeaders, ports)
    const response = await send(url, socket, headers ?? {}, untilHeaders)
    clearTimeout(timer)
    return await answerOf(url, response, limits, signal)
  } catch (error) {
    throw error instanceof Failed || !untilHeaders.aborted ? error : new Failed('late')
  } finally {
    clearTimeout(timer)
    socket?.destroy()
  }
}

/** All addresses of the host; if one of them is not allowed, all are refused. */
async function admitted(
  url: URL,
  { admits, isOnPurpose }: Extract<Permit, { readonly ok: true }>,
  signal: AbortSignal,
  { resolve }: FetchPorts,
): Promise<readonly string[]> {
  const name = bareHost(url)
  const addresses =
    isIP(name) === 0 ? await orAborted(resolve(name, isOnPurpose, signal), signal).catch(() => []) : [name]
  if (signal.aborted) throw new Failed('late')
  if (addresses.length === 0 || !addresses.every((address) => isIP(address) !== 0 && admits(address))) {
    throw new Failed('not-public')
  }
  return addresses.slice(0, maxDials)
}

async function connect(
  url: URL,
  addresses: readonly string[],
  signal: AbortSignal,
  { dial }: FetchPorts,
): Promise<Duplex> {
  const isTls = url.protocol === 'https:'
  const port = url.port === '' ? (isTls ? 443 : 80) : Number(url.port)
  for (const address of addresses) {
    try {
      return await dial({ address, port, tls: isTls ? bareHost(url) : null, signal })
    } catch {
      if (signal.aborted) break
    }
  }
  throw new Failed(signal.aborted ? 'late' : 'unreached')
}

function send(
  url: URL,
  socket: Duplex,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const sent = request({
      // Its own connection means no agent, and so no proxy from the environment.
      createConnection: () => socket,
      method: 'GET',
      path: url.pathname + url.search,
      setHost: false,
      maxHeaderSize: 16_384,
      signal,
      headers: {
        host: url.host,
        'user-agent': userAgent,
        accept: 'text/html, application/xhtml+xml, text/plain, application/pdf, application/json;q=0.9, text/*;q=0.8',
        'accept-encoding': 'gzip, br, deflate',
        connection: 'close',
        ...headers,
      },
    })
    sent.on('response', resolve)
    sent.on('upgrade', () => reject(new Failed('broken')))
    sent.on('error', () => reject(new Failed(signal.aborted ? 'late' : 'broken')))
    sent.end()
  })
}

async function answerOf(url: URL, response: IncomingMessage, limits: FetchLimits, signal: AbortSignal): Promise<Step> {
  const status = response.statusCode ?? 0
  const { location } = response.headers
  if ([301, 302, 303, 307, 308].includes(status) && location !== undefined) {
    return { kind: 'on', to: redirected(url, location) }
  }
  if (status < 200 || status > 299) throw new Failed('http', { status })
  const { type, charset } = typeOf(response.headers['content-type'])
  if (Number(response.headers['content-length'] ?? 0) > limits.maxBytes) throw new Failed('too-large')
  const body = await bodyOf(response, limits.maxBytes, signal)
  const kind = type ?? kindByContent(body)
  if (kind === null) throw new Failed('type')
  return { kind: 'page', url: url.href, type: kind, charset, base64: body.toString('base64') }
}

/** The next URL on the same host. Never from https to http, which would send a confidential request in the clear. */
function redirected(from: URL, location: string): URL {
  const joined = URL.canParse(location, from.href) ? new URL(location, from.href).href : ''
  const next = readWebAddress(joined)
  if (!next.ok) throw new Failed(next.error)
  const to = next.value
  const isUpgrade = from.protocol === 'http:' && to.protocol === 'https:' && from.port === '' && to.port === ''
  const isSame = to.hostname === from.hostname && (to.origin === from.origin || isUpgrade)
  if (!isSame) throw new Failed('moved', { to: to.href })
  return to
}

/** `type` is null where the server names none: its content decides. */
function typeOf(header: string | undefined): { readonly type: PageKind | null; readonly charset: string | null } {
  const [essence = '', ...parameters] = (header ?? '').split(';').map((part) => part.trim().toLowerCase())
  const charset = parameters.find((part) => part.startsWith('charset='))?.slice('charset='.length)
  const name = charset === undefined ? null : charset.replaceAll(/^"|"$/g, '').slice(0, 40)
  const type = kindOf(essence)
  if (type === null && !/^(?:(?:application|binary)\/octet-stream|application\/x-download|)$/.test(essence)) {
    throw new Failed('type')
  }
  return { type, charset: name }
}

function kindOf(essence: string): PageKind | null {
  if (essence === 'text/html' || essence === 'application/xhtml+xml') return 'html'
  if (essence === 'application/pdf') return 'pdf'
  if (essence === 'application/json' || /^application\/[\w.-]+\+json$/.test(essence)) return 'json'
  return /^text\/(?!event-stream)[\w.+-]+$/.test(essence) ? 'text' : null
}

/** PDFs and pages that a server sends as “some file”. */
function kindByContent(body: Buffer): PageKind | null {
  const start = body.subarray(0, 1_024).toString('latin1').trimStart().toLowerCase()
  if (start.startsWith('%pdf-')) return 'pdf'
  return /^(?:<\?xml[^>]*>\s*)?<(?:!doctype html|html)[\s>]/.test(start) ? 'html' : null
}

/** Counts both the received and the decompressed bytes as they arrive. */
async function bodyOf(response: IncomingMessage, maxBytes: number, signal: AbortSignal): Promise<Buffer> {
  const parts: Buffer[] = []
  const collect = async (source: AsyncIterable<Buffer>) => {
    for await (const part of counted(source, maxBytes)) parts.push(part)
  }
  const decoder = decoderOf(response.headers['content-encoding'])
  const raw = (source: AsyncIterable<Buffer>) => counted(source, maxBytes)
  try {
    if (decoder === null) await pipeline(response as Readable, collect, { signal })
    else await pipeline(response as Readable, raw, decoder, collect, { signal })
  } catch (error) {
    throw error instanceof Failed ? error : new Failed(signal.aborted ? 'late' : 'broken')
  }
  return Buffer.concat(parts)
}

async function* counted(source: AsyncIterable<Buffer>, maxBytes: number): AsyncGenerator<Buffer> {
  let size = 0
  for await (const part of source) {
    size += part.length
    if (size > maxBytes) throw new Failed('too-large')
    yield part
  }
}

function decoderOf(header: string | undefined) {
  switch ((header ?? '').trim().toLowerCase()) {
    case '':
    case 'identity':
      return null
    case 'gzip':
    case 'x-gzip':
      return createGunzip()
    case 'br':
      return createBrotliDecompress()
    case 'deflate':
      return createInflate()
    default:
      throw new Failed('encoding')
  }
}

const orAborted = <T>(promise: Promise<T>, signal: AbortSignal): Promise<T> =>
  new Promise((resolve, reject) => {
    const stop = () => reject(new Error('aborted'))
    if (signal.aborted) stop()
    signal.addEventListener('abort', stop, { once: true })
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
  })
