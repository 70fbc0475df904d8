/** How the process that answered does: what an administrator is shown. */
export interface ServerHealthFacts {
  readonly version: string
  readonly build: string
  readonly store: 'sqlite' | 'postgres'
  /** What the store says when it is asked now; null: it answers, and has room. */
  readonly storeProblem: string | null
  readonly isDraining: boolean
  /** Replies that the process which answered writes now, and as many as it may. */
  readonly replies: number
  readonly maxReplies: number
  /** Seconds that this process runs, and bytes that it holds. */
  readonly upSeconds: number
  readonly memoryBytes: number
}
