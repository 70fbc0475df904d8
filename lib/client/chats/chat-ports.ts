import type { MonotonicClock, EpochClock } from '@/lib/base/clocks'
import type { AttachmentToSend } from '@/lib/shared/conversation/wire/api-types'
import type { Result } from '@/lib/base/result'
import type { ChatActions } from './actions'
import type { Delivery, OnPutOff, SenderEvents } from '../outbox/delivery'
import type { Drafts } from '../outbox/drafts'
import type { NodApi } from '../api/nod-api'
import type { Outbox } from '../outbox/outbox'
import type { readRun, RunReaderPorts } from '../api/run-reader'
import type { ConversationState } from '../state/state'
import type { ClientStore } from '../state/store'
import type { Turn } from '../state/turn'

/** The environment of the chat client. `lib/client/wiring/browser.ts` creates it. */
export interface ChatPorts {
  readonly store: ClientStore
  readonly api: NodApi
  readonly drafts: Drafts
  readonly outbox: Outbox
  /** Does the work unless another tab of this browser works under this name; then null. */
  readonly exclusively: <T>(name: string, work: () => Promise<T>) => Promise<T | null>
  /** False: the browser refuses cookies, so the server cannot tell whose chats are whose, and nothing is sent. */
  readonly canSetCookies: () => boolean
  /** The files of a message with their images, made from the current files, or a sentence. */
  readonly pictures: (
    conversationId: string,
    files: readonly AttachmentToSend[],
  ) => Promise<Result<readonly AttachmentToSend[], string>>
  /** The state of a chat's turn. The code that reads calls is loaded with the first reply. */
  readonly turnOf: (view: ConversationState) => Promise<Turn>
  readonly newId: () => string
  readonly now: EpochClock
  readonly monotonic: MonotonicClock
  /** Resolves after `ms`, or at once when the signal aborts. */
  readonly wait: (ms: number, signal?: AbortSignal) => Promise<void>
  schedule: RunReaderPorts['schedule']
  /** The code that takes messages to the server, loaded with the first message. */
  readonly loadDeliverer: () => Promise<{
    readonly createDeliverer: (
      ports: ChatPorts,
      events: SenderEvents,
      onPutOff: OnPutOff,
    ) => (id: string, tries: number) => Promise<Delivery>
  }>
  /** Follows the log of a run. Its code is loaded with the first run. */
  readonly readRun: typeof readRun
  /** Renames and deletes chats. Its code is loaded on first use. */
  readonly createConversationActions: (ports: ChatPorts, parts: ConversationActionParts) => ConversationActions
  /** Changes the address without loading a page; does nothing if the address is already shown. */
  readonly navigate: (path: string) => void
  /** Notifies the other tabs of this browser that a conversation changed; null: only the list did. */
  readonly announce: (conversationId: string | null) => void
  /** Removes this browser's files of a conversation. */
  readonly deleteFiles: (conversationId: string) => Promise<void>
  /**
   * Copies the files of a temporary chat from the page's memory into the browser's storage. Returns a sentence if there
   * is no space, else null.
   */
  readonly storeFiles: (conversationId: string) => Promise<string | null>
  /** Loads a page from the server. */
  readonly openPage: (path: string) => void
  /** Called when chats were deleted; the deletion can be undone for a while. */
  readonly deleted: (conversationIds: readonly string[]) => void
}

export type ConversationActions = Pick<
  ChatActions,
  'rename' | 'remove' | 'forgetForGood' | 'updateMarks' | 'keepChat'
> & {
  /** Called when a temporary chat was left. `isSent`: the server may have it. */
  readonly endTemporary: (conversationId: string, isSent: boolean) => Promise<void>
}

export interface ConversationActionParts {
  readonly newChat: () => void
  readonly listChanged: () => void
  readonly raise: (conversationId: string, message: string) => void
}
