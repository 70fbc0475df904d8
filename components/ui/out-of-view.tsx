'use client'

import { counted, type Forms } from '@/lib/base/locale'
import { createContext, useCallback, useContext, useEffect, useId, useRef, useState, type ReactNode } from 'react'

export type HiddenUnit = 'line' | 'file' | 'member'

export interface Hidden {
  readonly count: number
  readonly unit: HiddenUnit
  readonly reveal: () => void
}

export type ReportHidden = (id: string, hidden: Hidden | null) => void

const Reports = createContext<ReportHidden | null>(null)

/** Says that `count` lines, files or members of what stands here are folded away; 0: none. */
export function useOutOfView(count: number, unit: HiddenUnit, reveal: () => void): void {
  const report = useContext(Reports)
  const id = useId()
  const latest = useRef(reveal)
  useEffect(() => {
    latest.current = reveal
  })
  useEffect(() => {
    if (!report) return
    report(id, count > 0 ? { count, unit, reveal: () => latest.current() } : null)
    return () => report(id, null)
  }, [report, id, count, unit])
}

/** What of the parts inside is folded away. */
export interface OutOfView {
  /** "54 lines not shown"; '' for nothing. */
  readonly words: string
  /** Opens all of it. */
  readonly reveal: () => void
  /** For the `HiddenParts` that stands around the parts. */
  readonly report: ReportHidden
}

/** Collects what the parts inside of `HiddenParts` fold away. */
export function useHiddenParts(): OutOfView {
  const [parts, setParts] = useState<ReadonlyMap<string, Hidden>>(new Map())
  const report = useCallback<ReportHidden>((id, hidden) => {
    setParts((known) => {
      if (!hidden && !known.has(id)) return known
      const next = new Map(known)
      if (hidden) next.set(id, hidden)
      else next.delete(id)
      return next
    })
  }, [])
  return {
    words: hiddenWords([...parts.values()]),
    reveal: () => {
      for (const { reveal } of parts.values()) reveal()
    },
    report,
  }
}

export const HiddenParts = ({ report, children }: Pick<OutOfView, 'report'> & { children: ReactNode }) => (
  <Reports value={report}>{children}</Reports>
)

const unitForms: Readonly<Record<HiddenUnit, Forms>> = {
  line: { one: 'line', other: 'lines' },
  file: { one: 'file', other: 'files' },
  member: { one: 'member', other: 'members' },
}

function hiddenWords(parts: readonly Hidden[]): string {
  const counts = new Map<HiddenUnit, number>()
  for (const { unit, count } of parts) counts.set(unit, (counts.get(unit) ?? 0) + count)
  const phrases = [...counts].map(([unit, count]) => counted(count, unitForms[unit]))
  return phrases.length === 0 ? '' : `${phrases.join(', ')} not shown`
}
