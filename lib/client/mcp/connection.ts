import {
  Client,
  InsufficientScopeError,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
  StreamableHTTPClientTransport,
  UnauthorizedError,
  type PriorDiscovery,
} from '@modelcontextprotocol/client'
import type { Offer, OfferRequest } from '@/lib/shared/mcp/offers'
import { anyOffer } from '@/lib/shared/mcp/server-skills'
import './jitless'
import type { CallAnswer, CallRequest, ConnectedServer, ConnectFailure, ListedTool } from '@/lib/shared/mcp/call-answer'
import { guardedFetch } from '@/lib/shared/mcp/guarded-fetch'
import { isOlderRefusal, NotMet, oldTransport } from '@/lib/shared/mcp/old-transport'
import { takePlace, type StandaloneStreamPorts } from '@/lib/shared/mcp/standalone-stream'
import { callOnce, capabilities, listAll, passQuestions, watchCalls, type CallOptions } from '@/lib/shared/mcp/session'
import type { SignIn } from '@/lib/client/mcp/sign-in/sign-in'

// The only page code that knows the SDK, besides the files of `sign-in/`; the code after a transport is open is in
// `session.ts` and `server-skills.ts`.

export interface McpWorld {
  readonly fetch: typeof globalThis.fetch
  /** Whether the worker's policy refused this origin. */
  readonly isBlocked?: (origin: string) => Promise<boolean>
  /** Left out: there are no other tabs. */
  readonly inFewTabs?: StandaloneStreamPorts['inFewTabs']
  readonly signIn?: Pick<SignIn, 'provider' | 'wrap' | 'needsScope'>
}

export interface McpConnection {
  readonly server: ConnectedServer
  /** By the old transport: reconnect as `old`. */
  readonly isOld: boolean
  /** It has ended by itself: the next request needs a new one. */
  isOver(): boolean
  /** All pages. Throws `ConnectError`. */
  listTools(signal?: AbortSignal): Promise<readonly ListedTool[]>
  /** Never rejects and never sends anything twice. */
  call(request: CallRequest, options: Omit<CallOptions, 'needsSignIn'>): Promise<CallAnswer>
  /** What it offers to people. Throws `ConnectError`. */
  offer(ask: OfferRequest, signal?: AbortSignal): Promise<Offer>
  close(): Promise<void>
}

/** Thrown if a connection or list failed. */
export class ConnectError extends Error {
  readonly failure: ConnectFailure
  constructor(failure: ConnectFailure) {
    super(failure.kind)
    this.name = 'ConnectError'
    this.failure = failure
  }
}

const CONNECT_MS = 15_000
/** A standing stream without requests for this long ends, seconds. */
const REST_S = 600
/** A test compares it with what the client sends. */
const CALL_HEADER = 'mcp-name'

/** `old`: HTTP+SSE, the transport of 2024-11-05. */
export type Era = 'auto' | 'legacy' | 'old'

/**
 * Connects to a server. `auto` tries the version of 2026 first. Servers whose CORS list is of 2025 refuse its headers,
 * which a page sees as a TypeError, so the older version is tried too, and last the transport before it. Throws
 * `ConnectError`.
 */
export async function connectMcp(
  world: McpWorld,
  { url, era, signal }: { readonly url: string; readonly era: Era; readonly signal?: AbortSignal },
): Promise<McpConnection> {
  let failure: ConnectFailure = { kind: 'unread' }
  let isUncallable = false
  const note = async (error: unknown) => {
    const next: ConnectFailure = isUncallable ? failure : await failureOf(error, world, url)
    const mayBeOlder = next.kind === 'unread' || (next.kind === 'http' && isOlderRefusal(next.status))
    if (!mayBeOlder || signal?.aborted) throw new ConnectError(next)
    failure = next
  }
  if (era === 'auto') {
    try {
      const met = await connectAs(world, url, era, signal)
      if (await met.takesCalls(signal)) return met
      isUncallable = true
      await met.close()
    } catch (error) {
      await note(error)
    }
  }
  // After an HTTP status, `auto` has tried the older version itself.
  if (era !== 'old' && failure.kind === 'unread') {
    try {
      return await connectAs(world, url, 'legacy', signal)
    } catch (error) {
      await note(error)
    }
  }
  try {
    return await connectOld(world, url, signal)
  } catch (error) {
    throw new ConnectError(error instanceof NotMet ? failure : await failureOf(error, world, url))
  }
}

