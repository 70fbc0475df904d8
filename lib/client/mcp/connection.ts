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
import type { StandaloneStreamPorts } from '@/lib/shared/mcp/standalone-stream'
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
/** A test compares it with what the client sends. */
const CALL_HEADER = 'mcp-name'

/**
 * Connects to a streamable HTTP server. `auto` tries the version of 2026 first. Servers whose CORS list is of 2025
 * refuse its headers, which a page sees as a TypeError, so the older version is tried too. Throws `ConnectError`.
 */
export async function connectMcp(
  world: McpWorld,
  { url, era, signal }: { readonly url: string; readonly era: 'auto' | 'legacy'; readonly signal?: AbortSignal },
): Promise<McpConnection> {
  let isUncallable = false
  try {
    const met = await connectAs(world, url, era, signal)
    if (await met.takesCalls(signal)) return met
    isUncallable = true
    await met.close()
  } catch (error) {
    const failure = await failureOf(error, world, url)
    if (era === 'legacy' || failure.kind !== 'unread' || signal?.aborted) throw new ConnectError(failure)
  }
  try {
    return await connectAs(world, url, 'legacy', signal)
  } catch (error) {
    throw new ConnectError(isUncallable ? { kind: 'unread' } : await failureOf(error, world, url))
  }
}

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
  // Always the same capabilities: some servers make their list of tools depend on them.
  const client = new Client(
    { name: 'nod', version: '1' },
    { versionNegotiation: { mode: era }, capabilities, inputRequired: { autoFulfill: false } },
  )
  passQuestions(client, () => calls)
  const fetch = signIn ? signIn.wrap(guarded) : guarded
  const transport = new StreamableHTTPClientTransport(new URL(url), {
    fetch,
    ...(signIn && { authProvider: signIn.provider }),
  })
  const calls = watchCalls(transport)
  const prior: PriorDiscovery | undefined = era === 'legacy' ? { kind: 'legacy' } : undefined
  await client.connect(transport, { timeout: CONNECT_MS, ...(prior && { prior }), ...(signal && { signal }) })
  const version = client.getNegotiatedProtocolVersion() ?? ''
  const serverInfo = client.getServerVersion()
  return {
    server: {
      version,
      era: client.getProtocolEra() === 'modern' ? 'modern' : 'legacy',
      name: serverInfo?.title ?? serverInfo?.name ?? '',
    },
    listTools: (ended) =>
      listAll(client, calls, CONNECT_MS, ended).catch(async (error) => {
        throw new ConnectError(await failureOf(error, world, url))
      }),
    call: (request, options) =>
      callOnce(client, calls, request, { ...options, needsSignIn: (error) => isSignInNeeded(error, signIn) }),
    offer: (ask, ended) =>
      anyOffer(client, ask, CONNECT_MS, ended).catch(async (error) => {
        throw new ConnectError(await failureOf(error, world, url))
      }),
    close: () => client.close(),
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
  if (isUnread(error)) return { kind: (await isBlocked?.(new URL(url).origin)) ? 'blocked' : 'unread' }
  return { kind: 'not-mcp', message: error instanceof Error ? error.message : String(error) }
}

/** A failed fetch is a TypeError, which the SDK wraps while it negotiates the version. */
const isUnread = (error: unknown, depth = 0): boolean =>
  error instanceof TypeError ||
  (error instanceof Error && /failed to fetch|fetch failed|networkerror|load failed/i.test(error.message)) ||
  (error instanceof Error && depth < 3 && error.cause !== undefined && isUnread(error.cause, depth + 1))
