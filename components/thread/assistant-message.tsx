'use client'

import { withoutMarks } from '@/lib/strategies/native/frame'
import { useReplyIsComplete } from '@/components/chat/assistant-ui-view'
import { useChat, useChatActions } from '@/components/chat/chat-context'
import { RestoreButton } from '@/components/files/restore-button'
import { ToolCallRenderer } from '@/components/tool-call/tool-call-renderer'
import { CopyButton } from '@/components/ui/copy-button'
import { IconButton } from '@/components/ui/icon-button'
import type { AssistantMessage } from '@/lib/chat/conversation'
import { hasWords } from '@/lib/chat/has-words'
import { BranchPicker } from './branch-picker'
import { OutcomeNote } from './outcome-note'
import { StreamingBody } from './streaming-body'

export interface AssistantMessageRowProps {
  readonly message: AssistantMessage
  readonly index: number
  readonly isLast: boolean
}

export function AssistantMessageRow({ message, index, isLast }: AssistantMessageRowProps) {
  const writing = message.outcome === null
  const complete = useReplyIsComplete()
  // The turn goes on with the results of this reply's calls: its actions stand under the turn's last reply.
  const goesOn = useChat(({ view }) => {
    const next = view.path[index + 1]
    return next?.role === 'user' && !hasWords(next)
  })
  return (
    <article className="msg" aria-label="Assistant" aria-busy={writing} data-complete={complete || undefined}>
      {writing ? <StreamingBody message={message} /> : <ToolCallRenderer message={message} />}
      <OutcomeNote message={message} isLast={isLast} />
      {writing ? null : goesOn ? <BranchPicker messageId={message.id} /> : <Under message={message} isLast={isLast} />}
    </article>
  )
}

function Under({ message, isLast }: Pick<AssistantMessageRowProps, 'message' | 'isLast'>) {
  const busy = useChat((state) => state.view.run !== null || state.view.sending)
  const { regenerate } = useChatActions()
  return (
    <div className="under">
      <CopyButton text={() => withoutMarks(message.text)} look="icon" />
      <IconButton icon="again" label="Regenerate" disabled={busy} onClick={() => regenerate(message.id)} />
      {isLast ? null : <RestoreButton messageId={message.id} />}
      <BranchPicker messageId={message.id} />
    </div>
  )
}
