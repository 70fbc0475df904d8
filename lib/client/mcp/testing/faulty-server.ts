import type { ManualClock } from '@/lib/server/chats/testing/manual-clock'
import { waitFor } from '@/lib/server/runs/clock'

/** What can happen to one call on its way to a tool server and back. */
const fates = [
  'request-lost',
  'answer-lost',
  'cut-in-stream',
  'ends-in-stream',
  'cut-and-resumed',
  'cut-and-gone',
  'never-answered',
  'answered-twice',
  'answered-to-another',
  'token-ended',
  'sign-in-ended',
  'session-gone',
  'ill-before',
  'ill-after',
  'web-page-after',
  'refused',
] as const
export type ServerFate = 'fine' | 'slow' | (typeof fates)[number]

export interface FaultyServerPorts {
  readonly clock: ManualClock
  /** `old`: by HTTP+SSE. */
  readonly era: 'modern' | 'legacy' | 'old'
  readonly pick: <T>(from: readonly T[]) => T
  /** Whether something fails now. */
  readonly breaks: () => boolean
  readonly delay: () => number
}

const META = '_meta'

interface Rpc {
  readonly id?: number
  readonly method?: string
  readonly params?: {
    readonly arguments?: { readonly path?: string }
    readonly [META]?: { readonly progressToken?: unknown }
  }
}

export const faultyTool = { name: 'keep', description: 'Keeps', inputSchema: { type: 'object' } } as const
export const faultyAddress = 'https://tools.example.org/mcp'
const tokenAddress = 'https://tools.example.org/token'

