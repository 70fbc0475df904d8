import type { AssistantMessage, Message } from '@/lib/shared/conversation/conversation'
import { hasText } from '@/lib/shared/conversation/outline'
import type { BrokenSegment } from '@/lib/protocols/types/segment'

/** How often a model is asked to fix the same call before something else is the better idea. */
export const MAX_FIX_ROUNDS = 2

/** What counts of a broken call here: which tool it was for, and what the model is told. */
export type CountedBrokenCall = Pick<BrokenSegment, 'name' | 'message'>

/**
 * How often the model was asked already to fix this trouble, on the path up to the message: rounds in which the user sent
 * the message of a broken call for the same tool. A word of the user's own starts the count again; results don't.
 */
export function fixRounds(
  path: readonly Message[],
  messageId: string,
  trouble: CountedBrokenCall,
  brokenOf: (reply: AssistantMessage) => readonly CountedBrokenCall[],
): number {
  const at = path.findIndex((message) => message.id === messageId)
  let rounds = 0
  for (let i = at - 1; i > 0; i--) {
    const asked = path[i]
    const reply = path[i - 1]
    if (asked?.role !== 'user' || !hasText(asked)) continue
    if (reply?.role !== 'assistant') break
    const fixed = brokenOf(reply).find((broken) => broken.message === asked.text)
    if (!fixed) break
    if (isSame(fixed, trouble)) rounds += 1
  }
  return rounds
}

/** A call whose tool could not be read may be any. */
const isSame = (a: CountedBrokenCall, b: CountedBrokenCall): boolean =>
  a.name === undefined || b.name === undefined || a.name === b.name
