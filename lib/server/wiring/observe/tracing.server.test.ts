import { trace } from '@opentelemetry/api'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { enterRequest } from '../log/log.server'
import { spanParent } from '../log/traced-request'
import { createTracing, type Tracing } from './tracing.server'

interface Span {
  readonly name: string
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly startTimeUnixNano: string
  readonly attributes: readonly { readonly key: string; readonly value: Record<string, unknown> }[]
  readonly events: readonly { readonly name: string; readonly timeUnixNano: string }[]
  readonly status: { readonly code: number }
}

let collector: Server
let bodies: unknown[] = []
let asked: (string | undefined)[] = []
let port = 0

beforeEach(async () => {
  bodies = []
  asked = []
  collector = createServer((request, response) => {
    asked.push(`${request.method} ${request.url} ${String(request.headers['x-key'])}`)
    void json(request).then((body) => {
      bodies.push(body)
      response.setHeader('content-type', 'application/json').end('{}')
    })
  })
  collector.listen(0, '127.0.0.1')
  await once(collector, 'listening')
  port = (collector.address() as AddressInfo).port
})
afterEach(() => {
  collector.close()
  collector.closeAllConnections()
})

const now = 1_700_000_000_000
const make = (over: { readonly ratio?: number; readonly port?: number } = {}) =>
  createTracing({
    endpoint: `http://127.0.0.1:${over.port ?? port}/`,
    headers: 'x-key=a%20key',
    service: 'nod-test',
    version: '1.2.3',
    ratio: over.ratio ?? 1,
    now: () => now,
  })
const spans = () =>
  bodies.flatMap((body) =>
    (body as { resourceSpans: { scopeSpans: { spans: Span[] }[] }[] }).resourceSpans.flatMap(({ scopeSpans }) =>
      scopeSpans.flatMap((scope) => scope.spans),
    ),
  )
const attributesOf = (span: Span | undefined) =>
  Object.fromEntries(span?.attributes.map(({ key, value }) => [key, Object.values(value)[0]]) ?? [])

/** Runs within its own request, as on a server: later code does not belong to it. */
const inRequest = (tracing: Tracing, parent: string | undefined, work: () => void | Promise<void>): Promise<void> =>
  Promise.resolve().then(async () => {
    const span = tracing.begin(parent)
    enterRequest({ id: 'r', span })
    await work()
    span.end({ method: 'POST', route: '/api/chat', status: 200 })
  })

describe('traces', () => {
  it('contain a request, its store calls and its reply, and no content', async () => {
    const tracing = make()
    await inRequest(tracing, undefined, async () => {
      tracing.observer.storeCall('append', 12, true)
      await Promise.resolve()
      tracing.observer.storeCall('appendRunEvents', 3, false)
      tracing.observer.ended('lab/m', 'finished', { inputTokens: 7, outputTokens: null }, 900, 250)
    })
    // Outside of any request: the sweep.
    tracing.observer.storeCall('staleRuns', 1, true)
    await tracing.close()

    expect(asked).toEqual(['POST /v1/traces a key'])
    const found = spans()
    expect(found.map(({ name }) => name).toSorted()).toEqual([
      'POST /api/chat',
      'chat lab/m',
      'store append',
      'store appendRunEvents',
    ])
    const byName = new Map(found.map((span) => [span.name, span]))
    const root = byName.get('POST /api/chat')
    for (const name of ['chat lab/m', 'store append', 'store appendRunEvents']) {
      expect(byName.get(name)).toMatchObject({ traceId: root?.traceId, parentSpanId: root?.spanId })
    }
    expect(attributesOf(root)).toEqual({
      'http.request.method': 'POST',
      'http.route': '/api/chat',
      'http.response.status_code': 200,
    })
    expect(attributesOf(byName.get('chat lab/m'))).toEqual({
      'gen_ai.operation.name': 'chat',
      'gen_ai.request.model': 'lab/m',
      'nod.outcome': 'finished',
      'gen_ai.usage.input_tokens': 7,
    })
    expect(byName.get('chat lab/m')?.startTimeUnixNano).toBe(`${now - 900}000000`)
    expect(byName.get('chat lab/m')?.events).toMatchObject([{ name: 'first text', timeUnixNano: `${now - 650}000000` }])
    expect([byName.get('store append')?.status.code, byName.get('store appendRunEvents')?.status.code]).toEqual([0, 2])
    expect(JSON.stringify(bodies)).toContain('nod-test')
  })

  it('continue those of a proxy, if its header is well formed', async () => {
    const [traceId, spanId] = ['a'.repeat(32), 'b'.repeat(16)]
    const tracing = make({ ratio: 0 })
    await inRequest(tracing, `00-${traceId}-${spanId}-01`, () => {})
    await inRequest(tracing, undefined, () => {})
    await tracing.close()
    expect(spans()).toMatchObject([{ name: 'POST /api/chat', traceId, parentSpanId: spanId }])
    for (const odd of ['', 'x', `00-${'0'.repeat(32)}-${spanId}-01`, `00-${traceId}-${spanId}`, traceId]) {
      expect(trace.getSpanContext(spanParent(odd))).toBeUndefined()
    }
  })

  it('do no harm without a collector: nothing is thrown, overflow is dropped, and closing ends', async () => {
    const free = createServer().listen(0, '127.0.0.1')
    await once(free, 'listening')
    const gone = (free.address() as AddressInfo).port
    free.close()
    await once(free, 'close')
    const unhandled: unknown[] = []
    const hear = (reason: unknown) => unhandled.push(reason)
    process.on('unhandledRejection', hear)
    const tracing = make({ port: gone })
    await inRequest(tracing, undefined, () => {
      for (let n = 0; n < 20_000; n += 1) tracing.observer.storeCall('append', 1, true)
    })
    await tracing.close()
    await new Promise((resolve) => setImmediate(resolve))
    process.off('unhandledRejection', hear)
    expect(unhandled).toEqual([])
  })
})
