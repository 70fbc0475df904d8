/** The state of one process, as it reports it. */
export interface ProcessHealth {
  /** Identifies a process as long as it lives. */
  readonly id: string
  /** The machine and port that it serves. */
  readonly node: string
  /** Its number among the workers of its node, from 1; null: it is the only one. */
  readonly place: number | null
  readonly isDraining: boolean
  /** The replies that it is writing now, and the limit. */
  readonly replies: number
  readonly maxReplies: number
  /** Its uptime in seconds, and its memory in bytes. */
  readonly upSeconds: number
  readonly memoryBytes: number
}

/** The state of the server, as administrators see it. */
export interface ServerHealthFacts {
  readonly version: string
  readonly build: string
  readonly store: 'sqlite' | 'postgres'
  /** What the store reports now; null: it answers, and has space. */
  readonly storeProblem: string | null
  /** Those that answered: all of this node, and those of other nodes on the same store as far as known. */
  readonly processes: readonly ProcessHealth[]
  /** Workers of this node that did not answer. */
  readonly silent: number
}

/** A description of each number, for monitoring. */
export const metricDescriptions = {
  nod_build_info: 'The program that runs; always 1.',
  nod_draining: '1 from the signal to go on.',
  nod_runs_active: 'Replies that are being written.',
  nod_queue_length: 'Replies that wait for a place.',
  nod_event_readers: 'Open views of running replies.',
  nod_first_text_seconds: 'From the start of a reply to its first piece, by model.',
  nod_run_seconds: 'From the start of a reply to its end, by model.',
  nod_store_call_seconds: 'Calls of the store, by name and whether they were answered.',
  nod_event_loop_delay_seconds: 'The longest delay of the event loop since the last look.',
  nod_event_loop_utilization: 'Part of the time since the last look in which the event loop worked, 0 to 1.',
  nod_runs_admitted_total: 'Replies that got a place.',
  nod_refusals_total: 'What was refused, by reason.',
  nod_runs_started_total: 'Replies that were begun, by model.',
  nod_runs_ended_total: 'Replies that ended, by model and outcome.',
  nod_tokens_total: 'Tokens that models counted, by model and direction.',
} as const
