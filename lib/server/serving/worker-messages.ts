/* What workers and their supervisor say to each other. The supervisor hands on; what is in it is the workers' own. */

/** What workers say to each other. */
export type WorkerTalk =
  /** Ask everybody about a topic, and give me what has come within `waitMs`. */
  | { readonly type: 'nod-ask'; readonly id: string; readonly topic: string; readonly waitMs: number }
  | { readonly type: 'nod-answer'; readonly id: string; readonly answer: string | null }
  /** For all others, who answer nothing. */
  | { readonly type: 'nod-tell'; readonly text: string }

/** Does a worker that lives leave this? Answered by `nod-answers`: one answer where one does, else none. */
export interface WorkerHolds {
  readonly type: 'nod-holds'
  readonly id: string
  readonly left: string
}

/** What another one is told when this one dies; null: no longer, of what it was told of a dead one too. */
export interface WorkerExiting {
  readonly type: 'nod-will'
  readonly id: string
  readonly text: string | null
}

/** What a dead worker left: who is told does it, and leaves it itself until then. */
export interface WorkerExited {
  readonly type: 'nod-left'
  readonly id: string
  readonly text: string
}

export type FromWorker = WorkerTalk | WorkerExiting | WorkerHolds

export type ToWorker =
  | { readonly type: 'nod-question'; readonly id: string; readonly topic: string }
  | { readonly type: 'nod-answers'; readonly id: string; readonly answers: readonly string[] }
  | { readonly type: 'nod-told'; readonly text: string }
  | WorkerExited
