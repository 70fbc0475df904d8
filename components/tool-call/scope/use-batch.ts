'use client'

import { useCallback, useRef, useState } from 'react'
import { useTools } from '@/components/context/tools-context'
import { onlyByClick } from '@/lib/shared/calls/click-reasons'
import { isLoudInBatch } from '@/lib/shared/origin/branch-origin'
import { type EvidenceKeys, type CallEntry } from './call-scope'

/** Decides the waiting calls of one reply together. */
export interface Batch {
  /** The waiting calls in the order in which they would run. */
  readonly order: readonly CallEntry[]
  /** The calls that "Run all" runs. */
  readonly runnable: readonly CallEntry[]
  /** The calls that need their own click. */
  readonly leftOut: readonly CallEntry[]
  /** The calls that ask the user something: each is answered separately. */
  readonly questions: readonly CallEntry[]
  readonly selecting: boolean
  readonly selected: readonly CallEntry[]
  /** The last failed call while others still wait: a batch stopped there, or the user runs them one by one. */
  readonly failed: CallEntry | null
  readonly runs: RunsOfReply
  readonly setSelecting: (selecting: boolean) => void
  readonly select: (slot: number, selected: boolean) => void
  /** Moves a call in the order; false at its end. */
  readonly move: (slot: number, step: -1 | 1) => boolean
  /** Registers how to check whether a card was seen. Returns a function that unregisters it. */
  readonly watch: (slot: number, look: () => EvidenceKeys | null) => () => void
  /**
   * How many of these cards have collapsed parts: opens them, and scrolls to the first. 0 once nothing is collapsed.
   */
  readonly openUnseen: (slots: readonly number[]) => number
}

export interface RunsOfReply {
  /** Calls of the reply that may still run. */
  readonly left: number
  /** The most calls of one reply that may run in this chat. */
  readonly limit: number
}

export function useBatch(entries: readonly CallEntry[], runs: RunsOfReply): Batch {
  const tools = useTools()
  const asks = ({ call }: CallEntry): boolean => tools.get(call.name)?.policy.asksUser === true
  /** A guessed call, one that only a foreign text requested, and a repeated one are reviewed one by one. */
  const mayRun = (entry: CallEntry): boolean => !onlyByClick(entry, entry.repeats, isLoudInBatch(entry.origin))
  const runsInBatch = (entry: CallEntry): boolean => !asks(entry) && entry.origin !== undefined && mayRun(entry)
  const [slots, setSlots] = useState<readonly number[]>([])
  const [chosen, setChosen] = useState<ReadonlySet<number> | null>(null)
  const waiting = entries.filter((entry) => entry.state.status === 'awaiting_approval' && !entry.pastLimit)
  const place = (entry: CallEntry) => {
    const at = slots.indexOf(entry.slot)
    return at < 0 ? slots.length + waiting.indexOf(entry) : at
  }
  const order = waiting.toSorted((a, b) => place(a) - place(b))
  const busy = entries.some(({ state }) => state.status === 'executing' || state.status === 'queued')
  const failed = entries.findLast(({ state }) => state.status === 'error' && !state.posted) ?? null

  const looks = useRef(new Map<number, () => EvidenceKeys | null>())
  const opened = useRef(new Set<number>())
  const watch = useCallback<Batch['watch']>((slot, look) => {
    looks.current.set(slot, look)
    return () => {
      looks.current.delete(slot)
    }
  }, [])
  const openUnseen = (wanted: readonly number[]): number => {
    const unseen = wanted.filter((slot) => {
      const keys = looks.current.get(slot)?.()
      return keys?.isFolded() && !opened.current.has(slot)
    })
    // The first one last, so that it is the one in view.
    for (const slot of unseen.toReversed()) {
      looks.current.get(slot)?.()?.open()
      opened.current.add(slot)
    }
    return unseen.length
  }

  return {
    watch,
    openUnseen,
    runs,
    order,
    runnable: order.filter(runsInBatch),
    leftOut: order.filter((entry) => !asks(entry) && !mayRun(entry)),
    questions: order.filter(asks),
    selecting: chosen !== null && waiting.length > 1,
    selected: order.filter((entry) => chosen?.has(entry.slot) && !asks(entry)),
    failed: busy || waiting.length === 0 ? null : failed,
    setSelecting: (selecting) =>
      setChosen(selecting ? new Set(order.filter(runsInBatch).map(({ slot }) => slot)) : null),
    select: (slot, selected) =>
      setChosen((known) => {
        const next = new Set(known)
        if (selected) next.add(slot)
        else next.delete(slot)
        return next
      }),
    move(slot, step) {
      const now = order.map((entry) => entry.slot)
      const at = now.indexOf(slot)
      const to = at + step
      const other = now[to]
      if (at < 0 || other === undefined) return false
      setSlots(now.with(at, other).with(to, slot))
      return true
    },
  }
}
