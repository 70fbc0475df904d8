'use client'

import { useEffect, useState } from 'react'
import { useDrafts } from '@/components/context/drafts-context'
import { asksDraft } from '@/lib/client/outbox/drafts'
import { emptyAnswer, type AnswerDraft } from '@/lib/shared/tools/ask-user/answer'
import { storeAnswer, storedAnswer, type QuestionKey } from './stored-answers'

/** A question may stand in its card and in a dialog over it: what is filled in in one of them stands in the other. */
const views = new Set<(question: string, draft: AnswerDraft) => void>()

/**
 * What is filled in of a question: here after a reload, and after its tab was closed in the next one that opens the chat.
 * It stays until the answer stands (`useForgetAnswer`).
 */
export function useAnswerDraft(place: QuestionKey): readonly [AnswerDraft, (draft: AnswerDraft) => void] {
  const drafts = useDrafts()
  const { conversationId, messageId, slot } = place
  const [typed, setTyped] = useState(() => (drafts ? storedAnswer(drafts, place) : emptyAnswer))
  const [isTouched, setTouched] = useState(typed !== emptyAnswer)
  useEffect(() => {
    if (!drafts || isTouched) return
    let wanted = true
    const at = { conversationId, messageId, slot }
    void drafts.adopt(asksDraft(conversationId), 'one').then(() => wanted && setTyped(storedAnswer(drafts, at)))
    return () => {
      wanted = false
    }
  }, [drafts, isTouched, conversationId, messageId, slot])
  const question = `${conversationId} ${messageId}:${slot}`
  useEffect(() => {
    const follow = (changed: string, draft: AnswerDraft) => {
      if (changed !== question) return
      setTouched(true)
      setTyped(draft)
    }
    views.add(follow)
    return () => void views.delete(follow)
  }, [question])
  return [
    typed,
    (draft) => {
      for (const view of views) view(question, draft)
      if (drafts) storeAnswer(drafts, place, draft)
    },
  ]
}

/** The question is answered: what was filled in of it, in this tab or by it, is over. */
export function useForgetAnswer({ conversationId, messageId, slot }: QuestionKey): void {
  const drafts = useDrafts()
  useEffect(() => {
    if (drafts) storeAnswer(drafts, { conversationId, messageId, slot }, emptyAnswer)
  }, [drafts, conversationId, messageId, slot])
}
