import { anyResult } from './any-result'
import {
  Client,
  InsufficientScopeError,
  ProtocolError,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
  StreamableHTTPClientTransport,
  UnauthorizedError,
  type PriorDiscovery,
} from '@modelcontextprotocol/client'
import { isJsonObject } from '@/lib/base/json'
import type {
  CallAnswer,
  CallProgress,
  CallRequest,
  ConnectedServer,
  ConnectFailure,
  ListedTool,
} from '@/lib/client/mcp/call-answer'
import { guardedFetch } from '@/lib/client/mcp/guarded-fetch'
import type { SignIn } from '@/lib/client/mcp/sign-in/sign-in'

/*
 * With the files of `sign-in/` the only one that knows the SDK. Requests go out by `request` with a loose schema: the SDK's own methods throw after a
 * call ran where a result has an unknown kind of content or does not match its output schema.
 */

export interface McpWorld {
  readonly fetch: typeof globalThis.fetch
  /** Whether the policy of the worker refused this origin. */
  readonly isBlocked?: (origin: string) => Promise<boolean>
  readonly signIn?: Pick<SignIn, 'provider' | 'wrap' | 'needsScope'>
}

export interface McpConnection {
  readonly server: ConnectedServer
  /** All pages. Throws `ConnectError`. */
  listTools(signal?: AbortSignal): Promise<readonly ListedTool[]>
  /** Never rejects and never sends anything twice. */
  call(
    request: CallRequest,
    options: { readonly signal?: AbortSignal; readonly onProgress?: (progress: CallProgress) => void },
  ): Promise<CallAnswer>
  close(): Promise<void>
}

/** Thrown where no connection or list came about. */
export class ConnectError extends Error {
  readonly failure: ConnectFailure
  constructor(failure: ConnectFailure) {
    super(failure.kind)
    this.name = 'ConnectError'
    this.failure = failure
  }
}

const CONNECT_MS = 15_000
/** However much progress a call reports. */
const MAX_CALL_MS = 600_000
const MAX_PAGES = 64
const MAX_TOOLS = 1_000

/**
 * Connects to a streamable HTTP server. `auto` asks for the version of 2026 first. Servers whose CORS list is of 2025 refuse its
 * headers, which a page sees as a TypeError, so the older way is tried too. Throws `ConnectError`.
 */
export async function connectMcp(
  world: McpWorld,
  { url, era, signal }: { readonly url: string; readonly era: 'auto' | 'legacy'; readonly signal?: AbortSignal },
): Promise<McpConnection> {
  try {
    return await connectAs(world, url, era, signal)
  } catch (error) {
    const failure = await failureOf(error, world, url)
    if (era === 'legacy' || failure.kind !== 'unread' || signal?.aborted) throw new ConnectError(failure)
  }
  try {
    return await connectAs(world, url, 'legacy', signal)
  } catch (error) {
    throw new ConnectError(await failureOf(error, world, url))
  }
}

async function connectAs(
  world: McpWorld,
  url: string,
  era: 'auto' | 'legacy',
  signal: AbortSignal | undefined,
): Promise<McpConnection> {
  const { signIn } = world
  const guarded = guardedFetch({
    fetch: world.fetch,
    to: new URL(url).origin,
    onLost: (id, why) => calls.of(id)?.lose(why),
    onResult: (id, result) => calls.of(id)?.keep(result),
  })
  // The same capabilities always: some servers make their list of tools depend on them.
  const client = new Client(
    { name: 'nod', version: '1' },
    { versionNegotiation: { mode: era }, capabilities: {}, inputRequired: { autoFulfill: false } },
  )
  const fetch = signIn ? signIn.wrap(guarded) : guarded
  const transport = new StreamableHTTPClientTransport(new URL(url), {
    fetch,
    ...(signIn && { authProvider: signIn.provider }),
  })
  const calls = watchCalls(transport)
  const prior: PriorDiscovery | undefined = era === 'legacy' ? { kind: 'legacy' } : undefined
  await client.connect(transport, { timeout: CONNECT_MS, ...(prior && { prior }), ...(signal && { signal }) })
  // What comes after a stop, or on a stream that broke, belongs to no request any more. A broken answer that could not be
  // fetched again is heard of here.
  client.onerror = (error) => {
    if (/reconnect/i.test(error.message)) calls.loseAll()
  }
  const version = client.getNegotiatedProtocolVersion() ?? ''
  const said = client.getServerVersion()
  return {
    server: {
      version,
      era: client.getProtocolEra() === 'modern' ? 'modern' : 'legacy',
      name: said?.title ?? said?.name ?? '',
    },
    listTools: (ended) =>
      listAll(client, ended).catch(async (error) => {
        throw new ConnectError(await failureOf(error, world, url))
      }),
    call: (request, options) => callOnce(client, calls, request, options, signIn),
    close: () => client.close(),
  }
}

async function listAll(client: Client, signal: AbortSignal | undefined): Promise<readonly ListedTool[]> {
  // A server without tools has no such method.
  if (!client.getServerCapabilities()?.tools) return []
  const tools: ListedTool[] = []
  const asked = new Set<string>()
  let cursor: string | undefined
  for (let page = 0; page < MAX_PAGES && tools.length < MAX_TOOLS; page += 1) {
    const params = cursor === undefined ? {} : { cursor }
    const result = await client.request({ method: 'tools/list', params }, anyResult, {
      timeout: CONNECT_MS,
      ...(signal && { signal }),
    })
    const { tools: some, nextCursor } = result as { tools?: unknown; nextCursor?: unknown }
    if (!Array.isArray(some)) throw new TypeError('the list of tools is no list')
    tools.push(...(some as ListedTool[]))
    // A cursor that comes back would be followed for ever.
    if (typeof nextCursor !== 'string' || asked.has(nextCursor)) break
    asked.add(nextCursor)
    cursor = nextCursor
  }
  return tools.slice(0, MAX_TOOLS)
}

