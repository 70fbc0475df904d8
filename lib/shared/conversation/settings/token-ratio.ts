import type { AssistantMessage } from '../conversation'

/*
 * How many tokens a model counts for each that was estimated. A vocabulary errs the same way from turn to turn: what a provider
 * said of the last prompts tells how to read the estimate of the next one.
 */

/** A lie, or a count of something else, changes no estimate by more than this. */
const LEAST = 0.5
const MOST = 2
/** Below this what servers put around a prompt counts for more than its words. */
const LEAST_TOKENS = 200
/** Steps of a ratio: where a prompt is cut must not wander with every turn. */
const STEP = 20

type Asked = Pick<AssistantMessage, 'usage' | 'promptTokens'>

/** Of one reply; null where nothing can be learnt of it. */
export function ratioOfReply({ usage, promptTokens }: Asked): number | null {
  const counted = usage?.inputTokens ?? 0
  if (promptTokens === undefined || promptTokens < LEAST_TOKENS || counted < LEAST_TOKENS) return null
  return Math.min(MOST, Math.max(LEAST, counted / promptTokens))
}

/** A running mean: what came last counts for a third. */
export const nextRatio = (before: number | null, latest: number): number =>
  before === null ? latest : before + (latest - before) / 3

/** Rounded to steps of a twentieth. */
export const steadyRatio = (ratio: number): number => Math.round(ratio * STEP) / STEP
