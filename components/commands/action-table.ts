import type { IconName } from '@/components/ui/controls/icon'
import type { PageCommand } from '@/lib/client/commands/command-keys'
import { t } from '@/lib/i18n/t'

interface Action {
  readonly icon: IconName
  /** Further search terms. */
  readonly also?: () => string
}

/** Commands of the page that the palette offers too, in palette order; all except the palette itself. */
export const pageActions = {
  waiting: { group: 'chat', icon: 'wait', also: () => t('command.also.waiting') },
  'run-all': { group: 'chat', icon: 'right', also: () => t('command.also.run-all') },
  'deny-all': { group: 'chat', icon: 'no', also: () => t('command.also.deny-all') },
  message: { group: 'chat', icon: 'edit' },
  latest: { group: 'chat', icon: 'end' },
  'edit-last': { group: 'chat', icon: 'edit' },
  regenerate: { group: 'chat', icon: 'again', also: () => t('command.also.regenerate') },
  'copy-last': { group: 'chat', icon: 'copy' },
  'undo-reply': { group: 'chat', icon: 'restore', also: () => t('command.also.undo') },
  'redo-reply': { group: 'chat', icon: 'again', also: () => t('command.also.undo') },
  attach: { group: 'chat', icon: 'clip', also: () => t('command.also.attach') },
  picker: { group: 'chat', icon: 'plug', also: () => t('command.also.picker') },
  settings: { group: 'chat', icon: 'settings', also: () => t('command.also.settings') },
  workspace: { group: 'chat', icon: 'panel', also: () => t('command.also.workspace') },
  context: { group: 'chat', icon: 'info', also: () => t('command.also.room') },
  room: { group: 'chat', icon: 'cut', also: () => t('command.also.room') },
  print: { group: 'chat', icon: 'read', also: () => t('command.also.print') },
  rename: { group: 'chat', icon: 'edit' },
  'new-file': { group: 'workspace', icon: 'plus', also: () => t('command.also.workspace') },
  'new-folder': { group: 'workspace', icon: 'folder', also: () => t('command.also.workspace') },
  'upload-files': { group: 'workspace', icon: 'upload', also: () => t('command.also.workspace') },
  'upload-folder': { group: 'workspace', icon: 'upload', also: () => t('command.also.workspace') },
  'unpack-zip': { group: 'workspace', icon: 'upload', also: () => t('command.also.workspace') },
  'download-zip': { group: 'workspace', icon: 'save', also: () => t('command.also.download-zip') },
  'undo-file': { group: 'workspace', icon: 'restore', also: () => t('command.also.undo') },
  restore: { group: 'workspace', icon: 'restore', also: () => t('command.also.undo') },
  'new-chat': { group: 'nod', icon: 'plus', also: () => t('command.also.new-chat') },
  list: { group: 'nod', icon: 'menu', also: () => t('command.also.list') },
  shortcuts: { group: 'nod', icon: 'keyboard', also: () => t('command.also.shortcuts') },
} as const satisfies Readonly<
  Record<Exclude<PageCommand, 'palette'>, Action & { readonly group: 'chat' | 'workspace' | 'nod' }>
>

/** Dialogs that the palette opens for the open chat. */
export const chatDialogs = {
  name: { icon: 'lab', also: () => t('command.also.name') },
  tags: { icon: 'more' },
  share: { icon: 'share', also: () => t('command.also.share') },
  log: { icon: 'save', also: () => t('command.also.log') },
} as const satisfies Readonly<Record<string, Action>>

/** Dialogs that the palette opens and that concern no chat. */
export const nodDialogs = {
  models: { icon: 'plug', also: () => t('command.also.models') },
  organise: { icon: 'folder', also: () => t('command.also.organise') },
  import: { icon: 'upload', also: () => t('command.also.import') },
} as const satisfies Readonly<Record<string, Action>>

export type CommandDialog = keyof typeof chatDialogs | keyof typeof nodDialogs
