/** Milliseconds. A run is dead when its heart was silent for `deadMs`, which must span several beats. */
export interface RunLogTimes {
  readonly joinMs: number
  readonly heartbeatMs: number
  readonly deadMs: number
  readonly pollMs: number
  readonly keepEventsMs: number
  /** A reply that the store has not taken for so long is given up. */
  readonly giveUpMs: number
}

export const defaultRunLogTimes: RunLogTimes = {
  joinMs: 50,
  heartbeatMs: 2_000,
  deadMs: 6_000,
  pollMs: 150,
  keepEventsMs: 10 * 60_000,
  giveUpMs: 15_000,
}
