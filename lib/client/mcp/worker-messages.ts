import type {
  CallAnswer,
  CallProgress,
  CallRequest,
  ConnectedServer,
  ConnectFailure,
  ListedTool,
} from '@/lib/shared/mcp/call-answer'
import type { JsonObject } from '@/lib/base/json'
import type { QuestionAnswer } from '@/lib/shared/conversation/wire/call-requests'
import type { Offer, OfferRequest } from '@/lib/shared/mcp/offers'
import type { Challenge, SignInResult, SignInStep } from '@/lib/client/mcp/sign-in/sign-in-steps'

/* The messages between the page and the worker that talks to one tool server. */

/** A request for the doctor, whose response is inspected and not streamed. */
export interface DoctorRequest {
  readonly url: string
  readonly method: 'GET' | 'POST'
  readonly headers: readonly (readonly [string, string])[]
  readonly body: string | null
  /** `no-cors`: whether anything answers at all. `manual`: whether it redirects. */
  readonly how: 'cors' | 'no-cors' | 'manual'
}

export type ToMcpWorker =
  | { readonly type: 'connect'; readonly id: number; readonly url: string; readonly era: 'auto' | 'legacy' }
  | { readonly type: 'list'; readonly id: number }
  | { readonly type: 'offer'; readonly id: number; readonly ask: OfferRequest }
  | { readonly type: 'call'; readonly id: number; readonly request: CallRequest }
  | { readonly type: 'ask'; readonly id: number; readonly request: DoctorRequest }
  | { readonly type: 'sign-in'; readonly id: number; readonly step: SignInStep }
  | { readonly type: 'abort'; readonly id: number }
  /** The user's answer to a question of the call `id`. */
  | { readonly type: 'reply'; readonly id: number; readonly question: number; readonly answer: QuestionAnswer }

/** Requests to the worker that it answers. */
export type McpWorkerRequest = Exclude<ToMcpWorker, { readonly type: 'abort' | 'reply' }>

export interface DoctorResponse {
  /** 0: the response can't be read. */
  readonly status: number
  readonly isRedirect: boolean
  readonly headers: readonly (readonly [string, string])[]
  /** Its beginning. */
  readonly text: string
}

export type FromMcpWorker =
  | {
      readonly type: 'connected'
      readonly id: number
      readonly server: ConnectedServer
      readonly isSignedIn: boolean
    }
  | { readonly type: 'tools'; readonly id: number; readonly tools: readonly ListedTool[] }
  | { readonly type: 'offered'; readonly id: number; readonly offer: Offer }
  | { readonly type: 'progress'; readonly id: number; readonly progress: CallProgress }
  | { readonly type: 'answer'; readonly id: number; readonly answer: CallAnswer }
  /** The server asks the user, unchecked; null: the question is withdrawn. */
  | { readonly type: 'question'; readonly id: number; readonly question: number; readonly params: JsonObject | null }
  | { readonly type: 'asked'; readonly id: number; readonly answer: DoctorResponse }
  | { readonly type: 'sign-in'; readonly id: number; readonly result: SignInResult }
  /** Nothing was done: the worker's policy must name these origins, too. */
  | {
      readonly type: 'origins'
      readonly id: number
      readonly origins: readonly string[]
      readonly challenge: Challenge | null
    }
  | { readonly type: 'failed'; readonly id: number; readonly failure: ConnectFailure }

/** A worker, as the page sees it. */
export interface McpWorkerPort {
  postMessage(message: ToMcpWorker): void
  addEventListener(type: 'message', listener: (event: { readonly data: FromMcpWorker }) => void): void
  addEventListener(type: 'error', listener: () => void): void
  terminate(): void
}
