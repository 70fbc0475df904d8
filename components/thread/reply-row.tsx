'use client'

import { MessageScope } from '@/components/assistant-ui/message-scope'
import { useLanguage } from '@/components/ui/use-language'
import { spokenText } from '@/lib/client/parsed-reply'
import type { AssistantMessage } from '@/lib/conversation/conversation'
import { withoutMarks } from '@/lib/strategies/framed-calls/frame'
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
    <MessageScope message={message} index={index} isLast={isLast} copyText={() => withoutMarks(spokenText(message))}>
      <MessageFrame message={message}>
        <AssistantMessageRow />
      </MessageFrame>
    </MessageScope>
  )
}
