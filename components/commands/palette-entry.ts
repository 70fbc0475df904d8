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

/** How many of each group are in the list at once. */
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
  /** Others wrote the label; left out: it is ours. */
  readonly written?: 'prose' | 'name'
  /** What is beside the label, muted; found with less weight. */
  readonly beside?: string
  /** It is chosen already. */
  readonly now?: boolean
  /** Of the table of keys: `mod+k`. */
  readonly keys?: string
  readonly run: () => void
}

export interface PaletteEntry extends PaletteLine, Searchable<PaletteGroup> {}

/** `also`: what else finds it. */
export const paletteEntry = (line: PaletteLine, also = ''): PaletteEntry => ({
  ...line,
  text: foldText(line.label),
  also: foldText(`${line.beside ?? ''} ${also}`),
})

/** A chat of the list or of the server; `open` goes there. */
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

/** Messages of the server; `open` goes to their chat, which then shows them in their place. */
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
