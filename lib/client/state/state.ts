import type {
  CallAmendment,
  CallRecord,
  Conversation,
  Grant,
  ConversationSummary,
} from '@/lib/shared/conversation/conversation'
import type { ChatRow } from '@/lib/shared/conversation/message-tree'
import type { RegisteredTool } from '@/lib/shared/conversation/settings/registered-tool'
import type { ModelsResponse, OtherCalls, UseView } from '@/lib/shared/conversation/wire/api-types'
import type { OutboxItem } from '../outbox/outbox'
import type { LiveCall } from '@/lib/shared/calls/call-state'

/** `messageId:slot` */
export type CallKey = `${string}:${number}`
export const callKey = (messageId: string, slot: number): CallKey => `${messageId}:${slot}`

export interface ActiveRun {
  readonly runId: string
  readonly replyId: string
  /** The last event of the run's log that is part of this state. */
  readonly seq: number
  readonly connection: 'live' | 'reconnecting'
  /** In the queue, while it waits there: from 1, 0 while nobody has said. */
  readonly place?: number | null
  /** Its model's server has answered, though maybe without a word. */
  readonly isAlive?: boolean
  /** What its model does before its first word, where this tab knows it. */
  readonly doing?: string | null
  readonly stopping: boolean
}

/** What the last request of this conversation complained about; shown above the composer until the next send. */
export interface Problem {
  readonly message: string
  readonly canRetry: boolean
}

export interface ConversationState {
  readonly id: string
  readonly phase: 'new' | 'loading' | 'ready' | 'missing' | 'failed'
  readonly conversation: Conversation | null
  /** The whole tree by id, in order of arrival; what nobody looked at is there by its place alone. */
  readonly tree: ReadonlyMap<string, ChatRow>
  /** Root → head. Row objects keep their identity while they do not change. */
  readonly path: readonly ChatRow[]
  /** Messages that are here from before the chat was loaded last: what they say is asked for again where it counts. */
  readonly aged: ReadonlySet<string>
  /** Of messages that are not here. */
  readonly others: OtherCalls
  readonly run: ActiveRun | null
  /** A send is on its way to the server. */
  readonly sending: boolean
  readonly calls: ReadonlyMap<CallKey, CallRecord>
  readonly live: ReadonlyMap<CallKey, LiveCall>
  /** Message id → what keeps the results of the whole reply here, as a sentence. */
  readonly heldBack: ReadonlyMap<string, string>
  /** Message id → the user's amendments of its calls. */
  readonly amendments: ReadonlyMap<string, readonly CallAmendment[]>
  readonly grants: readonly Grant[]
  /** What it has besides the built-in tools. The same array while they do not change. */
  readonly tools: readonly RegisteredTool[]
  readonly problem: Problem | null
  /** It was read from this browser, since the server is away: when that was answered, in milliseconds. Null: it was not. */
  readonly keptAt: number | null
  /** Pieces of work of this page that need it, shown or not. */
  readonly held: number
}

/** The browser's mirror of the server's rows, plus what only this tab knows. */
export interface ClientState {
  /** The first pages of the list, newest first. */
  readonly conversations: readonly ConversationSummary[] | null
  /** What was looked for when they were loaded, and where the list goes on; `next` null: nowhere. */
  readonly listed: { readonly query: string; readonly next: string | null }
  readonly query: string
  readonly models: ModelsResponse | null
  /**
   * The conversations that this page has open, by id: the one that is shown, and those that were left while something of
   * a call ran or waited in this tab. One that is left without is forgotten, as is one whose last work ends unseen.
   */
  readonly open: ReadonlyMap<string, ConversationState>
  readonly shownId: string
  readonly online: boolean
  /** Null: not asked yet, as long as nobody is at the page. */
  readonly use: ShownUse | null
  /** What was sent in any chat and is not accepted yet, oldest first. */
  readonly outbox: readonly WaitingMessage[]
}

/** What is left of today and how long chats are kept, as far as all of the page shows it. */
export interface ShownUse extends UseView {
  /** A sentence for each limit that holds. */
  readonly lines: readonly string[]
}

export interface WaitingMessage extends OutboxItem {
  /** This tab has it, or another message of its chat, on its way right now. */
  readonly sending: boolean
  /** What the server said to the last try of this tab, which is not the last one. */
  readonly why?: string
}

export const emptyView: ConversationState = {
  id: '',
  phase: 'loading',
  conversation: null,
  tree: new Map(),
  path: [],
  aged: new Set(),
  others: { ran: false, failed: [] },
  run: null,
  sending: false,
  calls: new Map(),
  live: new Map(),
  heldBack: new Map(),
  amendments: new Map(),
  grants: [],
  tools: [],
  problem: null,
  keptAt: null,
  held: 0,
}

/** What the server renders and the browser starts from. */
export const initialState: ClientState = {
  conversations: null,
  listed: { query: '', next: null },
  query: '',
  models: null,
  open: new Map([[emptyView.id, emptyView]]),
  shownId: emptyView.id,
  online: true,
  use: null,
  outbox: [],
}
