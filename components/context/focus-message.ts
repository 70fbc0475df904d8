/** The message field's id: the one place where typing should land. */
export const messageFieldId = 'message'

/** The log's id: where the messages of the open chat stand. */
export const messagesId = 'messages'

/** Puts the cursor into the message field. */
export const focusMessage = (): void => document.getElementById(messageFieldId)?.focus({ preventScroll: true })

/** Takes whoever reads by keyboard or ear to the messages; before the first one there is nothing to go to. */
export const focusMessages = (): void => document.getElementById(messagesId)?.focus({ preventScroll: true })

/**
 * Whether the cursor may move to the message field by itself, when the page opens or another chat is shown: not on touch
 * screens, where a keyboard would cover the chat, and never away from a field or a dialog that somebody is in.
 */
export function mayTakeFocus(): boolean {
  if (!window.matchMedia('(pointer: fine)').matches) return false
  const active = document.activeElement
  return (
    active === null ||
    active.closest('input, textarea, select, [contenteditable="true"], [role="dialog"], dialog') === null
  )
}
