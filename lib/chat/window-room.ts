/** Kept for the answer, tokens: a quarter of a small window, and so many of a large one. */
const MAX_ANSWER = 8_192
const ANSWER_SHARE = 1 / 4
/** Estimates are about a fifth off: what is estimated counts as more when it is fitted in … */
const RATHER_MORE = 1.2
/** … and as less where a message would be refused for it. */
const RATHER_LESS = 0.8

/** Estimated tokens that a prompt may have in all, for a model that takes `windowTokens` with its answer. */
export const roomIn = (windowTokens: number): number =>
  Math.floor((windowTokens - Math.min(MAX_ANSWER, Math.ceil(windowTokens * ANSWER_SHARE))) / RATHER_MORE)

/** No model of that window can take so many estimated tokens, however the estimate errs. */
export const isBeyond = (tokens: number, windowTokens: number): boolean => tokens * RATHER_LESS > windowTokens
