'use client'

import { hereOf } from '@/lib/conversation/chat-row'
import { useAui } from '@assistant-ui/react'
import { useState } from 'react'
import { useTools } from '@/components/context/tools-context'
import { useCallActions, useConversation } from '@/components/context/chat-context'
import type { AssistantMessage, ToolCallConfig } from '@/lib/conversation/conversation'
import { parsedReply } from '@/lib/client/parsed-reply'
import type { BrokenSegment } from '@/lib/strategies/segment'
import type { CallToWrite } from '@/lib/strategies/tool-context-def'
import type { ToolSet } from '@/lib/tools/tool-registry'
import { fixRounds } from '@/lib/calls/fix-rounds'
import { CallCard } from '../card/call-card'
import { BrokenCard } from '../no-call/broken-card'
import type { BrokenCardProps } from '../no-call/use-broken-call'
import { InactiveCallCard } from '../no-call/inactive-call-card'
import type { StackItem } from '@/lib/client/message-parts'
import { useReplyScope } from '../scope/reply-scope'
import type { CallEntry } from '../scope/use-message-calls'
import { useToolConfig } from '../scope/use-tool-config'

/** A call, or what is none yet: quoted, foreign or broken text that the user has not taken up. */
export function StackCard({ item, slot, entry }: { item: StackItem; slot: number; entry: CallEntry | undefined }) {
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
        <InactiveCallCard
          call={item.call}
          strategy={message.strategy}
          model={message.model}
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
  const path = useConversation((view) => hereOf(view.path))
  const config = useToolConfig()
  const all = useTools()
  const rounds = fixRounds(path, message.id, props.broken, (reply) => brokenOf(reply, config, all))
  return <BrokenCard {...props} strategy={message.strategy} tools={tools} rounds={rounds} />
}

const brokenOf = (reply: AssistantMessage, config: ToolCallConfig, tools: ToolSet): readonly BrokenSegment[] =>
  parsedReply(reply, config, tools).segments.filter((segment) => segment.kind === 'broken')
