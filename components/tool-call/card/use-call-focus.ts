'use client'

import { useCallback, useEffect, useRef, type FocusEvent, type RefObject } from 'react'

export interface CallFocus {
  /** Goes on the card's element. */
  readonly card: RefObject<HTMLDivElement | null>
  /** Takes the focus before the button that has it goes away with the state, so that it does not get lost. */
  readonly keep: () => void
  /** For the card's element: says when pointer and focus come and go. */
  readonly listeners: {
    readonly onFocus: () => void
    readonly onBlur: (event: FocusEvent<HTMLElement>) => void
    readonly onPointerEnter: () => void
    readonly onPointerLeave: () => void
  }
}

/** `takes`: the card comes in the place of one whose button was just pressed, and takes over its focus. */
export function useCallFocus(takes: boolean, onInside: (kind: 'focus' | 'hover', here: boolean) => void): CallFocus {
  const card = useRef<HTMLDivElement>(null)
  const first = useRef(takes)
  const keep = useCallback(() => card.current?.focus({ preventScroll: true }), [])
  useEffect(() => {
    if (first.current) keep()
    first.current = false
  }, [keep])
  return {
    card,
    keep,
    listeners: {
      onFocus: () => onInside('focus', true),
      onBlur: (event) => {
        if (!event.currentTarget.contains(event.relatedTarget)) onInside('focus', false)
      },
      onPointerEnter: () => onInside('hover', true),
      onPointerLeave: () => onInside('hover', false),
    },
  }
}
