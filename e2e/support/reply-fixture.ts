/** A recorded reply as a file in `e2e/fixtures/replies`. Requested by `fixture:NAME` in the user's last message. */
export interface ReplyFixture {
  readonly name: string
  /** Which kind of model or server behaves like this, in one line. */
  readonly provenance: string
  /** `content` of the deltas, in order. */
  readonly chunks: readonly string[]
  /** `reasoning_content` of the deltas before the first text. */
  readonly reasoning?: readonly string[]
  /** `tool_calls` of the deltas after the last text: the provider's own calls, one entry per delta. */
  readonly toolCalls?: readonly ToolCallDelta[]
  readonly finish: 'stop' | 'length' | 'tool_calls'
  /** Sends the bytes in pieces of this size, also inside a character or a line. 0: one piece per event. */
  readonly pieceBytes?: number
  /** The answer once results were returned; without it, a line that repeats the start of the results. */
  readonly afterResults?: readonly string[]
  readonly failure?: ReplyFailure
}

/** Parallel calls may be interleaved, distinguished by their index. */
export interface ToolCallDelta {
  readonly index: number
  readonly id?: string
  readonly name?: string
  readonly arguments?: string
}

type ReplyFailure =
  | { readonly kind: 'status'; readonly status: number; readonly message: string; readonly retryAfterSeconds?: number }
  /** `data:` lines that are not JSON, after the chunks. */
  | { readonly kind: 'invalid-sse' }
  /** An error object inside a stream that started with 200, as vLLM and OpenRouter send it. */
  | { readonly kind: 'error-event'; readonly message: string; readonly code?: number }
  /** Chunks, then silence; the connection stays open. */
  | { readonly kind: 'stall' }
  /** Chunks, then the socket is destroyed. */
  | { readonly kind: 'drop' }
