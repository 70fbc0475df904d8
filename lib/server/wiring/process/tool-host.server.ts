import { createHash } from 'node:crypto'
import { monotonicClock } from '@/lib/base/clocks'
import type { OperatorServer, ToolHost } from '@/lib/server/tool-servers/operator-server'
import { logLine } from '../log/log.server'

/** Creates the host of the operator's tool servers; null if there are none: then none of its code is loaded. */
export async function makeToolHost(servers: readonly OperatorServer[]): Promise<ToolHost | null> {
  if (servers.length === 0) return null
  const { createServerPool } = await import('@/lib/server/tool-servers/pool')
  return createServerPool(servers, {
    async open(server, opening) {
      const { connectServer } = await import('@/lib/server/tool-servers/connect.server')
      return connectServer({ fetch: (input, init) => fetch(input, init), env: process.env }, server, opening)
    },
    monotonic: monotonicClock,
    after(ms, task) {
      const timer = setTimeout(task, ms)
      return () => clearTimeout(timer)
    },
    // Depends only on the owner, so it stays the same when this app's secret changes.
    markOf: (owner) => createHash('sha256').update(`tool servers of ${owner}`).digest('hex').slice(0, 32),
    log: (message) => logLine('warn', message),
  })
}
