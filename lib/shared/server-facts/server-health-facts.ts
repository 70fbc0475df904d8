/** How one process does, by its own word. */
export interface ProcessHealth {
  /** Tells one from another for as long as they live. */
  readonly id: string
  /** The machine and port that it serves. */
  readonly node: string
  /** Its place among the workers of its node, from 1; null: it is the only one. */
  readonly place: number | null
  readonly isDraining: boolean
  /** Replies that it writes now, and as many as it may. */
  readonly replies: number
  readonly maxReplies: number
  /** Seconds that it runs, and bytes that it holds. */
  readonly upSeconds: number
  readonly memoryBytes: number
}

/** How the server does: what an administrator is shown. */
export interface ServerHealthFacts {
  readonly version: string
  readonly build: string
  readonly store: 'sqlite' | 'postgres'
  /** What the store says when it is asked now; null: it answers, and has room. */
  readonly storeProblem: string | null
  /** Those that answered: all of this node, and of other nodes on the same store as far as they are heard of. */
  readonly processes: readonly ProcessHealth[]
  /** Workers of this node that did not answer. */
  readonly silent: number
}

/** What each number is, for who reads them in their monitoring. */
export const metricWords = {
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
