'use client'

import { useMemo } from 'react'
import { useAnswer } from '@/components/context/answer-context'
import { Guarded } from '@/components/ui/guarded'
import { stack } from '@/components/ui/recipes/message'
import { PlainText } from '@/components/ui/plain-text'
import type { AssistantMessage } from '@/lib/conversation/conversation'
import { liftedSlot } from '@/lib/calls/message-calls'
import type { ExecutionDecision } from '@/lib/tool-calls/approval-ui'
import { approvalKey } from '@/lib/tool-calls/inline-approval'
import { discoverTools } from '@/lib/tools/discovery'
import { toolRegistry } from '@/lib/tools/registry'
import { BatchBar } from '../batch/batch-bar'
import { CancelledBar, stoppedOf } from '../batch/cancelled-bar'
import { isCancelled } from '../scope/card-status'
import { RoundsNote } from '../batch/rounds-note'
import type { StackItem } from '../parts/message-parts'
import { ReplyScopeProvider } from '../scope/reply-scope'
import type { MessageCallsView } from '../scope/message-calls-view'
import { useToolConfig } from '../scope/use-tool-config'
import { StackCard } from './stack-card'
import { UnsentResults } from './unsent-results'

export interface CardStackProps {
  readonly message: AssistantMessage
  readonly items: readonly StackItem[]
  readonly view: MessageCallsView
}

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
  const answer = useAnswer()
  const decide = (slots: readonly number[], decision: ExecutionDecision) => {
    const keys = slots.flatMap((slot) => {
      const entry = view.entries.find((one) => one.slot === slot)
      return entry ? [approvalKey(message.id, entry)] : []
    })
    void answer('run', keys, decision)
  }
  const holds = (slot: number | undefined) => items.some((item) => slotOf(item) === slot)
  const config = useToolConfig()
  const tools = discoverTools(toolRegistry, config)
  const scope = useMemo(() => ({ message, tools, view }), [message, tools, view])
  const { batch, waiting } = view
  const sideBySide = config.parallelExecution
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
            onRun={(slots, stopAtFailure) => decide(slots, { kind: 'run', stopAtFailure })}
            onDeny={(slots) => decide(slots, { kind: 'deny', reason: '' })}
            onSkip={(slots) => decide(slots, { kind: 'skip' })}
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
            <UnsentResults messageId={message.id} view={view} />
          </>
        ) : null}
      </div>
    </ReplyScopeProvider>
  )
}
