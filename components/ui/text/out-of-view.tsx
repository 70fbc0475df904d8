'use client'

import { t } from '@/lib/i18n/t'
import { createContext, useCallback, useContext, useEffect, useId, useRef, useState, type ReactNode } from 'react'

/** Characters of code that take about one row. */
const rowLength = 100

/** Rows that a wrapped line takes. */
export const lineRows = (length: number): number => Math.max(1, Math.ceil(length / rowLength))

export interface ClippedLines<L> {
  readonly shown: readonly L[]
  /** Lines that are partly or fully hidden. */
  readonly hidden: number
  /** Characters of the last shown line that are cut off. */
  readonly cut: number
}

/**
 * The first lines that take `maxRows` rows; a single extra row is not cut. One line of a hundred thousand characters is
 * cut like as many short ones, because rows count, not line feeds.
 */
export function clipLines<L extends { readonly text: string }>(lines: readonly L[], maxRows: number): ClippedLines<L> {
  let rows = 0
  for (const [index, line] of lines.entries()) {
    const own = lineRows(line.text.length)
    if (rows + own <= maxRows || (own === 1 && index === lines.length - 1 && rows <= maxRows)) {
      rows += own
      continue
    }
    const room = maxRows - rows
    // One or two rows of a line say little: it is left out whole if others are before it.
    if (room < 3 && index > 0) return { shown: lines.slice(0, index), hidden: lines.length - index, cut: 0 }
    const text = line.text.slice(0, Math.max(room, 3) * rowLength).replace(/[\ud800-\udbff]$/, '')
    if (text.length === line.text.length) {
      rows += own
      continue
    }
    return {
      shown: [...lines.slice(0, index), { ...line, text }],
      hidden: lines.length - index,
      cut: line.text.length - text.length,
    }
  }
  return { shown: lines, hidden: 0, cut: 0 }
}

export type HiddenUnit = 'line' | 'file' | 'member'

export interface Hidden {
  readonly count: number
  /** `same`: unchanged lines. They are hidden for readability, and don't count as unseen. */
  readonly unit: HiddenUnit | 'same'
  readonly reveal: () => void
}

export type ReportHidden = (id: string, hidden: Hidden | null) => void

const Reports = createContext<ReportHidden | null>(null)

/**
 * The tabindex of a control or a region. In content that is read before deciding, the keyboard stops only at the
 * decisions, and the card's menu opens collapsed parts. Elsewhere it stops here too.
 */
export const useTabStop = (): 0 | -1 => (useContext(Reports) ? -1 : 0)

/** Reports that `count` lines, files or members are collapsed here; 0 for none. */
export function useOutOfView(count: number, unit: Hidden['unit'], reveal: () => void): void {
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

/** The collapsed parts inside. */
export interface OutOfView {
  /** "54 lines not shown"; '' for nothing. */
  readonly words: string
  /** Opens all of it. */
  readonly reveal: () => void
  /** Opens the unchanged lines; null if none are left out. */
  readonly revealSame: (() => void) | null
  /** For the surrounding `HiddenParts`. */
  readonly report: ReportHidden
}

/** Collects what the parts inside `HiddenParts` collapse. */
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
  const same = [...parts.values()].filter(({ unit }) => unit === 'same')
  const folded = [...parts.values()].filter(({ unit }) => unit !== 'same')
  const open = (these: readonly Hidden[]) => () => {
    for (const { reveal } of these) reveal()
  }
  return {
    words: hiddenWords(folded),
    reveal: open(folded),
    revealSame: same.length > 0 ? open(same) : null,
    report,
  }
}

export const HiddenParts = ({ report, children }: Pick<OutOfView, 'report'> & { children: ReactNode }) => (
  <Reports value={report}>{children}</Reports>
)

function hiddenWords(parts: readonly Hidden[]): string {
  const counts = new Map<HiddenUnit, number>()
  for (const { unit, count } of parts) if (unit !== 'same') counts.set(unit, (counts.get(unit) ?? 0) + count)
  const phrases = [...counts].map(([unit, count]) => t(`view.hidden.${unit}`, { count }))
  return phrases.length === 0 ? '' : t('view.hidden', { parts: phrases })
}
