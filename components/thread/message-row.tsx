'use client'

import { memo } from 'react'
import { lazyPart } from '@/components/ui/lazy-part'
import { useLanguage } from '@/components/ui/use-language'
import { MessageScope } from '@/components/assistant-ui/message-scope'
import type { Message } from '@/lib/conversation/conversation'
import { t } from '@/lib/i18n/t'
import { MessageFrame } from './message-frame'
import { PlainMessage } from './plain-thread'
import { ReplyComing } from './reply-coming'
import { UserMessageRow } from './user-message'

/** Reads what models write, which is half of what a thread is made of: it comes while the first message is being written. */
const ReplyRow = lazyPart(() => import('./reply-row'), {
  what: () => t('thread-part.message'),
  loading: ({ message }) => <ReplyComing message={message} />,
  plain: ({ message }) => <PlainMessage message={message} />,
})
/** Rejects never. */
export const preloadReplyRow = ReplyRow.preload

export interface MessageRowProps {
  readonly message: Message
  readonly index: number
  readonly isLast: boolean
}

/** One message. Rendered again only when its row object changes. */
export const MessageRow = memo(function MessageRow({ message, index, isLast }: MessageRowProps) {
  useLanguage()
  if (message.role === 'assistant') return <ReplyRow message={message} index={index} isLast={isLast} />
  return (
    <MessageScope message={message} index={index} isLast={isLast}>
      <MessageFrame message={message}>
        <UserMessageRow message={message} />
      </MessageFrame>
    </MessageScope>
  )
})
