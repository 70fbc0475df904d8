'use client'

import { useEffect, useEffectEvent, useLayoutEffect, useRef, type ComponentProps, type RefObject } from 'react'
import type { PopoverPosition } from '../controls/use-popover-button'

const EDGE = 4

/** Puts it where there is room, wholly in the window. */
export function putAt(element: HTMLElement, at: PopoverPosition): void {
  // Measured with the whole window to be in: beside the edge it would be as narrow as what is left there.
  element.style.left = '0'
  const { width, height } = element.getBoundingClientRect()
  const fitsBelow = at.y + height <= window.innerHeight - EDGE
  const top = fitsBelow || at.above === undefined || at.above - height < EDGE ? at.y : at.above - height
  element.style.left = `${Math.max(EDGE, Math.min(at.x, window.innerWidth - width - EDGE))}px`
  element.style.top = `${Math.max(EDGE, Math.min(top, window.innerHeight - height - EDGE))}px`
}

export interface PopoverProps extends ComponentProps<'div'> {
  readonly at: PopoverPosition
  /** Esc, a press outside, a turn of the wheel outside, or another window. */
  readonly onClose: () => void
  readonly ref?: RefObject<HTMLDivElement | null>
}

/**
 * What lies over the page for a moment. Mounted means open: in the browser's top layer, over dialogs and out of every
 * clip, by the native `popover`. What had the focus gets it back, unless what was chosen put it elsewhere.
 */
export function Popover({ at, onClose, ref, ...rest }: PopoverProps) {
  const own = useRef<HTMLDivElement>(null)
  const box = ref ?? own
  const close = useEffectEvent(onClose)
  // Before the effects of what stands inside: it may then take the focus, and the opener is known.
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
