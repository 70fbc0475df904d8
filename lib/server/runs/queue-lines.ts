export interface WaitingRun {
  readonly owner: string
  readonly runId: string
}

/** Who waits, each owner in a line of their own, the owners in the order in which they come to turn. */
export interface QueueLines<T extends WaitingRun> {
  readonly all: () => readonly T[]
  add(entry: T): void
  remove(entry: Pick<T, 'owner' | 'runId'>): void
  has(entry: T): boolean
  /** The first of the first owner who does not stand aside. */
  readonly next: () => T | undefined
  /** That owner had a turn, and comes last from now on. */
  moveBack(owner: string): void
  /** Nothing can begin for that owner now: the others go by. */
  standAside(owner: string): void
  /** Everybody may be asked again. */
  comeBack(): void
  /**
   * From 1: those that could begin, a round of owners after the other; whoever stands aside waits for replies of their own
   * and counts these alone.
   */
  readonly places: () => ReadonlyMap<string, number>
}

export function createQueueLines<T extends WaitingRun>(): QueueLines<T> {
  const lines = new Map<string, readonly T[]>()
  const aside = new Set<string>()
  /** Until something moves: every view of a waiting reply asks. */
  let places: ReadonlyMap<string, number> | null = null
  const lineOf = (owner: string) => lines.get(owner) ?? []

  return {
    all: () => [...lines.values()].flat(),
    add(entry) {
      places = null
      lines.set(entry.owner, [...lineOf(entry.owner), entry])
    },
    remove({ owner, runId }) {
      places = null
      const left = lineOf(owner).filter((entry) => entry.runId !== runId)
      if (left.length > 0) return void lines.set(owner, left)
      lines.delete(owner)
      aside.delete(owner)
    },
    has: (entry) => lineOf(entry.owner).includes(entry),
    next: () => lines.entries().find(([owner]) => !aside.has(owner))?.[1][0],
    moveBack(owner) {
      places = null
      const line = lines.get(owner)
      lines.delete(owner)
      if (line) lines.set(owner, line)
    },
    standAside(owner) {
      places = null
      aside.add(owner)
    },
    comeBack() {
      places = null
      aside.clear()
    },
    places() {
      if (places) return places
      const found = new Map<string, number>()
      const open = [...lines].filter(([owner]) => !aside.has(owner)).map(([, line]) => line)
      const longest = Math.max(0, ...open.map((line) => line.length))
      for (let round = 0; round < longest; round += 1) {
        for (const line of open) {
          const entry = line[round]
          if (entry) found.set(entry.runId, found.size + 1)
        }
      }
      for (const owner of aside) for (const [at, { runId }] of lineOf(owner).entries()) found.set(runId, at + 1)
      return (places = found)
    },
  }
}
