import { makeError } from '@/lib/i18n/t'
import type { ToolList } from '@/lib/shared/mcp/tool-page'
import type { HostedConnection, Opening } from './connect.server'
import type { OperatorServer } from './operator-server'

export interface PoolLimits {
  /** Limits on connections and processes of this process, in total and per owner. A shared one belongs to no owner. */
  readonly maxOpen: number
  readonly maxOpenPerOwner: number
  readonly maxCallsPerOwner: number
  readonly idleMs: number
  /** The largest result, as JSON. */
  readonly maxResultMb: number
}

export const poolLimits: PoolLimits = {
  maxOpen: 40,
  maxOpenPerOwner: 6,
  maxCallsPerOwner: 8,
  idleMs: 5 * 60_000,
  maxResultMb: 4,
}

/** The delay before a restart, which doubles after each crash in a row. */
const FIRST_REST_MS = 500
const MAX_REST_MS = 60_000
/** A shorter delay is waited for, a longer one is reported. */
const PATIENCE_MS = 2_000
/** How many ended servers are remembered for their delay. */
const MAX_REMEMBERED = 1_000

export interface PoolPorts {
  readonly open: (server: OperatorServer, opening: Opening) => Promise<HostedConnection>
  readonly monotonic: () => number
  /** Returns a function that cancels the task. */
  readonly after: (ms: number, task: () => void) => () => void
  /** The value of `${NOD_OWNER}`. */
  readonly markOf: (owner: string) => string
  readonly log: (message: string) => void
}

/** A server for one owner, or for all. */
export interface Entry {
  readonly server: OperatorServer
  /** '' if it is shared. */
  readonly owner: string
  /** Null: it is neither running nor starting. */
  opening: Promise<HostedConnection> | null
  tools: ({ readonly at: number } & Pick<ToolList, 'tools' | 'pages'>) | null
  running: number
  usedAt: number
  stopIdle: () => void
  /** Consecutive unexpected ends. */
  failures: number
  notBefore: number
}

/** Tracks which of the operator's servers run, for which owner, and how long a crashed one is delayed. */
export function createProcesses(servers: readonly OperatorServer[], ports: PoolPorts, limits: PoolLimits) {
  const { monotonic } = ports
  const entries = new Map<string, Entry>()
  const closing = new AbortController()
  let isClosing = false

  const isOpen = (entry: Entry) => entry.opening !== null
  const restMs = (entry: Entry) => Math.max(0, entry.notBefore - monotonic())

  function entryOf(owner: string, name: string): Entry {
    const server = servers.find((one) => one.name === name)
    if (!server) throw makeError('not-found', 'chat.relay-unknown', { name })
    if (isClosing) throw makeError('unavailable', 'chat.relay-closing')
    // A URL is connected to once per owner, because its session belongs to the owner.
    const whose = server.kind === 'stdio' && server.isShared ? '' : owner
    const key = `${name} ${whose}`
    const known = entries.get(key)
    if (known) return known
    forgetOld()
    const entry: Entry = {
      server,
      owner: whose,
      opening: null,
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

  /** Ends idle servers until one more fits; refuses if all are busy. */
  function makeSpace({ owner }: Entry): readonly Promise<void>[] {
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
    const ended = makeSpace(entry)
    const opening = (async () => {
      await Promise.all(ended)
      if (rest > 0) await new Promise<void>((resolve) => void ports.after(rest, resolve))
      const onEnd = (stderr: string) => {
        if (entry.opening === opening) failed(entry, stderr)
      }
      return ports.open(entry.server, {
        owner: ports.markOf(entry.owner),
        signal: closing.signal,
        onEnd,
      })
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
    entry.tools = null
    entry.failures = 0
    await opening?.then((connection) => connection.close()).catch(() => {})
  }

  return {
    /** The server with this name for this owner, running or not. Throws AppError. */
    entryOf,
    /** Starts it if it is not running. Throws AppError if that is not allowed. */
    opened,
    endWhenIdle(entry: Entry): void {
      if (isOpen(entry)) entry.stopIdle = ports.after(limits.idleMs, () => void end(entry))
    },
    /** Starts nothing new from now on. */
    refuseNew: () => void (isClosing = true),
    async endAll(): Promise<void> {
      closing.abort()
      await Promise.all([...entries.values()].map(end))
      entries.clear()
    },
  }
}

const whyOf = (error: unknown): string => {
  const { message = '', stderr = '' } = error as { readonly message?: string; readonly stderr?: string }
  return stderr === '' ? message : stderr
}
