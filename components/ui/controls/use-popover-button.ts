'use client'

import { useRef, useState, type KeyboardEvent, type MouseEvent } from 'react'

/** A point in the window, CSS pixels. `above`: where its lower edge stands instead, when there is no room below. */
export interface PopoverPosition {
  readonly x: number
  readonly y: number
  readonly above?: number
}

/** Below what opened it, at its start. */
export function positionBelow(opener: Element): PopoverPosition {
  const { left, top, bottom } = opener.getBoundingClientRect()
  return { x: left, y: bottom + 2, above: top - 2 }
}

/** What makes a button open something below it, by a press or an arrow key, and close it by another press. */
export function usePopoverButton() {
  const [at, setAt] = useState<PopoverPosition | null>(null)
  // The press on it closes what is open as any other beside it does; the click that follows must not open it again.
  const wasOpen = useRef(false)
  return {
    /** Null: closed. */
    at,
    close: () => setAt(null),
    button: {
      'aria-expanded': at !== null,
      onPointerDown: () => {
        wasOpen.current = at !== null
      },
      onClick: ({ currentTarget }: MouseEvent) => {
        if (!wasOpen.current) setAt(positionBelow(currentTarget))
        wasOpen.current = false
      },
      onKeyDown: (event: KeyboardEvent) => {
        if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
        event.preventDefault()
        setAt(positionBelow(event.currentTarget))
      },
    },
  } as const
}
