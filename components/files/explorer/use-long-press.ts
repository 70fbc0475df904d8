import { useEffect, useRef, type PointerEvent } from 'react'

const LONG_PRESS_MS = 500

/** A finger that stays. iOS has no event for it. */
export function useLongPress() {
  const timer = useRef<ReturnType<typeof setTimeout> | null>(null)
  const from = useRef({ x: 0, y: 0 })
  const long = useRef(false)
  const end = () => {
    if (timer.current !== null) clearTimeout(timer.current)
    timer.current = null
  }
  useEffect(
    () => () => {
      if (timer.current !== null) clearTimeout(timer.current)
    },
    [],
  )
  return {
    begin(at: { readonly x: number; readonly y: number }, onLong: () => void) {
      end()
      long.current = false
      from.current = at
      timer.current = setTimeout(() => {
        long.current = true
        onLong()
      }, LONG_PRESS_MS)
    },
    move(event: PointerEvent) {
      if (Math.hypot(event.clientX - from.current.x, event.clientY - from.current.y) > 10) end()
    },
    end,
    /** True once for the click that ends a long press. */
    wasLong(): boolean {
      const was = long.current
      long.current = false
      return was
    },
  }
}
