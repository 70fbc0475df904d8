'use client'

import { PlainText } from '@/components/ui/plain-text'
import { hasWords } from '@/lib/chat/has-words'
import { useChat } from './chat-context'

/** How many of the last messages stand here: enough to read on. */
const last = 6

/** The words of the chat while its own view can't be loaded. Nothing here can be run, decided or edited. */
export function PlainThread() {
  const path = useChat((state) => state.view.path)
  return (
    <div className="thread" role="log" aria-label="Messages" aria-live="off" tabIndex={-1}>
      {path.slice(-last).map((message) =>
        message.text === '' || (message.role === 'user' && !hasWords(message)) ? null : (
          <article
            key={message.id}
            className={message.role === 'user' ? 'msg you' : 'msg'}
            aria-label={message.role === 'user' ? 'You' : 'Assistant'}
          >
            <PlainText text={message.text} />
          </article>
        ),
      )}
    </div>
  )
}
