'use client'

import { useCommand } from '@/components/context/commands'
import type { AssistantMessage } from '@/lib/shared/conversation/conversation'
import type { MessageCall } from '@/lib/shared/calls/message-calls'
import { focusNextWaiting } from './scope/card-keys'
import { CardStack } from './reply/card-stack'
import { useMessageCallsView } from './scope/use-batch'
import type { MessagePart } from '@/lib/client/state/message-parts'
import { PlainPart } from './parts/plain-part'

export interface ReplyWithCardsProps {
  readonly message: AssistantMessage
  /** Something in it may be run. */
  readonly complete: boolean
  readonly parts: readonly MessagePart[]
  readonly calls: readonly MessageCall[]
}

/** Separate, so that replies without calls neither load it nor follow every change of a call. */
export default function ReplyWithCards({ message, complete, parts, calls }: ReplyWithCardsProps) {
  const view = useMessageCallsView(message, calls)
  useCommand('waiting', focusNextWaiting, complete && view.waiting.length > 0)
  return parts.map((part) =>
    part.kind === 'stack' ? (
      <CardStack key={part.start} message={message} items={part.items} view={view} />
    ) : (
      <PlainPart key={part.start} part={part} />
    ),
  )
}