// Always the same capabilities: some servers make their list of tools depend on them.
const newClient = (mode: 'auto' | 'legacy'): Client =>
  new Client(
    { name: 'nod', version: '1' },
    { versionNegotiation: { mode }, capabilities, inputRequired: { autoFulfill: false } },
  )

async function connectAs(
  world: McpWorld,
  url: string,
  era: 'auto' | 'legacy',
  signal: AbortSignal | undefined,
): Promise<McpConnection & { readonly takesCalls: (signal: AbortSignal | undefined) => Promise<boolean> }> {
  const { signIn } = world
  let discovered: { readonly input: RequestInfo | URL; readonly init: RequestInit } | null = null
  const guarded = guardedFetch({
    fetch(input, init = {}) {
      if (new Headers(init.headers).get('mcp-method') === 'server/discover') discovered = { input, init }
      return world.fetch(input, init)
    },
    to: new URL(url).origin,
    onLost: (id, why) => calls.of(id)?.lose(why),
    onResult: (id, result) => calls.keep(id, result),
    overOf: (id) => calls.of(id)?.over,
    inFewTabs: world.inFewTabs ?? ((work) => work()),
    onUnheard: (id) => calls.of(id)?.unheard(),
    onQuestion: (id, question) => calls.noteQuestion(id, question),
  })
  const client = newClient(era)
  const transport = new StreamableHTTPClientTransport(new URL(url), {
    fetch: signIn ? signIn.wrap(guarded) : guarded,
    ...(signIn && { authProvider: signIn.provider }),
  })
  const calls = watchCalls(transport)
  passQuestions(client, () => calls)
  await client.connect(transport, {
    timeout: CONNECT_MS,
    ...(era === 'legacy' && { prior }),
    ...(signal && { signal }),
  })
  return {
    ...opened(client, calls, world, url),
    isOld: false,
    isOver: () => false,
    /**
     * Whether CORS lets calls through, which have one more header than the first request. If it does not, a page could
     * list the tools, and each call would end without an answer.
     */
    async takesCalls(ended) {
      if (!discovered || client.getProtocolEra() !== 'modern') return true
      const { input, init } = discovered
      const isRead = async (name: string, value: string) => {
        const headers = new Headers(init.headers)
        headers.set(name, value)
        const over = AbortSignal.any([AbortSignal.timeout(CONNECT_MS), ended].filter((one) => one !== undefined))
        try {
          const { body } = await world.fetch(input, { ...init, headers, signal: over })
          await body?.cancel()
          return true
        } catch (error) {
          return !(error instanceof TypeError)
        }
      }
      // A server may reject the request because of the header, with a response that a page can't read: then the same
      // request with a wrong method is rejected alike.
      return (await isRead(CALL_HEADER, 'nod')) || !(await isRead('mcp-method', 'tools/list'))
    },
  }
}

const prior: PriorDiscovery = { kind: 'legacy' }

/**
 * The session of an old server is its standing stream. It stays open between calls until another tab waits for its
 * connection.
 */
