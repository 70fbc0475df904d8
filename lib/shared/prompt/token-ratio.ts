import { isHere, type ChatRow } from '@/lib/shared/conversation/chat-row'
import { nextRatio, ratioOfReply, steadyRatio } from '@/lib/shared/conversation/settings/token-ratio'

/** Replies of a branch that are asked, the newest. */
const MOST_REPLIES = 8

/** By what a model's provider counted in this branch; null: it said nothing yet. */
export function ratioLearntIn(path: readonly ChatRow[], model: string): number | null {
  const learnt: number[] = []
  for (let at = path.length - 1; at >= 0 && learnt.length < MOST_REPLIES; at -= 1) {
    const row = path[at]
    const ratio = row && isHere(row) && row.role === 'assistant' && row.model === model ? ratioOfReply(row) : null
    if (ratio !== null) learnt.push(ratio)
  }
  const mean = learnt.toReversed().reduce<number | null>(nextRatio, null)
  return mean === null ? null : steadyRatio(mean)
}
