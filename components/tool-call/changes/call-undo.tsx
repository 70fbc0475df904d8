'use client'

import { asUntrusted } from '@/lib/base/untrusted-text/foreign'
import { useMessagesAfter } from '@/components/context/use-older'
import { SentenceText } from '@/components/ui/text/foreign-text'
import { useState } from 'react'
import { createPortal } from 'react-dom'
import { useChatActions } from '@/components/context/chat-context'
import { useHistory, useMoves } from '@/components/files/use-history'
import { Wait } from '@/components/ui/page/wait'
import { t } from '@/lib/i18n/t'
import { Button, TextButton } from '@/components/ui/controls/button'
import { headButton } from '../styles/card'
import { changesOfCall, laterChanges } from '@/lib/client/files/history/change-groups'
import { undoneSentence } from '@/lib/client/files/history/change-texts'

export interface CallUndoProps {
  readonly conversationId: string
  readonly messageId: string
  readonly slot: number
  /** The element for its button. */
  readonly place: HTMLElement
}

/** Undoes one call's file changes; renders nothing if there are none. Messages appear below the card. */
export default function CallUndo({ conversationId, messageId, slot, place }: CallUndoProps) {
  const { groups, watch } = useHistory(conversationId)
  const { addToDraft } = useChatActions()
  const moves = useMoves(watch)
  const [offered, setOffered] = useState(false)
  const mine = changesOfCall(groups, messageId, slot).filter(({ offBranch }) => !offBranch)
  const [newest] = mine
  const after = useMessagesAfter(messageId, newest !== undefined)
  if (!newest) return null
  const undone = mine.every((group) => group.undone === 'yes')
  const ids = mine.flatMap((group) => group.ids)
  const later = mine.flatMap((group) => laterChanges(groups, group)).filter((group) => !mine.includes(group))
  const sentence = undoneSentence(newest, later.length > 0)
  // The model gets it after the call, with the suggested text, or with a user message that contains it.
  const isSent = after.some((message) => message.role === 'user' && message.text.includes(sentence))
  const button = (
    <Button
      className={headButton}
      disabled={moves.busy}
      onClick={() => {
        setOffered(false)
        void moves.move(ids, !undone)
      }}
    >
      {t(undone ? 'card-running.redo' : 'card-running.undo')}
    </Button>
  )
  return (
    <>
      {createPortal(button, place)}
      <div className="grid gap-1 border-t border-line px-3.5 py-2 text-sm text-muted empty:hidden pointer-coarse:py-3 wrap-anywhere *:flex *:flex-wrap *:items-baseline *:gap-x-3">
        {undone ? <p>{t('card-running.undone')}</p> : null}
        {moves.busy ? <Wait what={t('wait.files-change')} /> : null}
        {moves.problem ? (
          <p role="alert">
            <SentenceText text={moves.problem} />
          </p>
        ) : null}
        {moves.kept.map(({ path, why }) => (
          <p key={path} role="status">
            <SentenceText
              text={t(why === 'changed-later' ? 'file-changes.kept-later' : 'file-changes.kept-in-way', {
                path: asUntrusted(path),
              })}
            />
          </p>
        ))}
        {undone && moves.kept.length > 0 && later.length > 0 ? (
          <p>
            <TextButton
              onClick={() =>
                void moves.move(
                  later.flatMap((group) => group.ids),
                  true,
                )
              }
            >
              {t('card-running.undo-later')}
            </TextButton>
          </p>
        ) : null}
        {undone ? (
          <p>
            <span>
              {t(
                isSent
                  ? 'card-running.told-undone'
                  : offered
                    ? 'card-running.offered-undone'
                    : 'card-running.untold-undone',
              )}
            </span>
            {isSent || offered ? null : (
              <TextButton
                onClick={() => {
                  addToDraft(sentence)
                  setOffered(true)
                }}
              >
                {t('card-running.tell')}
              </TextButton>
            )}
          </p>
        ) : null}
      </div>
    </>
  )
}
