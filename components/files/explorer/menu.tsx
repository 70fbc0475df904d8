'use client'

import { SaidText } from '@/components/ui/foreign-text'
import { floating, menuItem } from '@/components/ui/recipes/surface'
import { visibleText } from '@/lib/base/foreign-text/foreign-text'
import { useEffect, useEffectEvent, useLayoutEffect, useRef, type KeyboardEvent } from 'react'

export interface MenuItem {
  readonly label: string
  /** A key hint, for the eye; the tree's own keys do the work. */
  readonly keys?: string
  readonly disabled?: boolean
  readonly run: () => void
}

export interface MenuProps {
  readonly label: string
  /** Where it opens, in the window. */
  readonly at: { readonly x: number; readonly y: number }
  readonly items: readonly MenuItem[]
  readonly onClose: () => void
}

/** A menu at a point: arrows, Home, End, Enter; Esc, Tab and a press outside close it and the focus goes back. */
export function Menu({ label, at, items, onClose }: MenuProps) {
  const ref = useRef<HTMLDivElement>(null)
  const close = useEffectEvent(onClose)
  useLayoutEffect(() => {
    const menu = ref.current
    if (!menu) return
    const opener = document.activeElement
    const { width, height } = menu.getBoundingClientRect()
    menu.style.left = `${Math.max(4, Math.min(at.x, window.innerWidth - width - 4))}px`
    menu.style.top = `${Math.max(4, Math.min(at.y, window.innerHeight - height - 4))}px`
    menu.querySelector<HTMLElement>('button:not(:disabled)')?.focus()
    return () => {
      // What was chosen may have put the focus elsewhere.
      const lost = document.activeElement === document.body || menu.contains(document.activeElement)
      if (lost && opener instanceof HTMLElement && opener.isConnected) opener.focus()
    }
  }, [at])
  useEffect(() => {
    const onPress = (event: Event) => {
      if (!(event.target instanceof Node && ref.current?.contains(event.target))) close()
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
  }, [])

  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    event.stopPropagation()
    if (event.key === 'Escape' || event.key === 'Tab') {
      event.preventDefault()
      onClose()
      return
    }
    const buttons = [...event.currentTarget.querySelectorAll<HTMLElement>('button:not(:disabled)')]
    const here = buttons.findIndex((button) => button === document.activeElement)
    const next = { ArrowDown: here + 1, ArrowUp: here - 1, Home: 0, End: -1 }[event.key]
    if (next === undefined) return
    event.preventDefault()
    buttons.at(next % buttons.length)?.focus()
  }
  return (
    // Keys are for the items in it; the menu itself is never focused.
    <div
      ref={ref}
      className={floating({}, 'fixed grid min-w-48')}
      role="menu"
      aria-label={visibleText(label, 'prose')}
      tabIndex={-1}
      onKeyDown={onKeyDown}
    >
      {items.map((item) => (
        <button
          type="button"
          role="menuitem"
          tabIndex={-1}
          key={item.label}
          disabled={item.disabled}
          className={menuItem({}, 'focus-visible:-outline-offset-2 pointer-coarse:min-h-touch')}
          onClick={() => {
            onClose()
            item.run()
          }}
        >
          <SaidText text={item.label} />
          {item.keys ? (
            <kbd aria-hidden="true" className="ms-auto ps-2">
              {item.keys}
            </kbd>
          ) : null}
        </button>
      ))}
    </div>
  )
}
