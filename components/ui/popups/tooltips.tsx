'use client'

import { useEffect, useEffectEvent, useId, useLayoutEffect, useRef, useState } from 'react'
import { putAt } from './popover'
import { positionBelow } from '../controls/use-popover-button'
import { floating } from '../recipes/surface'

/** How long the pointer must rest before a tooltip opens; milliseconds. */
const REST_MS = 400
/** How long the pointer may take from the element to its tooltip; milliseconds. */
const LEAVE_MS = 150

interface Shown {
  readonly about: HTMLElement
  readonly text: string
}

const aboutOf = (target: EventTarget | null): HTMLElement | null =>
  target instanceof Element ? target.closest<HTMLElement>('[data-tip]') : null

const isCut = (element: Element): boolean => element.scrollWidth > element.clientWidth

/** The tooltip's text; null if all of it is already visible. */
function wordsFor(about: HTMLElement): string | null {
  const text = about.dataset['tip'] ?? ''
  if (text === '') return null
  const isSeen = about.textContent === text && !isCut(about) && ![...about.children].some(isCut)
  return isSeen ? null : text
}

/**
 * Shows a tooltip for any element with `data-tip`, on hover or keyboard focus, and to assistive technology unless its
 * name says the same. Esc closes it, and it stays while the pointer is on it (WCAG 1.4.13). One for the whole page.
 */
export default function Tooltips() {
  const [shown, setShown] = useState<Shown | null>(null)
  const box = useRef<HTMLDivElement>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const id = useId()
  const later = (delayMs: number, next: Shown | null) => {
    clearTimeout(timer.current)
    timer.current = setTimeout(() => setShown(next), delayMs)
  }
  const stepOn = useEffectEvent((target: EventTarget | null, delayMs: number) => {
    if (target instanceof Node && box.current?.contains(target)) {
      clearTimeout(timer.current)
      return
    }
    const about = aboutOf(target)
    const text = about && wordsFor(about)
    if (about && text !== null) later(shown ? 0 : delayMs, { about, text })
    else later(shown ? LEAVE_MS : 0, null)
  })
  const hide = useEffectEvent(() => {
    clearTimeout(timer.current)
    setShown(null)
  })
  useEffect(() => {
    const onPointer = (event: PointerEvent) => {
      if (event.pointerType !== 'touch') stepOn(event.target, REST_MS)
    }
    const onFocus = ({ target }: FocusEvent) => {
      if (target instanceof Element && target.matches(':focus-visible')) stepOn(target, 0)
    }
    const onKey = ({ key }: KeyboardEvent) => {
      if (key === 'Escape') hide()
    }
    const gone = () => hide()
    document.addEventListener('pointerover', onPointer)
    document.addEventListener('focusin', onFocus)
    document.addEventListener('keydown', onKey)
    for (const kind of ['pointerdown', 'focusout', 'scroll'] as const) document.addEventListener(kind, gone, true)
    return () => {
      document.removeEventListener('pointerover', onPointer)
      document.removeEventListener('focusin', onFocus)
      document.removeEventListener('keydown', onKey)
      for (const kind of ['pointerdown', 'focusout', 'scroll'] as const) document.removeEventListener(kind, gone, true)
    }
  }, [])
  useEffect(() => () => clearTimeout(timer.current), [])
  useLayoutEffect(() => {
    const element = box.current
    if (!shown || !element) return
    const { about, text } = shown
    if ('popover' in element) {
      element.popover = 'manual'
      element.showPopover()
    }
    putAt(element, positionBelow(about))
    // The accessible name would be read twice.
    if (about.getAttribute('aria-label') === text || about.textContent === text) return
    const before = about.getAttribute('aria-describedby')
    about.setAttribute('aria-describedby', before ? `${before} ${id}` : id)
    return () => {
      if (before === null) about.removeAttribute('aria-describedby')
      else about.setAttribute('aria-describedby', before)
    }
  }, [shown, id])
  if (!shown) return null
  return (
    <div
      // A new element gets a new box, so that it opens above everything else.
      key={shown.text}
      ref={box}
      id={id}
      role="tooltip"
      className={floating({}, 'fixed m-0 max-w-80 px-2 text-sm wrap-anywhere text-text')}
      dir="auto"
    >
      {shown.text}
    </div>
  )
}
