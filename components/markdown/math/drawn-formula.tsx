'use client'

import { katexSheet } from '../drawing-files'
import { monotonicClock } from '@/lib/base/clocks'
import { useEffect, useLayoutEffect, useRef, useState, useSyncExternalStore } from 'react'
import { ForeignName } from '@/components/ui/text/foreign-text'
import { useInView } from '@/components/ui/foreign/use-in-view'
import { visibleText } from '@/lib/base/untrusted-text/foreign-text'
import { t } from '@/lib/i18n/t'
import { copyFormulasAsWritten } from './copy-formulas'
import { createDrawingTime } from './drawing-time'
import { builtFile } from '@/lib/base/base-path'
import katex, { type KatexOptions } from 'katex'
import { isTooMuch } from './formula-of'

/** A node of what KaTeX is about to draw. */
interface VirtualNode {
  readonly children?: readonly VirtualNode[]
  readonly attributes?: Record<string, string>
}

interface KatexOfTree {
  readonly __renderToDomTree: (
    tex: string,
    options: KatexOptions,
  ) => VirtualNode & { readonly toNode: () => HTMLElement }
}

type DrawnFormula =
  | { readonly kind: 'drawn'; readonly node: HTMLElement }
  | { readonly kind: 'too-much' }
  /** In KaTeX's words. */
  | { readonly kind: 'unreadable'; readonly why: string }

/** Exported for anyone who puts the nodes somewhere else; its types leave it out. */
const { __renderToDomTree: renderToDomTree } = katex as unknown as KatexOfTree

const options: KatexOptions = {
  throwOnError: true,
  strict: 'ignore',
  // No address, no picture, no class or id that the text chose.
  trust: false,
  // Macros that make more of themselves.
  maxExpand: 500,
  // In em, of whatever has a size of its own.
  maxSize: 20,
}

/** Of what would be drawn: macros nest it deeper than the text shows. A page can't lay out hundreds of levels. */
const limits = { depth: 420, nodes: 12_000 }
const styleHere = 'data-style'

/** Nodes of a formula: never markup, whose style attributes the page's policy refuses, and whose reader could be fooled. */
export function drawFormula(tex: string, display: boolean): DrawnFormula {
  if (isTooMuch(tex)) return { kind: 'too-much' }
  try {
    const tree = renderToDomTree(tex, { ...options, displayMode: display })
    if (!fits(tree)) return { kind: 'too-much' }
    const node = tree.toNode()
    for (const styled of node.querySelectorAll<SVGElement>(`[${styleHere}]`)) {
      styled.style.cssText = styled.getAttribute(styleHere) ?? ''
      styled.removeAttribute(styleHere)
    }
    return { kind: 'drawn', node }
  } catch (error) {
    // Its reader calls itself for each level.
    if (error instanceof RangeError) return { kind: 'too-much' }
    return { kind: 'unreadable', why: error instanceof Error ? error.message.replace(/^KaTeX parse error: /, '') : '' }
  }
}

/** Counts, and moves style attributes aside: set as such they are refused, set by the page's own script they are not. */
function fits(tree: VirtualNode): boolean {
  let nodes = 0
  const walk = ({ attributes, children = [] }: VirtualNode, depth: number): boolean => {
    nodes += 1
    if (nodes > limits.nodes || depth > limits.depth) return false
    const style = attributes?.['style']
    if (attributes && style !== undefined) {
      attributes[styleHere] = style
      delete attributes['style']
    }
    return children.every((child) => walk(child, depth + 1))
  }
  return walk(tree, 0)
}

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

export interface FormulaProps {
  /** LaTeX, without its marks. */
  readonly tex: string
  /** With its marks, as it was written: what is copied, and shown where it can't be drawn. */
  readonly written: string
  readonly display: boolean
}
