import { isJsonObject, type JsonObject, type JsonValue } from '@/lib/base/json'
import { makeError } from '@/lib/i18n/t'
import { readToolList } from '@/lib/shared/mcp/tool-page'
import { toolHash } from '@/lib/shared/mcp/compare-tools'
import type { McpTool } from '@/lib/shared/conversation/settings/tool-server'
import type { HostedConnection } from './connect.server'
import type { OperatorServer, PreparedRelay, ToolHost } from './operator-server'
import { createProcesses, poolLimits, type Entry, type PoolLimits, type PoolPorts } from './processes'

/** How long a tool list counts as current. */
const FRESH_MS = 60_000

/** Runs the operator's servers: one per owner, from its first use until it is idle. */
export function createServerPool(
  servers: readonly OperatorServer[],
  ports: PoolPorts,
  limits: PoolLimits = poolLimits,
): ToolHost {
  const { monotonic } = ports
  const processes = createProcesses(servers, ports, limits)
  const callsOf = new Map<string, number>()
  let onRest: (() => void) | null = null

  /** Takes a slot of a running server. The result must be released once. */
  async function enter(owner: string, name: string, signal: AbortSignal) {
    const entry = processes.entryOf(owner, name)
    const calls = callsOf.get(owner) ?? 0
    if (calls >= limits.maxCallsPerOwner) {
      throw makeError('rate-limited', 'chat.relay-calls', { most: limits.maxCallsPerOwner })
    }
    callsOf.set(owner, calls + 1)
    entry.running += 1
    entry.stopIdle()
    let isReleased = false
    const release = () => {
      if (isReleased) return
      isReleased = true
      leave(owner, entry)
    }
    try {
      const connection = await unlessAborted(processes.opened(entry), signal, name)
      return { entry, connection, release }
    } catch (error) {
      release()
      throw error
    }
  }

  function leave(owner: string, entry: Entry): void {
    const calls = (callsOf.get(owner) ?? 1) - 1
    if (calls === 0) callsOf.delete(owner)
    else callsOf.set(owner, calls)
    entry.running -= 1
    entry.usedAt = monotonic()
    if (entry.running === 0) processes.endWhenIdle(entry)
    if (callsOf.size === 0) onRest?.()
  }

  async function listOf(entry: Entry, connection: HostedConnection, signal: AbortSignal) {
    try {
      const { tools, pages } = readToolList(await connection.list(signal))
      entry.tools = { at: monotonic(), tools, pages }
      return entry.tools
    } catch {
      throw makeError('unavailable', 'chat.relay-not-listed', { name: entry.server.name })
    }
  }

  /**
   * Whether the server lists exactly this tool; a recent list counts if it matches. Its page is compared when it is
   * opened.
   */
  async function lists(
    entry: Entry,
    connection: HostedConnection,
    tool: McpTool,
    signal: AbortSignal,
  ): Promise<boolean> {
    const hash = await toolHash(withoutPage(tool))
    const holds = async (list: readonly McpTool[]) => {
      const now = list.find(({ name }) => name === tool.name)
      return now !== undefined && (await toolHash(now)) === hash
    }
    const known = entry.tools
    if (known && monotonic() - known.at < FRESH_MS && (await holds(known.tools))) return true
    return holds((await listOf(entry, connection, signal)).tools)
  }

  const host: ToolHost = {
    names: servers.map(({ name }) => name),

    async list(owner, name, signal) {
      const { entry, connection, release } = await enter(owner, name, signal)
      try {
        const { tools, pages } = await listOf(entry, connection, signal)
        return { server: connection.server, tools, pages: [...pages] }
      } finally {
        release()
      }
    },

    async offer(owner, name, ask, signal) {
      const { entry, connection, release } = await enter(owner, name, signal)
      try {
        if (ask.ask === 'page') {
          // Only what its list names as a page.
          const { pages } = entry.tools ?? (await listOf(entry, connection, signal))
          if (![...pages.values()].includes(ask.uri)) throw makeError('not-found', 'server.nothing-here')
        }
        const offer = await connection.offer(ask, signal).catch((error: unknown) => notOffered(name, error))
        entry.failures = 0
        if (JSON.stringify(offer).length <= limits.maxResultMb * 1_000_000) return offer
        throw makeError('unavailable', 'chat.relay-offer-large', { name, mb: limits.maxResultMb })
      } finally {
        release()
      }
    },

    async prepare(owner, name, tool, signal): Promise<PreparedRelay> {
      const { entry, connection, release } = await enter(owner, name, signal)
      try {
        if (!(await lists(entry, connection, tool, signal))) {
          throw makeError('conflict', 'chat.relay-changed', { name, tool: tool.name })
        }
      } catch (error) {
        release()
        throw error
      }
      return {
        release,
        async call(args, { timeoutMs, ...options }) {
          try {
            const { name: toolName, outputSchema } = tool
            const headers = paramHeaders(tool.inputSchema, args)
            const request = { name: toolName, args, timeoutMs, headers, ...(outputSchema && { outputSchema }) }
            const answer = await connection.call(request, options)
            const tooLarge = { kind: 'too-large', mb: limits.maxResultMb } as const
            if (answer.kind === 'too-large') return tooLarge
            if (answer.kind !== 'answered') return answer
            entry.failures = 0
            const isLarge = JSON.stringify(answer.result).length > limits.maxResultMb * 1_000_000
            return isLarge ? tooLarge : answer
          } finally {
            release()
          }
        },
      }
    },

    async close(graceMs) {
      processes.refuseNew()
      if (callsOf.size > 0 && graceMs > 0) {
        await new Promise<void>((resolve) => {
          const cancel = ports.after(graceMs, resolve)
          onRest = () => {
            cancel()
            resolve()
          }
        })
      }
      await processes.endAll()
    },
  }
  return host
}

