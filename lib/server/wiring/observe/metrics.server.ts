import { monitorEventLoopDelay, performance } from 'node:perf_hooks'
import { AggregatorRegistry, collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'
import type { ChatObserver } from '@/lib/server/runs/chat-observer'
import type { ModelId } from '@/lib/shared/models/model'
import { metricDescriptions } from '@/lib/shared/server-facts/server-health-facts'
import { isDraining } from '../process/draining.server'

/** The metrics of this process in Prometheus format. */
export interface Metrics {
  readonly observer: ChatObserver
  /** Gives a model its own label from now on; others count together as `other`. */
  know(model: ModelId): void
  /** For `mergeMetrics`: the metrics of one of several processes. */
  json(): Promise<string>
}

const contentType = Registry.PROMETHEUS_CONTENT_TYPE

/** A server with an endless list of models must not create endless series. */
const MAX_MODELS = 100
const OTHER = 'other'

/**
 * Facts about the whole server that the library would drop or add up: the start of its first process, and the limit
 * that each process has.
 */
const ofAllProcesses: Readonly<Record<string, { readonly aggregator: 'min' | 'max' }>> = {
  process_start_time_seconds: { aggregator: 'min' },
  process_max_fds: { aggregator: 'max' },
}

type MetricName = keyof typeof metricDescriptions

const named = (name: MetricName) => ({ name, help: metricDescriptions[name] })

const seconds = (ms: number): number => ms / 1000

/** `version` and `build` are those of the program. */
export function createMetrics({ version, build }: { readonly version: string; readonly build: string }): Metrics {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  observeLoop(registry)
  const program = new Gauge({
    ...named('nod_build_info'),
    labelNames: ['version', 'build', 'node'],
    aggregator: 'max',
    registers,
  })
  program.set({ version, build, node: process.version }, 1)
  registry.registerMetric(
    new Gauge({
      ...named('nod_draining'),
      aggregator: 'max',
      registers: [],
      collect() {
        this.set(isDraining() ? 1 : 0)
      },
    }),
  )

  const known = new Set<ModelId>()
  const labelOf = (model: ModelId): string => (known.has(model) ? model : OTHER)
  const admitted = counter('nod_runs_admitted_total', [])
  const refused = counter('nod_refusals_total', ['reason'])
  const started = counter('nod_runs_started_total', ['model'])
  const ended = counter('nod_runs_ended_total', ['model', 'outcome'])
  const tokens = counter('nod_tokens_total', ['model', 'direction'])
  const running = new Gauge({ ...named('nod_runs_active'), registers })
  const waiting = new Gauge({ ...named('nod_queue_length'), registers })
  const readers = new Gauge({ ...named('nod_event_readers'), registers })
  const firstText = new Histogram({
    ...named('nod_first_text_seconds'),
    labelNames: ['model'],
    buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60],
    registers,
  })
  const runSeconds = new Histogram({
    ...named('nod_run_seconds'),
    labelNames: ['model'],
    buckets: [0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600],
    registers,
  })
  const store = new Histogram({
    ...named('nod_store_call_seconds'),
    labelNames: ['call', 'ok'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5],
    registers,
  })

  function counter<Label extends string>(name: MetricName, labelNames: readonly Label[]): Counter<Label> {
    return new Counter({ ...named(name), labelNames, registers })
  }

  return {
    know(model) {
      if (known.size < MAX_MODELS) known.add(model)
    },
    observer: {
      admitted: () => admitted.inc(),
      refused: (reason) => refused.inc({ reason }),
      started(model) {
        started.inc({ model: labelOf(model) })
        running.inc()
      },
      firstText: (model, ms) => firstText.observe({ model: labelOf(model) }, seconds(ms)),
      ended(model, outcome, usage, ms) {
        const label = labelOf(model)
        running.dec()
        ended.inc({ model: label, outcome })
        runSeconds.observe({ model: label }, seconds(ms))
        tokens.inc({ model: label, direction: 'in' }, usage?.inputTokens ?? 0)
        tokens.inc({ model: label, direction: 'out' }, usage?.outputTokens ?? 0)
      },
      queueLength: (length) => waiting.set(length),
      storeCall: (call, ms, ok) => store.observe({ call, ok: String(ok) }, seconds(ms)),
      readers: (change) => readers.inc(change),
    },
    async json() {
      const metrics = await registry.getMetricsAsJSON()
      return JSON.stringify(metrics.map((one) => ({ ...one, ...ofAllProcesses[one.name] })))
    },
  }
}

/** Measures the delay of the event loop, as the worst value since the last scrape, and its utilization. */
function observeLoop(registry: Registry): void {
  const delay = monitorEventLoopDelay({ resolution: 10 })
  delay.enable()
  registry.registerMetric(
    new Gauge({
      ...named('nod_event_loop_delay_seconds'),
      aggregator: 'max',
      registers: [],
      collect() {
        this.set(delay.count === 0 ? 0 : delay.max / 1e9)
        delay.reset()
      },
    }),
  )
  let before = performance.eventLoopUtilization()
  registry.registerMetric(
    new Gauge({
      ...named('nod_event_loop_utilization'),
      aggregator: 'average',
      registers: [],
      collect() {
        const now = performance.eventLoopUtilization()
        this.set(performance.eventLoopUtilization(now, before).utilization)
        before = now
      },
    }),
  )
}

/**
 * Merges several processes of one server: counts are added, of delays the worst counts. Also used for a single process.
 */
export async function mergeMetrics(
  parts: readonly string[],
): Promise<{ readonly type: string; readonly text: string }> {
  const metrics = parts.map((part) => JSON.parse(part) as object[])
  return { type: contentType, text: await AggregatorRegistry.aggregate(metrics).metrics() }
}
