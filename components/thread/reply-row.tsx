'use client'

import { MessageScope } from '@/components/assistant-ui/message-scope'
import { useLanguage } from '@/components/ui/use-language'
import { copiedText } from '@/lib/client/parsed-reply'
import type { AssistantMessage } from '@/lib/conversation/conversation'
import { AssistantMessageRow } from './assistant-message'
import { MessageFrame } from './message-frame'

export interface ReplyRowProps {
  readonly message: AssistantMessage
  readonly index: number
  readonly isLast: boolean
}

/** A reply of a model; all that reads replies comes with it. */
export default function ReplyRow({ message, index, isLast }: ReplyRowProps) {
  useLanguage()
  return (
    <MessageScope message={message} index={index} isLast={isLast} copyText={() => copiedText(message)}>
      <MessageFrame message={message}>
        <AssistantMessageRow />
      </MessageFrame>
    </MessageScope>
  )
}