async function connectOld(world: McpWorld, url: string, signal: AbortSignal | undefined): Promise<McpConnection> {
  const { signIn, inFewTabs = (work) => work() } = world
  const over = AbortSignal.any([AbortSignal.timeout(CONNECT_MS), signal].filter((one) => one !== undefined))
  const place = await takePlace(inFewTabs, over)
  let isMet = false
  let isOver = false
  // Connecting.
  let running = 1
  let restedS = 0
  const client = newClient('legacy')
  const transport = oldTransport(new URL(url), {
    fetch: world.fetch,
    ...(signIn && { wrap: (fetch) => signIn.wrap(fetch), authProvider: signIn.provider }),
    overOf: (id) => calls.of(id)?.over,
    onResult: (id, result) => calls.keep(id, result),
    onMet: () => void (isMet = true),
    onEnd(why) {
      calls.loseAll(why)
      end()
    },
  })
  const calls = watchCalls(transport)
  passQuestions(client, () => calls)
  function end(): void {
    if (isOver) return
    isOver = true
    clearInterval(watch)
    place.leave()
    void transport.close().catch(() => {})
  }
  client.onclose = end
  const yieldPlace = async () => {
    restedS = running > 0 ? 0 : restedS + 1
    if (restedS > REST_S || (restedS > 0 && (await place.isWanted()) && running === 0)) end()
  }
  const watch = setInterval(() => void yieldPlace(), 1_000)
  try {
    await client.connect(transport, { timeout: CONNECT_MS, prior, ...(signal && { signal }) })
  } catch (error) {
    end()
    throw isMet || isSignInNeeded(error, signIn) ? error : new NotMet()
  }
  running -= 1
  const connection = opened(client, calls, world, url)
  const counted =
    <A extends readonly unknown[], T>(work: (...args: A) => Promise<T>) =>
    async (...args: A): Promise<T> => {
      running += 1
      try {
        return await work(...args)
      } finally {
        running -= 1
      }
    }
  return {
    ...connection,
    listTools: counted(connection.listTools),
    call: counted(async (request, options) =>
      isOver ? { kind: 'not-sent', failure: { kind: 'unread' } } : connection.call(request, options),
    ),
    offer: counted(connection.offer),
    isOld: true,
    isOver: () => isOver,
  }
}

/** What both transports have in common once they are open. */
function opened(
  client: Client,
  calls: ReturnType<typeof watchCalls>,
  world: McpWorld,
  url: string,
): Omit<McpConnection, 'isOld' | 'isOver'> {
  const { signIn } = world
  const serverInfo = client.getServerVersion()
  const failed = async (error: unknown): Promise<never> => {
    throw new ConnectError(await failureOf(error, world, url))
  }
  return {
    server: {
      version: client.getNegotiatedProtocolVersion() ?? '',
      era: client.getProtocolEra() === 'modern' ? 'modern' : 'legacy',
      name: serverInfo?.title ?? serverInfo?.name ?? '',
    },
    listTools: (ended) => listAll(client, calls, CONNECT_MS, ended).catch(failed),
    call: (request, options) =>
      callOnce(client, calls, request, { ...options, needsSignIn: (error) => isSignInNeeded(error, signIn) }),
    offer: (ask, ended) => anyOffer(client, ask, CONNECT_MS, ended).catch(failed),
    close: () => client.close(),
  }
}

/** The server requires a sign-in, so it ran nothing: 401, or 403 for a sign-in with too few scopes. */
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
  if (error instanceof DOMException && error.name === 'TimeoutError') return { kind: 'timeout' }
  if (isUnread(error)) return { kind: (await isBlocked?.(new URL(url).origin)) ? 'blocked' : 'unread' }
  return { kind: 'not-mcp', message: error instanceof Error ? error.message : String(error) }
}

/** A failed fetch is a TypeError, which the SDK wraps while it negotiates the version. */
const isUnread = (error: unknown, depth = 0): boolean =>
  error instanceof TypeError ||
  (error instanceof Error && /failed to fetch|fetch failed|networkerror|load failed/i.test(error.message)) ||
  (error instanceof Error && depth < 3 && error.cause !== undefined && isUnread(error.cause, depth + 1))
