'use client'

import { visibleText } from '@/lib/base/foreign-text/foreign-text'
import { useEffectEvent, useLayoutEffect, useRef, type ReactNode } from 'react'

export interface DialogProps {
  readonly label: string
  /** `dialog`: a question in the middle; `ask`: a wide one, as a card; `drawer`: from the right; `sheet`: from the left. */
  readonly look?: 'dialog' | 'ask' | 'drawer' | 'sheet'
  readonly onClose: () => void
  readonly children: ReactNode
}

/**
 * A native modal dialog: the browser keeps the focus inside, closes on Esc and gives the focus back. Mounted means open.
 * A press on the backdrop closes it, unless the press began inside (a text selection that ends outside).
 */
export function Dialog({ label, look = 'dialog', onClose, children }: DialogProps) {
  const ref = useRef<HTMLDialogElement>(null)
  const close = useEffectEvent(onClose)

  // Before the effects of what stands inside: it may then take the focus, and the opener is known.
  useLayoutEffect(() => {
    const dialog = ref.current
    if (!dialog) return
    const opener = document.activeElement
    let pressedOutside = false
    const onCancel = (event: Event) => {
      // A file picker inside cancels too, and its event rises.
      if (event.target !== dialog) return
      event.preventDefault()
      close()
    }
    const onPointerDown = (event: PointerEvent) => {
      pressedOutside = event.target === dialog && isOutside(dialog, event)
    }
    const onClick = (event: MouseEvent) => {
      if (pressedOutside && event.target === dialog && isOutside(dialog, event)) close()
    }
    dialog.addEventListener('cancel', onCancel)
    dialog.addEventListener('pointerdown', onPointerDown)
    dialog.addEventListener('click', onClick)
    if (!dialog.open) dialog.showModal()
    return () => {
      dialog.removeEventListener('cancel', onCancel)
      dialog.removeEventListener('pointerdown', onPointerDown)
      dialog.removeEventListener('click', onClick)
      dialog.close()
      if (opener instanceof HTMLElement && opener.isConnected) opener.focus()
    }
  }, [])

  return (
    <dialog ref={ref} aria-label={visibleText(label, 'prose')} className={look}>
      {children}
    </dialog>
  )
}

function isOutside(dialog: HTMLElement, at: { readonly clientX: number; readonly clientY: number }): boolean {
  const box = dialog.getBoundingClientRect()
  return at.clientX < box.left || at.clientX > box.right || at.clientY < box.top || at.clientY > box.bottom
}
