import { isJsonObject, type JsonObject, type JsonValue } from '@/lib/base/json'
import { asksDraft, type Drafts } from '@/lib/client/outbox/drafts'
import { isEmptyAnswer, readAnswerDraft, type AnswerDraft } from '@/lib/shared/tools/ask-user/answer'

/** One question of a chat. */
export interface QuestionKey {
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
