import type { MonotonicClock } from '@/lib/base/clocks'
import { createReasoningWatch } from '@/lib/protocols/reasoning/reasoning-watch'

/** How long a model thinks, from what it writes and when. */
export interface ReasoningTimes {
  readonly saw: (channel: 'text' | 'reasoning', piece: string) => void
  /** Milliseconds of each thought so far, one that goes on included: what came apart as one, then each in the text. Null: none. */
  readonly all: () => readonly number[] | null
}

/** Times what was seen by `monotonic`. */
export function createReasoningTimes(monotonic: MonotonicClock): ReasoningTimes {
  const watch = createReasoningWatch()
  let apart: number | null = null
  /** Since when it goes on. */
  let apartSince: number | null = null
  const inText: number[] = []
  let inTextSince: number | null = null

  const endApart = (at: number): void => {
    if (apartSince === null) return
    apart = (apart ?? 0) + at - apartSince
    apartSince = null
  }
  const endInText = (at: number): void => {
    if (inTextSince !== null) inText.push(at - inTextSince)
    inTextSince = null
  }
  return {
    saw(channel, piece) {
      if (channel === 'reasoning') {
        if (piece.trim() !== '') apartSince ??= monotonic()
        return
      }
      if (piece.trim() !== '') endApart(monotonic())
      for (const turn of watch.take(piece)) {
        if (turn === 'opens') inTextSince = monotonic()
        else endInText(monotonic())
      }
    },
    all() {
      const at = monotonic()
      endApart(at)
      endInText(at)
      const times = [...(apart === null ? [] : [apart]), ...inText]
      return times.length === 0 ? null : times.map((ms) => Math.max(0, Math.round(ms)))
    },
  }
}
