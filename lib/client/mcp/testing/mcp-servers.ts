import {
  createMcpHandler,
  inputRequired,
  McpServer,
  WebStandardStreamableHTTPServerTransport,
  type JSONRPCMessage,
  type Transport,
} from '@modelcontextprotocol/server'
import { z } from 'zod'

/** A server of the official package, in this process: `fetch` answers as it would over HTTP. */
export interface TestServer {
  readonly fetch: typeof globalThis.fetch
  /** Method, header names and JSON-RPC method of every request. */
  readonly requests: readonly { readonly method: string; readonly headers: readonly string[]; readonly rpc: string }[]
  /** What its tools received. */
  readonly seen: readonly string[]
}

export const testAddress = 'https://tools.example.org/mcp'

const one = z.object({ text: z.string() })

/** Tools of every kind that the contract needs. `seen` records what ran. */
function makeServer(seen: string[]): McpServer {
  const server = new McpServer({ name: 'test-server', title: 'Test server', version: '1.0.0' })
  server.registerTool(
    'echo',
    { description: 'Says it back', inputSchema: one, annotations: { readOnlyHint: true } },
    ({ text }) => {
      seen.push(`echo ${text}`)
      return { content: [{ type: 'text', text }] }
    },
  )
  server.registerTool('fails', { description: 'Fails', inputSchema: z.object({}) }, () => ({
    content: [{ type: 'text', text: 'no such city' }],
    isError: true,
  }))
  server.registerTool('picture', { description: 'Draws', inputSchema: z.object({}) }, () => ({
    content: [
      { type: 'text', text: 'a dot' },
      { type: 'image', data: 'iVBORw0KGgo=', mimeType: 'image/png' },
    ],
  }))
  server.registerTool(
    'sum',
    { description: 'Adds', inputSchema: z.object({}), outputSchema: z.object({ sum: z.number() }) },
    () => ({ content: [{ type: 'text', text: '{"sum":3}' }], structuredContent: { sum: 3 } }),
  )
  server.registerTool(
    'steps',
    { description: 'Counts', inputSchema: z.object({ steps: z.number().int(), waits: z.boolean().optional() }) },
    async ({ steps, waits }, context) => {
      const { signal, _meta: meta } = context.mcpReq
      for (let progress = 1; progress <= steps; progress += 1) {
        await context.mcpReq.notify({
          method: 'notifications/progress',
          params: { progressToken: meta?.progressToken ?? 0, progress, total: steps, message: `step ${progress}` },
        })
      }
      if (waits === true) {
        await new Promise<void>((resolve) => {
          if (signal.aborted) resolve()
          else signal.addEventListener('abort', () => resolve(), { once: true })
        })
        seen.push('steps was cancelled')
      }
      return { content: [{ type: 'text', text: 'done' }] }
    },
  )
  // Asked by a request of the server in 2025, and by its result in 2026.
  server.registerTool('book', { description: 'Books', inputSchema: z.object({}) }, (_args, { mcpReq }) => {
    const { table } = (mcpReq.inputResponses ?? {}) as { table?: { action: string; content?: unknown } }
    if (!table) {
      return inputRequired({
        inputRequests: {
          table: inputRequired.elicit({
            message: 'Which table?',
            requestedSchema: {
              type: 'object',
              properties: { seats: { type: 'integer', title: 'Seats', minimum: 1 } },
              required: ['seats'],
            },
          }),
        },
      })
    }
    seen.push(`book ${JSON.stringify(table)}`)
    return { content: [{ type: 'text', text: table.action }] }
  })
  // Sent beside the stream of the call, repeatedly until it is received.
  server.registerTool('confirm-late', { description: 'Confirms', inputSchema: z.object({}) }, async () => {
    for (;;) {
      const asked = server.server.elicitInput(
        { message: 'Really?', requestedSchema: { type: 'object', properties: {} } },
        { timeout: 50 },
      )
      const answer = await asked.catch(() => null)
      if (answer) return { content: [{ type: 'text', text: answer.action }] }
    }
  })
  // Sent beside the stream of the call.
  server.registerTool('confirm', { description: 'Confirms', inputSchema: z.object({}) }, async () => {
    const { action } = await server.server.elicitInput({
      message: 'Really?',
      requestedSchema: { type: 'object', properties: {} },
    })
    return { content: [{ type: 'text', text: action }] }
  })
  return server
}

