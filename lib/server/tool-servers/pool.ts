import { makeError } from '@/lib/i18n/t'
import { readTools } from '@/lib/shared/mcp/read-tools'
import { toolHash } from '@/lib/shared/mcp/tool-hash'
import type { McpTool } from '@/lib/shared/conversation/settings/tool-server'
import type { HostedConnection, Opening } from './connect.server'
import type { OperatorServer, PreparedRelay, ToolHost } from './operator-server'

export interface PoolLimits {
  /** Connections and processes of this process, and of one owner in it. A shared one belongs to nobody. */
  readonly maxOpen: number
  readonly maxOpenPerOwner: number
  readonly maxCallsPerOwner: number
  readonly idleMs: number
  /** A result, as JSON. */
  readonly maxResultMb: number
}

export const poolLimits: PoolLimits = {
  maxOpen: 40,
  maxOpenPerOwner: 6,
  maxCallsPerOwner: 8,
  idleMs: 5 * 60_000,
  maxResultMb: 4,
}

/** After its n-th end in a row a server rests twice as long as before. */
const FIRST_REST_MS = 500
const MAX_REST_MS = 60_000
/** A shorter rest is waited for, a longer one is said. */
const PATIENCE_MS = 2_000
/** How long a list is taken for that of now. */
const FRESH_MS = 60_000
/** Servers that ended are remembered for their rest. */
const MAX_REMEMBERED = 1_000

export interface PoolPorts {
  readonly open: (server: OperatorServer, opening: Opening) => Promise<HostedConnection>
  readonly monotonic: () => number
  /** Gives what cancels it. */
  readonly after: (ms: number, task: () => void) => () => void
  /** What `${NOD_OWNER}` stands for. */
  readonly markOf: (owner: string) => string
  readonly log: (message: string) => void
}

/** A server as it runs for one owner, or for all. */
interface Entry {
  readonly server: OperatorServer
  /** '' if it is shared. */
  readonly owner: string
  opening: Promise<HostedConnection> | null
  /** Null as long as it starts, too. */
  connection: HostedConnection | null
  tools: { readonly at: number; readonly list: readonly McpTool[] } | null
  running: number
  usedAt: number
  stopIdle: () => void
  /** Ends in a row that nobody asked for. */
  failures: number
  notBefore: number
}

