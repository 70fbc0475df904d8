'use client'

import { useCallback, useEffect, useImperativeHandle, useRef, useState, type Ref, type RefObject } from 'react'
import type { OutOfView } from '@/components/ui/out-of-view'
import type { EvidenceKeys } from '../scope/call-scope'

/** Pixels by which a measure may be off. */
const SLACK = 4
/** Of the height of what scrolls: a page keeps a few lines of the last one. */
const PAGE = 0.85

/**
 * Whether all of a card's evidence was in view, told by its two ends. `evidence` goes on the element that holds it, `said` is
 * true once a key was held back.
 */
export function useEvidenceInView(parts: OutOfView, keys: Ref<EvidenceKeys> | undefined) {
  const evidence = useRef<HTMLDivElement>(null)
  /** The height at which each end was in view: what grew since was not seen. */
  const seen = useRef({ top: false, bottomAt: -1 })
  const [said, setSaid] = useState(false)

  const look = useCallback(() => {
    const element = evidence.current
    if (!element) return
    const { top, bottom, height } = element.getBoundingClientRect()
    const view = viewOf(element)
    if (top >= view.top - SLACK && top <= view.bottom + SLACK) seen.current.top = true
    if (bottom <= view.bottom + SLACK && bottom >= view.top - SLACK) seen.current.bottomAt = height
  }, [])
  useScrolls(evidence, look)

  const isOver = () => {
    const element = evidence.current
    if (parts.words !== '') return false
    if (!element) return true
    look()
    return seen.current.top && element.getBoundingClientRect().height <= seen.current.bottomAt + SLACK
  }
  const open = () => {
    setSaid(true)
    parts.reveal()
    evidence.current?.scrollIntoView({ block: 'nearest' })
  }
  const passes = () => {
    if (isOver()) return true
    setSaid(true)
    const element = evidence.current
    if (parts.words !== '' || !seen.current.top || !element) {
      parts.reveal()
      element?.scrollIntoView({ block: 'start' })
    } else {
      const { top, bottom } = viewOf(element)
      scrollerOf(element).scrollBy({ top: (bottom - top) * PAGE })
    }
    return false
  }
  useImperativeHandle(keys, () => ({ passes, isFolded: () => parts.words !== '', open }))
  return { evidence, said }
}

/** Looks when something scrolled, and when the evidence is laid out anew. */
function useScrolls(evidence: RefObject<HTMLElement | null>, look: () => void): void {
  useEffect(() => {
    look()
    document.addEventListener('scroll', look, { capture: true, passive: true })
    const observer = typeof ResizeObserver === 'undefined' ? null : new ResizeObserver(look)
    if (evidence.current) observer?.observe(evidence.current)
    return () => {
      document.removeEventListener('scroll', look, { capture: true })
      observer?.disconnect()
    }
  }, [evidence, look])
}

function scrollerOf(element: Element): Element {
  for (let at = element.parentElement; at; at = at.parentElement) {
    if (at.scrollHeight > at.clientHeight + SLACK && /auto|scroll/.test(getComputedStyle(at).overflowY)) return at
  }
  return document.scrollingElement ?? document.documentElement
}

/** What of the page shows the element: its scroller, within the window. */
function viewOf(element: Element): { readonly top: number; readonly bottom: number } {
  const scroller = scrollerOf(element)
  if (scroller === document.scrollingElement) return { top: 0, bottom: window.innerHeight }
  const { top, bottom } = scroller.getBoundingClientRect()
  return { top: Math.max(0, top), bottom: Math.min(window.innerHeight, bottom) }
}