/** What an app server says about its page; it may change later. */
export interface AppState {
  html: string
  csp?: Readonly<Record<string, readonly string[]>>
}

/** A server with a page (MCP Apps), and tools for models, for pages and for both. */
export function appServer(state: AppState): TestServer {
  const seen: string[] = []
  const requests: TestServer['requests'][number][] = []
  const uri = 'ui://budget/plan.html'
  const make = () => {
    const server = new McpServer({ name: 'budget', version: '1.0.0' })
    const amounts = { inputSchema: z.object({ total: z.number().optional() }) }
    const plan = (name: string) => (args: unknown) => {
      seen.push(`${name} ${JSON.stringify(args)}`)
      return { content: [{ type: 'text' as const, text: '3 posts' }], structuredContent: { posts: [1, 2, 3] } }
    }
    server.registerTool('plan', { description: 'Plans', ...amounts, _meta: { ui: { resourceUri: uri } } }, plan('plan'))
    server.registerTool(
      'poll',
      { description: 'Polls', ...amounts, _meta: { ui: { resourceUri: uri, visibility: ['app'] } } },
      plan('poll'),
    )
    server.registerTool(
      'spend',
      { description: 'Spends', ...amounts, _meta: { ui: { visibility: ['model'] } } },
      plan('spend'),
    )
    server.registerResource('plan', uri, { mimeType: 'text/html;profile=mcp-app' }, () => {
      seen.push('read')
      const { html: text, csp } = state
      return { contents: [{ uri, mimeType: 'text/html;profile=mcp-app', text, _meta: { ui: { csp } } }] }
    })
    return server
  }
  const handler = createMcpHandler(make, { legacy: 'reject' })
  return { requests, seen, fetch: noted(requests, (request) => handler.fetch(request)) }
}

const noted = (
  requests: TestServer['requests'][number][],
  answer: (request: Request) => Promise<Response>,
): typeof globalThis.fetch =>
  async function fetch(input, init) {
    const request = new Request(input, init)
    const text = await request.clone().text()
    const rpc = text === '' ? '' : ((JSON.parse(text) as { method?: string }).method ?? '')
    requests.push({ method: request.method, headers: [...request.headers.keys()], rpc })
    return answer(request)
  }

/** Speaks 2026-07-28 and nothing older. */
export function modernServer(): TestServer {
  const seen: string[] = []
  const requests: TestServer['requests'][number][] = []
  const handler = createMcpHandler(() => makeServer(seen), { legacy: 'reject' })
  return { requests, seen, fetch: noted(requests, (request) => handler.fetch(request)) }
}

/** Speaks 2025-11-25 with a session. As browsers do for an old CORS list, it refuses headers of 2026. */
export function legacyServer({ refusesNewHeaders = false } = {}): TestServer {
  const seen: string[] = []
  const requests: TestServer['requests'][number][] = []
  const sessions = new Map<string, WebStandardStreamableHTTPServerTransport>()
  const answer = async (request: Request): Promise<Response> => {
    if (refusesNewHeaders && request.headers.has('mcp-method')) throw new TypeError('Failed to fetch')
    const known = sessions.get(request.headers.get('mcp-session-id') ?? '')
    if (known) return known.handleRequest(request)
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => crypto.randomUUID(),
      onsessioninitialized: (id) => void sessions.set(id, transport),
    })
    await makeServer(seen).connect(transport)
    return transport.handleRequest(request)
  }
  return { requests, seen, fetch: noted(requests, answer) }
}

