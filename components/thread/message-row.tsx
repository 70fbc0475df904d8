'use client'

import { memo, useState } from 'react'
import { lazyPart } from '@/components/ui/page/lazy-part'
import { useLanguage } from '@/components/ui/page/use-language'
import { MessageScope } from '@/components/assistant-ui/message-scope'
import type { Message, UserMessage, Attachment } from '@/lib/shared/conversation/conversation'
import { MessageFrame, BranchPicker, CopyMessage, useIsBusy } from './message-frame'
import { PlainMessage } from './plain-thread'
import { ReplyComing } from './scroll/absent-row'
import { bubble, message as messageLook, underMessage, chip } from '@/components/ui/recipes/recipe'
import { useMessageEditing } from '@/components/assistant-ui/editing-context'
import { useThreadActions, useConversation } from '@/components/context/chat-context'
import { SentenceText, ForeignText } from '@/components/ui/text/foreign-text'
import { RestoreButton } from '@/components/files/restore-button'
import { IconButton } from '@/components/ui/controls/button'
import { note } from '../ui/recipes/surface'
import { hasText } from '@/lib/shared/conversation/outline'
import { MessageEditor } from './message-editor'
import { visibleText } from '@/lib/base/untrusted-text/foreign-text'
import { Icon } from '@/components/ui/controls/icon'
import { formatBytes } from '@/lib/base/text/locale'
import { sharedContentOf, sharedContentText } from '@/lib/shared/prompt/shared-content'
import { imageAddress } from '@/lib/client/api/address'
import { nameOf } from '@/lib/vfs/path'
import { t } from '@/lib/i18n/t'
import { requestOpenFile } from '@/components/context/show-in-page'

/** The files of a message; a click shows one in the workspace. */
export function MessageFiles({ message }: { readonly message: UserMessage }) {
  const { attachments = [], conversationId } = message
  // Until the server has the message, it has no picture of it.
  const isStored = useConversation((view) => !view.sending || view.path.at(-1) !== message)
  if (attachments.length === 0) return null
  return (
    <ul
      className="mt-2 flex max-w-[84%] flex-wrap items-end justify-end gap-2 p-0.5 first:mt-0"
      aria-label={t('leaving.files')}
    >
      {attachments.map((file, number) => (
        <li key={file.path} className="grid min-w-0 justify-items-end gap-0.5">
          <FileChip
            file={file}
            picture={file.isImage && isStored ? imageAddress(conversationId, message.id, number) : null}
            onOpen={() => requestOpenFile({ conversationId, path: file.path })}
          />
          <span className="px-0.5 text-sm text-muted">{sharedContentText(sharedContentOf(file), 'did')}</span>
        </li>
      ))}
    </ul>
  )
}

interface FileChipProps {
  readonly file: Attachment
  readonly picture: string | null
  readonly onOpen: () => void
}

function FileChip({ file, picture, onOpen }: FileChipProps) {
  const [isBroken, setIsBroken] = useState(false)
  const shown = picture !== null && !isBroken
  const words = (
    <>
      <span className="truncate" dir="auto">
        <ForeignText text={nameOf(file.path)} />
      </span>
      <span className="flex-none text-muted tabular-nums">{formatBytes(file.size)}</span>
    </>
  )
  return (
    <button
      type="button"
      className={shown ? chip({ shape: 'picture' }, 'hover:bg-hover') : chip({}, 'pe-2.5 hover:bg-hover')}
      data-tip={visibleText(file.path, 'name')}
      onClick={onOpen}
    >
      {shown ? (
        <>
          <picture className="contents">
            <img
              className="h-28 w-40 flex-none rounded-sm bg-hover object-cover"
              src={picture}
              alt=""
              loading="lazy"
              onError={() => setIsBroken(true)}
            />
          </picture>
          <span className="flex min-w-0 gap-2 px-1">{words}</span>
        </>
      ) : (
        <>
          <Icon name={file.isImage ? 'image' : 'read'} className="text-muted" />
          {words}
        </>
      )}
    </button>
  )
}

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
