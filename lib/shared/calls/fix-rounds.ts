import type { AssistantMessage, Message } from '@/lib/shared/conversation/conversation'
import { hasText } from '@/lib/shared/conversation/outline'
import type { BrokenSegment } from '@/lib/protocols/types/segment'

/** How often a model is asked to fix the same call before something else is the better idea. */
export const MAX_FIX_ROUNDS = 2

/** The fields of a broken call that count here: its tool, and the message to the model. */
export type CountedBrokenCall = Pick<BrokenSegment, 'name' | 'message'>

/**
 * How often the model was already asked to fix this problem, on the path up to the message: rounds in which the user
 * sent the message about a broken call of the same tool. The user's own text starts the count again; results don't.
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

/** A call whose tool could not be read may be of any tool. */
const isSame = (a: CountedBrokenCall, b: CountedBrokenCall): boolean =>
  a.name === undefined || b.name === undefined || a.name === b.name
