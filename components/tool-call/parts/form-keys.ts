import type { KeyboardEvent, RefObject } from 'react'

type FormRef = RefObject<HTMLFormElement | null>

/** For a form on a card: Ctrl or ⌘ with Enter sends it, and the keys of the card leave its fields alone. */
export const submitsByKey = (form: FormRef) => ({
  onKeyDown(event: KeyboardEvent) {
    const isEnter = event.key === 'Enter' && (event.ctrlKey || event.metaKey)
    if (!isEnter || event.repeat || event.nativeEvent.isComposing) return
    event.preventDefault()
    event.stopPropagation()
    form.current?.requestSubmit()
  },
})

/** Puts the cursor into the first field that was refused, once it is drawn so. */
export const focusRefused = (form: FormRef): void => {
  requestAnimationFrame(() => form.current?.querySelector<HTMLElement>('[aria-invalid=true],[data-lacking]')?.focus())
}
