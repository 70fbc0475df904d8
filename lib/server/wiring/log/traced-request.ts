import { type Context, isSpanContextValid, ROOT_CONTEXT, trace } from '@opentelemetry/api'

/** A request that is traced; what comes of it stands under `context`. */
export interface RequestSpan {
  readonly context: Context
  end(told: { readonly method: string; readonly route: string; readonly status: number }): void
}

export interface TracedRequests {
  /** `parent`: the `traceparent` header of a proxy that is trusted. */
  begin(parent: string | undefined): RequestSpan
}

/** The span that a `traceparent` header names (W3C): `00-<32 hex>-<16 hex>-<2 hex>`; none where it is not well formed. */
export function spanParent(header: string | undefined): Context {
  const [, traceId = '', spanId = '', flags = ''] =
    /^[\da-f]{2}-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})$/.exec(header ?? '') ?? []
  const parent = { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & 1, isRemote: true }
  return isSpanContextValid(parent) ? trace.setSpanContext(ROOT_CONTEXT, parent) : ROOT_CONTEXT
}
