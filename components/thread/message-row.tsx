'use client'

import { memo } from 'react'
import { lazyPart } from '@/components/ui/page/lazy-part'
import { useLanguage } from '@/components/ui/page/use-language'
import { MessageScope } from '@/components/assistant-ui/message-scope'
import type { Message, UserMessage } from '@/lib/shared/conversation/conversation'
import { t } from '@/lib/i18n/t'
import { MessageFrame, BranchPicker, CopyMessage, useIsBusy } from './message-frame'
import { PlainMessage } from './plain-thread'
import { ReplyComing } from './scroll/absent-row'
import { bubble, message as messageLook, underMessage } from '@/components/ui/recipes/recipe'
import { useMessageEditing } from '@/components/assistant-ui/editing-context'
import { useThreadActions } from '@/components/context/chat-context'
import { SentenceText } from '@/components/ui/text/foreign-text'
import { RestoreButton } from '@/components/files/restore-button'
import { Icon } from '@/components/ui/controls/icon'
import { IconButton } from '@/components/ui/controls/button'
import { note } from '../ui/recipes/surface'
import { MessageFiles } from '@/components/files/message-files'
import { hasText } from '@/lib/shared/conversation/outline'
import { MessageEditor } from './message-editor'

/**
 * What a user message says about the results that it carried to the model. Results are shown in their own cards, so a
 * message with only results shows nothing; a message with text names the calls that it skipped.
 */
function ResultNote({ message }: { message: UserMessage }) {
  if (!hasText(message)) return null
  const skipped = message.results.filter((result) => result.status === 'skipped').length
  if (skipped === 0) return null
  return <p className={note()}>{t('thread.skipped', { count: skipped })}</p>
}

const MessageActions = lazyPart(() => import('./message-actions'), { look: 'silent' })
const CopyNote = lazyPart(() => import('./notes/copy-note'), { look: 'silent' })

function UserMessageRow({ message }: { message: UserMessage }) {
  const { messageId, edit } = useMessageEditing()
  const actions = useThreadActions()
  if (!hasText(message)) {
    return (
      <>
        {message.unreadable ? <Unreadable /> : <ResultNote message={message} />}
        <BranchPicker />
      </>
    )
  }
  if (messageId === message.id) {
    return (
      <article className={messageLook({ by: 'you' })} aria-label={t('frame.you')} data-said="">
        <MessageEditor
          messageId={message.id}
          text={message.text}
          mayBeEmpty={message.attachments !== undefined}
          save={async (text) => (await actions.edit(message.id, text)).status === 'stored'}
          onClose={() => edit(null)}
        />
        <MessageFiles message={message} />
      </article>
    )
  }
  return (
    <article className={messageLook({ by: 'you' })} aria-label={t('frame.you')} data-said="">
      {message.copyEnd ? <CopyNote end={message.copyEnd} /> : null}
      {message.text === '' ? null : (
        <div className={bubble()} dir="auto">
          <SentenceText text={message.text} />
        </div>
      )}
      <MessageFiles message={message} />
      {message.onCopy ? <p className="text-sm text-muted">{t('frame.on-copy')}</p> : null}
      <div className={underMessage({ by: 'you' })}>
        <BranchPicker />
        {message.text === '' ? null : <CopyMessage text={message.text} />}
        <MessageActions message={message} />
        <EditButton onEdit={() => edit(message.id)} />
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

function EditButton({ onEdit }: { onEdit: () => void }) {
  return <IconButton size="sm" icon="edit" label={t('thread.edit')} disabled={useIsBusy()} onClick={onEdit} />
}

/** The code that reads replies, half of the thread's code, loads while the first message is written. */
const ReplyRow = lazyPart(() => import('./reply-row'), {
  what: () => t('thread-part.message'),
  loading: ({ message }) => <ReplyComing message={message} />,
  plain: ({ message }) => <PlainMessage message={message} />,
})
/** Never rejects. */
export const preloadReplyRow = ReplyRow.preload

export interface MessageRowProps {
  readonly message: Message
  readonly index: number
  readonly isLast: boolean
}

/** One message. Renders again only when its row object changes. */
export const MessageRow = memo(function MessageRow({ message, index, isLast }: MessageRowProps) {
  useLanguage()
  if (message.role === 'assistant' && !message.deleted) {
    return <ReplyRow message={message} index={index} isLast={isLast} />
  }
  return (
    <MessageScope message={message} index={index} isLast={isLast}>
      <MessageFrame message={message}>
        {message.role === 'user' && !message.deleted ? <UserMessageRow message={message} /> : <BranchPicker />}
      </MessageFrame>
    </MessageScope>
  )
})
