'use client'

import { memo } from 'react'
import { MessageScope } from '@/components/chat/assistant-ui-view'
import type { Message } from '@/lib/chat/conversation'
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
  return (
    <MessageScope message={message} index={index} isLast={isLast}>
      {message.role === 'user' ? (
        <UserMessageRow message={message} />
      ) : (
        <AssistantMessageRow message={message} index={index} isLast={isLast} />
      )}
    </MessageScope>
  )
})
