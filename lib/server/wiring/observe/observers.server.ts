import { monotonicClock, wallClock } from '@/lib/base/clocks'
import { joinObservers, observeStore, type ChatObserver } from '@/lib/server/runs/chat-observer'
import type { ModelId } from '@/lib/shared/models/model'
import type { Settings } from '@/lib/server/settings/settings-table'
import type { Store } from '@/lib/server/store/ports/store'
import { serverBuild, serverVersion } from '../process/build.server'
import { setObserver } from './observer.server'
import { setTracedRequests } from '../requests/requests.server'
import type { Server } from '../server-parts'
import { answerWorkers, askWorkers } from '../process/workers.server'

/** A worker that does not answer for so long is left out of the numbers. */
const METRICS_WAIT_MS = 1_000

interface Observers {
  readonly observer: ChatObserver
  /** The same store, its calls told to whoever listens; itself where nobody does. */
  observe(store: Store): Store
  /** Models that are listed have a name in the metrics. */
  know(models: readonly { readonly id: ModelId }[]): void
  readonly metrics: Server['metrics'] | null
  /** Sends what waits to be sent. */
  close(): Promise<void>
}

/** Who listens to this process, by the settings; nothing of it is loaded where nobody does. */
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
  return { ...own, ofAll: async () => mergeMetrics(await askWorkers('metrics', METRICS_WAIT_MS)) }
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
