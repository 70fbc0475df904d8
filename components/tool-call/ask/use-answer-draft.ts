'use client'

import { useEffect, useState } from 'react'
import { useDrafts } from '@/components/context/drafts-context'
import { asksDraft } from '@/lib/client/drafts'
import { emptyAnswer, type AnswerDraft } from '@/lib/tools/ask-user/answer'
import { keepAnswer, keptAnswer, type QuestionPlace } from './kept-answers'

/** A question may stand in its card and in a dialog over it: what is filled in in one of them stands in the other. */
const views = new Set<(question: string, draft: AnswerDraft) => void>()

/**
 * What is filled in of a question: here after a reload, and after its tab was closed in the next one that opens the chat.
 * It stays until the answer stands (`useForgetAnswer`).
 */
export function useAnswerDraft(place: QuestionPlace): readonly [AnswerDraft, (draft: AnswerDraft) => void] {
  const drafts = useDrafts()
  const { conversationId, messageId, slot } = place
  const [typed, setTyped] = useState(() => (drafts ? keptAnswer(drafts, place) : emptyAnswer))
  const [isTouched, setTouched] = useState(typed !== emptyAnswer)
  useEffect(() => {
    if (!drafts || isTouched) return
    let wanted = true
    const at = { conversationId, messageId, slot }
    void drafts.adopt(asksDraft(conversationId), 'one').then(() => wanted && setTyped(keptAnswer(drafts, at)))
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
      if (drafts) keepAnswer(drafts, place, draft)
    },
  ]
}

/** The question is answered: what was filled in of it, in this tab or by it, is over. */
export function useForgetAnswer({ conversationId, messageId, slot }: QuestionPlace): void {
  const drafts = useDrafts()
  useEffect(() => {
    if (drafts) keepAnswer(drafts, { conversationId, messageId, slot }, emptyAnswer)
  }, [drafts, conversationId, messageId, slot])
}
