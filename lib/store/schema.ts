/*
 * The tables, alike on SQLite and PostgreSQL. Rules that both obey: ids and JSON are `text` (never jsonb: it reorders
 * keys and refuses NUL), times are bigint epoch ms, flags are integer 0/1. Whatever a person or a model wrote lives
 * inside JSON text, where NUL and lone surrogates survive; plain text columns hold only cleaned titles and our ids.
 */
export interface Schema {
  conversations: ConversationTable
  messages: MessageTable
  calls: CallTable
  runs: RunTable
  run_events: RunEventTable
}

export interface ConversationTable {
  id: string
  owner: string
  /** Without NUL and lone surrogates. */
  title: string
  /** The title folded for search: neither database folds case beyond ASCII alike. */
  title_search: string
  settings: string
  head_id: string | null
  created_at: number
  updated_at: number
}

export interface MessageTable {
  conversation_id: string
  id: string
  /** 1, 2, 3 … in order of arrival. */
  seq: number
  /** The whole message as JSON. */
  body: string
  /** Calls of a finished reply that wait for a decision at first; decided ones are rows of `calls`. */
  runnable_calls: number
}

export interface CallTable {
  conversation_id: string
  message_id: string
  slot: number
  decision: 'run' | 'deny' | 'skip'
  runner_id: string | null
  attempt: number
  /** JSON of callId, name, callHash, reason. */
  body: string
  decided_at: number
  outcome: string | null
  finished_at: number | null
  posted_in: string | null
}

export interface RunTable {
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
  run_id: string
  seq: number
  body: string
}
