import type { ImageMediaType, LogEntry } from '@/lib/conversation/conversation'
import type { AccountTables } from './account-schema'

/*
 * The tables, alike on SQLite and PostgreSQL. Rules that both obey: ids and JSON are `text` (never jsonb: it reorders
 * keys and refuses NUL), times are bigint epoch ms, flags are integer 0/1. Whatever a person or a model wrote lives
 * inside JSON text, where NUL and lone surrogates survive; plain text columns hold only cleaned titles and our ids.
 * `owner` stands first in every table and every key, and every query says whose rows it means: what belongs together can
 * be kept together, and one owner's rows can be kept from another's.
 */
export interface Schema extends AccountTables {
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
}

export interface ConversationTable {
  owner: string
  /** Unique for its owner: somebody else's may be the same. */
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
  /** Calls of a finished reply that can be decided, as it stands with its amendments; decided ones are rows of `calls`. */
  runnable_calls: number
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
