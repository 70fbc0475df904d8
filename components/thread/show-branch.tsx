'use client'

import { useEffect, useEffectEvent } from 'react'
import { MessageScope } from '@/components/assistant-ui/message-scope'
import { useGoToBranch } from '@/components/assistant-ui/use-go-to-branch'
import { useConversation } from '@/components/context/chat-context'

/** Shows the branch of a message as soon as it stands here. */
export function ShowBranch({ messageId }: { messageId: string }) {
  const row = useConversation((view) => view.tree.get(messageId))
  return row ? (
    <MessageScope message={row} index={-1} isLast={false}>
      <Go />
    </MessageScope>
  ) : null
}

function Go() {
  const go = useEffectEvent(useGoToBranch())
  useEffect(() => go(), [])
  return null
}
