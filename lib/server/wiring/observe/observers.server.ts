import { monotonicClock, wallClock } from '@/lib/base/clocks'
import { joinObservers, observeStore, type ChatObserver, silentObserver } from '@/lib/server/runs/chat-observer'
import type { ModelId } from '@/lib/shared/models/model'
import type { Settings } from '@/lib/server/settings/settings-table'
import type { Store } from '@/lib/server/store/ports/store'
import { serverBuild, serverVersion } from '../process/build.server'
import type { AddedPackage } from '@/lib/server/python-packages/package-folder'
import { addedPackages } from '../requests/python-packages.server'
import { setTracedRequests } from '../requests/requests.server'
import type { Server } from '../server-parts'
import { answerWorkers, requestFromWorkers } from '../process/workers.server'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { z } from 'zod'
import { releaseFolder } from '../process/serve-app.server'

/** On globalThis: the server is created in one bundle, and routes in all of them report metrics. */
const key = Symbol.for('nod.observer')
const slot = globalThis as typeof globalThis & { [key]?: ChatObserver }

/** The observer of this process; a silent one if no metrics are enabled. */
export const serverObserver = (): ChatObserver => slot[key] ?? silentObserver

export const setObserver = (observer: ChatObserver): void => {
  slot[key] = observer
}

/** A worker that does not respond within this time is left out of the metrics. */
const METRICS_WAIT_MS = 1_000

interface Observers {
  readonly observer: ChatObserver
  /** Returns the store with its calls reported to observers; the store itself if there are none. */
  observe(store: Store): Store
  /** Gives listed models their own label in the metrics. */
  know(models: readonly { readonly id: ModelId }[]): void
  readonly metrics: Server['metrics'] | null
  /** Sends pending data. */
  close(): Promise<void>
}

/** Creates the observers from the settings; their code is loaded only if there are any. */
export async function makeObservers(settings: Settings): Promise<Observers> {
  const metrics = settings.NOD_METRICS_TOKEN === null ? null : await makeMetrics()
  const tracing = settings.OTEL_EXPORTER_OTLP_ENDPOINT === null ? null : await makeTracing(settings)
  const all = [metrics, tracing].flatMap((one) => (one ? [one.observer] : []))
  const observer = joinObservers(all)
  setObserver(observer)
  setTracedRequests(tracing)
  return {
    observer,
    observe: (store) => (all.length === 0 ? store : observeStore(store, observer, monotonicClock)),
    know(models) {
      for (const { id } of models) metrics?.know(id)
    },
    metrics: metrics && metrics.ofAll,
    close: () => tracing?.close() ?? Promise.resolve(),
  }
}

async function makeMetrics() {
  const { createMetrics, mergeMetrics } = await import('./metrics.server')
  const own = createMetrics({ version: serverVersion, build: serverBuild })
  answerWorkers('metrics', () => own.json())
  return { ...own, ofAll: async () => mergeMetrics(await requestFromWorkers('metrics', METRICS_WAIT_MS)) }
}

async function makeTracing(settings: Settings) {
  const { createTracing } = await import('./tracing.server')
  return createTracing({
    endpoint: settings.OTEL_EXPORTER_OTLP_ENDPOINT ?? '',
    headers: settings.OTEL_EXPORTER_OTLP_HEADERS,
    service: settings.OTEL_SERVICE_NAME,
    version: serverVersion,
    ratio: settings.OTEL_TRACES_SAMPLER_ARG,
    now: wallClock,
  })
}

const notice = z.object({
  name: z.string(),
  /** `4.6.7`, or the package that includes it. */
  version: z.string(),
  licence: z.string(),
  /** Where the source is. */
  source: z.string().nullable(),
  /** `the pages`, or paths below `/`. */
  servedIn: z.array(z.string()),
  /** The license with its copyright, or several. */
  text: z.string(),
})

const notices = z.object({ version: z.string(), licence: z.string(), packages: z.array(notice) })

export type NoticesPage = z.infer<typeof notices>

/**
 * The notices that `npm run build` found in its output (`scripts/notices.mjs`), and the Python packages that the
 * operator added; null without a build, as in development.
 */
export async function readNotices(release = releaseFolder()): Promise<NoticesPage | null> {
  const file = path.resolve(/* turbopackIgnore: true */ release, 'notices.json')
  const text = await readFile(/* turbopackIgnore: true */ file, 'utf8').catch(() => null)
  if (text === null) return null
  const built = notices.parse(JSON.parse(text))
  return { ...built, packages: [...built.packages, ...addedPackages().map(noticeOfPackage)] }
}

/** The notice of a Python package that the operator added. */
const noticeOfPackage = ({ name, version, licence, source, sha256, licenceText }: AddedPackage) => ({
  name: `${name} (Python)`,
  version,
  licence,
  source,
  servedIn: [`/api/python/${sha256}`],
  text: licenceText,
})