/** A tool server with one tool, whose calls and answers get lost in every way. Each call has an argument of its own. */
export function createFaultyServer({ clock, era, pick, breaks, delay }: FaultyServerPorts) {
  /** By the call's argument: how often it ran. */
  const ran = new Map<string, number>()
  const rest = new Map<string, string>()
  let token = 1
  let session = 1
  let isSignedOut = false
  let faults = 0

  const json = (value: unknown, headers: Record<string, string> = {}) =>
    new Response(JSON.stringify(value), { headers: { 'content-type': 'application/json', ...headers } })
  const said = (id: unknown, result: object) => ({
    jsonrpc: '2.0',
    id,
    result: { ...result, ...(era === 'modern' && { resultType: 'complete', ttlMs: 0, cacheScope: 'private' }) },
  })

  /** A stream that sends these events, and then ends, breaks or stays open. */
  function stream(events: readonly string[], end: 'ends' | 'breaks' | 'stays', over: AbortSignal): Response {
    let sent = 0
    const body = new ReadableStream<Uint8Array>({
      async pull(out) {
        await waitFor(clock, delay())
        if (over.aborted) return out.error(new DOMException('aborted', 'AbortError'))
        const next = events[sent]
        sent += 1
        if (next !== undefined) return out.enqueue(new TextEncoder().encode(`${next}\n\n`))
        if (end === 'ends') return out.close()
        if (end === 'breaks') return out.error(new TypeError('network error'))
        return new Promise<void>((resolve) => {
          over.addEventListener('abort', () => {
            out.error(new DOMException('aborted', 'AbortError'))
            resolve()
          })
        })
      },
    })
    return new Response(body, { headers: { 'content-type': 'text/event-stream' } })
  }

  function fateOf(): ServerFate {
    if (!breaks()) return pick(['fine', 'slow'] as const)
    faults += 1
    const fate = pick(fates)
    // 2026 has neither sessions nor a way to fetch the rest of an answer.
    if (era === 'modern' && (fate === 'session-gone' || fate === 'cut-and-resumed')) return 'cut-in-stream'
    return fate
  }

  function call({ id, params }: Rpc, over: AbortSignal): Response {
    const path = params?.arguments?.path ?? ''
    const event = (value: unknown, name = '') => `${name && `id: ${name}\n`}data: ${JSON.stringify(value)}`
    const progress = event({
      jsonrpc: '2.0',
      method: 'notifications/progress',
      params: { progressToken: params?.[META]?.progressToken ?? 0, progress: 1, total: 2 },
    })
    const run = () => {
      ran.set(path, (ran.get(path) ?? 0) + 1)
      return said(id, { content: [{ type: 'text', text: `kept ${path}` }] })
    }
    switch (fateOf()) {
      case 'fine':
        return json(run())
      case 'slow':
        return stream([progress, event(run())], 'ends', over)
      case 'request-lost':
        throw new TypeError('Failed to fetch')
      case 'answer-lost':
        run()
        throw new TypeError('Failed to fetch')
      case 'cut-in-stream':
        run()
        return stream([progress], 'breaks', over)
      case 'ends-in-stream':
        run()
        return stream([progress], 'ends', over)
      case 'cut-and-resumed':
        rest.set(`${path} 1`, event(run(), `${path} 2`))
        return stream(
          [event({ jsonrpc: '2.0', method: 'notifications/message', params: {} }, `${path} 1`)],
          'ends',
          over,
        )
      case 'cut-and-gone':
        run()
        return stream([`id: ${path} 9\ndata: `, progress], 'breaks', over)
      case 'never-answered':
        run()
        return stream([progress], 'stays', over)
      case 'answered-twice': {
        const once = event(run())
        return stream([once, once], 'ends', over)
      }
      case 'answered-to-another':
        run()
        return json(said((id ?? 0) + 1_000, { content: [{ type: 'text', text: 'not yours' }] }))
      case 'token-ended':
        token += 1
        return new Response(null, { status: 401 })
      case 'sign-in-ended':
        token += 1
        isSignedOut = true
        return new Response(null, { status: 401 })
      case 'session-gone':
        session += 1
        return new Response(null, { status: 404 })
      case 'ill-before':
        return new Response(null, { status: 503 })
      case 'ill-after':
        run()
        return new Response(null, { status: 500 })
      case 'web-page-after':
        run()
        return new Response('<!doctype html>', { headers: { 'content-type': 'text/html' } })
      case 'refused':
        return json({ jsonrpc: '2.0', id, error: { code: -32000, message: 'Not today, please.' } })
    }
  }

  function answer(method: string, headers: Headers, body: string, over: AbortSignal): Response {
    const after = headers.get('last-event-id')
    if (method === 'GET' && after !== null) {
      const more = rest.get(after)
      rest.delete(after)
      return more === undefined ? new Response(null, { status: 405 }) : stream([more], 'ends', over)
    }
    if (method !== 'POST') return new Response(null, { status: 405 })
    const rpc = JSON.parse(body) as Rpc
    if (rpc.id === undefined) return new Response(null, { status: 202 })
    const held = headers.get('authorization')
    if (held !== null && held !== `Bearer token-${token}`) return new Response(null, { status: 401 })
    switch (rpc.method ?? '') {
      case 'server/discover':
        if (era === 'legacy') break
        return json(
          said(rpc.id, {
            supportedVersions: ['2026-07-28'],
            capabilities: { tools: {} },
            serverInfo: { name: 'faulty', version: '1' },
          }),
        )
      case 'initialize':
        return json(
          said(rpc.id, {
            protocolVersion: '2025-11-25',
            capabilities: { tools: {} },
            serverInfo: { name: 'faulty', version: '1' },
          }),
          { 'mcp-session-id': `s${session}` },
        )
      case 'tools/list':
        return json(said(rpc.id, { tools: [faultyTool] }))
      case 'tools/call': {
        const known = headers.get('mcp-session-id')
        if (era === 'legacy' && known !== `s${session}`) return new Response(null, { status: 404 })
        return call(rpc, over)
      }
    }
    return json({ jsonrpc: '2.0', id: rpc.id, error: { code: -32601, message: 'Method not found' } })
  }

  const sessions = new Map<string, ReadableStreamDefaultController<Uint8Array>>()

  /** A stream is a session: what `answer` would return arrives on it. */
  function oldAnswer(method: string, url: string, headers: Headers, body: string, over: AbortSignal): Response {
    const held = headers.get('authorization')
    if (held !== null && held !== `Bearer token-${token}`) return new Response(null, { status: 401 })
    if (method === 'GET') {
      const id = `/messages?session=${(session += 1)}`
      const events = new ReadableStream<Uint8Array>({
        start(out) {
          sessions.set(id, out)
          out.enqueue(new TextEncoder().encode(`event: endpoint\ndata: ${id}\n\n`))
          over.addEventListener('abort', () => {
            if (sessions.delete(id)) out.error(new DOMException('aborted', 'AbortError'))
          })
        },
        cancel: () => void sessions.delete(id),
      })
      return new Response(events, { headers: { 'content-type': 'text/event-stream' } })
    }
    const { pathname, search } = new URL(url)
    const id = `${pathname}${search}`
    if (url === faultyAddress) return new Response(null, { status: 405 })
    if (!sessions.has(id)) return new Response(null, { status: 404 })
    const response = answer(method, headers, body, over)
    const type = response.headers.get('content-type') ?? ''
    if (response.status === 404) endSession(id, 'ends')
    if (!response.ok || type === '' || type === 'text/html') return response
    void forward(id, response, type, over)
    return new Response('Accepted', { status: 202 })
  }

  function endSession(id: string, how: 'ends' | 'breaks'): void {
    const out = sessions.get(id)
    sessions.delete(id)
    if (how === 'ends') out?.close()
    else out?.error(new TypeError('network error'))
  }

  async function forward(id: string, response: Response, type: string, over: AbortSignal): Promise<void> {
    let text = ''
    const decoder = new TextDecoder()
    const send = (part: string) => sessions.get(id)?.enqueue(new TextEncoder().encode(part))
    try {
      for await (const chunk of response.body ?? []) {
        const part = decoder.decode(chunk, { stream: true })
        text += part
        if (type === 'text/event-stream') send(part)
      }
      if (type !== 'text/event-stream') send(`data: ${text}\n\n`)
      else if (!text.includes('"result":')) endSession(id, 'ends')
    } catch {
      if (!over.aborted) endSession(id, 'breaks')
    }
  }

  return {
    ran,
    faults: () => faults,
    /** The user signs in again. */
    signIn() {
      isSignedOut = false
      return {
        metadata: {
          issuer: 'https://tools.example.org',
          authorization_endpoint: 'https://tools.example.org/auth',
          token_endpoint: tokenAddress,
          response_types_supported: ['code'],
        },
        client: { client_id: 'nod' },
        resource: faultyAddress,
        tokens: { access_token: `token-${token}`, refresh_token: 'refresh', token_type: 'Bearer' },
        expiresAt: null,
        key: null,
      }
    },
    /** `gone`: the caller no longer exists. */
    fetchFrom:
      (gone: AbortSignal): typeof globalThis.fetch =>
      async (input, init = {}) => {
        const url = input instanceof Request ? input.url : String(input)
        const over = AbortSignal.any([gone, ...(init.signal ? [init.signal] : [])])
        await waitFor(clock, delay())
        if (over.aborted) throw new DOMException('aborted', 'AbortError')
        if (url === tokenAddress) {
          if (isSignedOut) {
            return new Response('{"error":"invalid_grant"}', {
              status: 400,
              headers: { 'content-type': 'application/json' },
            })
          }
          return json({ access_token: `token-${token}`, refresh_token: 'refresh', token_type: 'Bearer' })
        }
        const { method = 'GET', body } = init
        const headers = new Headers(init.headers)
        const text = (body as string | undefined) ?? ''
        const response =
          era === 'old' ? oldAnswer(method, url, headers, text, over) : answer(method, headers, text, over)
        await waitFor(clock, delay())
        if (over.aborted) throw new DOMException('aborted', 'AbortError')
        return response
      },
  }
}

export type FaultyServer = ReturnType<typeof createFaultyServer>
