'use client'

import { useRef, useState, type KeyboardEvent, type MouseEvent } from 'react'

/** A point in the window, CSS pixels. `above`: its lower edge if there is no room below. */
export interface PopoverPosition {
  readonly x: number
  readonly y: number
  readonly above?: number
}

/** Below its opener, aligned with its start. */
export function positionBelow(opener: Element): PopoverPosition {
  const { left, top, bottom } = opener.getBoundingClientRect()
  return { x: left, y: bottom + 2, above: top - 2 }
}

/** Makes a button open something below it, by a press or an arrow key, and close it by another press. */
export function usePopoverButton() {
  const [at, setAt] = useState<PopoverPosition | null>(null)
  // A press on the button closes the popover like any press outside; the following click must not reopen it.
  const wasOpen = useRef(false)
  return {
    /** Null while closed. */
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
