'use client'

import { useTools } from '@/components/context/tools-context'
import { emptyReply, type EmptyReply } from '@/lib/client/state/last-reply'
import { type MessagePart, messageParts, parsedReply, amendmentsOf, shownCalls } from '@/lib/client/state/parsed-reply'
import type { AssistantMessage } from '@/lib/shared/conversation/conversation'
import { useToolConfig } from './scope/use-tool-config'
import { useAuiState } from '@assistant-ui/react'
import { memo, useMemo } from 'react'
import { useReply } from '@/components/assistant-ui/message-scope'
import { useConversation } from '@/components/context/chat-context'
import { lazyPart } from '@/components/ui/page/lazy-part'
import { PlainText } from '@/components/ui/text/plain-text'
import { useLanguage } from '@/components/ui/page/use-language'
import { t } from '@/lib/i18n/t'
import { PlainPart, ReasoningFold } from './parts/plain-part'

/** What a finished reply lacks, parsed with the open chat's tools. */
export function useEmptyReply(message: AssistantMessage): EmptyReply | null {
  const config = useToolConfig()
  const tools = useTools()
  return emptyReply(message, parsedReply(message, config, tools))
}

export interface TimedReasoning {
  readonly parts: readonly MessagePart[]
  /** The duration of separate reasoning; null if unknown. */
  readonly apartMs: number | null
}

/** Assigns the stored times to the shown thoughts. If their numbers differ, none is shown. */
export function timedReasoning(
  { reasoning, thoughtMs = [] }: Pick<AssistantMessage, 'reasoning' | 'thoughtMs'>,
  parts: readonly MessagePart[],
): TimedReasoning {
  const apart = reasoning.trim() === '' ? 0 : 1
  const inText = parts.filter(({ kind }) => kind === 'reasoning').length
  if (thoughtMs.length === 0 || thoughtMs.length !== apart + inText) return { parts, apartMs: null }
  const times = thoughtMs.values()
  const apartMs = apart === 1 ? (times.next().value ?? null) : null
  const next = () => times.next().value
  return {
    apartMs,
    parts: parts.map((part) => {
      const ms = part.kind === 'reasoning' ? next() : undefined
      return part.kind === 'reasoning' && ms !== undefined ? { ...part, ms } : part
    }),
  }
}

/** A chat without replies needs none: the page loads them when the first one starts. */
const ReplyWithCards = lazyPart(() => import('./reply-with-cards'), {
  what: () => t('thread.part-cards'),
  loading: ({ parts }) => <WithoutCards parts={parts} />,
  plain: ({ parts }) => <WithoutCards parts={parts} calls="as-text" />,
})
/** Never rejects. */
export const preloadCards = ReplyWithCards.preload

/**
 * A reply for reading: prose, collapsed reasoning, and each call as a card in place. It is inside assistant-ui's
 * message, whose status becomes the reply's outcome (`useReply`); an unfinished reply offers nothing to run. Here
 * `complete` only enables the key that moves to the next waiting call.
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
