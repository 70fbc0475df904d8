import { withBase } from '@/lib/base/base-path'
import { monotonicClock, wallClock } from '@/lib/base/clocks'
import { isRecord } from '@/lib/base/json'
import { localStorageOrNull } from '@/lib/base/features.browser'
import { createToolServerApi } from '@/lib/client/api/tool-server-api'
import { createRemoteServer, type RemoteServer } from '@/lib/client/mcp/remote-server'
import { createRelayedServer } from '@/lib/client/mcp/relayed-server'
import { createToolServers } from '@/lib/client/mcp/tool-servers'
import { nameOfOperatorUrl } from '@/lib/shared/mcp/operator-server'
import { personDatabases } from '@/lib/client/browser/person-databases'
import { storageSpace } from '@/lib/client/outbox/outbox'
import { connectedTools, announceToolsOfChat, toolServersKey } from './chat-tools.browser'
import { fetchNoting, pageWho } from '../nod-api.browser'

// Loaded by `import()` when someone has a tool server or views them, so that the first load stays small.

const api = createToolServerApi(fetchNoting)
const wait = (ms: number) => new Promise<void>((resolve) => void setTimeout(resolve, ms))

/** A separate worker for each server: its policy names only the origins that it may reach. */
const openWorker = (url: string): RemoteServer =>
  createRemoteServer((origins) => {
    const to = new URLSearchParams([new URL(url).origin, ...origins].map((origin) => ['to', origin]))
    return new Worker(withBase(`/workers/mcp.js?${to}`), { type: 'module', name: personDatabases(pageWho).signIns })
  })

const openRemote = (url: string): RemoteServer =>
  nameOfOperatorUrl(url) === null ? openWorker(url) : createRelayedServer(api, url, wait)

/** Names of the servers that the operator runs. */
export const operatorServers = () => api.operatorServers()

function note(count: number): void {
  const shared = localStorageOrNull()
  const storage = shared && storageSpace(shared, pageWho)
  if (count > 0) storage?.setItem(toolServersKey, '1')
  else storage?.removeItem(toolServersKey)
}

const usesKey = 'tool-server-uses'

function readUses(): Readonly<Record<string, number>> {
  const shared = localStorageOrNull()
  try {
    const stored: unknown = JSON.parse((shared && storageSpace(shared, pageWho).getItem(usesKey)) ?? '{}')
    return isRecord(stored) ? (stored as Readonly<Record<string, number>>) : {}
  } catch {
    return {}
  }
}

function recordUse(id: string, at: number | null): void {
  const shared = localStorageOrNull()
  const { [id]: _before, ...others } = readUses()
  try {
    if (shared)
      storageSpace(shared, pageWho).setItem(usesKey, JSON.stringify(at === null ? others : { ...others, [id]: at }))
  } catch {
    // The storage is full; the time is only shown.
  }
}

export const toolServers = createToolServers({
  api,
  open: openRemote,
  connected: connectedTools,
  now: wallClock,
  monotonic: monotonicClock,
  wait,
  onTools: announceToolsOfChat,
  onCount: note,
  uses: { of: (id) => readUses()[id] ?? null, note: recordUse },
})
