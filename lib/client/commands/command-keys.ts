/**
 * The keys that work anywhere on the page: the only table, read by the listener, the palette and the page of shortcuts.
 * `mod` is Command on a Mac, Ctrl elsewhere. A single-character key (`?`) works only while the user is not typing.
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
/** Commands that parts of the page carry out: by a key, or only from the palette. */
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

/** Commands of the workspace, which opens for them. */
export const workspaceCommands = [
  'new-file',
  'new-folder',
  'upload-files',
  'upload-folder',
  'unpack-zip',
  'download-zip',
] as const
type WorkspaceCommand = (typeof workspaceCommands)[number] | 'undo-file' | 'restore'

/** The fields of a keyboard event that are used. */
export interface CommandPress {
  readonly key: string
  readonly code: string
  readonly ctrlKey: boolean
  readonly metaKey: boolean
  readonly altKey: boolean
  readonly shiftKey: boolean
  readonly isComposing: boolean
}

/** The command for a key press; null: none. */
export function commandOf(
  press: CommandPress,
  where: { readonly mac: boolean; readonly typing: boolean; readonly single: boolean },
): KeyCommand | null {
  const { ctrlKey, metaKey, shiftKey } = press
  // On a Mac, Ctrl and a letter moves in the text; elsewhere Meta belongs to the system.
  const [mod, other] = where.mac ? [metaKey, ctrlKey] : [ctrlKey, metaKey]
  if (press.isComposing || press.altKey || other) return null
  // Keyboards of other scripts have their letters in the same places as Latin ones.
  const key = (/^[^!-~]$/.test(press.key) ? press.code.replace(/^Key/, '') : press.key).toLowerCase()
  // Some keyboards have these characters behind Shift, others do not.
  const named = key.length > 1 || /[a-z]/.test(key)
  const pressed = `${mod ? 'mod+' : ''}${shiftKey && named ? 'shift+' : ''}${key}`
  if (pressed.length === 1 && (where.typing || !where.single)) return null
  for (const command of Object.keys(commandKeys) as KeyCommand[]) {
    if ((commandKeys[command] as readonly string[]).includes(pressed)) return command
  }
  return null
}
