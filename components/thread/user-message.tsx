'use client'

import { t } from '@/lib/i18n/t'
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
import { lazyPart } from '@/components/ui/lazy-part'

const PinMessage = lazyPart(() => import('@/components/room/pin-message'), { look: 'silent' })

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
      <article className={messageLook({ by: 'you' })} aria-label={t('frame.you')} data-said="">
        <MessageEditor />
        <MessageFiles message={message} />
      </article>
    )
  }
  return (
    <article className={messageLook({ by: 'you' })} aria-label={t('frame.you')} data-said="">
      {message.text === '' ? null : (
        <div className={bubble()} dir="auto">
          <SaidText text={message.text} />
        </div>
      )}
      <MessageFiles message={message} />
      <div className={underMessage({ by: 'you' })}>
        <BranchPicker />
        {message.text === '' ? null : <CopyMessage />}
        <PinMessage messageId={message.id} />
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
      {t('thread.unreadable-yours')}
    </p>
  )
}

function EditButton() {
  const { edit, disabled } = useActionBarEdit()
  const isRunning = useAuiState((state) => state.thread.isRunning)
  return <IconButton size="sm" icon="edit" label={t('thread.edit')} disabled={disabled || isRunning} onClick={edit} />
}
