'use client'

import { bubble, message as messageLook, underMessage } from '@/components/ui/recipes/message'
import { useActionBarEdit } from '@assistant-ui/core/react'
import { useAuiState } from '@assistant-ui/react'
import { SaidText } from '@/components/ui/foreign-text'
import { RestoreButton } from '@/components/files/restore-button'
import { ResultNote } from '@/components/tool-call/result-note'
import { Icon } from '@/components/ui/icon'
import { IconButton } from '@/components/ui/icon-button'
import { note } from '@/components/ui/recipes/note'
import { MessageFiles } from '@/components/files/message-files'
import type { UserMessage } from '@/lib/conversation/conversation'
import { hasWords } from '@/lib/conversation/has-words'
import { BranchPicker } from './branch-picker'
import { CopyMessage } from './copy-message'
import { MessageEditor } from './message-editor'

export function UserMessageRow({ message }: { message: UserMessage }) {
  const isEditing = useAuiState((state) => state.composer.isEditing)
  if (!hasWords(message)) {
    return (
      <>
        {message.unreadable ? <Unreadable /> : <ResultNote message={message} />}
        <BranchPicker />
      </>
    )
  }
  if (isEditing) {
    return (
      <article className={messageLook({ by: 'you' })} aria-label="You">
        <MessageEditor />
        <MessageFiles message={message} />
      </article>
    )
  }
  return (
    <article className={messageLook({ by: 'you' })} aria-label="You">
      {message.text === '' ? null : (
        <div className={bubble()} dir="auto">
          <SaidText text={message.text} />
        </div>
      )}
      <MessageFiles message={message} />
      <div className={underMessage({ by: 'you' })}>
        <BranchPicker />
        {message.text === '' ? null : <CopyMessage />}
        <EditButton />
        <RestoreButton messageId={message.id} />
      </div>
    </article>
  )
}

function Unreadable() {
  return (
    <p className={note({ tall: true }, 'mb-6')}>
      <Icon name="warn" />
      Your message can’t be read any more: what is stored of it is damaged. The rest of the chat is as it was.
    </p>
  )
}

function EditButton() {
  const { edit, disabled } = useActionBarEdit()
  const isRunning = useAuiState((state) => state.thread.isRunning)
  return <IconButton size="sm" icon="edit" label="Edit" disabled={disabled || isRunning} onClick={edit} />
}
