/**
 * The keys that work anywhere on the page: the one table that the listener, the palette and the page of shortcuts read. `mod` is
 * Command on a Mac, Ctrl elsewhere. A key that is one sign alone (`?`) is for anyone who is not typing.
 */
export const commandKeys = {
  palette: ['mod+k'],
  shortcuts: ['?', 'mod+/'],
  'new-chat': ['mod+shift+o'],
  list: ['mod+b'],
  workspace: ['mod+shift+e'],
  settings: ['mod+,'],
  print: ['mod+p'],
  message: ['shift+escape'],
  waiting: ['mod+j'],
} as const satisfies Readonly<Record<string, readonly string[]>>

export type KeyCommand = keyof typeof commandKeys
/** What parts of the page carry out: by a key, or from the palette alone. */
export type PageCommand =
  | KeyCommand
  | WorkspaceCommand
  | 'run-all'
  | 'deny-all'
  | 'rename'
  | 'edit-last'
  | 'latest'
  | 'regenerate'
  | 'copy-last'
  | 'undo-reply'
  | 'redo-reply'
  | 'picker'
  | 'attach'
  | 'room'
  | 'context'

/** What is done in the workspace, which opens for it. */
export const workspaceCommands = [
  'new-file',
  'new-folder',
  'upload-files',
  'upload-folder',
  'unpack-zip',
  'download-zip',
] as const
type WorkspaceCommand = (typeof workspaceCommands)[number] | 'undo-file' | 'restore'

/** What of a keyboard event counts. */
export interface CommandPress {
  readonly key: string
  readonly code: string
  readonly ctrlKey: boolean
  readonly metaKey: boolean
  readonly altKey: boolean
  readonly shiftKey: boolean
  readonly isComposing: boolean
}

/** The command that a key press asks for; null: none. */
export function commandOf(
  press: CommandPress,
  where: { readonly mac: boolean; readonly typing: boolean; readonly single: boolean },
): KeyCommand | null {
  const { ctrlKey, metaKey, shiftKey } = press
  // On a Mac, Ctrl and a letter moves in the text; elsewhere Meta is the system's.
  const [mod, other] = where.mac ? [metaKey, ctrlKey] : [ctrlKey, metaKey]
  if (press.isComposing || press.altKey || other) return null
  // Keyboards of other scripts have the letters of Latin ones in the same places.
  const key = (/^[^!-~]$/.test(press.key) ? press.code.replace(/^Key/, '') : press.key).toLowerCase()
  // Signs are behind Shift on some keyboards and not on others.
  const named = key.length > 1 || /[a-z]/.test(key)
  const pressed = `${mod ? 'mod+' : ''}${shiftKey && named ? 'shift+' : ''}${key}`
  if (pressed.length === 1 && (where.typing || !where.single)) return null
  for (const command of Object.keys(commandKeys) as KeyCommand[]) {
    if ((commandKeys[command] as readonly string[]).includes(pressed)) return command
  }
  return null
}
