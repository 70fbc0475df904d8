import type { MonotonicClock, EpochClock } from '@/lib/base/clocks'
import type { Result } from '@/lib/base/result'
import type { AttachmentToSend, ChatResponse, ResultsAppend } from '@/lib/shared/conversation/wire/api-types'
import type { AssistantMessage, ToolCallConfig } from '@/lib/shared/conversation/conversation'
import type { CallAmendment } from '@/lib/shared/conversation/call-record'
import type { ApiAnswer } from '@/lib/client/api/api-failure'
import type { ClientEvent, ClientState, ConversationState } from '@/lib/client/state/state'
import type { NodApi } from '@/lib/client/api/nod-api'
import type { CallMarks, CodeSoFar } from '@/lib/shared/origin/branch-origin'
import type { ToolRuntime } from '@/lib/shared/tools/tool'
import type { MessageCall } from '@/lib/shared/calls/message-calls'
import type { ToolFacts } from '@/lib/shared/calls/approval-policy'
import type { CallSecrets } from '@/lib/client/secrets/call-secrets'

/** The server requests for calls. */
export type CallApi = Pick<
  NodApi,
  | 'decideCall'
  | 'finishCall'
  | 'decideInner'
  | 'finishInner'
  | 'stopCall'
  | 'explainDenial'
  | 'amendCall'
  | 'releaseResult'
  | 'giveGrant'
  | 'revokeGrant'
  | 'endCopy'
  | 'messages'
>

/** The events that the call code sends to the store. */
export type CallControllerEvent = Extract<
  ClientEvent,
  {
    type:
      | 'call-recorded'
      | 'call-live'
      | 'results-held'
      | 'amendments-changed'
      | 'grant-changed'
      | 'messages-loaded'
      | 'conversation-held'
      | 'conversation-released'
  }
>

/** Locks that all tabs of this browser share and that end with the tab that holds them. */
export interface CallLocks {
  /** Does the work while holding the lock; returns `held: false` at once if another holder has it. */
  tryHold<T>(
    name: string,
    work: () => Promise<T>,
  ): Promise<{ readonly held: true; readonly value: T } | { readonly held: false }>
  isHeld(name: string): Promise<boolean>
  /** Resolves when nobody holds the lock, or when the signal aborts. */
  whenFree(name: string, signal: AbortSignal): Promise<void>
}

export interface CallControllerPorts {
  /** Unique to this page load; not kept across a reload. */
  readonly runnerId: string
  readonly now: EpochClock
  readonly monotonic: MonotonicClock
  readonly wait: (ms: number) => Promise<void>
  readonly getState: () => ClientState
  readonly dispatch: (event: CallControllerEvent) => void
  readonly newId: () => string
  /** The calls of a reply in their current state, with the user's amendments (`callsOf`). */
  readonly readCalls: (
    message: AssistantMessage,
    config: ToolCallConfig,
    amendments: readonly CallAmendment[],
  ) => readonly MessageCall[]
  readonly api: CallApi
  /** The facts about a tool in the chat with these registered tools. */
  readonly toolOf: (name: string, tools: ConversationState['tools']) => ToolFacts | undefined
  /** Keeps secret values in this browser: every outcome and changed call passes through it before it is sent. */
  readonly secrets: CallSecrets
  /** Sends the results of a reply's calls to the chat. */
  readonly postResults: (conversationId: string, append: ResultsAppend) => Promise<ApiAnswer<ChatResponse>>
  /** The images in these files, scaled for models. May reject. */
  readonly pictures: (
    conversationId: string,
    files: readonly AttachmentToSend[],
  ) => Promise<Result<readonly AttachmentToSend[], string>>
  /** The origins of these calls of a reply, by slot. `within`: they are tools that its code calls. May reject. */
  readonly marksOf: (reply: {
    readonly view: ConversationState
    readonly reply: AssistantMessage
    readonly calls: readonly MessageCall[]
    readonly within?: CodeSoFar
  }) => Promise<CallMarks>
  readonly locks: CallLocks
  /** The user may have other devices, and answer there. Left out: no. */
  readonly hasOtherDevices?: boolean
  /** May reject; then nothing was decided. */
  readonly runtime: (conversationId: string) => Promise<ToolRuntime>
  /** Names of the tools that code may call in a conversation. Left out: none. */
  readonly toolsForCode?: (view: ConversationState) => readonly string[]
  /** Follows the run that answers the results, if its conversation is still in view. */
  readonly joinRun: (conversationId: string, response: ChatResponse) => void
}

/** The Web Lock of a denial, held while its reason is being written. */
export const reasonLockName = (messageId: string, slot: number): string => `nod:reason:${messageId}:${slot}`

/** The Web Lock of a call, held from before the decision until its outcome is stored. */
export const callLockName = (messageId: string, slot: number): string => `nod:call:${messageId}:${slot}`
