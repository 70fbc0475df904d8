'use client'

import { useEffect, useState } from 'react'
import { useDrafts } from '@/components/context/chat-context'
import { questionDraft, type Drafts } from '@/lib/client/outbox/drafts'
import { emptyAnswer, type AnswerDraft, isEmptyAnswer, readAnswerDraft } from '@/lib/shared/tools/ask-user/answer'
import type { DraftValue, ServerQuestion } from '@/lib/shared/mcp/server-question'
import { isJsonObject, type JsonObject, type JsonValue } from '@/lib/base/json'

/** One question of a chat. */
interface QuestionKey {
  readonly conversationId: string
  readonly messageId: string
  readonly slot: number
}

type Kept = Pick<Drafts, 'get' | 'set' | 'remove'>

const keyOf = ({ messageId, slot }: QuestionKey): string => `${messageId}:${slot}`

/** The unsent input in this tab. */
export const storedAnswer = (drafts: Pick<Kept, 'get'>, place: QuestionKey): AnswerDraft =>
  readAnswerDraft(keptValue(drafts, place.conversationId, keyOf(place)))

function keptValue(drafts: Pick<Kept, 'get'>, conversationId: string, key: string): JsonValue | undefined {
  const all = allKept(drafts.get(questionDraft(conversationId)))
  return Object.hasOwn(all, key) ? all[key] : undefined
}

/** Keeps it across a reload; an empty one is deleted. */
export const storeAnswer = (drafts: Kept, place: QuestionKey, draft: AnswerDraft): void =>
  keepValue(drafts, place.conversationId, keyOf(place), isEmptyAnswer(draft) ? null : { ...draft })

/** Null deletes the value of this key. */
function keepValue(drafts: Kept, conversationId: string, key: string, value: JsonObject | null): void {
  const id = questionDraft(conversationId)
  const all = allKept(drafts.get(id))
  const others = Object.entries(all).filter(([one]) => one !== key)
  if (value === null) {
    if (others.length === Object.keys(all).length) return
    if (others.length === 0) return drafts.remove(id)
  }
  drafts.set(id, JSON.stringify(Object.fromEntries([...others, ...(value === null ? [] : [[key, value] as const])])))
}

/**
 * The input of a tool server's form. A reload ends the call with its question; if the call is run again and the server
 * asks the same, the input is restored. `null` deletes it.
 */
export function useQuestionDraft(
  { conversationId, messageId, slot }: QuestionKey,
  { host, message, fields }: Extract<ServerQuestion, { readonly kind: 'form' }>,
): readonly [readonly DraftValue[], (values: readonly DraftValue[] | null) => void] {
  const drafts = useDrafts()
  const key = `${messageId}:${slot}:form`
  const about = JSON.stringify([host, message, fields.map((field) => field.key)])
  const [values, setValues] = useState<readonly DraftValue[]>(() => {
    const kept = drafts && keptValue(drafts, conversationId, key)
    const initial = fields.map((field) => field.initial)
    return isJsonObject(kept) && kept['about'] === about
      ? (readValues(kept['values'], fields.length) ?? initial)
      : initial
  })
  return [
    values,
    (next) => {
      if (next) setValues(next)
      if (drafts) keepValue(drafts, conversationId, key, next && { about, values: next })
    },
  ]
}

function readValues(value: JsonValue | undefined, count: number): readonly DraftValue[] | null {
  const isValue = (one: JsonValue): one is DraftValue =>
    Array.isArray(one) && (one as readonly JsonValue[]).every((part) => typeof part === 'string')
  if (!Array.isArray(value) || value.length !== count) return null
  const all = value as readonly JsonValue[]
  return all.every(isValue) ? all : null
}

function allKept(text: string): JsonObject {
  try {
    const read = JSON.parse(text) as JsonValue
    return isJsonObject(read) ? read : {}
  } catch {
    return {}
  }
}

/** A question may be in its card and in a dialog over it, so both share the input. */
const views = new Set<(question: string, draft: AnswerDraft) => void>()

/**
 * The input of a question: kept across a reload, and after its tab was closed in the next tab that opens the chat. It
 * is kept until the answer is stored (`useForgetAnswer`).
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
    void drafts.adopt(questionDraft(conversationId), 'one').then(() => wanted && setTyped(storedAnswer(drafts, at)))
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

/** Deletes a question's input once it is answered. */
export function useForgetAnswer({ conversationId, messageId, slot }: QuestionKey): void {
  const drafts = useDrafts()
  useEffect(() => {
    if (drafts) storeAnswer(drafts, { conversationId, messageId, slot }, emptyAnswer)
  }, [drafts, conversationId, messageId, slot])
}
