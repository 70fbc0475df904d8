/** Random numbers that a seed repeats: mulberry32 (Tommy Ettinger, public domain), and distributions based on it. */
export interface Chance {
  /** In [0, 1). */
  readonly next: () => number
  /** Gaps between independent events. */
  readonly exponential: (mean: number) => number
  /** Half of them are below `median`; `sigma` is the spread of the logarithm. */
  readonly logNormal: (shape: Spread) => number
  /** 1, 2, 3 …, each further one with the same probability. */
  readonly geometric: (mean: number) => number
}

export interface Spread {
  readonly median: number
  readonly sigma: number
}

export function createChance(seed: number): Chance {
  let state = seed | 0
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const exponential = (mean: number) => -Math.log(1 - next()) * mean
  return {
    next,
    exponential,
    // Box–Muller; the second number of each pair is dropped.
    logNormal: ({ median, sigma }) =>
      median * Math.exp(sigma * Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next())),
    geometric: (mean) => (mean <= 1 ? 1 : 1 + Math.floor(Math.log(1 - next()) / Math.log(1 - 1 / mean))),
  }
}
