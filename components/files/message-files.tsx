'use client'

import { ForeignText } from '@/components/ui/text/foreign-text'
import { visibleText } from '@/lib/base/untrusted-text/foreign-text'
import { useState } from 'react'
import { useConversation } from '@/components/context/chat-context'
import { Icon } from '@/components/ui/controls/icon'
import { chip } from '@/components/ui/recipes/recipe'
import { formatBytes } from '@/lib/base/text/locale'
import type { Attachment, UserMessage } from '@/lib/shared/conversation/conversation'
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
