'use client'

import { ForeignText } from '@/components/ui/foreign-text'
import { visibleText } from '@/lib/base/foreign-text/foreign-text'
import { memo, useState, type MouseEvent } from 'react'
import { useChat, useChatActions } from '@/components/chat/chat-context'
import { useWaitingCount } from '@/components/chat/use-waiting'
import { IconButton } from '@/components/ui/icon-button'
import type { ConversationSummary } from '@/lib/chat/conversation'
import { addressOf } from '@/lib/client/address'
import { untitled } from '@/lib/client/new-conversation'
import { waitingWords } from '@/lib/client/waiting-words'
import { TitleEditor } from './title-editor'

export interface ConversationRowProps {
  readonly row: ConversationSummary
  readonly current: boolean
  readonly onPicked: () => void
  readonly onDelete: (row: ConversationSummary) => void
}

export const ConversationRow = memo(function ConversationRow({
  row,
  current,
  onPicked,
  onDelete,
}: ConversationRowProps) {
  const actions = useChatActions()
  const [renaming, setRenaming] = useState(false)
  // Of the chat that is open the page knows better than the list, which is loaded now and then.
  const isOpen = useChat(({ view }) => current && view.id === row.id && view.phase === 'ready')
  const counted = useWaitingCount()
  const waiting = isOpen ? (counted ?? row.waitingCalls) : row.waitingCalls
  const title = row.title || untitled

  if (renaming) {
    return (
      <li className="chat-row">
        <TitleEditor
          title={visibleText(title, 'prose')}
          onDone={(next) => {
            setRenaming(false)
            if (next !== null) void actions.rename(row.id, next)
          }}
        />
      </li>
    )
  }
  const open = (event: MouseEvent) => {
    // A new tab or window is the browser's business.
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey || event.button !== 0) return
    event.preventDefault()
    actions.open(row.id)
    onPicked()
  }
  return (
    <li className="chat-row">
      <a className="chat" href={addressOf(row.id)} {...(current ? { 'aria-current': 'page' } : {})} onClick={open}>
        <span className="cut" title={visibleText(title, 'prose')} dir="auto">
          <ForeignText text={title} reading="prose" />
        </span>
        {row.running ? <span className="doing">writing</span> : <Count count={waiting} />}
      </a>
      <span className="chat-do">
        <IconButton icon="edit" label={`Rename ${title}`} onClick={() => setRenaming(true)} />
        <IconButton icon="trash" label={`Delete ${title}`} onClick={() => onDelete(row)} />
      </span>
    </li>
  )
})

function Count({ count }: { count: number }) {
  if (count === 0) return null
  return (
    <span className="count num" role="img" aria-label={waitingWords(count)}>
      {count}
    </span>
  )
}
