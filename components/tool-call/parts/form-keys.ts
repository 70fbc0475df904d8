import type { KeyboardEvent, RefObject } from 'react'

/**
 * For a form on a card: Ctrl or ⌘ with Enter submits it, and the card's keys ignore its fields. The key events come
 * from its fields; the form itself is not focusable, so it is not an extra control for keyboard users.
 */
export const sendsByKey = {
  onKeyDown(event: KeyboardEvent<HTMLFormElement>): void {
    const isEnter = event.key === 'Enter' && (event.ctrlKey || event.metaKey)
    if (!isEnter || event.repeat || event.nativeEvent.isComposing) return
    event.preventDefault()
    event.stopPropagation()
    event.currentTarget.requestSubmit()
  },
}

/** Focuses the first invalid field, once it is rendered as such. */
export const focusRefused = (form: RefObject<HTMLFormElement | null>): void => {
  requestAnimationFrame(() => form.current?.querySelector<HTMLElement>('[aria-invalid=true],[data-lacking]')?.focus())
}
