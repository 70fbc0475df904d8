import type { ColumnType, Generated } from 'kysely'
import type { ImageMediaType, LogEntry } from '@/lib/shared/conversation/conversation'
import type { MessageKind } from '@/lib/shared/conversation/outline'
import type { AccountTables, QuotaTables } from './account-schema'

/*
 * The tables, alike on SQLite and PostgreSQL. Rules that both obey: ids and JSON are `text` (never jsonb: it reorders
 * keys and refuses NUL), times are bigint epoch ms, flags are integer 0/1. Whatever a person or a model wrote lives
 * inside JSON text, where NUL and lone surrogates survive; plain text columns hold only cleaned titles and our ids.
 * `owner` stands first in every table and every key, and every query says whose rows it means: what belongs together can
 * be kept together, and one owner's rows can be kept from another's.
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
  presets: PresetTable
  projects: ProjectTable
  memories: MemoryTable
  mcp_servers: McpServerTable
  tool_sets: ToolSetTable
  owner_defaults: OwnerDefaultsTable
  trusted_time: TrustedTimeTable
}

/** One row: up to when the clock of this database is trusted (`deletion-guard.ts`). */
export interface TrustedTimeTable {
  id: number
  at: number
}

export interface ConversationTable {
  owner: string
  /** Unique for its owner: someone else's may be the same. */
  id: string
  /** Without NUL and lone surrogates. */
  title: string
  /** The title folded for search: neither database folds case beyond ASCII alike. */
  title_search: string
  settings: string
  head_id: string | null
  created_at: number
  updated_at: number
  /** When it came in from a file. */
  imported_at: number | null
  /** JSON of what its models are sent no more, and of what stays. */
  marks: ColumnType<string | null, string | null | undefined, string | null>
  /** How much it keeps (`conversation-bytes.ts`); left out of inserts: nothing yet. */
  bytes: Generated<number>
  pinned_at: ColumnType<number | null, never, number | null>
  archived_at: ColumnType<number | null, never, number | null>
  /** It is gone for everyone who asks, and can be taken back for a while. */
  deleted_at: ColumnType<number | null, never, number | null>
  /** Of a temporary chat: when it is deleted, unless its page asks for more time. Null: the chat stays. */
  temporary_until: ColumnType<number | null, number | null | undefined, number | null>
  /** The project that it is in. One that was deleted is none. */
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
  /** What it answers; '' where it begins a line. Null, as in the next two: a server that did not know of these columns wrote it. */
  parent_id: string | null
  /** Messages in the line that ends with it, itself included. */
  depth: number | null
  /** Results in that line that said `unfinished`, and those that said later how such a call ended. */
  open_ends: number | null
  /** Another one whenever the row is written; null while its reply is being written. */
  stamp: string | null
  /** Whose it is, and whether it says something (`outline.ts`). Null: a server that did not know of this column wrote it. */
  kind: MessageKind | null
  /** Calls of a finished reply that can be decided, as it stands with its amendments; decided ones are rows of `calls`. */
  runnable_calls: number
  /** JSON of what it held, while its deletion can be undone (`deletion-queries.ts`). */
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
  /** JSON of what the user let out of a gated result. */
  release: string | null
  posted_in: string | null
  /** The attempt that was handed on to a tool server of the operator. */
  relayed: number | null
  /** JSON of the tools that its code called. */
  inner_calls: string | null
}

export interface AmendmentTable {
  owner: string
  conversation_id: string
  message_id: string
  slot: number
  /** The call as JSON; `null` takes it as it is read. */
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
  /** JSON of the call on whose card it was given. */
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
  /** The client's append id: what makes a repeated request the same request. */
  request_id: string
  status: 'running' | 'ended'
  stop_requested: number
  heartbeat_at: number
  ended_at: number | null
  events_pruned: number
  /** JSON of the tab that writes it (`tab-run-queries.ts`); null, and left out: a process of the server does. */
  writer: ColumnType<string | null, string | null | undefined, never>
  /** The process of the server that writes it (`StoreProcesses`); null, and left out: nobody can say whether it is there. */
  process: ColumnType<number | null, number | null | undefined, never>
  /** Characters that were taken from that tab. */
  written: Generated<number>
}

export interface RunEventTable {
  owner: string
  run_id: string
  seq: number
  body: string
}

/** Pictures of attachments, as models get them. */
export interface ImageTable {
  owner: string
  conversation_id: string
  message_id: string
  number: number
  media_type: ImageMediaType
  /** Base64: text is the same on both databases, and what providers and exports take. */
  data: string
}

/** Tools that a conversation has besides the built-in ones. */
export interface ConversationToolTable {
  owner: string
  conversation_id: string
  name: string
  /** JSON of the whole tool. */
  body: string
}

/** Which set of tools a chat uses of a server. The server may be gone. */
export interface ConversationToolSetTable {
  owner: string
  conversation_id: string
  server_id: string
  /** Of a row of `tool_sets` of the same owner. */
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

/** Messages whose words are in the index (`search-index.ts`). */
export interface MessageWordsTable {
  owner: string
  conversation_id: string
  message_id: string
  /** Greater the later it was written; on SQLite the number of its words in `message_index`. */
  doc: number
  /** PostgreSQL alone. */
  words: ColumnType<never, string | undefined, never>
}

/** Messages whose words are to be read. */
export interface SearchQueueTable {
  owner: string
  conversation_id: string
  message_id: string
}

/** Links to read a chat by. */
export interface ShareTable {
  owner: string
  id: string
  conversation_id: string
  /** SHA-256 of the secret in the link, in hex: who reads the database can open none. */
  token_hash: string
  /** Of the chat as it was shared; without NUL and lone surrogates. */
  title: string
  messages: number
  /** JSON of the chat as it is shown. */
  body: string
  /** JSON of what it tells beside words. */
  shown: string
  /** Of `body` and `shown`, counted with what the chat keeps. */
  bytes: number
  created_at: number
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

/** A folder of chats. */
export interface ProjectTable {
  owner: string
  id: string
  /** JSON of its name, instructions and setup. */
  body: string
}

/** A text that models are shown; `project_id` is '' for the owner's own. */
export interface MemoryTable {
  owner: string
  project_id: string
  /** One more with each change. */
  version: number
  /** JSON of the text and of earlier ones. */
  body: string
}

/** What new chats of an owner begin with. */
export interface OwnerDefaultsTable {
  owner: string
  /** JSON of a setup. */
  body: string
}
