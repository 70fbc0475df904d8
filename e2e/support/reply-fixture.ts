/** A recorded reply as a file of `e2e/fixtures/replies`. Asked for by `fixture:NAME` in the last thing the user wrote. */
export interface ReplyFixture {
  readonly name: string
  /** Which kind of model or server behaves like this, in one line. */
  readonly provenance: string
  /** `content` of the deltas, in order. */
  readonly chunks: readonly string[]
  /** `reasoning_content` of the deltas before the first word. */
  readonly reasoning?: readonly string[]
  /** `tool_calls` of the deltas after the last word: the provider's own calls, one entry a delta. */
  readonly toolCalls?: readonly ToolCallDelta[]
  readonly finish: 'stop' | 'length' | 'tool_calls'
  /** The wire's bytes go out in pieces of this size: also inside a character, inside a line. 0: a piece an event. */
  readonly pieceBytes?: number
  /** What is answered once results came back; without it, a line that repeats the results' first words. */
  readonly afterResults?: readonly string[]
  readonly failure?: ReplyFailure
}

/** Parallel calls may come interleaved, told apart by their index. */
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
  /** An error object inside a stream that began with 200, as vLLM and OpenRouter send it. */
  | { readonly kind: 'error-event'; readonly message: string; readonly code?: number }
  /** Chunks, then silence; the connection stays open. */
  | { readonly kind: 'stall' }
  /** Chunks, then the socket is destroyed. */
  | { readonly kind: 'drop' }
