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
import { SkillsClient, type Skill } from '@modelcontextprotocol/client/ext/skills'
import { mostSkill } from '@/lib/shared/skills/skill'
import { type Offer, type OfferRequest, type OfferedSkill, offerOf } from '@/lib/shared/mcp/offers'
import './jitless'
import type { CallAnswer, CallRequest, ConnectedServer, ConnectFailure, ListedTool } from '@/lib/shared/mcp/call-answer'
import { guardedFetch } from '@/lib/shared/mcp/guarded-fetch'
import type { StandaloneStreamPorts } from '@/lib/shared/mcp/standalone-stream'
import { callOnce, capabilities, listAll, passQuestions, watchCalls, type CallOptions } from '@/lib/shared/mcp/session'
import type { SignIn } from '@/lib/client/mcp/sign-in/sign-in'

/*
 * Skills of a server (SEP-2640), requested by the user and copied into a chat, where they wait for an approval like any
 * other. The SDK checks each file against the size and the digest in the server's own entry.
 */

const nothing: Offer = { prompts: [], resources: [], pieces: [] }
const MAX_SKILLS = 100
const MAX_ABOUT = 1_024

type Asked = Extract<OfferRequest, { readonly ask: 'skills' | 'skill' }>

/** Rejects as the SDK does, also if a file differs from its entry. */
export async function skillsOffer(
  client: Client,
  asked: Asked,
  options: { readonly timeout: number; readonly signal?: AbortSignal },
): Promise<Offer> {
  const skills = new SkillsClient(client, { skipInvalid: true })
  if (!skills.supported) return { ...nothing, skills: [] }
  if (asked.ask === 'skills') {
    const { skills: listed } = await skills.list({}, options)
    return { ...nothing, skills: listed.slice(0, MAX_SKILLS).flatMap(offeredOf) }
  }
  const { skill } = await skills.get(asked.uri, options)
  if (offeredOf(skill).length === 0 || skill.resources === 'dynamic') return { ...nothing, files: [] }
  const root = skill.uri.slice(0, skill.uri.lastIndexOf('/') + 1)
  const files: { path: string; base64: string }[] = []
  for (const { uri } of skill.resources) {
    const { bytes } = await skills.read(skill, uri, options)
    files.push({ path: decodeURIComponent(uri.slice(root.length)), base64: base64Of(bytes) })
  }
  return { ...nothing, files }
}

/** Files that may change each time can't be approved, and large ones are no skills. */
function offeredOf({ uri, frontmatter, resources }: Skill): readonly OfferedSkill[] {
  if (resources === 'dynamic') return []
  const bytes = resources.reduce((sum, { size }) => sum + size, 0)
  if (resources.length > mostSkill.files || bytes > mostSkill.bytes) return []
  const { name, description } = frontmatter
  return [{ uri, name, about: description.slice(0, MAX_ABOUT), files: resources.length, bytes }]
}

/** In pieces: the arguments of one function call are limited. */
function base64Of(bytes: Uint8Array): string {
  let text = ''
  for (let at = 0; at < bytes.length; at += 8_192) text += String.fromCharCode(...bytes.subarray(at, at + 8_192))
  return btoa(text)
}

// The only page code that knows the SDK, besides the files of `sign-in/`; the code after a transport is open is in
// `session.ts`.

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

function offered(client: Client, ask: OfferRequest, signal?: AbortSignal): Promise<Offer> {
  if (ask.ask !== 'skills' && ask.ask !== 'skill') return offerOf(client, ask, CONNECT_MS, signal)
  return skillsOffer(client, ask, { timeout: CONNECT_MS, ...(signal && { signal }) })
}

/**
 * Connects to a streamable HTTP server. `auto` tries the version of 2026 first. Servers whose CORS list is of 2025
 * refuse its headers, which a page sees as a TypeError, so the older version is tried too. Throws `ConnectError`.
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
      offered(client, ask, ended).catch(async (error) => {
        throw new ConnectError(await failureOf(error, world, url))
      }),
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
  if (isUnread(error)) return { kind: (await isBlocked?.(new URL(url).origin)) ? 'blocked' : 'unread' }
  return { kind: 'not-mcp', message: error instanceof Error ? error.message : String(error) }
}

/** A failed fetch is a TypeError, which the SDK wraps while it negotiates the version. */
const isUnread = (error: unknown, depth = 0): boolean =>
  error instanceof TypeError ||
  (error instanceof Error && /failed to fetch|fetch failed|networkerror|load failed/i.test(error.message)) ||
  (error instanceof Error && depth < 3 && error.cause !== undefined && isUnread(error.cause, depth + 1))
