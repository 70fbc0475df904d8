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
import { dropOwnHeaders, missingFile, refusedRequest, refuseRequest } from '../requests/refused-requests.server'
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
  /** Null: under any path that the build has. */
  readonly basePath: string | null
  readonly trust: ProxyTrust
  /** Headers in which a proxy names the user; the sign-in code checks them. In lower case. */
  readonly namedBy: readonly string[]
  readonly graceMs: number
  /** The part of the grace period in which requests are still accepted. */
  readonly delayMs: number
}

/** Where the server listens, with how many processes, and which proxies it trusts. */
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
  // A server for one person alone has no load balancer.
  delayMs: readBind(settings).isPersonal ? 0 : Math.min(settings.NOD_SHUTDOWN_DELAY_MS, settings.NOD_SHUTDOWN_GRACE_MS),
})

/**
 * A server that listens only on this machine but is requested with other host names has a proxy beside it. Nobody else
 * can reach the port, so that proxy is trusted without being configured. Any other proxy must be set in
 * `NOD_TRUST_PROXY`.
 */
export function proxyTrustOf(settings: Settings): ProxyTrust {
  const { isLoopback, allowedHosts } = readBind(settings)
  const isBesideProxy = settings.NOD_TRUST_PROXY === 0 && isLoopback && allowedHosts.length > 0
  return isBesideProxy ? THIS_MACHINE : proxyTrust(settings.NOD_TRUST_PROXY)
}

/** The policies of workers whose hosts the operator configures, by path. */
const workerPolicies = (settings: Settings, basePath: string): Readonly<Record<string, string>> => ({
  [`${basePath}/workers/models.js`]: modelWorkerPolicy({
    hosts: settings.NOD_BROWSER_MODELS,
    wasm: false,
    own: false,
  }),
  [`${basePath}/workers/wllama.js`]: modelWorkerPolicy({ hosts: settings.NOD_MODEL_HOSTS, wasm: true }),
})

/** The worker for a tool server may connect to the origins in its URL parameters. */
const policiesByQuery = (
  settings: Settings,
  basePath: string,
): Readonly<Record<string, (query: URLSearchParams) => string>> => ({
  [`${basePath}/workers/mcp.js`]: (query) => mcpWorkerPolicy(settings.NOD_MCP_HOSTS, query.getAll('to')),
})

/** On globalThis: the entry sets it, and pages in Next's bundles read it. */
const key = Symbol.for('nod.release')
const slot = globalThis as typeof globalThis & { [key]?: string }

const holdReleaseFolder = (folder: string): void => {
  slot[key] = folder
}

/** The folder of the build's output; for a development server, the one of the last build. */
export const releaseFolder = (): string => slot[key] ?? '.next'

/** Added to the replies' grace period, so that their last events reach the readers. */
const LAST_WORDS_MS = 5_000

interface Release {
  /** Next's own part of the build, within the release's folder. */
  readonly app: string
  /** The path that it was built for. */
  readonly basePath: string
  /** As used in URLs of files. */
  readonly filesHash: string
}

type NextApp = ReturnType<typeof createNext>

const readJson = (...parts: readonly string[]): unknown => JSON.parse(readFileSync(path.join(...parts), 'utf8'))

const readRelease = (folder: string): Release => readJson(folder, 'release.json') as Release

/** Next's request handler for the build; it also opens the store (`instrumentation.ts`). */
async function startNext(folder: string, { host, port, basePath }: ServeSettings): Promise<NextApp> {
  const { app, basePath: built } = readRelease(folder)
  if (basePath !== null && basePath !== built) throw makeError('unavailable', 'serve.base-path', { basePath, built })
  const dir = path.join(folder, app)
  // Like Next's own `server.js` of a standalone build: otherwise Next looks for the sources of its configuration.
  const { config } = readJson(dir, '.next/required-server-files.json') as { readonly config: unknown }
  Object.assign(process.env, { NODE_ENV: 'production', __NEXT_PRIVATE_STANDALONE_CONFIG: JSON.stringify(config) })
  const { default: next } = await import('next')
  const made = next({ dev: false, dir, hostname: host, port, quiet: true })
  await withoutNextTimings(() => made.prepare())
  return made
}

/** Serves the release in `folder` until SIGTERM or SIGINT; then finishes its work and exits. */
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
      const odd = refusedRequest(method, url, basePath)
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

  // The replies handle the signal themselves (`make-server.ts`) and end within the grace period, including those read
  // on other nodes.
  for (const [signal, delayMs] of [
    ['SIGTERM', settings.delayMs],
    // A person at a terminal is waiting for it.
    ['SIGINT', 0],
  ] as const) {
    process.on(signal, () => {
      const timeoutMs = settings.graceMs + LAST_WORDS_MS
      void Promise.all([
        drain({ ...(delayMs > 0 && { openUntil: wait(delayMs) }), graceMs: timeoutMs }),
        Promise.race([workIsOver(), wait(timeoutMs)]),
      ])
        .then(() => app.close())
        .finally(() => process.exit(0))
    })
  }
}
