import type { ColumnType, Generated } from 'kysely'
import type { ImageMediaType, LogEntry } from '@/lib/shared/conversation/conversation'
import type { MessageKind } from '@/lib/shared/conversation/outline'
import type { AccountTables, QuotaTables } from './account-schema'

/*
 * The tables, the same on SQLite and PostgreSQL. Both follow these rules: ids and JSON are `text` (never jsonb, which
 * reorders keys and refuses NUL), times are bigint epoch ms, flags are integer 0/1. Text from a person or a model is
 * stored within JSON, where NUL and lone surrogates survive; plain text columns contain only cleaned titles and our
 * ids. `owner` comes first in every table and every key, and every query names the owner, so that an owner's rows can
 * be stored together and isolated from others'.
 */
export interface Schema extends AccountTables, QuotaTables {
  conversations: ConversationTable
  messages: MessageTable
  calls: CallTable
  amendments: AmendmentTable
  grants: GrantTable
  log: LogTable
  runs: RunTable
  run_events: RunEventTable
  images: ImageTable
  conversation_tools: ConversationToolTable
  conversation_tool_sets: ConversationToolSetTable
  conversation_tags: ConversationTagTable
  message_words: MessageWordsTable
  words_due: SearchQueueTable
  shares: ShareTable
  reviews: ReviewTable
  presets: PresetTable
  projects: ProjectTable
  memories: MemoryTable
  mcp_servers: McpServerTable
  tool_sets: ToolSetTable
  owner_defaults: OwnerDefaultsTable
  trusted_time: TrustedTimeTable
}

/** One row: the last time at which this database's clock was trusted (`clean-up-data.server.ts`). */
export interface TrustedTimeTable {
  id: number
  at: number
}

export interface ConversationTable {
  owner: string
  /** Unique for its owner; another owner may use the same id. */
  id: string
  /** Without NUL and lone surrogates. */
  title: string
  /** The title folded for search, because the databases fold case beyond ASCII differently. */
  title_search: string
  settings: string
  head_id: string | null
  created_at: number
  updated_at: number
  /** When it was imported. */
  imported_at: number | null
  /** JSON of what is no longer sent to models, and what is pinned. */
  marks: ColumnType<string | null, string | null | undefined, string | null>
  /** Its size (`conversation-bytes.ts`); omitted in inserts: 0. */
  bytes: Generated<number>
  pinned_at: ColumnType<number | null, never, number | null>
  archived_at: ColumnType<number | null, never, number | null>
  /** It is deleted for everyone, but can be restored for a while. */
  deleted_at: ColumnType<number | null, never, number | null>
  /** When a temporary chat is deleted, unless its page extends the time. Null: an ordinary chat. */
  temporary_until: ColumnType<number | null, number | null | undefined, number | null>
  /** Its project. A deleted project counts as none. */
  project_id: ColumnType<string | null, string | null | undefined, string | null>
}

export interface MessageTable {
  owner: string
  conversation_id: string
  id: string
  /** 1, 2, 3 … in order of arrival. */
  seq: number
  /** The whole message as JSON. */
  body: string
  /**
   * Its parent; '' at the beginning of a branch. Null, also in the next two: written by a server without these columns.
   */
  parent_id: string | null
  /** The number of messages in the branch that ends with it, itself included. */
  depth: number | null
  /** The number of `unfinished` results in that branch, plus the outcomes that were sent later. */
  open_ends: number | null
  /** Changes with every write of the row; null while its reply is running. */
  stamp: string | null
  /** Its role, and whether it has text (`outline.ts`). Null: written by a server without this column. */
  kind: MessageKind | null
  /** How many calls of a finished reply can be decided, with its amendments; decided ones are rows of `calls`. */
  runnable_calls: number
  /** JSON of its content while its deletion can be undone (`deletion-queries.ts`). */
  deleted: ColumnType<string | null, never, string | null>
  deleted_at: ColumnType<number | null, never, number | null>
}

export interface CallTable {
  owner: string
  conversation_id: string
  message_id: string
  slot: number
  decision: 'run' | 'deny' | 'skip'
  runner_id: string | null
  attempt: number
  /** JSON of callId, name, callHash, reason, changed, by. */
  body: string
  decided_at: number
  outcome: string | null
  /** JSON of the stop of this attempt. */
  stopped: string | null
  finished_at: number | null
  /** 0 or 1. */
  gated: number
  /** JSON of what the user released from a gated result. */
  release: string | null
  posted_in: string | null
  /** The attempt that was passed on to a tool server of the operator. */
  relayed: number | null
  /** JSON of a question that such a server asks now, until the answer was read. */
  relay_question: string | null
  /** JSON of the tools that its code called. */
  inner_calls: string | null
}

export interface AmendmentTable {
  owner: string
  conversation_id: string
  message_id: string
  slot: number
  /** The call as JSON; `null`: the call as it was read. */
  call: string
  amended_at: number
}

