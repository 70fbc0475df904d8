import type { AssistantMessage } from '../conversation'

/*
 * A model's tokens per estimated token. A vocabulary has the same error from turn to turn, so the provider's counts of
 * the last prompts correct the estimate of the next one.
 */

/** A wrong or different count changes no estimate by more than this. */
const LEAST = 0.5
const MOST = 2
/** Below this, what servers add to a prompt outweighs its text. */
const LEAST_TOKENS = 200
/** Steps of a ratio, so that the place where a prompt is cut does not move with every turn. */
const STEP = 20

type Asked = Pick<AssistantMessage, 'usage' | 'promptTokens'>

/** The ratio of one reply; null if nothing can be learnt from it. */
export function ratioOfReply({ usage, promptTokens }: Asked): number | null {
  const counted = usage?.inputTokens ?? 0
  if (promptTokens === undefined || promptTokens < LEAST_TOKENS || counted < LEAST_TOKENS) return null
  return Math.min(MOST, Math.max(LEAST, counted / promptTokens))
}

/** A running mean: the latest value has a weight of one third. */
export const nextRatio = (before: number | null, latest: number): number =>
  before === null ? latest : before + (latest - before) / 3

/** Rounded to steps of a twentieth. */
export const steadyRatio = (ratio: number): number => Math.round(ratio * STEP) / STEP
