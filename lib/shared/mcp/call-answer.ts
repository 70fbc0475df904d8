import type { JsonObject, JsonValue } from '@/lib/base/json'

/** Why a server could not be connected to, or did not answer a request. */
export type ConnectFailure =
  /** The browser may not read the response, or the server is down: a page can't tell these apart. */
  | { readonly kind: 'unread' }
  /** The worker's own policy does not allow the address. */
  | { readonly kind: 'blocked' }
  | { readonly kind: 'timeout' }
  | { readonly kind: 'sign-in' }
  | { readonly kind: 'http'; readonly status: number }
  /** The server does not speak the protocol; `message` is foreign text. */
  | { readonly kind: 'not-mcp'; readonly message: string }
  /** The server's description of the tool differs from the approved one. */
  | { readonly kind: 'changed' }
  /** Nod's server, which relays it, did not call it; `message` is a sentence for the user. */
  | { readonly kind: 'relay'; readonly message: string }

/** How a call ended. Only `answered` and `refused` contain the server's own words. */
export type CallAnswer =
  /** The result as the server sent it, of any structure. */
  | {
      readonly kind: 'answered'
      readonly result: JsonObject
      /** How it violates the tool's `outputSchema`. */
      readonly mismatch?: string
    }
  /** A JSON-RPC error: the server did not run the call. */
  | { readonly kind: 'refused'; readonly message: string }
  /** It did not run: the user must open these addresses first. All of it is foreign text. */
  | { readonly kind: 'open-first'; readonly message: string; readonly addresses: readonly string[] }
  /** An HTTP status instead of an answer. */
  | { readonly kind: 'http'; readonly status: number }
  | { readonly kind: 'stopped' }
  | { readonly kind: 'timed-out' }
  /** The connection broke after the call was sent: it is unknown whether it ran. */
  | { readonly kind: 'lost' }
  /** It ran; its result is larger than this many megabytes. */
  | { readonly kind: 'too-large'; readonly mb: number }
  /** Nothing was sent. */
  | { readonly kind: 'not-sent'; readonly failure: ConnectFailure }

export interface CallProgress {
  readonly progress: number
  readonly total?: number
  /** Foreign text. */
  readonly message?: string
  /** The server's questions beside the call are received only once calls of other tabs have ended. */
  readonly isUnheard?: true
}

export interface ConnectedServer {
  /** `2025-11-25`, for example. */
  readonly version: string
  readonly era: 'modern' | 'legacy'
  /** Foreign text; '' if the server has no name. */
  readonly name: string
}

export interface CallRequest {
  readonly name: string
  readonly args: JsonObject
  /** Without progress; progress extends it. */
  readonly timeoutMs: number
  /** Its result is checked against it. */
  readonly outputSchema?: JsonObject
  /** Sent with the request, besides those of the protocol. */
  readonly headers?: Readonly<Record<string, string>>
}

/** A tool as listed, not validated yet. */
export type ListedTool = JsonValue

/** What Nod's server reports about a relayed call, one per line; the answer is the last. */
export type RelayLine =
  | { readonly progress: CallProgress }
  /** The server asks the user, unchecked; null: the question is withdrawn. Numbers begin at 1. */
  | { readonly question: number; readonly params: JsonObject | null }
  | { readonly answer: CallAnswer }