/** Runs the operator's servers: one for each owner, from its first use until it is idle. */
export function createServerPool(
  servers: readonly OperatorServer[],
  ports: PoolPorts,
  limits: PoolLimits = poolLimits,
): ToolHost {
  const { monotonic } = ports
  const entries = new Map<string, Entry>()
  const callsOf = new Map<string, number>()
  const closing = new AbortController()
  let onRest: (() => void) | null = null

  const isOpen = (entry: Entry) => entry.opening !== null
  const restMs = (entry: Entry) => Math.max(0, entry.notBefore - monotonic())

  function entryOf(owner: string, name: string): Entry {
    const server = servers.find((one) => one.name === name)
    if (!server) throw makeError('not-found', 'chat.relay-unknown', { name })
    if (closing.signal.aborted || onRest) throw makeError('unavailable', 'chat.relay-closing')
    // An address is connected to for each owner: its session is theirs.
    const whose = server.kind === 'stdio' && server.isShared ? '' : owner
    const key = `${name} ${whose}`
    const known = entries.get(key)
    if (known) return known
    forgetOld()
    const entry: Entry = {
      server,
      owner: whose,
      opening: null,
      connection: null,
      tools: null,
      running: 0,
      usedAt: monotonic(),
      stopIdle: () => {},
      failures: 0,
      notBefore: 0,
    }
    entries.set(key, entry)
    return entry
  }

  function forgetOld(): void {
    if (entries.size < MAX_REMEMBERED) return
    for (const [key, entry] of entries) if (!isOpen(entry) && restMs(entry) === 0) entries.delete(key)
  }

  /** Ends idle servers until one more fits; refuses where all are busy. */
  function makeRoom({ owner }: Entry): readonly Promise<void>[] {
    const ended: Promise<void>[] = []
    const within = (ofOwner: boolean, most: number) => {
      const open = [...entries.values()].filter((one) => isOpen(one) && (!ofOwner || one.owner === owner))
      if (open.length < most) return
      const [idle] = open.filter((one) => one.running === 0).toSorted((a, b) => a.usedAt - b.usedAt)
      if (!idle) throw makeError('rate-limited', ofOwner ? 'chat.relay-busy-owner' : 'chat.relay-busy')
      ended.push(end(idle))
    }
    if (owner !== '') within(true, limits.maxOpenPerOwner)
    within(false, limits.maxOpen)
    return ended
  }

  function failed(entry: Entry, stderr: string): void {
    entry.opening = null
    entry.connection = null
    entry.tools = null
    entry.failures += 1
    entry.notBefore = monotonic() + Math.min(MAX_REST_MS, FIRST_REST_MS * 2 ** (entry.failures - 1))
    ports.log(`the tool server ${entry.server.name} ended${stderr === '' ? '' : `: ${stderr.trim().slice(-1_000)}`}`)
  }

  function opened(entry: Entry): Promise<HostedConnection> {
    if (entry.opening) return entry.opening
    const rest = restMs(entry)
    const { name } = entry.server
    if (rest > PATIENCE_MS) {
      throw makeError('unavailable', 'chat.relay-resting', { name, seconds: Math.ceil(rest / 1_000) })
    }
    const ended = makeRoom(entry)
    const opening = (async () => {
      await Promise.all(ended)
      if (rest > 0) await new Promise<void>((resolve) => void ports.after(rest, resolve))
      const onEnd = (stderr: string) => {
        if (entry.opening === opening) failed(entry, stderr)
      }
      const connection = await ports.open(entry.server, {
        owner: ports.markOf(entry.owner),
        signal: closing.signal,
        onEnd,
      })
      entry.connection = connection
      return connection
    })()
    entry.opening = opening
    opening.catch((error: unknown) => {
      if (entry.opening === opening) failed(entry, whyOf(error))
    })
    return opening
  }

  /** Ends it now; the next use starts it again. */
  async function end(entry: Entry): Promise<void> {
    const { opening } = entry
    entry.stopIdle()
    entry.opening = null
    entry.connection = null
    entry.tools = null
    entry.failures = 0
    await opening?.then((connection) => connection.close()).catch(() => {})
  }

  /** Takes a place at a server that runs. What it gives back must be released, once. */
  async function enter(owner: string, name: string, signal: AbortSignal) {
    const entry = entryOf(owner, name)
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
      const connection = await unlessAborted(opened(entry), signal, name)
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
    if (entry.running === 0 && isOpen(entry)) entry.stopIdle = ports.after(limits.idleMs, () => void end(entry))
    if (callsOf.size === 0) onRest?.()
  }

  async function listOf(entry: Entry, connection: HostedConnection, signal: AbortSignal): Promise<readonly McpTool[]> {
    try {
      const list = readTools(await connection.list(signal))
      entry.tools = { at: monotonic(), list }
      return list
    } catch {
      throw makeError('unavailable', 'chat.relay-not-listed', { name: entry.server.name })
    }
  }

  /** Whether the server lists exactly this tool; what was listed a moment ago counts if it agrees. */
  async function lists(
    entry: Entry,
    connection: HostedConnection,
    tool: McpTool,
    signal: AbortSignal,
  ): Promise<boolean> {
    const hash = await toolHash(tool)
    const holds = async (list: readonly McpTool[]) => {
      const now = list.find(({ name }) => name === tool.name)
      return now !== undefined && (await toolHash(now)) === hash
    }
    const known = entry.tools
    if (known && monotonic() - known.at < FRESH_MS && (await holds(known.list))) return true
    return holds(await listOf(entry, connection, signal))
  }

  const host: ToolHost = {
    names: servers.map(({ name }) => name),

    async list(owner, name, signal) {
      const { entry, connection, release } = await enter(owner, name, signal)
      try {
        return { server: connection.server, tools: await listOf(entry, connection, signal) }
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
            const answer = await connection.call({ name: tool.name, args, timeoutMs }, options)
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
      if (callsOf.size > 0 && graceMs > 0) {
        await new Promise<void>((resolve) => {
          const cancel = ports.after(graceMs, resolve)
          onRest = () => {
            cancel()
            resolve()
          }
        })
      }
      closing.abort()
      await Promise.all([...entries.values()].map(end))
      entries.clear()
    },
  }
  return host
}

const whyOf = (error: unknown): string => {
  const { message = '', stderr = '' } = error as { readonly message?: string; readonly stderr?: string }
  return stderr === '' ? message : stderr
}

/** A start goes on when one of those who wait for it leaves. */
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
