import type { Context } from '@opentelemetry/api'

/** A request that is traced; what comes of it stands under `context`. */
export interface RequestSpan {
  readonly context: Context
  end(told: { readonly method: string; readonly route: string; readonly status: number }): void
}

export interface TracedRequests {
  /** `parent`: the `traceparent` header of a proxy that is trusted. */
  begin(parent: string | undefined): RequestSpan
}
