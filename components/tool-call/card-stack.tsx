'use client'

import { useState } from 'react'
import { useCallActions, useChatActions } from '@/components/chat/chat-context'
import { Button } from '@/components/ui/button'
import { Icon } from '@/components/ui/icon'
import type { AssistantMessage } from '@/lib/chat/conversation'
import { BatchBar } from './batch-bar'
import { BrokenCard } from './broken-card'
import { CallCard } from './call-card'
import { GreyCard } from './grey-card'
import type { StackItem } from './message-parts'
import type { MessageCallsView } from './message-calls-view'

/** Cards that follow one another. The first stack that waits carries the batch line; the last one what is left to do. */
export function CardStack({
  message,
  items,
  view,
}: {
  message: AssistantMessage
  items: readonly StackItem[]
  view: MessageCallsView
}) {
  const actions = useCallActions()
  const chat = useChatActions()
  const holds = (slot: number | undefined) => items.some((item) => item.kind === 'live' && item.slot === slot)
  const waitingSlots = view.waiting.map((entry) => entry.slot)
  return (
    <div className="stack">
      {view.waiting.length > 1 && holds(waitingSlots[0]) ? (
        <BatchBar
          count={view.waiting.length}
          onRunAll={(stopAtFailure) => actions.run(message.id, waitingSlots, { stopAtFailure })}
          onDenyAll={() => actions.deny(message.id, waitingSlots, '')}
        />
      ) : null}
      {items.map((item) => {
        switch (item.kind) {
          case 'grey':
            return (
              <GreyCard
                key={item.call.start}
                call={item.call}
                strategy={message.strategy}
                raw={item.raw}
                place={item.place}
              />
            )
          case 'broken':
            return (
              <BrokenCard
                key={item.broken.start}
                broken={item.broken}
                raw={item.raw}
                strategy={message.strategy}
                onAsk={view.canAsk ? (text) => void chat.send(text) : null}
              />
            )
          case 'live': {
            const entry = view.entries[item.slot]
            return entry ? (
              <CallCard
                key={item.call.start}
                conversationId={message.conversationId}
                messageId={message.id}
                strategy={message.strategy}
                timeoutMs={view.timeoutMs}
                entry={entry}
                raw={item.raw}
                current={view.currentSlot === item.slot}
                canTell={view.canTell}
                onAttention={(kind, here) => view.attend(kind, item.slot, here)}
              />
            ) : null
          }
        }
      })}
      {holds(view.entries.at(-1)?.slot) ? <Unsent messageId={message.id} view={view} /> : null}
    </div>
  )
}

/** All is decided, and the results still stand here: after a reload at the wrong moment, or when the server held them back. */
function Unsent({ messageId, view }: { messageId: string; view: MessageCallsView }) {
  const actions = useCallActions()
  const [asked, setAsked] = useState(false)
  if (!view.unsent) return null
  return (
    <div className="note-line unsent" role="status">
      <Icon name="info" />
      <span>{view.unsent.problem ?? 'These results have not been sent to the model yet.'}</span>
      <Button
        className="end"
        disabled={asked && !view.unsent.problem}
        onClick={() => {
          setAsked(true)
          actions.tellModel(messageId, view.unsent?.slot ?? 0)
        }}
      >
        {view.unsent.problem ? 'Continue' : 'Tell the model'}
      </Button>
    </div>
  )
}