export interface GrantTable {
  owner: string
  conversation_id: string
  id: string
  /** JSON. */
  scope: string
  created_at: number
  uses: number
  last_used_at: number | null
  revoked_at: number | null
  expires_at: number | null
  /** JSON of the call on whose card the user approved it. */
  given_on: string | null
}

export interface LogTable {
  owner: string
  conversation_id: string
  /** 1, 2, 3 … without gaps. */
  seq: number
  at: number
  actor: string
  event: LogEntry['event']
  message_id: string | null
  slot: number | null
  /** JSON of tool and detail. */
  body: string
}

export interface RunTable {
  owner: string
  id: string
  conversation_id: string
  /** The reply that this run writes. */
  message_id: string
  /** The client's append id, which identifies a repeated request. */
  request_id: string
  status: 'running' | 'ended'
  /** '' for the reply of a turn; '1' to '3' for replies that are written side by side. */
  side: ColumnType<string, string | undefined, never>
  stop_requested: number
  heartbeat_at: number
  ended_at: number | null
  events_pruned: number
  /** JSON of the tab that writes it (`tab-run-queries.ts`); null or omitted: a process of the server. */
  writer: ColumnType<string | null, string | null | undefined, never>
  /**
   * The process of the server that writes it (`StoreProcesses`); null or omitted: it can't be found out whether that is
   * alive.
   */
  process: ColumnType<number | null, number | null | undefined, never>
  /** The number of characters stored from that tab. */
  written: Generated<number>
}

export interface RunEventTable {
  owner: string
  run_id: string
  seq: number
  body: string
}

/** Pictures of attachments, as sent to models. */
export interface ImageTable {
  owner: string
  conversation_id: string
  message_id: string
  number: number
  media_type: ImageMediaType
  /** Base64: text is the same on both databases, and providers and exports use it. */
  data: string
}

/** A conversation's own tools, in addition to the built-in ones. */
export interface ConversationToolTable {
  owner: string
  conversation_id: string
  name: string
  /** JSON of the whole tool. */
  body: string
}

/** Which tool set of a server a chat uses. The server may be deleted. */
export interface ConversationToolSetTable {
  owner: string
  conversation_id: string
  server_id: string
  /** Refers to a row of `tool_sets` of the same owner. */
  hash: string
  host: string
  prefix: string
}

export interface McpServerTable {
  owner: string
  id: string
  added_at: number
  /** JSON of the server. */
  body: string
}

export interface ToolSetTable {
  owner: string
  /** SHA-256 of `body`. */
  hash: string
  /** Canonical JSON of the tools. */
  body: string
}

export interface ConversationTagTable {
  owner: string
  conversation_id: string
  tag: string
}

/** Messages whose words are in the index (`search-queries.ts`). */
export interface MessageWordsTable {
  owner: string
  conversation_id: string
  message_id: string
  /** Increases with each write; on SQLite the number of its words in `message_index`. */
  doc: number
  /** Only on PostgreSQL. */
  words: ColumnType<never, string | undefined, never>
}

/** Messages that are not indexed yet. */
export interface SearchQueueTable {
  owner: string
  conversation_id: string
  message_id: string
}

/** Links to shared chats. */
export interface ShareTable {
  owner: string
  id: string
  conversation_id: string
  /** SHA-256 of the secret in the link, in hex: reading the database does not give a usable link. */
  token_hash: string
  /** The title when the chat was shared; without NUL and lone surrogates. */
  title: string
  messages: number
  /** JSON of the shared chat. */
  body: string
  /** JSON of what the link shows in addition to text. */
  shown: string
  /** Of `body` and `shown`; counted in the chat's size. */
  bytes: number
  created_at: number
  expires_at: number
}

/** A link by which one other account decides; one for each call or copy. */
export interface ReviewTable {
  owner: string
  conversation_id: string
  /** The message and slot of the call, or the id of the copy. */
  target: string
  /** SHA-256 of the secret in the link, in hex. */
  token_hash: string
  /** The owner's own link to the same. It opens nothing for others. */
  token: string
  /** The id of the account that may open it; '': there was no such account. */
  reviewer: string
  expires_at: number
}

/** Named settings for chats. */
export interface PresetTable {
  owner: string
  id: string
  position: number
  /** JSON of its name and setup. */
  body: string
}

/** A project for chats. */
export interface ProjectTable {
  owner: string
  id: string
  /** JSON of its name, instructions and setup. */
  body: string
}

/** A memory for models; `project_id` is '' for the owner's own. */
export interface MemoryTable {
  owner: string
  project_id: string
  /** Incremented with each change. */
  version: number
  /** JSON of the text and of earlier ones. */
  body: string
}

/** An owner's defaults for new chats. */
export interface OwnerDefaultsTable {
  owner: string
  /** JSON of a setup. */
  body: string
}
