'use client'

import { SaidText } from '@/components/ui/foreign-text'
import { useImperativeHandle, useRef, useState, type RefObject } from 'react'
import { createPortal } from 'react-dom'
import { useChat } from '@/components/chat/chat-context'
import { shortName } from '@/components/composer/model-status'
import { Icon } from '@/components/ui/icon'
import { IconButton } from '@/components/ui/icon-button'
import { Spinner } from '@/components/ui/spinner'
import type { AttachmentToSend } from '@/lib/chat/api-types'
import { asSent } from '@/lib/chat/what-leaves'
import type { Drafts } from '@/lib/client/drafts'
import { AttachedList } from './attach/attached-list'
import { useAttached } from './attach/use-attached'
import { useDrops } from './attach/use-drops'
import { chosenFiles } from './upload/read-drop'
import './attach/attach.css'

/** How the composer gets the files of its message. */
export interface AttachHandle {
  /** Null: there are none. Else they are made ready; null then, when something is in the way and was said. */
  readonly take: () => Promise<readonly AttachmentToSend[] | null> | null
  /** They went out with this message. */
  readonly sentIn: (messageId: string) => void
}

export interface AttachAreaProps {
  readonly drafts: Drafts
  readonly handle: RefObject<AttachHandle | null>
  /** Where the list of files stands. */
  readonly slot: HTMLElement
}

/** The button, what is dropped on the chat or pasted, and the list of files that go with the next message. */
export default function AttachArea({ drafts, handle, slot }: AttachAreaProps) {
  const attached = useAttached(drafts)
  const input = useRef<HTMLInputElement>(null)
  const [main] = useState(() => slot.closest<HTMLElement>('main'))
  const dragging = useDrops(main, slot.closest('form'), attached.add)
  const blind = useChat(({ models, view }) => {
    const model = models?.models.find(({ id }) => id === view.conversation?.settings.model)
    return model && model.seesImages !== true ? shortName(model) : null
  })
  useImperativeHandle(handle, () => ({ take: attached.take, sentIn: attached.sentIn }), [attached])
  const hasPicture = attached.files.some((file) => asSent(file, attached.isGated).isImage)

  return (
    <>
      <IconButton icon="clip" label="Attach files" onClick={() => input.current?.click()} />
      <input
        ref={input}
        type="file"
        multiple
        hidden
        aria-label="Files to attach"
        onChange={({ currentTarget }) => {
          const chosen = chosenFiles(currentTarget.files ?? [])
          currentTarget.value = ''
          attached.add(Promise.resolve(chosen))
        }}
      />
      {createPortal(
        <>
          {attached.files.length > 0 ? (
            <AttachedList
              files={attached.files}
              isGated={attached.isGated}
              onRemove={attached.remove}
              onContent={attached.setContent}
            />
          ) : null}
          {attached.busy === null ? null : (
            <p className="attach-line" role="status">
              <Spinner /> {attached.busy}
            </p>
          )}
          {hasPicture && blind !== null ? (
            <p className="attach-line">
              <Icon name="info" /> {blind} can’t see images. It is told the name and size.
            </p>
          ) : null}
          {attached.problems.map((problem) => (
            <p key={problem} className="attach-line bad" role="alert">
              <Icon name="warn" />{' '}
              <span>
                <SaidText text={problem} />
              </span>
              <IconButton icon="cross" label="Dismiss" onClick={() => attached.dismiss(problem)} />
            </p>
          ))}
        </>,
        slot,
      )}
      {dragging && main
        ? createPortal(
            <div className="drop-over" aria-hidden>
              <p>
                <Icon name="clip" /> Drop files to attach them
              </p>
            </div>,
            main,
          )
        : null}
    </>
  )
}
