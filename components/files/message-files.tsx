'use client'

import { ForeignText } from '@/components/ui/foreign-text'
import { visibleText } from '@/lib/base/foreign-text/foreign-text'
import { useState } from 'react'
import { useChat } from '@/components/chat/chat-context'
import { Icon } from '@/components/ui/icon'
import { formatBytes } from '@/lib/base/format-bytes'
import type { Attachment, UserMessage } from '@/lib/chat/conversation'
import { leavingOf, leavingWords } from '@/lib/chat/what-leaves'
import { imageAddress } from '@/lib/client/address'
import { nameOf } from '@/lib/vfs/path'
import { requestOpenFile } from './open-file'
import './attach/attach.css'

/** The files that came with a message; a click shows one in the workspace. */
export function MessageFiles({ message }: { readonly message: UserMessage }) {
  const { attachments = [], conversationId } = message
  // Until the server has the message it has no picture of it.
  const isStored = useChat(({ view }) => !view.sending || view.path.at(-1) !== message)
  if (attachments.length === 0) return null
  return (
    <ul className="file-chips" aria-label="Files of this message">
      {attachments.map((file, number) => (
        <li key={file.path} className="sent-file">
          <FileChip
            file={file}
            picture={file.isImage && isStored ? imageAddress(conversationId, message.id, number) : null}
            onOpen={() => requestOpenFile({ conversationId, path: file.path })}
          />
          <span className="went">{leavingWords(leavingOf(file), 'did')}</span>
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
      <span className="cut" dir="auto">
        <ForeignText text={nameOf(file.path)} />
      </span>
      <span className="muted num">{formatBytes(file.size)}</span>
    </>
  )
  return (
    <button
      type="button"
      className={shown ? 'file-chip picture' : 'file-chip'}
      title={visibleText(file.path, 'name')}
      onClick={onOpen}
    >
      {shown ? (
        <>
          <picture>
            <img src={picture} alt="" loading="lazy" onError={() => setIsBroken(true)} />
          </picture>
          <span className="file-words">{words}</span>
        </>
      ) : (
        <>
          <Icon name={file.isImage ? 'image' : 'read'} />
          {words}
        </>
      )}
    </button>
  )
}
