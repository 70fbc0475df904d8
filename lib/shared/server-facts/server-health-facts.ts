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