type Loss = 'lost' | 'too-large'

/** A call that was sent. */
interface SentCall {
  readonly lose: (why: Loss) => void
  /** The result as it came over the wire. */
  readonly keep: (result: unknown) => void
}

/** Which call a JSON-RPC id belongs to. The SDK gives no id out, but hands over the very object of the arguments. */
function watchCalls(transport: StreamableHTTPClientTransport) {
  const waiting = new WeakMap<object, SentCall>()
  const byId = new Map<string | number, SentCall>()
  const send = transport.send.bind(transport)
  transport.send = (message, options) => {
    const [request] = Array.isArray(message) ? message : [message]
    const args: unknown =
      request && 'method' in request && request.method === 'tools/call' && request.params?.['arguments']
    const call = typeof args === 'object' && args !== null ? waiting.get(args) : undefined
    if (call && request && 'id' in request && request.id !== undefined) byId.set(request.id, call)
    return send(message, options)
  }
  return {
    expect: (args: object, call: SentCall) => void waiting.set(args, call),
    forget(call: SentCall) {
      for (const [id, one] of byId) if (one === call) byId.delete(id)
    },
    of: (id: string | number) => byId.get(id),
    loseAll: () => [...byId.values()].forEach(({ lose }) => lose('lost')),
  }
}

async function callOnce(
  client: Client,
  calls: ReturnType<typeof watchCalls>,
  { name, args, timeoutMs }: CallRequest,
  { signal, onProgress }: Parameters<McpConnection['call']>[1],
  signIn: McpWorld['signIn'],
): Promise<CallAnswer> {
  if (signal?.aborted) return { kind: 'stopped' }
  const abort = new AbortController()
  let lost: Loss | null = null
  let kept: unknown
  const stop = () => abort.abort(new DOMException('stopped', 'AbortError'))
  const call: SentCall = {
    lose(why) {
      // A stop ends the stream, too.
      if (signal?.aborted !== true) lost ??= why
      stop()
    },
    keep: (result) => (kept = result),
  }
  const own = { ...args }
  calls.expect(own, call)
  signal?.addEventListener('abort', stop, { once: true })
  try {
    const result = await client.request({ method: 'tools/call', params: { name, arguments: own } }, anyResult, {
      signal: abort.signal,
      timeout: timeoutMs,
      maxTotalTimeout: Math.max(MAX_CALL_MS, timeoutMs),
      resetTimeoutOnProgress: true,
      allowInputRequired: true,
      onprogress: ({ progress, total, message }) =>
        onProgress?.({ progress, ...(total !== undefined && { total }), ...(message !== undefined && { message }) }),
    })
    return { kind: 'answered', result: isJsonObject(result) ? result : {} }
  } catch (error) {
    if (lost !== null) return { kind: lost }
    // The SDK reports a stop as a time-out: the signal knows better.
    if (signal?.aborted) return { kind: 'stopped' }
    // The server answered, in a shape that the SDK does not take.
    if (isJsonObject(kept)) return { kind: 'answered', result: kept }
    if (isSignInNeeded(error, signIn)) return { kind: 'not-sent', failure: { kind: 'sign-in' } }
    return answerOfError(error)
  } finally {
    calls.forget(call)
    signal?.removeEventListener('abort', stop)
  }
}

/** What an error says of a call that was sent. */
function answerOfError(error: unknown): CallAnswer {
  if (error instanceof ProtocolError) return { kind: 'refused', message: error.message }
  if (error instanceof SdkHttpError) return { kind: 'http', status: error.status }
  if (error instanceof SdkError) {
    if (error.code === SdkErrorCode.RequestTimeout) return { kind: 'timed-out' }
    if (error.code === SdkErrorCode.NotConnected) return { kind: 'not-sent', failure: { kind: 'unread' } }
  }
  return { kind: 'lost' }
}

/** The server asks who is there, so it ran nothing: 401, or 403 for a sign-in that allows too little. */
function isSignInNeeded(error: unknown, signIn: McpWorld['signIn'], depth = 0): boolean {
  if (error instanceof InsufficientScopeError) {
    signIn?.needsScope(error.requiredScope)
    return true
  }
  if (error instanceof UnauthorizedError || (error instanceof SdkHttpError && error.status === 401)) return true
  return error instanceof Error && depth < 3 && isSignInNeeded(error.cause, signIn, depth + 1)
}

async function failureOf(error: unknown, { isBlocked, signIn }: McpWorld, url: string): Promise<ConnectFailure> {
  if (isSignInNeeded(error, signIn)) return { kind: 'sign-in' }
  if (error instanceof SdkHttpError) return { kind: 'http', status: error.status }
  if (error instanceof SdkError && error.code === SdkErrorCode.RequestTimeout) return { kind: 'timeout' }
  if (isUnread(error)) return { kind: (await isBlocked?.(new URL(url).origin)) ? 'blocked' : 'unread' }
  return { kind: 'not-mcp', message: error instanceof Error ? error.message : String(error) }
}

/** A fetch that failed is a TypeError, which the SDK wraps while it asks for the version. */
const isUnread = (error: unknown, depth = 0): boolean =>
  error instanceof TypeError ||
  (error instanceof Error && /failed to fetch|fetch failed|networkerror|load failed/i.test(error.message)) ||
  (error instanceof Error && depth < 3 && error.cause !== undefined && isUnread(error.cause, depth + 1))
