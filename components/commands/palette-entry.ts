import { type Searchable, foldText } from '@/lib/client/commands/rank-entries'
import { jumpTo } from '@/components/context/show-in-page'
import type { ConversationSummary } from '@/lib/shared/conversation/conversation'
import type { FoundMessage } from '@/lib/shared/conversation/search/list-filter'
import type { IconName } from '@/components/ui/controls/icon'
import type { PageCommand } from '@/lib/client/commands/command-keys'
import { t } from '@/lib/i18n/t'

export type PaletteGroup =
  | 'recent'
  | 'chat'
  | 'workspace'
  | 'nod'
  | 'places'
  | 'presets'
  | 'chats'
  | 'messages'
  | 'models'
  | 'formats'
  | 'files'

/** The most entries of each group that the list shows at once. */
export const mostOf: Readonly<Record<PaletteGroup, number>> = {
  recent: 5,
  chat: 24,
  workspace: 10,
  nod: 20,
  places: 12,
  presets: 8,
  chats: 10,
  messages: 8,
  models: 12,
  formats: 10,
  files: 12,
}

interface PaletteLine {
  readonly id: string
  readonly group: PaletteGroup
  readonly icon: IconName
  readonly label: string
  /** Set if the label is user-written; left out for our own labels. */
  readonly written?: 'prose' | 'name'
  /** Muted text beside the label; matches in it weigh less. */
  readonly beside?: string
  /** It is the current choice. */
  readonly now?: boolean
  /** From the table of keys, e.g. `mod+k`. */
  readonly keys?: string
  readonly run: () => void
}

export interface PaletteEntry extends PaletteLine, Searchable<PaletteGroup> {}

/** `also`: further search terms. */
export const paletteEntry = (line: PaletteLine, also = ''): PaletteEntry => ({
  ...line,
  text: foldText(line.label),
  also: foldText(`${line.beside ?? ''} ${also}`),
})

/** A chat from the list or the server; `open` opens it. */
export const chatEntry = (
  { id, title, archived, tags = [] }: ConversationSummary,
  group: 'chats' | 'recent',
  open: () => void,
): PaletteEntry =>
  paletteEntry({
    id: `chat ${id}`,
    group,
    icon: 'right',
    label: title || t('frame.new-chat'),
    written: 'prose',
    beside: [...tags, ...(archived ? [t('line.archived')] : [])].join(' '),
    run: open,
  })

/** Messages from the server; `open` opens the chat and scrolls to the message. */
export const foundMessages = (
  messages: readonly FoundMessage[],
  open: (conversationId: string) => void,
): readonly PaletteEntry[] =>
  messages.map(({ conversationId, messageId, title, snippet }) => ({
    ...paletteEntry({
      id: `message ${conversationId} ${messageId}`,
      group: 'messages',
      icon: 'find',
      label: snippet.map(({ text }) => text).join(''),
      written: 'prose',
      beside: title || t('frame.new-chat'),
      run() {
        jumpTo({ conversationId, messageId })
        open(conversationId)
      },
    }),
    found: true,
  }))

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
