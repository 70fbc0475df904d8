/**
 * Milliseconds. A run is dead when its heart was silent for `deadMs`, which must span several beats; one that a tab writes, over
 * whatever line, for `tabDeadMs`. With a look every `lookMs` the former is ended within six seconds of its death, also when nobody reads it.
 */
export interface RunLogTimes {
  /** What a model writes within it is one event for readers. */
  readonly joinMs: number
  /** How often what readers of this process have seen is stored: all of it in one transaction. */
  readonly keepMs: number
  /** Readers see no more than this much of what the store has not taken: it would be lost with this process. */
  readonly aheadMs: number
  readonly heartbeatMs: number
  readonly deadMs: number
  readonly tabDeadMs: number
  /** As `deadMs` where its process is known to be there: it only stands still, until it is silent for so long: then it hangs. */
  readonly stuckMs: number
  /** How often dead runs are looked for that nobody reads. */
  readonly lookMs: number
  readonly pollMs: number
  /** How often the store is asked of a run of another process while that process tells of it, too. */
  readonly listeningPollMs: number
  readonly keepEventsMs: number
  /** A reply that the store has not taken for so long is given up. */
  readonly giveUpMs: number
}

export const defaultRunLogTimes: RunLogTimes = {
  joinMs: 50,
  keepMs: 400,
  aheadMs: 1_000,
  heartbeatMs: 1_000,
  deadMs: 5_000,
  tabDeadMs: 6_000,
  stuckMs: 20_000,
  lookMs: 500,
  pollMs: 150,
  listeningPollMs: 1_000,
  keepEventsMs: 10 * 60_000,
  giveUpMs: 15_000,
}
