'use client'

import { useAui } from '@assistant-ui/react'
import { useMemo, useState } from 'react'
import { useCallActions, useChat, useConversation } from '@/components/context/chat-context'
import { Button } from '@/components/ui/button'
import { Guarded } from '@/components/ui/guarded'
import { Icon } from '@/components/ui/icon'
import { stack } from '@/components/ui/recipes/message'
import { PlainText } from '@/components/ui/plain-text'
import type { AssistantMessage, ToolCallConfig } from '@/lib/conversation/conversation'
import { defaultToolConfig } from '@/lib/conversation/tool-config'
import { parsedReply } from '@/lib/client/parsed-reply'
import type { ClientState } from '@/lib/client/state'
import type { BrokenSegment } from '@/lib/strategies/segment'
import type { CallToWrite } from '@/lib/strategies/tool-context-def'
import { fixRounds } from '@/lib/calls/fix-rounds'
import { liftedSlot } from '@/lib/calls/message-calls'
import { discoverTools } from '@/lib/tools/discovery'
import { toolRegistry } from '@/lib/tools/registry'
import { BatchBar } from '../batch/batch-bar'
import { BrokenCard, type BrokenCardProps } from '../no-call/broken-card'
import { CallCard } from '../card/call-card'
import { GreyCard } from '../no-call/grey-card'
import { CancelledBar, stoppedOf } from '../batch/cancelled-bar'
import { isCancelled } from '../card/card-status'
import { RoundsNote } from '../batch/rounds-note'
import type { StackItem } from './message-parts'
import { ReplyScopeProvider, useReplyScope } from './reply-scope'
import type { MessageCallsView } from './message-calls-view'
import type { CallEntry } from './use-message-calls'
import { note } from '@/components/ui/recipes/note'
import { viewOf } from '@/lib/client/open-conversations'

export interface CardStackProps {
  readonly message: AssistantMessage
  readonly items: readonly StackItem[]
  readonly view: MessageCallsView
}

const toolConfigOf = (state: ClientState) => viewOf(state).conversation?.settings.tools ?? defaultToolConfig

/** The slot under which an item is, or would become, a call. */
const slotOf = (item: StackItem): number => {
  switch (item.kind) {
    case 'live':
      return item.slot
    case 'grey':
      return liftedSlot(item.call.start)
    case 'broken':
      return liftedSlot(item.broken.start)
  }
}

/** Cards that follow one another. The first stack that waits carries the batch line; the last one what is left to do. */
export function CardStack({ message, items, view }: CardStackProps) {
  const actions = useCallActions()
  const holds = (slot: number | undefined) => items.some((item) => slotOf(item) === slot)
  const config = useChat(toolConfigOf)
  const tools = discoverTools(toolRegistry, config)
  const scope = useMemo(() => ({ message, tools, view }), [message, tools, view])
  const { batch, waiting } = view
  const sideBySide = useConversation(({ conversation }) => conversation?.settings.tools.parallelExecution ?? false)
  const stopped = stoppedOf(view.entries)
  const cancelled = stopped.find(isCancelled)
  const asks = waiting.length > 1 || batch.failed !== null
  return (
    <ReplyScopeProvider value={scope}>
      <div className={stack()}>
        {asks && holds(waiting[0]?.slot) ? (
          <BatchBar
            batch={batch}
            sideBySide={sideBySide}
            onRun={(slots, stopAtFailure) => actions.run(message.id, slots, { stopAtFailure })}
            onDeny={(slots) => actions.deny(message.id, slots, '')}
            onSkip={(slots) => actions.skip(message.id, slots)}
          />
        ) : null}
        {cancelled && holds(cancelled.slot) ? <CancelledBar messageId={message.id} stopped={stopped} /> : null}
        {items.map((item) => {
          const slot = slotOf(item)
          const entry = view.entries.find((one) => one.slot === slot)
          return (
            <Guarded key={slot} what="This card" plain={<PlainText text={item.raw} />} resetKey={entry?.state}>
              <StackCard item={item} slot={slot} entry={entry} />
            </Guarded>
          )
        })}
        {holds(view.entries.at(-1)?.slot) ? (
          <>
            <RoundsNote message={message} view={view} />
            <Unsent messageId={message.id} view={view} />
          </>
        ) : null}
      </div>
    </ReplyScopeProvider>
  )
}

/** A call, or what is none yet: quoted, foreign or broken text that the user has not taken up. */
function StackCard({ item, slot, entry }: { item: StackItem; slot: number; entry: CallEntry | undefined }) {
  const { message, view } = useReplyScope()
  const actions = useCallActions()
  const aui = useAui()
  const [lifted, setLifted] = useState(false)
  const lift = (call: CallToWrite | null) => {
    setLifted(true)
    return actions.amend(message.id, slot, call)
  }
  if (entry) {
    return <CallCard entry={entry} raw={item.raw} takesFocus={lifted} />
  }
  switch (item.kind) {
    case 'live':
      return null
    case 'grey':
      return (
        <GreyCard
          call={item.call}
          strategy={message.strategy}
          raw={item.raw}
          place={item.place}
          onLift={view.canAsk ? () => lift(null) : null}
        />
      )
    case 'broken':
      return (
        <CountedBrokenCard
          broken={item.broken}
          raw={item.raw}
          onAsk={view.canAsk ? (text) => aui.thread.append(text) : null}
          onUse={view.canAsk ? lift : null}
        />
      )
  }
}

/** Apart from the other cards, so that these don't follow every change of the branch. */
function CountedBrokenCard(props: Omit<BrokenCardProps, 'rounds' | 'strategy' | 'tools'>) {
  const { message, tools } = useReplyScope()
  const path = useConversation((view) => view.path)
  const config = useChat(toolConfigOf)
  const rounds = fixRounds(path, message.id, props.broken, (reply) => brokenOf(reply, config))
  return <BrokenCard {...props} strategy={message.strategy} tools={tools} rounds={rounds} />
}

const brokenOf = (reply: AssistantMessage, config: ToolCallConfig): readonly BrokenSegment[] =>
  parsedReply(reply, config).segments.filter((segment) => segment.kind === 'broken')

/** All is decided, and the results still stand here: after a reload at the wrong moment, or when the server held them back. */
function Unsent({ messageId, view }: { messageId: string; view: MessageCallsView }) {
  const actions = useCallActions()
  const [asked, setAsked] = useState(false)
  if (!view.unsent) return null
  return (
    <div className={note({}, 'narrow:flex-wrap')} role="status">
      <Icon name="info" />
      <span>{view.unsent.problem ?? 'These results have not been sent to the model yet.'}</span>
      <Button
        className="ms-auto"
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
