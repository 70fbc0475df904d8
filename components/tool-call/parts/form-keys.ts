import type { KeyboardEvent, RefObject } from 'react'

/**
 * For a form on a card: Ctrl or ⌘ with Enter sends it, and the keys of the card leave its fields alone. The keys come from its
 * fields; the form itself takes none, so it is no control for people who use a keyboard.
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

/** Puts the cursor into the first field that was refused, once it is drawn so. */
export const focusRefused = (form: RefObject<HTMLFormElement | null>): void => {
  requestAnimationFrame(() => form.current?.querySelector<HTMLElement>('[aria-invalid=true],[data-lacking]')?.focus())
}
