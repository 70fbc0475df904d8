'use client'

import { monotonicClock } from '@/lib/base/clocks'
import { useEffect, useLayoutEffect, useRef, useState, useSyncExternalStore } from 'react'
import { ForeignName } from '@/components/ui/text/foreign-text'
import { useInView } from '@/components/ui/foreign/use-in-view'
import { visibleText } from '@/lib/base/untrusted-text/foreign-text'
import { t } from '@/lib/i18n/t'
import { copyFormulasAsWritten } from './copy-formulas'
import { drawFormula, type DrawnFormula } from './draw-formula'
import { createDrawingTime } from './drawing-time'
import type { FormulaProps } from './formula-props'
import { builtFile } from '@/lib/base/base-path'
import { katexSheet } from './katex-files'

/*
 * KaTeX's style sheet, asked for by the first formula that is drawn. Without it what is drawn is a heap of letters: until it is
 * here, and where it does not come, formulas show as they were written.
 */

let state: 'unasked' | 'asked' | 'here' = 'unasked'
const listeners = new Set<() => void>()

const isSheetLoaded = (): boolean => state === 'here'

function watchSheet(listener: () => void): () => void {
  listeners.add(listener)
  if (state === 'unasked') ask()
  return () => void listeners.delete(listener)
}

function ask(): void {
  state = 'asked'
  const link = document.createElement('link')
  link.rel = 'stylesheet'
  link.href = builtFile(`/${katexSheet}`)
  link.addEventListener('load', () => {
    state = 'here'
    for (const listener of listeners) listener()
  })
  link.addEventListener('error', () => {
    link.remove()
    // Asked for again by the next formula.
    state = 'unasked'
  })
  document.head.append(link)
}

const drawingTime = createDrawingTime({
  monotonic: monotonicClock,
  soon: (task) => void setTimeout(task, 0),
})

type Problem = Exclude<DrawnFormula, { kind: 'drawn' }>

/** A formula in its place: nodes that are put there, never markup. */
export default function DrawnFormulaPart({ tex, written, display }: FormulaProps) {
  const hasSheet = useSyncExternalStore(watchSheet, isSheetLoaded, () => false)
  const around = useRef<HTMLSpanElement>(null)
  const place = useRef<HTMLSpanElement>(null)
  const inView = useInView(around)
  const [drawn, setDrawn] = useState<{ readonly tex: string; readonly problem: Problem | null } | null>(null)
  const [wide, setWide] = useState(false)
  const isDrawn = drawn?.tex === tex
  const problem = isDrawn ? drawn.problem : null

  useEffect(() => copyFormulasAsWritten(), [])
  useLayoutEffect(() => {
    if (!hasSheet || isDrawn) return
    const draw = () => {
      const formula = drawFormula(tex, display)
      if (formula.kind === 'drawn') place.current?.replaceChildren(formula.node)
      setDrawn({ tex, problem: formula.kind === 'drawn' ? null : formula })
    }
    if (drawingTime.now(draw)) return
    return inView ? drawingTime.later(draw) : undefined
  }, [tex, display, hasSheet, inView, isDrawn])
  const shows = isDrawn && problem === null
  useLayoutEffect(() => {
    // Hidden, it has no width.
    if (!shows || !display || !place.current) return
    const { scrollWidth, clientWidth } = place.current
    setWide(scrollWidth > clientWidth)
  }, [shows, display])
  return (
    <span ref={around} className={display ? 'block' : undefined}>
      {shows ? null : (
        <span data-tip={problem ? problemWords(problem) : undefined}>
          <ForeignName text={written} reading="code" />
        </span>
      )}
      {/* What stands in here is never React's. */}
      <span
        ref={place}
        dir="ltr"
        data-formula={display ? 'display' : 'inline'}
        data-written={written}
        hidden={!shows}
        {...(wide && { tabIndex: 0, role: 'group', 'aria-label': t('reading.formula') })}
      />
    </span>
  )
}

const problemWords = (problem: Problem): string =>
  problem.kind === 'too-much'
    ? t('reading.formula.too-much')
    : t('reading.formula.unreadable', { why: visibleText(problem.why, 'name') })
