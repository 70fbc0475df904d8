'use client'

import { SaidText } from '@/components/ui/foreign-text'
import { useChat, useChatActions } from '@/components/chat/chat-context'
import { RestoreButton } from '@/components/files/restore-button'
import { ResultNote } from '@/components/tool-call/result-note'
import { CopyButton } from '@/components/ui/copy-button'
import { IconButton } from '@/components/ui/icon-button'
import { MessageFiles } from '@/components/files/message-files'
import type { UserMessage } from '@/lib/chat/conversation'
import { hasWords } from '@/lib/chat/has-words'
import { BranchPicker } from './branch-picker'
import { useEditing } from './editing-context'
import { MessageEditor } from './message-editor'

export function UserMessageRow({ message }: { message: UserMessage }) {
  const { messageId, edit } = useEditing()
  const busy = useChat((state) => state.view.run !== null || state.view.sending)
  const actions = useChatActions()
  if (!hasWords(message)) {
    return (
      <>
        <ResultNote message={message} />
        <BranchPicker messageId={message.id} />
      </>
    )
  }
  if (messageId === message.id) {
    return (
      <article className="msg you editing" aria-label="You">
        <MessageEditor
          text={message.text}
          mayBeEmpty={message.attachments !== undefined}
          onCancel={() => edit(null)}
          onSave={(text) => {
            edit(null)
            actions.edit(message.id, text)
          }}
        />
        <MessageFiles message={message} />
      </article>
    )
  }
  return (
    <article className="msg you" aria-label="You">
      {message.text === '' ? null : (
        <div dir="auto">
          <SaidText text={message.text} />
        </div>
      )}
      <MessageFiles message={message} />
      <div className="under">
        <BranchPicker messageId={message.id} />
        {message.text === '' ? null : <CopyButton text={() => message.text} look="icon" />}
        <IconButton icon="edit" label="Edit" disabled={busy} onClick={() => edit(message.id)} />
        <RestoreButton messageId={message.id} />
      </div>
    </article>
  )
}
