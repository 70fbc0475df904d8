'use client'

import { useState } from 'react'
import { createPortal } from 'react-dom'
import { useChatActions, useConversation } from '@/components/context/chat-context'
import { useCommand } from '@/components/context/commands'
import { Icon } from '@/components/ui/controls/icon'
import { lazyPart } from '@/components/ui/page/lazy-part'
import { TextButton } from '@/components/ui/controls/button'
import { t } from '@/lib/i18n/t'
import { Wait } from '@/components/ui/page/wait'
import { changesOfReply } from '@/lib/client/files/history/change-groups'
import { MoveNotes } from './changes/move-notes'
import { useHistory, useMoves } from './use-history'

const UndoReplyDialog = lazyPart(() => import('./changes/undo-reply-dialog'), {
  what: () => t('file-changes.part'),
  look: 'over',
  close: ({ onClose }) => onClose,
})

export interface ReplyUndoProps {
  readonly conversationId: string
  /** The reply's id. */
  readonly messageId: string
}

const NAMED_PATHS = 5

/** Undoes all file changes of a reply in one step; nothing if fewer than two calls changed anything. */
export default function ReplyUndo({ conversationId, messageId }: ReplyUndoProps) {
  const { groups, sets, watch } = useHistory(conversationId)
  const { addToDraft } = useChatActions()
  const moves = useMoves(watch)
  const [isAsking, setAsking] = useState(false)
  const [isSent, setIsSent] = useState(false)
  const runs = useConversation((view) =>
    [...view.live].some(([key, live]) => key.startsWith(`${messageId}:`) && !live.outcome && !live.problem),
  )
  const { groups: mine, active, undone, files } = changesOfReply(groups, messageId)
  const isThere = watch !== null && mine.length >= 2 && files.length > 0
  const isUndone = active.length === 0
  const can = isThere && !moves.busy && !runs
  const redo = () => void moves.move(undone, false)
  useCommand('undo-reply', () => setAsking(true), can && !isUndone)
  useCommand('redo-reply', redo, can && undone.length > 0)
  if (!isThere) return null
  const words = isUndone
    ? t('file-changes.reply-undone')
    : undone.length > 0
      ? t('file-changes.reply-partly')
      : t('file-changes.reply', { count: files.length })
  const undo = async () => {
    setIsSent(false)
    await moves.move(active, true)
    setAsking(false)
  }
  const tell = () => {
    const paths = files.slice(0, NAMED_PATHS)
    addToDraft(t('file-changes.sentence', { paths, more: files.length - paths.length }))
    setIsSent(true)
  }
  return (
    <div className="grid gap-1 text-sm text-muted" role="group" aria-label={t('file-changes.part')}>
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <Icon name="restore" className="size-3.5 flex-none" />
        <span role="status">{words}</span>
        {isUndone ? null : (
          <TextButton disabled={moves.busy || runs} onClick={() => setAsking(true)}>
            {t('file-changes.undo-reply')}
          </TextButton>
        )}
        {undone.length > 0 ? (
          <TextButton disabled={moves.busy || runs} onClick={redo}>
            {t('file-changes.redo-reply')}
          </TextButton>
        ) : null}
      </p>
      {isUndone ? (
        <p className="flex flex-wrap items-center gap-x-3">
          <span>{t(isSent ? 'file-changes.told' : 'file-changes.untold')}</span>
          {isSent ? null : <TextButton onClick={tell}>{t('file-changes.tell')}</TextButton>}
        </p>
      ) : null}
      {moves.busy && !isAsking ? <Wait what={t('wait.files-change')} /> : null}
      <MoveNotes moves={moves} className="grid gap-1" />
      {isAsking
        ? createPortal(
            <UndoReplyDialog
              watch={watch}
              sets={sets}
              ids={active}
              isBusy={moves.busy}
              onUndo={() => void undo()}
              onClose={() => setAsking(false)}
            />,
            document.body,
          )
        : null}
    </div>
  )
}
