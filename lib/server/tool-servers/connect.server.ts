import { mkdir } from 'node:fs/promises'
import { Client, SdkHttpError, StreamableHTTPClientTransport, type Transport } from '@modelcontextprotocol/client'
import type { CallAnswer, CallRequest, ConnectedServer, ListedTool } from '@/lib/shared/mcp/call-answer'
import { guardedFetch } from '@/lib/shared/mcp/guarded-fetch'
import type { Offer, OfferRequest } from '@/lib/shared/mcp/offers'
import { anyOffer } from '@/lib/shared/mcp/server-skills'
import { isOlderRefusal, NotMet, oldTransport } from '@/lib/shared/mcp/old-transport'
import { callOnce, capabilities, listAll, passQuestions, watchCalls, type CallOptions } from '@/lib/shared/mcp/session'
import { OWNER, type OperatorServer } from './operator-server'
import { ProcessTransport } from './process-transport.server'

/* On the server, only this file and `process-transport.server.ts` import the SDK. */

/** A connected server. */
export interface HostedConnection {
  readonly server: ConnectedServer
  /** Rejects like the SDK. */
  list(signal: AbortSignal): Promise<readonly ListedTool[]>
  /** Never rejects and never sends a call twice. */
  call(request: CallRequest, options: CallOptions): Promise<CallAnswer>
  /** What it offers to people. Rejects like the SDK. */
  offer(ask: OfferRequest, signal: AbortSignal): Promise<Offer>
  /** Resolves when its process is gone. */
  close(): Promise<void>
}

export interface Opening {
  /** Replaces `${NOD_OWNER}`. */
  readonly owner: string
  readonly signal: AbortSignal
  /** It ended by itself. `stderr`: its last error output; '' for a server with a URL. */
  readonly onEnd: (stderr: string) => void
}

/** Thrown if a server does not start. */
export class NotStarted extends Error {
  readonly stderr: string
  constructor(cause: unknown, stderr: string) {
    super(cause instanceof Error ? cause.message : String(cause), { cause })
    this.name = 'NotStarted'
    this.stderr = stderr
  }
}

/** `npx` may have to download its package first. */
const START_MS = 60_000
const LIST_MS = 15_000

export interface HostWorld {
  readonly fetch: typeof globalThis.fetch
  /** The environment of this app; a program gets its `PATH` and `HOME`. */
  readonly env: Readonly<Record<string, string | undefined>>
}

/** Starts a program, or connects to a URL. Rejects with `NotStarted`. */
export const connectServer = (world: HostWorld, server: OperatorServer, opening: Opening): Promise<HostedConnection> =>
  server.kind === 'stdio' ? connectProcess(world, server, opening) : connectAddress(world, server, opening)

async function connectProcess(
  { env }: HostWorld,
  server: Extract<OperatorServer, { kind: 'stdio' }>,
  opening: Opening,
): Promise<HostedConnection> {
  const { command, args, folder } = server
  const named = (text: string) => text.replaceAll(OWNER, opening.owner)
  const own = folder === null ? null : named(folder)
  if (own !== null && own !== folder) await mkdir(own, { recursive: true, mode: 0o700 })
  const transport = new ProcessTransport(
    {
      command,
      args: args.map(named),
      env: {
        ...inherited(env),
        ...Object.fromEntries(Object.entries(server.env).map(([name, value]) => [name, named(value)])),
      },
      folder: own,
    },
    {
      onResult: (id, result) => calls.keep(id, result),
      onTooLarge: () => calls.loseAll('too-large'),
    },
  )
  const calls = watchCalls(transport)
  // Never `auto`: asking for the version would start a second process.
  return open(transport, { calls, mode: 'legacy', opening, stderr: () => transport.stderr })
}

const inherited = (env: HostWorld['env']): Record<string, string> =>
  Object.fromEntries(['PATH', 'HOME'].flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]])))

async function connectAddress(
  { fetch }: HostWorld,
  { url, headers }: Extract<OperatorServer, { kind: 'http' }>,
  opening: Opening,
): Promise<HostedConnection> {
  const own = Object.entries(headers).map(([name, value]) => [name, value.replaceAll(OWNER, opening.owner)] as const)
  const withOwn: typeof globalThis.fetch = (input, init) => {
    const all = new Headers(init?.headers)
    for (const [name, value] of own) all.set(name, value)
    return fetch(input, { ...init, headers: all })
  }
  const guarded = guardedFetch({
    fetch: withOwn,
    to: new URL(url).origin,
    onLost: (id, why) => calls.of(id)?.lose(why),
    onResult: (id, result) => calls.keep(id, result),
    overOf: (id) => calls.of(id)?.over,
    inFewTabs: (work) => work(),
    onQuestion: (id, question) => calls.noteQuestion(id, question),
  })
  const transport = new StreamableHTTPClientTransport(new URL(url), { fetch: guarded })
  const calls = watchCalls(transport)
  try {
    return await open(transport, { calls, mode: 'auto', opening, stderr: () => '' })
  } catch (error) {
    const isRefused = error instanceof NotStarted && SdkHttpError.isInstance(error.cause)
    if (!isRefused || !isOlderRefusal((error.cause as SdkHttpError).status)) throw error
    return await connectOld(withOwn, url, opening).catch((old: unknown) => {
      throw old instanceof NotMet ? error : old
    })
  }
}

async function connectOld(fetch: typeof globalThis.fetch, url: string, opening: Opening): Promise<HostedConnection> {
  let isMet = false
  const transport = oldTransport(new URL(url), {
    fetch,
    overOf: (id) => calls.of(id)?.over,
    onResult: (id, result) => calls.keep(id, result),
    onMet: () => void (isMet = true),
    onEnd(why) {
      calls.loseAll(why)
      void transport.close().catch(() => {})
    },
  })
  const calls = watchCalls(transport)
  return open(transport, { calls, mode: 'legacy', opening, stderr: () => '' }).catch((error: unknown) => {
    throw isMet ? error : new NotMet()
  })
}

interface Open {
  readonly calls: ReturnType<typeof watchCalls>
  readonly mode: 'auto' | 'legacy'
  readonly opening: Opening
  readonly stderr: () => string
}

async function open(
  transport: Transport,
  { calls, mode, opening: { signal, onEnd }, stderr }: Open,
): Promise<HostedConnection> {
  const client = new Client(
    { name: 'nod', version: '1' },
    { versionNegotiation: { mode }, capabilities, inputRequired: { autoFulfill: false } },
  )
  passQuestions(client, () => calls)
  let isOpen = false
  let isAsked = false
  client.onclose = () => {
    if (isOpen && !isAsked) onEnd(stderr())
    isOpen = false
  }
  try {
    await client.connect(transport, {
      timeout: START_MS,
      signal,
      ...(mode === 'legacy' && { prior: { kind: 'legacy' } as const }),
    })
  } catch (error) {
    await transport.close().catch(() => {})
    throw new NotStarted(error, stderr())
  }
  isOpen = true
  const serverInfo = client.getServerVersion()
  return {
    server: {
      version: client.getNegotiatedProtocolVersion() ?? '',
      era: client.getProtocolEra() === 'modern' ? 'modern' : 'legacy',
      name: serverInfo?.title ?? serverInfo?.name ?? '',
    },
    list: (ended) => listAll(client, calls, LIST_MS, ended),
    call: (request, options) => callOnce(client, calls, request, options),
    offer: (ask, ended) => anyOffer(client, ask, LIST_MS, ended),
    async close() {
      isAsked = true
      await client.close()
    },
  }
}
