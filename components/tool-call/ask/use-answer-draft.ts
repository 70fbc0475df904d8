'use client'

import { useEffect, useState } from 'react'
import { useDrafts } from '@/components/context/chat-context'
import { asksDraft, type Drafts } from '@/lib/client/outbox/drafts'
import { emptyAnswer, type AnswerDraft, isEmptyAnswer, readAnswerDraft } from '@/lib/shared/tools/ask-user/answer'
import { isJsonObject, type JsonObject, type JsonValue } from '@/lib/base/json'

/** One question of a chat. */
interface QuestionKey {
  readonly conversationId: string
  readonly messageId: string
  readonly slot: number
}

type Kept = Pick<Drafts, 'get' | 'set' | 'remove'>

const keyOf = ({ messageId, slot }: QuestionKey): string => `${messageId}:${slot}`

/** What was filled in of it in this tab, and not sent. */
export const storedAnswer = (drafts: Pick<Kept, 'get'>, place: QuestionKey): AnswerDraft => {
  const all = allKept(drafts.get(asksDraft(place.conversationId)))
  const key = keyOf(place)
  return readAnswerDraft(Object.hasOwn(all, key) ? all[key] : undefined)
}

/** Keeps it over a reload; the empty one is forgotten. */
export function storeAnswer(drafts: Kept, place: QuestionKey, draft: AnswerDraft): void {
  const id = asksDraft(place.conversationId)
  const all = allKept(drafts.get(id))
  const key = keyOf(place)
  const others = Object.entries(all).filter(([one]) => one !== key)
  if (isEmptyAnswer(draft)) {
    if (others.length === Object.keys(all).length) return
    if (others.length === 0) return drafts.remove(id)
  }
  const mine = isEmptyAnswer(draft) ? [] : [[key, { ...draft } as JsonObject] as const]
  drafts.set(id, JSON.stringify(Object.fromEntries([...others, ...mine])))
}

function allKept(text: string): JsonObject {
  try {
    const read = JSON.parse(text) as JsonValue
    return isJsonObject(read) ? read : {}
  } catch {
    return {}
  }
}

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
