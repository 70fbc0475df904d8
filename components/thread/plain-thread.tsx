'use client'

import { t } from '@/lib/i18n/t'
import { messagesId } from '@/components/context/show-in-page'
import { bubble, message as messageLook } from '@/components/ui/recipes/recipe'
import { column } from '@/components/ui/recipes/surface'
import { PlainText } from '@/components/ui/text/plain-text'
import { loadedMessagesOf } from '@/lib/shared/conversation/message-tree'
import type { Message } from '@/lib/shared/conversation/conversation'
import { hasText } from '@/lib/shared/conversation/outline'
import { useChat, useConversation } from '@/components/context/chat-context'

/** How many of the last messages are shown: enough to read on. */
const last = 6

/**
 * The chat's text, with unsent messages, while its own view can't be loaded. Nothing here can be run, decided or
 * edited.
 */
export function PlainThread() {
  const path = useConversation((view) => loadedMessagesOf(view.path))
  const id = useConversation((view) => view.id)
  const tree = useConversation((view) => view.tree)
  const outbox = useChat((state) => state.outbox)
  const unsent = outbox.filter(({ entry }) => entry.conversationId === id && !tree.has(entry.id))
  return (
    <div className={column()} id={messagesId} role="log" aria-label={t('frame.messages')} aria-live="off" tabIndex={-1}>
      {path.slice(-last).map((message) => (
        <PlainMessage key={message.id} message={message} />
      ))}
      {unsent.map(({ entry }) => (
        <article key={entry.id} className={messageLook({ by: 'you' })} aria-label={t('frame.you')}>
          <div className={bubble()}>
            <PlainText text={entry.text} />
          </div>
        </article>
      ))}
    </div>
  )
}

/** One message as plain text. */
export function PlainMessage({ message }: { message: Message }) {
  const isUser = message.role === 'user'
  if (message.text === '' || (isUser && !hasText(message))) return null
  return (
    <article
      className={isUser ? messageLook({ by: 'you' }) : messageLook()}
      aria-label={t(isUser ? 'frame.you' : 'frame.assistant')}
    >
      {isUser ? (
        <div className={bubble()}>
          <PlainText text={message.text} />
        </div>
      ) : (
        <PlainText text={message.text} />
      )}
    </article>
  )
}
