import { jumpTo } from '@/components/context/jump'
import type { ConversationSummary } from '@/lib/shared/conversation/conversation'
import type { FoundMessage } from '@/lib/shared/conversation/search/found-message'
import { t } from '@/lib/i18n/t'
import { paletteEntry, type PaletteEntry } from './palette-entry'

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
