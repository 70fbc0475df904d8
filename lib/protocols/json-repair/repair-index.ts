import type { RepairCode } from '../types/segment'

export interface LocatedRepair {
  readonly code: RepairCode
  readonly at: number
}

/** The repairs of one reading by place, so that each call of a long list gets its own. */
export class RepairIndex {
  private readonly sorted: readonly LocatedRepair[]

  constructor(repairs: readonly LocatedRepair[]) {
    this.sorted = repairs.toSorted((a, b) => a.at - b.at)
  }

  /** Codes of the repairs in `[from, to)`. */
  between(from: number, to: number): ReadonlySet<RepairCode> {
    let low = 0
    let high = this.sorted.length
    while (low < high) {
      const middle = (low + high) >> 1
      if ((this.sorted[middle]?.at ?? 0) < from) low = middle + 1
      else high = middle
    }
    const codes = new Set<RepairCode>()
    for (let i = low; i < this.sorted.length; i++) {
      const repair = this.sorted[i]
      if (!repair || repair.at >= to) break
      codes.add(repair.code)
    }
    return codes
  }
}
