/** Future events by time; at the same time in the order in which they were planned. */
export interface Agenda {
  /** Milliseconds since the start. */
  readonly now: () => number
  readonly at: (time: number, act: () => void) => void
  /** Until nothing is left. */
  readonly run: () => void
}

interface Entry {
  readonly time: number
  readonly order: number
  readonly act: () => void
}

const isBefore = (one: Entry, other: Entry): boolean =>
  one.time < other.time || (one.time === other.time && one.order < other.order)

/** A binary heap: the earliest entry is the first. */
export function createAgenda(): Agenda {
  const heap: Entry[] = []
  let now = 0
  let planned = 0

  function sink(entry: Entry): void {
    let at = 0
    for (;;) {
      let child = 2 * at + 1
      const [left, right] = [heap[child], heap[child + 1]]
      if (!left) break
      if (right && isBefore(right, left)) child += 1
      const least = heap[child] ?? left
      if (!isBefore(least, entry)) break
      heap[at] = least
      at = child
    }
    heap[at] = entry
  }

  return {
    now: () => now,

    at(time, act) {
      const entry = { time: Math.max(time, now), order: (planned += 1), act }
      let at = heap.length
      heap.push(entry)
      while (at > 0) {
        const up = (at - 1) >> 1
        const parent = heap[up]
        if (!parent || !isBefore(entry, parent)) break
        heap[at] = parent
        at = up
      }
      heap[at] = entry
    },

    run() {
      for (let first = heap[0]; first; first = heap[0]) {
        const last = heap.pop()
        if (last && last !== first) sink(last)
        now = first.time
        first.act()
      }
    },
  }
}
