'use client'

import { katexSheet } from '../drawing-files'
import { monotonicClock } from '@/lib/base/clocks'
import { useEffect, useLayoutEffect, useRef, useState, useSyncExternalStore } from 'react'
import { ForeignName } from '@/components/ui/text/foreign-text'
import { useInView } from '@/components/ui/foreign/use-in-view'
import { visibleText } from '@/lib/base/untrusted-text/foreign-text'
import { t } from '@/lib/i18n/t'
import { createDrawingTime } from './drawing-time'
import { builtFile } from '@/lib/base/base-path'
import katex, { type KatexOptions } from 'katex'
import { isTooMuch } from './formula-of'

/*
 * Copies a selection with formulas as LaTeX including its marks. The rendered formula has each letter twice: once
 * visible and once for screen readers.
 */

const formulaSelector = '[data-formula]'
let watched = false

/**
 * Installs the handler once per page. It never has to be removed, because it does nothing without formulas in the
 * selection.
 */
export function copyFormulasAsWritten(): void {
  if (watched) return
  watched = true
  document.addEventListener('copy', onCopy)
}

function onCopy(event: ClipboardEvent): void {
  const selection = document.getSelection()
  if (!selection || selection.isCollapsed || !event.clipboardData || event.defaultPrevented) return
  const text = selectedText(selection)
  if (text === null) return
  event.clipboardData.setData('text/plain', text)
  event.preventDefault()
}

/** The selected text with formulas as they were written; null if it has none. */
export function selectedText(selection: Selection): string | null {
  const parts = Array.from({ length: selection.rangeCount }, (_, index) => selection.getRangeAt(index).cloneRange())
  const holder = document.createElement('div')
  for (const range of parts) {
    // A selection that starts or ends inside a formula includes all of it, because half a formula is meaningless.
    const first = closest(range.startContainer)
    const last = closest(range.endContainer)
    if (first) range.setStartBefore(first)
    if (last) range.setEndAfter(last)
    holder.append(range.cloneContents())
  }
  const formulas = holder.querySelectorAll<HTMLElement>(formulaSelector)
  if (formulas.length === 0) return null
  for (const each of formulas) {
    const written = each.dataset['written'] ?? ''
    each.replaceWith(each.dataset['formula'] === 'display' ? `\n${written}\n` : written)
  }
  return laidOut(holder)
}

const closest = (node: Node): Element | null =>
  (node instanceof Element ? node : node.parentElement)?.closest(formulaSelector) ?? null

/** The text as the browser would copy it, with line breaks, which only laid-out elements have. */
function laidOut(holder: HTMLElement): string {
  holder.style.cssText = 'position:fixed;top:0;opacity:0;pointer-events:none;white-space:pre-wrap'
  holder.setAttribute('aria-hidden', 'true')
  document.body.append(holder)
  const text = holder.innerText
  holder.remove()
  return text
}

/** A node that KaTeX would render. */
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
  /** KaTeX's message. */
  | { readonly kind: 'unreadable'; readonly why: string }

/** KaTeX exports it, but its types leave it out. */
const { __renderToDomTree: renderToDomTree } = katex as unknown as KatexOfTree

const options: KatexOptions = {
  throwOnError: true,
  strict: 'ignore',
  // No address, picture, class or id chosen by the text.
  trust: false,
  // Limits macro expansion.
  maxExpand: 500,
  // In em; the maximum of any size that the text sets.
  maxSize: 20,
}

/**
 * Limits of the rendered tree. Macros nest it deeper than the text shows, and a page can't lay out hundreds of levels.
 */
const limits = { depth: 420, nodes: 12_000 }
const styleHere = 'data-style'

/**
 * A formula as nodes and never as markup: the page's policy refuses style attributes, and an HTML parser could be
 * tricked.
 */
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
    // KaTeX's parser is recursive.
    if (error instanceof RangeError) return { kind: 'too-much' }
    return { kind: 'unreadable', why: error instanceof Error ? error.message.replace(/^KaTeX parse error: /, '') : '' }
  }
}

/**
 * Checks the limits and moves style attributes aside: the policy refuses them in markup, but not when the page's own
 * script sets them.
 */
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
 * KaTeX's style sheet, loaded for the first formula. Without it, a rendered formula is unreadable, so formulas are
 * shown as written until it is loaded.
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
    // The next formula retries.
    state = 'unasked'
  })
  document.head.append(link)
}

const drawingTime = createDrawingTime({
  monotonic: monotonicClock,
  soon: (task) => void setTimeout(task, 0),
})

type Problem = Exclude<DrawnFormula, { kind: 'drawn' }>

/** A formula, inserted as nodes and never as markup. */
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
    // A hidden element has no width.
    if (!shows || !display || !place.current) return
    const { scrollWidth, clientWidth } = place.current
    setWide(scrollWidth > clientWidth)
  }, [shows, display])
  return (
    <span ref={around} className={display ? 'block' : undefined}>
      {shows ? null : (
        <span data-tip={problem ? problemText(problem) : undefined}>
          <ForeignName text={written} reading="code" />
        </span>
      )}
      {/* React does not manage the content. */}
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

const problemText = (problem: Problem): string =>
  problem.kind === 'too-much'
    ? t('reading.formula.too-much')
    : t('reading.formula.unreadable', { why: visibleText(problem.why, 'name') })

export interface FormulaProps {
  /** LaTeX, without its marks. */
  readonly tex: string
  /** As written, with its marks: used for copying, and shown if it can't be rendered. */
  readonly written: string
  readonly display: boolean
}
