'use client'

import { SentenceText } from '@/components/ui/text/foreign-text'
import { shortName } from '@/lib/i18n/model-label'
import { t } from '@/lib/i18n/t'
import { useImperativeHandle, useRef, useState, type RefObject } from 'react'
import { createPortal } from 'react-dom'
import { useChat } from '@/components/context/chat-context'
import { useCommand } from '@/components/context/commands'
import { Icon } from '@/components/ui/controls/icon'
import { IconButton } from '@/components/ui/controls/button'
import type { AttachmentToSend } from '@/lib/shared/conversation/wire/api-types'
import { asSent } from '@/lib/shared/prompt/shared-content'
import type { Drafts } from '@/lib/client/outbox/drafts'
import { AttachedList, AttachLine } from './attach/attached-list'
import { useAttached, useDrops } from './attach/use-attached'
import { chosenFiles } from './upload/read-drop'
import { viewOf } from '@/lib/client/state/open-conversations'

/** How the composer gets the files of its message. */
export interface AttachHandle {
  /** Null: there are none. Else they are made ready; null then, when something is in the way and was said. */
  readonly take: () => Promise<readonly AttachmentToSend[] | null> | null
  /** Attaches files that were chosen elsewhere. */
  readonly add: (files: readonly File[]) => void
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
  const blind = useChat((state) => {
    const model = state.models?.models.find(({ id }) => id === viewOf(state).conversation?.settings.model)
    return model && model.seesImages !== true ? shortName(model) : null
  })
  useImperativeHandle(
    handle,
    () => ({
      take: attached.take,
      sentIn: attached.sentIn,
      add: (files) => attached.add(Promise.resolve(chosenFiles(files))),
    }),
    [attached],
  )
  const choose = () => input.current?.click()
  useCommand('attach', choose)
  const hasPicture = attached.files.some((file) => asSent(file, attached.isGated).isImage)

  return (
    <>
      <IconButton icon="clip" label={t('attach.label')} onClick={choose} />
      <input
        ref={input}
        type="file"
        multiple
        hidden
        aria-label={t('attach.pick')}
        onChange={({ currentTarget }) => {
          const chosen = chosenFiles(currentTarget.files ?? [])
          currentTarget.value = ''
          attached.add(Promise.resolve(chosen))
        }}
      />
      {createPortal(
        <div className="grid gap-2 px-3 pt-3 empty:hidden">
          {attached.files.length > 0 ? (
            <AttachedList
              files={attached.files}
              isGated={attached.isGated}
              onRemove={attached.remove}
              onContent={attached.setContent}
            />
          ) : null}
          {attached.busy === null ? null : (
            <AttachLine tone="busy" role="status">
              {attached.busy}
            </AttachLine>
          )}
          {hasPicture && blind !== null ? (
            <AttachLine tone="quiet">
              <SentenceText text={t('attach.blind', { model: blind })} />
            </AttachLine>
          ) : null}
          {attached.problems.map((problem) => (
            <AttachLine key={problem} tone="bad" role="alert" onDismiss={() => attached.dismiss(problem)}>
              <SentenceText text={problem} />
            </AttachLine>
          ))}
        </div>,
        slot,
      )}
      {dragging && main
        ? createPortal(
            <div
              className="pointer-events-none absolute inset-0 z-float grid place-items-center bg-surface/82 p-4"
              aria-hidden
            >
              <p className="flex items-center gap-2 rounded-lg border border-dashed border-control bg-raised px-6 py-4 shadow-float">
                <Icon name="clip" /> {t('attach.drop')}
              </p>
            </div>,
            main,
          )
        : null}
    </>
  )
}
