import type { IconName } from '@/components/ui/controls/icon'
import { type Searchable, foldText } from '@/lib/client/commands/rank-entries'
import { jumpTo } from '@/components/context/show-in-page'
import type { ConversationSummary } from '@/lib/shared/conversation/conversation'
import type { FoundMessage } from '@/lib/shared/conversation/search/list-filter'
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
