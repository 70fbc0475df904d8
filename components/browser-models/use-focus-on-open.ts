import { useEffect, useRef, type RefObject } from 'react'

/** Brings a part of a dialog into view as it opens, with the focus on what `selector` finds in it. */
export function useFocusOnOpen<T extends HTMLElement>(isWanted: boolean, selector: string): RefObject<T | null> {
  const part = useRef<T>(null)
  useEffect(() => {
    if (!isWanted) return
    // The dialog gives the focus to its first button when it opens, which comes after this.
    const frame = requestAnimationFrame(() => {
      part.current?.scrollIntoView({ block: 'nearest' })
      part.current?.querySelector<HTMLElement>(selector)?.focus({ preventScroll: true })
    })
    return () => cancelAnimationFrame(frame)
  }, [isWanted, selector])
  return part
}
