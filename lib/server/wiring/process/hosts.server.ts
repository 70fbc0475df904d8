import { networkInterfaces } from 'node:os'
import { createOwnRate, createSharedRate } from '@/lib/server/quota/rate'
import type { Settings } from '@/lib/server/settings/settings-table'
import type { Store } from '@/lib/server/store/ports/store'
import type { WebHost } from '@/lib/server/web/web-host'
import type { WebAccess } from '@/lib/shared/web/web-answer'
import { createHash } from 'node:crypto'
import { monotonicClock } from '@/lib/base/clocks'
import type { OperatorServer, ToolHost } from '@/lib/server/tool-servers/operator-server'
import { logLine } from '../log/log.server'

const HOUR_MS = 3_600_000
/** Per host: a few pages at once, then one every two seconds. */
const hostRate = { burst: 6, perSecond: 0.5 }

type WebSettings = Pick<Settings, 'NOD_READ_PAGES' | 'NOD_SEARCH_URL'>

/** What the operator enabled. */
export const webAccess = ({ NOD_READ_PAGES: pages, NOD_SEARCH_URL: search }: WebSettings): ReadonlySet<WebAccess> =>
  new Set<WebAccess>([...(pages === 'off' ? [] : ['pages' as const]), ...(search === null ? [] : ['search' as const])])

interface WebParts {
  /** The clock that all nodes share. */
  readonly now: () => number
  readonly take: Store['takeQuota']
}

/**
 * Creates the host that reads pages and searches the web; null if the operator allows neither: then none of its code is
 * loaded.
 */
export async function makeWebHost(settings: Settings, { now, take }: WebParts): Promise<WebHost | null> {
  const access = webAccess(settings)
  if (access.size === 0) return null
  const [{ createReach }, { createWebHost }, { fetchPage }, { networkPorts }] = await Promise.all([
    import('@/lib/server/web/reach'),
    import('@/lib/server/web/web-host'),
    import('@/lib/server/web/fetch-page.server'),
    import('@/lib/server/web/dial.server'),
  ])
  const { NOD_READ_PAGES: mode, NOD_SEARCH_URL: searchUrl, NOD_WEB_PER_HOUR: limit } = settings
  const perOwner = createSharedRate({ name: 'web', windowMs: HOUR_MS, limit, share: 1, now, take })
  return createWebHost({
    reach:
      mode === 'off'
        ? null
        : createReach({
            mode,
            hosts: settings.NOD_READ_HOSTS,
            own: { names: ownNames(settings), addresses: ownAddresses, port: settings.PORT },
          }),
    search: searchUrl === null ? null : { url: searchUrl, key: settings.NOD_SEARCH_KEY },
    fetchPage: (request) => fetchPage(request, networkPorts),
    ofOwner: (owner) => perOwner.wait(owner),
    ofHost: createOwnRate({ ...hostRate, monotonic: monotonicClock }),
    note: (line) => logLine('info', line),
  })
}

/** The names of this server. */
const ownNames = ({ NOD_ALLOWED_HOSTS: allowed, HOST: host }: Settings): ReadonlySet<string> =>
  new Set([...allowed, host].map((name) => name.toLowerCase().replace(/:\d+$/, '')))

const ownAddresses = (): ReadonlySet<string> =>
  new Set(Object.values(networkInterfaces()).flatMap((list) => (list ?? []).map(({ address }) => address)))

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
