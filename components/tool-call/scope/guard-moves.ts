'use client'

import { useEffect } from 'react'
import { monotonicClock } from '@/lib/base/clocks'

/** How long buttons that moved can't be pressed; ms. */
export const STILL_MS = 500
/** A smaller move still hits the same button; px. */
const MOST_MOVED = 8
/** A pointer this close is about to press; px. */
const NEAR = 80
/** A pointer that moved this recently may be on its way; ms. */
const ON_THE_WAY_MS = 300
/** Scroll events that follow the user's gesture, or each other, this closely are the user's own; ms. */
const GESTURE_MS = 200
/** Layout changes that last longer than a frame; ms. */
const TRANSITION_MS = 400

/** Buttons that decide something: of cards, of a batch, of a copy, of a page's request. */
const decisions = '[data-part="foot"], [data-batch], [data-decides]'

const hasDecisions = (node: Node): boolean =>
  node instanceof Element && (node.closest(decisions) !== null || node.querySelector(decisions) !== null)

/**
 * A press is aimed at a position. When something that arrives late (a mark, a progress line, a picture, a font) moves
 * decision buttons under the pointer or a finger, they take no press for half a second. The user's own scrolling does
 * not count as a move. Keys are not affected: they go to the focused button.
 */
function guardMoves(): () => void {
  const life = new AbortController()
  let places = new Map<HTMLElement, DOMRect>()
  const still = new Map<HTMLElement, ReturnType<typeof setTimeout>>()
  /** Where the current press began, and the rows to hold once it has ended. */
  let pressed: Node | null = null
  const heldLater = new Set<HTMLElement>()
  let pointer: { readonly x: number; readonly y: number; readonly at: number; readonly isTouch: boolean } | null = null
  let gestureAt = -Infinity
  let movingUntil = 0
  let isPlanned = false

  const isAimed = (rects: readonly DOMRect[], margin: number): boolean => {
    if (pointer === null) return false
    const { x, y } = pointer
    return rects.some(
      ({ left, right, top, bottom }) =>
        x >= left - margin && x <= right + margin && y >= top - margin && y <= bottom + margin,
    )
  }
  const hold = (row: HTMLElement) => {
    // A press that began on the button counts only there: a press that ends on another button is none.
    if (pressed && row.contains(pressed)) return void heldLater.add(row)
    clearTimeout(still.get(row))
    row.style.pointerEvents = 'none'
    const release = () => {
      row.style.pointerEvents = ''
      still.delete(row)
    }
    still.set(row, setTimeout(release, STILL_MS))
  }
  /** It moved, or appeared, where the user is about to press. */
  const isUnderHand = (before: DOMRect | undefined, rect: DOMRect, time: number): boolean => {
    if (pointer === null) return false
    if (!before) return isAimed([rect], 0)
    const moved = Math.max(Math.abs(rect.top - before.top), Math.abs(rect.left - before.left))
    if (moved <= MOST_MOVED) return false
    return pointer.isTouch || time - pointer.at < ON_THE_WAY_MS || isAimed([before, rect], NEAR)
  }
  const measure = (isOwnScroll: boolean) => {
    const time = monotonicClock()
    const next = new Map<HTMLElement, DOMRect>()
    for (const row of document.querySelectorAll<HTMLElement>(decisions)) {
      for (const button of row.querySelectorAll<HTMLElement>('button, a')) {
        const rect = button.getBoundingClientRect()
        if (rect.height === 0) continue
        next.set(button, rect)
        if (!isOwnScroll && isUnderHand(places.get(button), rect, time)) hold(row)
      }
    }
    places = next
    if (time < movingUntil) plan()
  }
  // Runs after the frame, when everything that keeps cards in place has run.
  const plan = () => {
    if (isPlanned) return
    isPlanned = true
    requestAnimationFrame(() =>
      setTimeout(() => {
        isPlanned = false
        if (!life.signal.aborted) measure(false)
      }),
    )
  }

  const options = { passive: true, capture: true, signal: life.signal }
  // Earlier moves are measured before the pointer's new position counts. A pointer that comes to where a button
  // already is was not aimed at the old position; a press on a button that moved must find it held.
  const see = ({ clientX, clientY, pointerType, target }: PointerEvent) => {
    const time = monotonicClock()
    if (target instanceof Element && target.closest(decisions)) measure(time - gestureAt <= GESTURE_MS)
    pointer = { x: clientX, y: clientY, at: time, isTouch: pointerType === 'touch' }
  }
  document.addEventListener('pointermove', see, options)
  const begin = (event: PointerEvent) => {
    see(event)
    const { target } = event
    if (!(target instanceof Element)) return
    const row = target.closest<HTMLElement>(decisions)
    pressed = row && still.has(row) ? null : target
  }
  document.addEventListener('pointerdown', begin, options)
  // After the click that may follow.
  const end = () =>
    setTimeout(() => {
      pressed = null
      for (const row of heldLater) hold(row)
      heldLater.clear()
    })
  for (const event of ['pointerup', 'pointercancel'] as const) document.addEventListener(event, end, options)
  const byUser = () => (gestureAt = monotonicClock())
  for (const gesture of ['wheel', 'touchmove', 'keydown'] as const) document.addEventListener(gesture, byUser, options)
  const onScroll = () => {
    const time = monotonicClock()
    if (time - gestureAt > GESTURE_MS) return plan()
    gestureAt = time
    measure(true)
  }
  document.addEventListener('scroll', onScroll, options)
  const onTransition = () => {
    movingUntil = monotonicClock() + TRANSITION_MS
    plan()
  }
  for (const event of ['transitionrun', 'animationstart'] as const)
    document.addEventListener(event, onTransition, options)
  document.addEventListener('load', plan, options)
  window.addEventListener('resize', plan, options)
  // Some test environments lack it.
  document.fonts?.addEventListener('loadingdone', plan, { signal: life.signal })
  // Buttons that appear are measured before a press can follow.
  const changes = new MutationObserver((records) => {
    if (records.some(({ addedNodes }) => Array.from(addedNodes).some(hasDecisions))) measure(false)
    plan()
  })
  changes.observe(document.body, { subtree: true, childList: true, characterData: true, attributes: true })
  measure(false)
  return () => {
    life.abort()
    changes.disconnect()
    for (const [row, timer] of still) {
      clearTimeout(timer)
      row.style.pointerEvents = ''
    }
  }
}

let users = 0
let stop: () => void = () => {}

/** Guards the decisions of the page as long as a component with decisions is shown. */
export function useGuardedMoves(): void {
  useEffect(() => {
    users += 1
    if (users === 1) stop = guardMoves()
    return () => {
      users -= 1
      if (users === 0) stop()
    }
  }, [])
}
