import { useState } from 'react'
import type { PageAddress } from '@/lib/client/files/page/page-address'

/** The pages that were gone through by their links, and where one is among them. */
export interface PageTrail {
  readonly at: PageAddress
  /** Rises with each step: the same page once more is another stop. */
  readonly step: number
  readonly before: PageAddress | null
  readonly after: PageAddress | null
  readonly go: (to: PageAddress) => void
  readonly back: () => void
  readonly forward: () => void
}

/** As many are remembered. */
const maxStops = 50

/** Begins at the page of this path. */
export function usePageTrail(path: string): PageTrail {
  const [{ stops, index, step }, set] = useState({
    stops: [{ path, query: '', hash: '' }] as readonly PageAddress[],
    index: 0,
    step: 0,
  })
  const [at = { path, query: '', hash: '' }] = stops.slice(index)
  const move = (by: number) =>
    set((now) => ({ ...now, step: now.step + 1, index: Math.max(0, Math.min(now.stops.length - 1, now.index + by)) }))
  return {
    at,
    step,
    before: stops[index - 1] ?? null,
    after: stops[index + 1] ?? null,
    go: (to) =>
      set((now) => {
        const kept = [...now.stops.slice(0, now.index + 1), to].slice(-maxStops)
        return { stops: kept, index: kept.length - 1, step: now.step + 1 }
      }),
    back: () => move(-1),
    forward: () => move(1),
  }
}
