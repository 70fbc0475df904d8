'use client'

import { useMessagesAfter } from '@/components/context/use-older'
import { ForeignText, SaidText } from '@/components/ui/foreign-text'
import { useState } from 'react'
import { useChatActions } from '@/components/context/chat-context'
import { useHistory } from '@/components/files/use-history'
import { useMoves } from '@/components/files/use-moves'
import { Wait } from '@/components/ui/wait'
import { waitSentence } from '@/lib/words/waits'
import { TextButton } from '@/components/ui/text-button'
import { changesOfCall, laterChanges } from '@/lib/workspace/history/change-groups'
import { didWords, summarizeChanges, undoneSentence } from '@/lib/workspace/history/change-words'

export interface CallUndoProps {
  readonly conversationId: string
  readonly messageId: string
  readonly slot: number
}

/** Takes back what one call did to files; nothing where it did nothing. The history is asked when the card is open. */
export default function CallUndo({ conversationId, messageId, slot }: CallUndoProps) {
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
  // Said after the call, in the words that stand ready for it, or by the person's own ones that hold them.
  const isTold = after.some((message) => message.role === 'user' && message.text.includes(sentence))
  return (
    <div className="grid gap-1 border-t border-line px-3.5 py-2 text-sm text-muted wrap-anywhere *:flex *:flex-wrap *:items-baseline *:gap-x-3">
      <p>
        <span>
          {undone ? 'undone by you' : mine.map((group) => `${didWords(summarizeChanges(group.changes))}.`).join(' ')}
        </span>
        <TextButton
          disabled={moves.busy}
          onClick={() => {
            setOffered(false)
            void moves.move(ids, !undone)
          }}
        >
          {undone ? 'Redo' : 'Undo'}
        </TextButton>
      </p>
      {moves.busy ? <Wait what={waitSentence('wait.files-change')} /> : null}
      {moves.problem ? (
        <p role="alert">
          <SaidText text={moves.problem} />
        </p>
      ) : null}
      {moves.kept.map(({ path, why }) => (
        <p key={path} role="status">
          <ForeignText text={path} /> stays as it is:{' '}
          {why === 'changed-later' ? 'it was changed again later.' : 'something else is in its place.'}
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
            Undo the later changes to it too
          </TextButton>
        </p>
      ) : null}
      {undone ? (
        <p>
          <span>
            {isTold
              ? 'You told the model in a message.'
              : offered
                ? 'A sentence about it was put into your message below. The model knows of it once you send that.'
                : 'The model does not know that you undid this.'}
          </span>
          {isTold || offered ? null : (
            <TextButton
              onClick={() => {
                addToDraft(sentence)
                setOffered(true)
              }}
            >
              Tell the model
            </TextButton>
          )}
        </p>
      ) : null}
    </div>
  )
}
