'use client'

import { MessageScope, useReply } from '@/components/assistant-ui/message-scope'
import { useLanguage } from '@/components/ui/page/use-language'
import { copiedText } from '@/lib/client/state/parsed-reply'
import type { AssistantMessage, ExactOfReply } from '@/lib/shared/conversation/conversation'
import { MessageFrame, BranchPicker, CopyMessage, useIsBusy } from './message-frame'
import { t } from '@/lib/i18n/t'
import { message as messageLook, underMessage } from '@/components/ui/recipes/recipe'
import { useAuiState } from '@assistant-ui/react'
import { useConversation, useThreadActions } from '@/components/context/chat-context'
import { RestoreButton } from '@/components/files/restore-button'
import { ToolCallRenderer } from '@/components/tool-call/tool-call-renderer'
import { lazyPart } from '@/components/ui/page/lazy-part'
import { hasText } from '@/lib/shared/conversation/outline'
import { lostPositions } from '@/lib/base/text/characters'
import { OutcomeNote } from './notes/outcome-note'
import { StreamingBody } from './streaming-body'
import { useCommand } from '@/components/context/commands'
import { IconButton } from '@/components/ui/controls/button'

/** Requests another version of the reply. The command palette regenerates the last reply. */
function ReloadButton({ messageId, isLast }: { messageId: string; isLast: boolean }) {
  const { regenerate } = useThreadActions()
  const disabled = useIsBusy()
  const reload = () => regenerate(messageId)
  useCommand('regenerate', reload, isLast && !disabled)
  return <IconButton size="sm" icon="again" label={t('thread.regenerate')} disabled={disabled} onClick={reload} />
}

const ReadAloud = lazyPart(() => import('./read-aloud'), { look: 'silent' })
const MessageActions = lazyPart(() => import('./message-actions'), { look: 'silent' })
const TrimmedNote = lazyPart(() => import('./notes/trimmed-note'), {
  what: () => t('thread-part.trimmed'),
  look: 'line',
})
const ExactNote = lazyPart(() => import('./notes/exact-note'), {
  what: () => t('thread-part.exact'),
  look: 'line',
})
const LostNote = lazyPart(() => import('./notes/lost-note'), {
  what: () => t('thread-part.lost'),
  look: 'line',
})

function AssistantMessageRow() {
  const message = useReply()
  const index = useAuiState((state) => state.message.index)
  const isLast = useAuiState((state) => state.message.isLast)
  const writing = useAuiState((state) => state.message.status?.type === 'running')
  // The turn continues with this reply's results, so its actions are under the turn's last reply.
  const continues = useConversation((view) => {
    const next = view.path[index + 1]
    return next?.role === 'user' && !hasText(next)
  })
  return (
    <article
      className={messageLook()}
      aria-label={t('frame.assistant')}
      aria-busy={writing}
      data-last={isLast ? '' : undefined}
      data-reply=""
    >
      {message.trimmed ? <TrimmedNote trimmed={message.trimmed} /> : null}
      {writing ? <StreamingBody message={message} /> : <ToolCallRenderer />}
      {message.exact && isNoteworthy(message.exact) ? <ExactNote message={message} /> : null}
      {!writing && lostPositions(message.text) > 0 ? <LostNote message={message} /> : null}
      <OutcomeNote message={message} isLast={isLast} />
      {writing ? null : continues ? <BranchPicker /> : <Under message={message} isLast={isLast} />}
    </article>
  )
}

const isNoteworthy = ({ is }: ExactOfReply): boolean => is !== 'honoured' && is !== 'asked'

function Under({ message, isLast }: { message: AssistantMessage; isLast: boolean }) {
  const messageId = message.id
  return (
    <div className={underMessage()}>
      <CopyMessage text={message.text} copied={() => copiedText(message)} isLast={isLast} />
      <MessageActions message={message} />
      <ReloadButton messageId={messageId} isLast={isLast} />
      <ReadAloud text={() => copiedText(message)} />
      {isLast ? null : <RestoreButton messageId={messageId} />}
      <BranchPicker />
    </div>
  )
}

export interface ReplyRowProps {
  readonly message: AssistantMessage
  readonly index: number
  readonly isLast: boolean
}

/** A model's reply; includes all code that reads replies. */
export default function ReplyRow({ message, index, isLast }: ReplyRowProps) {
  useLanguage()
  return (
    <MessageScope message={message} index={index} isLast={isLast}>
      <MessageFrame message={message}>
        <AssistantMessageRow />
      </MessageFrame>
    </MessageScope>
  )
}
