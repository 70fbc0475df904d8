import { ROOT_CONTEXT, SpanKind, SpanStatusCode, trace, type Context } from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import { msBefore } from '@/lib/base/clocks'
import { silentObserver, type ChatObserver } from '@/lib/server/runs/chat-observer'
import { currentRequest } from '../log/log.server'
import { type TracedRequests, spanParent } from '../log/traced-request'

/*
 * Traces for an OpenTelemetry collector: spans for requests, store calls and replies. No instrumentation is registered
 * with other packages, because their own spans would contain paths and texts. Loaded only if a collector is configured.
 */

interface TracingOptions {
  /** The collector's URL in the format of `OTEL_EXPORTER_OTLP_ENDPOINT`: `http://collector:4318`. */
  readonly endpoint: string
  /** `name=value`, separated by commas. */
  readonly headers: string | null
  readonly service: string
  readonly version: string
  /** The share of requests that are traced, 0 to 1. */
  readonly ratio: number
  /** Epoch milliseconds. */
  readonly now: () => number
}

export interface Tracing extends TracedRequests {
  readonly observer: ChatObserver
  /** Sends pending spans; always resolves, within seconds. */
  close(): Promise<void>
}

/** An unreachable collector costs no more than this much memory and time; what does not fit is dropped. */
const limits = { maxQueueSize: 2048, scheduledDelayMillis: 2_000, exportTimeoutMillis: 5_000 }

export function createTracing({ endpoint, headers, service, version, ratio, now }: TracingOptions): Tracing {
  const exporter = new OTLPTraceExporter({
    url: `${endpoint.replace(/\/+$/, '')}/v1/traces`,
    headers: headersOf(headers),
    timeoutMillis: limits.exportTimeoutMillis,
  })
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': service, 'service.version': version }),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(ratio) }),
    spanProcessors: [new BatchSpanProcessor({ exporter, ...limits })],
  })
  const tracer = provider.getTracer('nod', version)
  /**
   * Work that a request started continues under that request. Work without a request, such as the sweep, is not traced.
   */
  const parent = (): Context | undefined => currentRequest()?.span?.context

  return {
    observer: {
      ...silentObserver,
      storeCall(name, ms, ok) {
        const context = parent()
        if (!context) return
        const attributes = { 'db.operation.name': name }
        const span = tracer.startSpan(
          `store ${name}`,
          { kind: SpanKind.CLIENT, startTime: msBefore(now(), ms), attributes },
          context,
        )
        if (!ok) span.setStatus({ code: SpanStatusCode.ERROR })
        span.end(now())
      },
      ended(model, outcome, usage, ms, firstTextMs = null) {
        const attributes = {
          'gen_ai.operation.name': 'chat',
          'gen_ai.request.model': model,
          'nod.outcome': outcome,
          ...(usage?.inputTokens != null && { 'gen_ai.usage.input_tokens': usage.inputTokens }),
          ...(usage?.outputTokens != null && { 'gen_ai.usage.output_tokens': usage.outputTokens }),
        }
        const began = msBefore(now(), ms)
        const options = { kind: SpanKind.CLIENT, startTime: began, attributes }
        const span = tracer.startSpan(`chat ${model}`, options, parent() ?? ROOT_CONTEXT)
        if (firstTextMs !== null) span.addEvent('first text', began + firstTextMs)
        if (outcome === 'failed') span.setStatus({ code: SpanStatusCode.ERROR })
        span.end(now())
      },
    },

    begin(header) {
      const span = tracer.startSpan('request', { kind: SpanKind.SERVER, startTime: now() }, spanParent(header))
      return {
        context: trace.setSpan(ROOT_CONTEXT, span),
        end({ method, route, status }) {
          span.updateName(`${method} ${route}`)
          span.setAttributes({
            'http.request.method': method,
            'http.route': route,
            'http.response.status_code': status,
          })
          if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR })
          span.end(now())
        },
      }
    },

    close: () => provider.shutdown().catch(() => {}),
  }
}

/** `a=b,c=d%20e`, as in the OpenTelemetry specification. */
function headersOf(text: string | null): Record<string, string> {
  const pairs = (text ?? '').split(',').flatMap((pair): readonly (readonly [string, string])[] => {
    const at = pair.indexOf('=')
    return at < 1 ? [] : [[pair.slice(0, at).trim(), decoded(pair.slice(at + 1).trim())]]
  })
  return Object.fromEntries(pairs)
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
