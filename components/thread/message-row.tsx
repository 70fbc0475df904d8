'use client'

import { useLanguage } from '@/components/ui/use-language'
import { memo } from 'react'
import { MessageScope } from '@/components/assistant-ui/message-scope'
import { PlainMessage } from './plain-thread'
import { Guarded } from '@/components/ui/guarded'
import type { Message } from '@/lib/conversation/conversation'
import { threadPartSentence } from '@/lib/words/thread-parts'
import { CompactionAbove } from './compaction-above'
import { AssistantMessageRow } from './assistant-message'
import { UserMessageRow } from './user-message'

/** One message. Rendered again only when its row object changes. */
export const MessageRow = memo(function MessageRow({
  message,
  index,
  isLast,
}: {
  message: Message
  index: number
  isLast: boolean
}) {
  useLanguage()
  return (
    <MessageScope message={message} index={index} isLast={isLast}>
      <Guarded
        what={threadPartSentence('thread-part.message')}
        plain={<PlainMessage message={message} />}
        resetKey={message}
      >
        <CompactionAbove message={message} />
        {message.role === 'user' ? <UserMessageRow message={message} /> : <AssistantMessageRow />}
      </Guarded>
    </MessageScope>
  )
})
