import { isSpanContextValid, ROOT_CONTEXT, trace, type Context } from '@opentelemetry/api'

/** The span that a `traceparent` header names (W3C): `00-<32 hex>-<16 hex>-<2 hex>`; none where it is not well formed. */
export function spanParent(header: string | undefined): Context {
  const [, traceId = '', spanId = '', flags = ''] =
    /^[\da-f]{2}-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})$/.exec(header ?? '') ?? []
  const parent = { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & 1, isRemote: true }
  return isSpanContextValid(parent) ? trace.setSpanContext(ROOT_CONTEXT, parent) : ROOT_CONTEXT
}
