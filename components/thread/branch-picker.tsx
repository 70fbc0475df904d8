'use client'

import { useChat, useChatActions } from '@/components/chat/chat-context'
import { IconButton } from '@/components/ui/icon-button'
import { branchesOf } from '@/lib/client/message-tree'

/** "2 of 3" with a way to either side; nothing where there is only one version. */
export function BranchPicker({ messageId }: { messageId: string }) {
  const siblings = useChat((state) => branchesOf(state.view.tree).get(messageId))
  const busy = useChat((state) => state.view.run !== null || state.view.sending)
  const { switchBranch } = useChatActions()
  if (!siblings) return null
  const at = siblings.indexOf(messageId)
  const before = siblings[at - 1]
  const after = siblings[at + 1]
  return (
    <span className="branches">
      <IconButton
        icon="left"
        label="Previous branch"
        disabled={busy || before === undefined}
        onClick={() => before !== undefined && switchBranch(before)}
      />
      <span className="num">
        {at + 1} of {siblings.length}
      </span>
      <IconButton
        icon="right"
        label="Next branch"
        disabled={busy || after === undefined}
        onClick={() => after !== undefined && switchBranch(after)}
      />
    </span>
  )
}
