import { readFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type createNext from 'next'
import { errorText } from '@/lib/base/app-error'
import { makeError, t } from '@/lib/i18n/t'
import type { AssetManifest } from '@/lib/server/serving/asset'
import { createHttpServer, createAnswerCompression } from '@/lib/server/serving/http-server.server'
import { createAssetServer, withWorkerPolicies } from '@/lib/server/serving/serve-assets.server'
import { trustForwarded, withoutNextTimings, withServiceWorker } from '@/lib/server/serving/next-adapters'
import { answerDirectly } from './direct-routes.server'
import { setEntrance, workIsOver } from './draining.server'
import { logProblem } from '../log/log.server'
import { dropOwnHeaders, missingFile, oddRequest, refuseRequest } from '../requests/odd-requests.server'
import { settingsOrThrow } from '../settings.server'
import { modelWorkerPolicy, mcpWorkerPolicy } from '@/lib/server/http/response-headers'
import type { Settings } from '@/lib/server/settings/settings-table'
import { availableParallelism } from 'node:os'
import { readBind } from '@/lib/server/http/bind'
import { proxyTrust, THIS_MACHINE, type ProxyTrust } from '@/lib/server/http/forwarded'

interface ServeSettings {
  readonly host: string
  readonly port: number
  readonly workers: number
  /** Null: wherever the build stands. */
  readonly basePath: string | null
  readonly trust: ProxyTrust
  /** Headers by which a proxy says who asks; who signs people in by them judges them. In lower case. */
  readonly namedBy: readonly string[]
  readonly graceMs: number
  /** The part of it in which requests are still taken. */
  readonly delayMs: number
}

/** How the server is reached, by how many processes, and whose word on visitors it takes. */
export const serveSettings = (settings: Settings, cores: () => number = availableParallelism): ServeSettings => ({
  host: settings.HOST,
  port: settings.PORT,
  workers: settings.NOD_WORKERS || cores(),
  basePath: settings.NOD_BASE_PATH?.replace(/\/+$/, '') ?? null,
  trust: proxyTrustOf(settings),
  namedBy: settings.NOD_AUTH.some((way) => way.toLowerCase() === 'header')
    ? [settings.NOD_AUTH_HEADER, settings.NOD_AUTH_HEADER_EMAIL].map((name) => name.toLowerCase())
    : [],
  graceMs: settings.NOD_SHUTDOWN_GRACE_MS,
  // No one balances what one person alone can reach.
  delayMs: readBind(settings).isPersonal ? 0 : Math.min(settings.NOD_SHUTDOWN_DELAY_MS, settings.NOD_SHUTDOWN_GRACE_MS),
})

/**
 * Who listens on this machine alone and is asked by other names has a proxy beside it: no one else can reach the port, so its
 * word is taken without being asked for. Whatever else believes a proxy says so in `NOD_TRUST_PROXY`.
 */
export function proxyTrustOf(settings: Settings): ProxyTrust {
  const { isLoopback, allowedHosts } = readBind(settings)
  const isBesideProxy = settings.NOD_TRUST_PROXY === 0 && isLoopback && allowedHosts.length > 0
  return isBesideProxy ? THIS_MACHINE : proxyTrust(settings.NOD_TRUST_PROXY)
}

/** What those workers may reach whose hosts the operator chooses, by path. */
const workerPolicies = (settings: Settings, basePath: string): Readonly<Record<string, string>> => ({
  [`${basePath}/workers/models.js`]: modelWorkerPolicy({
    hosts: settings.NOD_BROWSER_MODELS,
    wasm: false,
    own: false,
  }),
  [`${basePath}/workers/wllama.js`]: modelWorkerPolicy({ hosts: settings.NOD_MODEL_HOSTS, wasm: true }),
})

/** The worker that talks to a tool server may reach the origin that it is asked with. */
const policiesByQuery = (
  settings: Settings,
  basePath: string,
): Readonly<Record<string, (query: URLSearchParams) => string>> => ({
  [`${basePath}/workers/mcp.js`]: (query) => mcpWorkerPolicy(settings.NOD_MCP_HOSTS, query.getAll('to')),
})

/** On globalThis: the entry knows it, pages in Next's bundles ask. */
const key = Symbol.for('nod.release')
const slot = globalThis as typeof globalThis & { [key]?: string }

const holdReleaseFolder = (folder: string): void => {
  slot[key] = folder
}

/** Where the build put what is served; of a development server, where the last build left what it found. */
export const releaseFolder = (): string => slot[key] ?? '.next'

/** After the grace of the replies: for what their last words still need to reach their readers. */
const LAST_WORDS_MS = 5_000

interface Release {
  /** Where the build put Next's own part, under the release's folder. */
  readonly app: string
  /** The path for which it was built. */
  readonly basePath: string
  /** As addresses of files name it. */
  readonly filesHash: string
}

type NextApp = ReturnType<typeof createNext>

const readJson = (...parts: readonly string[]): unknown => JSON.parse(readFileSync(path.join(...parts), 'utf8'))

const readRelease = (folder: string): Release => readJson(folder, 'release.json') as Release

/** Next's request handler on what was built; it opens the store on the way (`instrumentation.ts`). */
async function startNext(folder: string, { host, port, basePath }: ServeSettings): Promise<NextApp> {
  const { app, basePath: built } = readRelease(folder)
  if (basePath !== null && basePath !== built) throw makeError('unavailable', 'serve.base-path', { basePath, built })
  const dir = path.join(folder, app)
  // As Next's own `server.js` of a standalone build does: without it Next looks for the sources of its configuration.
  const { config } = readJson(dir, '.next/required-server-files.json') as { readonly config: unknown }
  Object.assign(process.env, { NODE_ENV: 'production', __NEXT_PRIVATE_STANDALONE_CONFIG: JSON.stringify(config) })
  const { default: next } = await import('next')
  const made = next({ dev: false, dir, hostname: host, port, quiet: true })
  await withoutNextTimings(() => made.prepare())
  return made
}

/** Serves the release in `folder` until it is told to go, by SIGTERM or SIGINT; then finishes what it has begun, and exits. */
export async function serveApp(folder: string, settings: ServeSettings): Promise<void> {
  holdReleaseFolder(folder)
  const { basePath, filesHash } = readRelease(folder)
  const built = readJson(folder, 'assets.json') as AssetManifest
  const known = settingsOrThrow()
  const assets = createAssetServer({
    manifest: withServiceWorker(withWorkerPolicies(built, workerPolicies(known, basePath)), {
      basePath,
      keepsOffline: known.NOD_OFFLINE,
    }),
    folder: path.join(folder, 'assets'),
    version: filesHash,
    policies: policiesByQuery(known, basePath),
  })
  const compress = createAnswerCompression()
  const app = await startNext(folder, settings)
  const answer = app.getRequestHandler()

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      trustForwarded(request, settings.trust, settings.namedBy)
      dropOwnHeaders(request)
      const { method = 'GET', url = '/' } = request
      const odd = oddRequest(method, url, basePath)
      if (odd) return refuseRequest(request, response, odd, basePath)
      if (await assets(request, response)) return
      const missing = missingFile(url, basePath)
      if (missing) return refuseRequest(request, response, missing, basePath)
      const compressed = () => new Promise<void>((resolve) => compress(request, response, resolve))
      if (await answerDirectly(request, response, compressed)) return
      await compressed()
      await answer(request, response)
    } catch (error) {
      logProblem('a request could not be answered', error)
      if (response.headersSent) response.destroy()
      else response.writeHead(500, { 'content-type': 'text/plain' }).end(`${t('serve.broken')}\n`)
    }
  }

  const { listen, drain, closed } = createHttpServer(handle)
  setEntrance(closed)
  await listen(settings).catch((error: unknown) => {
    throw makeError('unavailable', 'serve.not-listening', { why: errorText(error) })
  })

  // The replies hear the signal themselves (`make-server.ts`) and end within the grace, also those that are read at other nodes.
  for (const [signal, delayMs] of [
    ['SIGTERM', settings.delayMs],
    // Someone at a terminal waits for it.
    ['SIGINT', 0],
  ] as const) {
    process.on(signal, () => {
      const patienceMs = settings.graceMs + LAST_WORDS_MS
      void Promise.all([
        drain({ ...(delayMs > 0 && { openUntil: wait(delayMs) }), graceMs: patienceMs }),
        Promise.race([workIsOver(), wait(patienceMs)]),
      ])
        .then(() => app.close())
        .finally(() => process.exit(0))
    })
  }
}
