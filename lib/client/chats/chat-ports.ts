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

/** The world, as the chat's client sees it. `lib/client/wiring/browser.ts` makes it. */
export interface ChatPorts {
  readonly store: ClientStore
  readonly api: NodApi
  readonly drafts: Drafts
  readonly outbox: Outbox
  /** Does the work if no other tab of this browser is at work under this name; null: one is. */
  readonly exclusively: <T>(name: string, work: () => Promise<T>) => Promise<T | null>
  /** False: the browser refuses cookies, so the server cannot tell whose chats are whose, and nothing is sent. */
  readonly canSetCookies: () => boolean
  /** The files of a message with their pictures, made from the files as they are now, or a sentence. */
  readonly pictures: (
    conversationId: string,
    files: readonly AttachmentToSend[],
  ) => Promise<Result<readonly AttachmentToSend[], string>>
  /** Where the turn of a chat stands; in the page the code that reads calls comes with the first reply. */
  readonly turnOf: (view: ConversationState) => Promise<Turn>
  readonly newId: () => string
  readonly now: EpochClock
  readonly monotonic: MonotonicClock
  /** Resolves after `ms`, or at once when the signal aborts. */
  readonly wait: (ms: number, signal?: AbortSignal) => Promise<void>
  schedule: RunReaderPorts['schedule']
  /** Takes messages to the server; in the page its code comes with the first sign of someone. */
  readonly createDeliverer: (
    ports: ChatPorts,
    events: SenderEvents,
    onPutOff: OnPutOff,
  ) => (id: string, tries: number) => Promise<Delivery>
  /** Follows the log of a run; in the page its code comes with the first one. */
  readonly readRun: typeof readRun
  /** Renames chats, and ends them; in the page its code comes when someone does. */
  readonly createConversationActions: (ports: ChatPorts, parts: ConversationActionParts) => ConversationActions
  /** Changes the address without loading a page; nothing happens when it is there already. */
  readonly navigate: (path: string) => void
  /** Tells the other tabs of this browser that a conversation changed; null: only the list did. */
  readonly announce: (conversationId: string | null) => void
  /** Removes the files that this browser keeps for a conversation. */
  readonly deleteFiles: (conversationId: string) => Promise<void>
  /** Copies the files of a temporary chat from the page's memory into the browser. Gives a sentence when they have no room, else null. */
  readonly storeFiles: (conversationId: string) => Promise<string | null>
  /** Loads a page from the server. */
  readonly openPage: (path: string) => void
  /** Chats were deleted, and can be taken back for a while. */
  readonly deleted: (conversationIds: readonly string[]) => void
}

export type ConversationActions = Pick<
  ChatActions,
  'rename' | 'remove' | 'forgetForGood' | 'updateMarks' | 'keepChat'
> & {
  /** A temporary chat was left. `isSent`: the server may have it. */
  readonly endTemporary: (conversationId: string, isSent: boolean) => Promise<void>
}

export interface ConversationActionParts {
  readonly newChat: () => void
  readonly listChanged: () => void
  readonly raise: (conversationId: string, message: string) => void
}