/** What an old server does that it should not. */
export interface OldState {
  /** The data of its first event. */
  endpoint?: (session: string) => string
  /** Ends all streams. */
  cut?: (how: 'ends' | 'breaks') => void
  /** Sends this on all streams. */
  push?: (text: string) => void
  /** The status of its answers to posted messages. */
  posted?: number
  /** Whether it may run what was posted. */
  isDeaf?: boolean
}

/** Speaks HTTP+SSE, the transport of 2024-11-05: each stream is a session. */
export function oldServer(state: OldState = {}): TestServer & { readonly streams: () => number } {
  const seen: string[] = []
  const requests: TestServer['requests'][number][] = []
  type Session = { readonly transport: Transport; readonly out: ReadableStreamDefaultController<Uint8Array> }
  const sessions = new Map<string, Session>()
  const bytes = (text: string) => new TextEncoder().encode(text)
  state.cut = (how) => {
    for (const [id, { out }] of sessions) {
      sessions.delete(id)
      if (how === 'ends') out.close()
      else out.error(new TypeError('network error'))
    }
  }
  state.push = (text) => sessions.forEach(({ out }) => out.enqueue(bytes(text)))

  async function stream(request: Request): Promise<Response> {
    const id = crypto.randomUUID()
    const over = () => {
      const session = sessions.get(id)
      sessions.delete(id)
      session?.transport.onclose?.()
    }
    const body = new ReadableStream<Uint8Array>({
      async start(out) {
        const transport: Transport = {
          start: () => Promise.resolve(),
          send: async (message) => out.enqueue(bytes(`event: message\ndata: ${JSON.stringify(message)}\n\n`)),
          close: () => Promise.resolve(),
        }
        sessions.set(id, { transport, out })
        request.signal.addEventListener('abort', over)
        await makeServer(seen).connect(transport)
        out.enqueue(bytes(`event: endpoint\ndata: ${state.endpoint?.(id) ?? `/messages?session=${id}`}\n\n`))
      },
      cancel: over,
    })
    return new Response(body, { headers: { 'content-type': 'text/event-stream' } })
  }

  async function answer(request: Request): Promise<Response> {
    const { pathname, searchParams } = new URL(request.url)
    if (request.method === 'GET' && pathname === new URL(testAddress).pathname) return stream(request)
    const session = sessions.get(searchParams.get('session') ?? '')
    if (!session) return new Response('Cannot POST', { status: 404 })
    const message = (await request.json()) as JSONRPCMessage
    if (state.posted !== undefined && 'method' in message && message.method === 'tools/call') {
      return new Response('no', { status: state.posted })
    }
    if (state.isDeaf !== true || !('method' in message) || message.method !== 'tools/call') {
      session.transport.onmessage?.(message)
    }
    return new Response('Accepted', { status: 202 })
  }
  return { requests, seen, fetch: noted(requests, answer), streams: () => sessions.size }
}

/** Handwritten responses, which no honest server sends. `answers`: by JSON-RPC method. */
export function oddServer(
  answers: Readonly<Record<string, (params: Readonly<Record<string, unknown>>, id: unknown) => unknown>>,
): TestServer {
  const requests: TestServer['requests'][number][] = []
  const answer = async (request: Request): Promise<Response> => {
    const {
      method,
      id,
      params = {},
    } = (await request.json()) as {
      method: string
      id?: unknown
      params?: Record<string, unknown>
    }
    if (id === undefined) return new Response(null, { status: 202 })
    const made = answers[method]?.(params, id)
    if (made instanceof Response) return made
    const said =
      made ??
      (method === 'initialize'
        ? { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 'odd', version: '1' } }
        : undefined)
    if (said === undefined) {
      return Response.json({ jsonrpc: '2.0', id, error: { code: -32601, message: 'Method not found' } })
    }
    return Response.json({ jsonrpc: '2.0', id, result: said })
  }
  return { requests, seen: [], fetch: noted(requests, answer) }
}

/** A response as a stream of events that ends after them. */
export const eventStream = (...events: readonly string[]): Response =>
  new Response(events.map((event) => `${event}\n\n`).join(''), { headers: { 'content-type': 'text/event-stream' } })
