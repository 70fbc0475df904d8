'use client'

import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { followTarget, nextStuck } from './follow-end'

export interface FollowEnd {
  /** The reader scrolled away: offer the way back. */
  readonly away: boolean
  /** Goes to the end and stays there. */
  toEnd(): void
}

/**
 * Keeps the end of a growing thread in view until the reader scrolls up, and again once they are back. A card that waits
 * is never scrolled past: its head stays in view (`followTarget`). A changed `subject` (another conversation) starts at
 * the end.
 */
export function useFollowEnd(view: HTMLElement | null, content: HTMLElement | null, subject: string): FollowEnd {
  const stuck = useRef(true)
  const [away, setAway] = useState(false)

  const follow = useMemo(
    () => () => {
      if (!view || !stuck.current) return
      const target = followTarget(measure(view))
      if (Math.abs(view.scrollTop - target) > 1) view.scrollTop = target
    },
    [view],
  )

  useLayoutEffect(() => {
    stuck.current = true
    setAway(false)
    if (view) view.scrollTop = view.scrollHeight
  }, [view, content, subject])

  useEffect(() => {
    if (!view || !content) return
    const observer = new ResizeObserver(follow)
    observer.observe(content)
    observer.observe(view)
    let lastTop = view.scrollTop
    let letGo = false
    const onScroll = () => {
      const { scrollTop, scrollHeight, clientHeight } = view
      const distance = scrollHeight - scrollTop - clientHeight
      stuck.current = nextStuck(stuck.current, { distance, movedBy: scrollTop - lastTop, letGo })
      letGo = false
      lastTop = scrollTop
      setAway(!stuck.current && distance > 48)
    }
    const release = () => {
      letGo = true
      stuck.current = false
    }
    const onWheel = (event: WheelEvent) => {
      if (event.deltaY < 0) release()
    }
    const onKey = (event: KeyboardEvent) => {
      if (!isTyping(event.target) && /^(?:PageUp|Home|ArrowUp)$/.test(event.key)) release()
    }
    const onPointer = (event: PointerEvent) => {
      // The scrollbar: nothing else of the scroller itself can be pressed.
      if (event.target === view) release()
    }
    view.addEventListener('scroll', onScroll, { passive: true })
    view.addEventListener('wheel', onWheel, { passive: true })
    view.addEventListener('touchmove', release, { passive: true })
    view.addEventListener('keydown', onKey)
    view.addEventListener('pointerdown', onPointer)
    return () => {
      observer.disconnect()
      view.removeEventListener('scroll', onScroll)
      view.removeEventListener('wheel', onWheel)
      view.removeEventListener('touchmove', release)
      view.removeEventListener('keydown', onKey)
      view.removeEventListener('pointerdown', onPointer)
    }
  }, [view, content, follow])

  return useMemo(
    () => ({
      away,
      toEnd() {
        stuck.current = true
        setAway(false)
        if (view) view.scrollTop = view.scrollHeight
      },
    }),
    [away, view],
  )
}

function measure(view: HTMLElement) {
  const last = view.querySelector('[data-last-message]')
  const waiting = last?.querySelector('.card.waiting')
  const head = (waiting && last?.querySelector('.batch')) ?? waiting
  const top = view.getBoundingClientRect().top
  return {
    scrollTop: view.scrollTop,
    scrollHeight: view.scrollHeight,
    clientHeight: view.clientHeight,
    headTop: head ? head.getBoundingClientRect().top - top + view.scrollTop : null,
  }
}

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.closest('textarea, input, select, [contenteditable="true"]') !== null
