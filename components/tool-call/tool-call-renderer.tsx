'use client'

import { useAuiState } from '@assistant-ui/react'
import { memo, useMemo } from 'react'
import { useReply } from '@/components/assistant-ui/use-reply'
import { useConversation } from '@/components/context/chat-context'
import { useTools } from '@/components/context/tools-context'
import { lazyPart } from '@/components/ui/lazy-part'
import { PlainText } from '@/components/ui/plain-text'
import { useLanguage } from '@/components/ui/use-language'
import { parsedReply } from '@/lib/client/state/parsed-reply'
import { amendmentsOf, shownCalls } from '@/lib/client/state/reply-calls'
import { messageParts, type MessagePart } from '@/lib/client/state/message-parts'
import { t } from '@/lib/i18n/t'
import { PlainPart } from './parts/plain-part'
import { timedReasoning } from './parts/reasoning-times'
import { ReasoningFold } from './parts/reasoning-fold'
import { useToolConfig } from './scope/use-tool-config'

/** A chat without replies needs none: the page asks for them when the first one begins. */
const ReplyWithCards = lazyPart(() => import('./reply-with-cards'), {
  what: () => t('thread.part-cards'),
  loading: ({ parts }) => <WithoutCards parts={parts} />,
  plain: ({ parts }) => <WithoutCards parts={parts} calls="as-text" />,
})
/** Rejects never. */
export const preloadCards = ReplyWithCards.preload

/**
 * A reply as it is read: prose, folded reasoning, and each call as a card in its place. Stands in assistant-ui's message. That
 * message's status becomes the reply's outcome (`useReply`), and of one that did not finish nothing is offered to run; here
 * `complete` only turns on the key that goes to what waits.
 */
export const ToolCallRenderer = memo(function ToolCallRenderer() {
  // For the cards below.
  useLanguage()
  const complete = useAuiState((state) => state.message.status?.type === 'complete')
  const message = useReply()
  const config = useToolConfig()
  const tools = useTools()
  const reply = parsedReply(message, config, tools)
  const { parts, apartMs } = useMemo(() => timedReasoning(message, messageParts(message.text, reply)), [message, reply])
  const amendments = useConversation((view) => amendmentsOf(view, message.id))
  const calls = useMemo(() => shownCalls(message, config, amendments, tools), [message, config, amendments, tools])
  return (
    <>
      {message.reasoning.trim() === '' ? null : <ReasoningFold text={message.reasoning.trim()} ms={apartMs} />}
      {parts.some((part) => part.kind === 'stack') ? (
        <ReplyWithCards message={message} complete={complete} parts={parts} calls={calls} />
      ) : (
        <WithoutCards parts={parts} />
      )}
    </>
  )
})

function WithoutCards({
  parts,
  calls = 'left-out',
}: {
  parts: readonly MessagePart[]
  calls?: 'left-out' | 'as-text'
}) {
  return parts.map((part) =>
    part.kind !== 'stack' ? (
      <PlainPart key={part.start} part={part} />
    ) : calls === 'as-text' ? (
      part.items.map(({ raw }, index) => <PlainText key={`${part.start}.${index}`} text={raw} />)
    ) : null,
  )
}
