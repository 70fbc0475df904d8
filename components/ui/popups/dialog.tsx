'use client'

import { visibleText } from '@/lib/base/untrusted-text/foreign-text'
import { SentenceText } from '../text/foreign-text'
import { cx } from '../recipes/recipe'
import { panel, row } from '../recipes/surface'
import { useEffectEvent, useLayoutEffect, useRef, type ReactNode } from 'react'
import { createPortal } from 'react-dom'

export interface DialogProps {
  readonly label: string
  /**
   * `dialog`: a question in the middle; `ask`: a wide one, as a card; `wide`: over nearly the whole page; `drawer`:
   * from the right; `sheet`: from the left; `palette`: near the top.
   */
  readonly look?: 'dialog' | 'ask' | 'wide' | 'drawer' | 'sheet' | 'palette'
  readonly onClose: () => void
  readonly children: ReactNode
}

// The default text style; `:where` has no specificity, so that anything overrides it.
const words =
  '[:where(&_h2)]:text-md [:where(&_h2)]:font-strong [:where(&_p)]:mt-1 [:where(&_p)]:text-pretty [:where(&_p)]:text-muted'

const looks = {
  dialog: cx(panel(), 'm-auto w-[min(var(--container-dialog),calc(100vw-2rem))] p-5 shadow-float', words),
  ask: cx(
    'm-auto max-h-[calc(100dvh-2rem)] w-[min(var(--container-column),calc(100vw-2rem))] max-w-none overflow-y-auto rounded-lg border border-accent bg-raised shadow-float',
  ),
  wide: cx(
    panel(),
    'm-auto h-[calc(100dvh-2rem)] w-[calc(100vw-2rem)] max-w-none flex-col overflow-hidden p-0 shadow-float open:flex narrow:h-dvh narrow:max-h-none narrow:w-screen narrow:rounded-none narrow:border-0',
  ),
  drawer: cx(
    'fixed inset-y-0 end-0 m-0 ms-auto h-dvh max-h-none min-h-screen w-[min(calc(var(--container-drawer)+env(safe-area-inset-right)),100%)] max-w-none overflow-y-auto border-s border-line bg-raised pe-[env(safe-area-inset-right)] pb-[env(safe-area-inset-bottom)] shadow-float narrow:ps-[env(safe-area-inset-left)] open:animate-drawer',
  ),
  palette: cx(
    panel(),
    'mx-auto mt-[min(12dvh,7rem)] mb-auto w-[min(38rem,calc(100vw-1rem))] max-w-none overflow-hidden shadow-float short:mt-2',
  ),
  sheet: cx(
    'm-0 h-dvh max-h-none w-[min(calc(20rem+env(safe-area-inset-left)),calc(100vw-3rem))] max-w-none bg-sunken ps-[env(safe-area-inset-left)] pb-[env(safe-area-inset-bottom)] shadow-float open:animate-sheet',
  ),
} as const

/** A drawer's header: its title, and its buttons at the end. */
export function DrawerHead({ title, children }: { title: string; children: ReactNode }) {
  return (
    <header className="sticky top-0 z-above flex min-h-bar items-center border-b border-line bg-raised ps-5 pe-3">
      <h2 className="me-auto text-md font-strong">
        <SentenceText text={title} />
      </h2>
      {children}
    </header>
  )
}

/** The answers under a question. In a low window the text scrolls, and these stay in view. */
export function DialogFoot({ children }: { children: ReactNode }) {
  // A sticky element stays clear of the scroller's padding, so this row includes that padding.
  return (
    <div className={row({}, 'sticky -bottom-5 -mx-5 mt-3 -mb-5 justify-end bg-raised px-5 pt-2 pb-5')}>{children}</div>
  )
}

/**
 * A native modal dialog: the browser keeps the focus inside, closes on Esc and returns the focus. Mounted means open. A
 * press on the backdrop closes it, unless the press started inside (a text selection that ends outside). It is a child of
 * the body: where it was opened may be hidden at another width, for example when a phone is turned.
 */
export function Dialog({ label, look = 'dialog', onClose, children }: DialogProps) {
  const ref = useRef<HTMLDialogElement>(null)
  const close = useEffectEvent(onClose)

  // Runs before the children's effects, which may take the focus, so that the opener is known.
  useLayoutEffect(() => {
    const dialog = ref.current
    if (!dialog) return
    const opener = document.activeElement
    let pressedOutside = false
    const onCancel = (event: Event) => {
      // A file picker inside fires a cancel event too, which bubbles.
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

  return createPortal(
    <dialog ref={ref} data-look={look} aria-label={visibleText(label, 'prose')} className={looks[look]}>
      {children}
    </dialog>,
    document.body,
  )
}

function isOutside(dialog: HTMLElement, at: { readonly clientX: number; readonly clientY: number }): boolean {
  const box = dialog.getBoundingClientRect()
  return at.clientX < box.left || at.clientX > box.right || at.clientY < box.top || at.clientY > box.bottom
}
