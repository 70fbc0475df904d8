import { type Context, isSpanContextValid, ROOT_CONTEXT, trace } from '@opentelemetry/api'

/** A traced request; its child spans use `context`. */
export interface RequestSpan {
  readonly context: Context
  end(facts: { readonly method: string; readonly route: string; readonly status: number }): void
}

export interface TracedRequests {
  /** `parent`: the `traceparent` header of a trusted proxy. */
  begin(parent: string | undefined): RequestSpan
}

/** The span in a `traceparent` header (W3C): `00-<32 hex>-<16 hex>-<2 hex>`; none if it is malformed. */
export function spanParent(header: string | undefined): Context {
  const [, traceId = '', spanId = '', flags = ''] =
    /^[\da-f]{2}-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})$/.exec(header ?? '') ?? []
  const parent = { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & 1, isRemote: true }
  return isSpanContextValid(parent) ? trace.setSpanContext(ROOT_CONTEXT, parent) : ROOT_CONTEXT
}