function notOffered(name: string, cause: unknown): never {
  // It answered, with other files than it listed.
  const differs = cause instanceof Error && cause.name === 'SkillVerificationError'
  throw makeError('unavailable', differs ? 'skills.server-not-whole' : 'chat.relay-not-offered', { name }, { cause })
}

const withoutPage = ({ page: _page, ...tool }: McpTool): McpTool => tool

/** A start continues if one of its waiting callers aborts. */
async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal, name: string): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>()
  const stop = () => reject(makeError('unavailable', 'chat.relay-stopped'))
  if (signal.aborted) stop()
  signal.addEventListener('abort', stop, { once: true })
  try {
    return await Promise.race([work, promise])
  } catch (error) {
    throw signal.aborted ? error : makeError('unavailable', 'chat.relay-not-started', { name }, { cause: error })
  } finally {
    signal.removeEventListener('abort', stop)
    promise.catch(() => {})
  }
}

/** The syntax of a header name in HTTP. */
const TOKEN = /^[\w!#$%&'*+.^`|~-]{1,100}$/
/** Characters of a header's value that need no encoding; `=?base64?` begins an encoded one. */
const PLAIN = /^(?!=\?base64\?)[\x21-\x7e](?:[\t\x20-\x7e]*[\x21-\x7e])?$/
const MAX_DEPTH = 8

/**
 * Headers that repeat parameters of a call, if a tool of 2026-07-28 marks them in its schema (`x-mcp-header`), for
 * proxies between client and server. Their names all begin with `Mcp-Param-`, so that a server can't set any other.
 * Pages send none: the server's CORS would have to allow each.
 */
export function paramHeaders(schema: JsonObject, args: JsonObject): Readonly<Record<string, string>> {
  const headers: Record<string, string> = {}
  const visit = (part: JsonValue, given: JsonValue, depth: number): void => {
    const properties = isJsonObject(part) ? part['properties'] : null
    if (!isJsonObject(properties ?? null) || !isJsonObject(given) || depth > MAX_DEPTH) return
    for (const [name, one] of Object.entries(properties as JsonObject)) {
      const value = Object.hasOwn(given, name) ? (given[name] ?? null) : null
      const header = isJsonObject(one) ? one['x-mcp-header'] : null
      if (typeof header === 'string' && TOKEN.test(header) && value !== null && typeof value !== 'object') {
        headers[`Mcp-Param-${header}`] = encoded(String(value))
      }
      visit(one, value, depth + 1)
    }
  }
  visit(schema, args, 0)
  return headers
}

function encoded(value: string): string {
  if (PLAIN.test(value)) return value
  const bytes = Array.from(new TextEncoder().encode(value), (byte) => String.fromCodePoint(byte)).join('')
  return `=?base64?${btoa(bytes)}?=`
}
