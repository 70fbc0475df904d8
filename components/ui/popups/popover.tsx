'use client'

import { useEffect, useEffectEvent, useLayoutEffect, useRef, type ComponentProps, type RefObject } from 'react'
import type { PopoverPosition } from '../controls/use-popover-button'

const EDGE = 4

/** Positions it where there is room, fully inside the window. */
export function putAt(element: HTMLElement, at: PopoverPosition): void {
  // Measured at the left edge, because near the right edge it would be too narrow.
  element.style.left = '0'
  const { width, height } = element.getBoundingClientRect()
  const fitsBelow = at.y + height <= window.innerHeight - EDGE
  const top = fitsBelow || at.above === undefined || at.above - height < EDGE ? at.y : at.above - height
  element.style.left = `${Math.max(EDGE, Math.min(at.x, window.innerWidth - width - EDGE))}px`
  element.style.top = `${Math.max(EDGE, Math.min(top, window.innerHeight - height - EDGE))}px`
}

export interface PopoverProps extends ComponentProps<'div'> {
  readonly at: PopoverPosition
  /** Called on Esc, a press outside, a wheel event outside, or when the window loses the focus. */
  readonly onClose: () => void
  readonly ref?: RefObject<HTMLDivElement | null>
}

/**
 * A temporary layer over the page. Mounted means open: in the browser's top layer, above dialogs and never clipped, by
 * the native `popover`. The previous focus is restored, unless the chosen action moved it.
 */
export function Popover({ at, onClose, ref, ...rest }: PopoverProps) {
  const own = useRef<HTMLDivElement>(null)
  const box = ref ?? own
  const close = useEffectEvent(onClose)
  // Runs before the children's effects, which may take the focus, so that the opener is known.
  useLayoutEffect(() => {
    const element = box.current
    if (!element) return
    const opener = document.activeElement
    const onToggle = (event: ToggleEvent) => {
      if (event.newState === 'closed') close()
    }
    if ('popover' in element) {
      element.popover = 'auto'
      element.addEventListener('toggle', onToggle)
      element.showPopover()
    }
    return () => {
      element.removeEventListener('toggle', onToggle)
      const lost = document.activeElement === document.body || element.contains(document.activeElement)
      if (lost && opener instanceof HTMLElement && opener.isConnected) opener.focus()
    }
  }, [box])
  useLayoutEffect(() => {
    if (box.current) putAt(box.current, at)
  }, [box, at])
  useEffect(() => {
    const onPress = (event: Event) => {
      if (!(event.target instanceof Node && box.current?.contains(event.target))) close()
    }
    const onBlur = () => close()
    document.addEventListener('pointerdown', onPress)
    document.addEventListener('wheel', onPress, { passive: true })
    window.addEventListener('blur', onBlur)
    return () => {
      document.removeEventListener('pointerdown', onPress)
      document.removeEventListener('wheel', onPress)
      window.removeEventListener('blur', onBlur)
    }
  }, [box])
  return <div ref={box} {...rest} />
}
