export interface ComposerKey {
  readonly key: string
  readonly shiftKey: boolean
  readonly altKey: boolean
  readonly ctrlKey: boolean
  readonly metaKey: boolean
  /** An input method is composing (also the keydown that ends it, `keyCode` 229). */
  readonly composing: boolean
}

export type ComposerCommand = 'send' | 'stop' | 'edit-last' | null

/** What a key in the composer means; null leaves it to the text field. `sendKey`: as chosen (`lib/client/browser/appearance.ts`); left out: Enter. */
export function composerCommand(
  key: ComposerKey,
  state: { readonly text: string; readonly streaming: boolean; readonly sendKey?: string | undefined },
): ComposerCommand {
  if (key.composing) return null
  const plain = !key.shiftKey && !key.altKey && !key.ctrlKey && !key.metaKey
  const sends = state.sendKey === 'mod-enter' ? !key.shiftKey && !key.altKey && (key.ctrlKey || key.metaKey) : plain
  if (key.key === 'Enter' && sends) return 'send'
  if (key.key === 'Escape' && plain && state.streaming) return 'stop'
  if (key.key === 'ArrowUp' && plain && state.text === '') return 'edit-last'
  return null
}
