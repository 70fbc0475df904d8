import { monitorEventLoopDelay, performance } from 'node:perf_hooks'
import { AggregatorRegistry, collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'
import type { ChatObserver } from '@/lib/chat/chat-observer'
import type { ModelId } from '@/lib/models/model'
import { isDraining } from './draining.server'

/** The numbers of this process, as Prometheus reads them. */
export interface Metrics {
  readonly observer: ChatObserver
  /** A model may be named from now on; others count together as `other`. */
  know(model: ModelId): void
  /** For `mergeMetrics`: what one of several processes has counted. */
  json(): Promise<string>
}

const contentType = Registry.PROMETHEUS_CONTENT_TYPE

/** A server that lists models without end must not make series without end. */
const MAX_MODELS = 100
const OTHER = 'other'

const seconds = (ms: number): number => ms / 1000

/** `version` and `build` are those of the program. */
export function createMetrics({ version, build }: { readonly version: string; readonly build: string }): Metrics {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  observeLoop(registry)
  const program = new Gauge({
    name: 'nod_build_info',
    help: 'The program that runs; always 1.',
    labelNames: ['version', 'build', 'node'],
    aggregator: 'max',
    registers,
  })
  program.set({ version, build, node: process.version }, 1)
  registry.registerMetric(
    new Gauge({
      name: 'nod_draining',
      help: '1 from the signal to go on.',
      aggregator: 'max',
      registers: [],
      collect() {
        this.set(isDraining() ? 1 : 0)
      },
    }),
  )

  const known = new Set<ModelId>()
  const labelOf = (model: ModelId): string => (known.has(model) ? model : OTHER)
  const admitted = counter('nod_runs_admitted_total', 'Replies that got a place.', [])
  const refused = counter('nod_refusals_total', 'What was refused, by reason.', ['reason'])
  const started = counter('nod_runs_started_total', 'Replies that were begun, by model.', ['model'])
  const ended = counter('nod_runs_ended_total', 'Replies that ended, by model and outcome.', ['model', 'outcome'])
  const tokens = counter('nod_tokens_total', 'Tokens that models counted, by model and direction.', [
    'model',
    'direction',
  ])
  const running = new Gauge({ name: 'nod_runs_active', help: 'Replies that are being written.', registers })
  const waiting = new Gauge({ name: 'nod_queue_length', help: 'Replies that wait for a place.', registers })
  const readers = new Gauge({ name: 'nod_event_readers', help: 'Open views of running replies.', registers })
  const firstText = new Histogram({
    name: 'nod_first_text_seconds',
    help: 'From the start of a reply to its first piece, by model.',
    labelNames: ['model'],
    buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60],
    registers,
  })
  const runSeconds = new Histogram({
    name: 'nod_run_seconds',
    help: 'From the start of a reply to its end, by model.',
    labelNames: ['model'],
    buckets: [0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600],
    registers,
  })
  const store = new Histogram({
    name: 'nod_store_call_seconds',
    help: 'Calls of the store, by name and whether they were answered.',
    labelNames: ['call', 'ok'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5],
    registers,
  })

  function counter<Label extends string>(name: string, help: string, labelNames: readonly Label[]): Counter<Label> {
    return new Counter({ name, help, labelNames, registers })
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
    json: async () => JSON.stringify(await registry.getMetricsAsJSON()),
  }
}

/** How late the loop is, by the worst of what was measured since the last look, and how much of its time it works. */
function observeLoop(registry: Registry): void {
  const delay = monitorEventLoopDelay({ resolution: 10 })
  delay.enable()
  registry.registerMetric(
    new Gauge({
      name: 'nod_event_loop_delay_seconds',
      help: 'Delay of the event loop since the last look, by quantile.',
      labelNames: ['quantile'],
      aggregator: 'max',
      registers: [],
      collect() {
        for (const quantile of [50, 99, 100]) {
          const nanoseconds = delay.count === 0 ? 0 : delay.percentile(quantile)
          this.set({ quantile: String(quantile / 100) }, nanoseconds / 1e9)
        }
        delay.reset()
      },
    }),
  )
  let before = performance.eventLoopUtilization()
  registry.registerMetric(
    new Gauge({
      name: 'nod_event_loop_utilization',
      help: 'Part of the time since the last look in which the event loop worked, 0 to 1.',
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

/** Several processes of one server as one: counts are added, of delays the worst counts. Also of one alone. */
export async function mergeMetrics(
  parts: readonly string[],
): Promise<{ readonly type: string; readonly text: string }> {
  const metrics = parts.map((part) => JSON.parse(part) as object[])
  return { type: contentType, text: await AggregatorRegistry.aggregate(metrics).metrics() }
}
