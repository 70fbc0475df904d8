'use client'

import { useAuiState } from '@assistant-ui/react'
import { memo, useEffect, useMemo } from 'react'
import { useReply } from '@/components/assistant-ui/use-reply'
import { useChat } from '@/components/chat/chat-context'
import { Markdown } from '@/components/markdown/markdown'
import type { AssistantMessage } from '@/lib/chat/conversation'
import { defaultToolConfig } from '@/lib/chat/tool-config'
import { parsedReply } from '@/lib/client/parsed-reply'
import { amendmentsOf, replyCalls } from '@/lib/client/reply-calls'
import type { MessageCall } from '@/lib/tool-calls/message-calls'
import { focusNextWaiting } from './card/card-keys'
import { CardStack } from './reply/card-stack'
import { useMessageCallsView } from './reply/message-calls-view'
import { messageParts, type MessagePart } from './reply/message-parts'
import { ReasoningFold } from './reply/reasoning-fold'

/**
 * A reply as it is read: prose, folded reasoning, and each call as a card in its place. Stands in assistant-ui's message and
 * acts when that message's status is `complete`: of any other, nothing is offered to run.
 */
export const ToolCallRenderer = memo(function ToolCallRenderer() {
  const complete = useAuiState((state) => state.message.status?.type === 'complete')
  const message = useReply()
  const config = useChat(({ view }) => view.conversation?.settings.tools ?? defaultToolConfig)
  const reply = parsedReply(message, config)
  const parts = useMemo(() => messageParts(message.text, reply), [message.text, reply])
  const amendments = useChat(({ view }) => amendmentsOf(view, message.id))
  const calls = useMemo(() => replyCalls(message, config, amendments), [message, config, amendments])
  return (
    <>
      {message.reasoning.trim() === '' ? null : <ReasoningFold text={message.reasoning.trim()} />}
      {parts.some((part) => part.kind === 'stack') ? (
        <PartsWithCards message={message} complete={complete} parts={parts} calls={calls} />
      ) : (
        parts.map((part) => <PlainPart key={part.start} part={part} />)
      )}
    </>
  )
})

/** Apart from the rest, so that replies without calls don't follow every change of a call. */
function PartsWithCards({
  message,
  complete,
  parts,
  calls,
}: {
  message: AssistantMessage
  complete: boolean
  parts: readonly MessagePart[]
  calls: readonly MessageCall[]
}) {
  const view = useMessageCallsView(message, calls)
  useNextWaitingKey(complete && view.waiting.length > 0)
  return parts.map((part) =>
    part.kind === 'stack' ? (
      <CardStack key={part.start} message={message} items={part.items} view={view} />
    ) : (
      <PlainPart key={part.start} part={part} />
    ),
  )
}

const PlainPart = memo(function PlainPart({ part }: { part: MessagePart }) {
  if (part.kind === 'reasoning') return <ReasoningFold text={part.text} />
  return part.kind === 'text' ? <Markdown text={part.text} streaming={false} /> : null
})

/** Ctrl/Cmd+J anywhere on the page. Every reply that waits listens; the first one to hear it takes the key. */
function useNextWaitingKey(active: boolean): void {
  useEffect(() => {
    if (!active) return
    const onKeyDown = (event: globalThis.KeyboardEvent) => {
      if (event.defaultPrevented || event.altKey || event.shiftKey || event.key.toLowerCase() !== 'j') return
      if ((event.ctrlKey || event.metaKey) && focusNextWaiting()) event.preventDefault()
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [active])
}
