/** How much of a chat is sent, by what is known of the model that answers. */
export interface PromptWindow {
  readonly tokens: number
  /** What the model takes, its answer included. False: nobody says, and no model is sent more than this. */
  readonly isKnown: boolean
}

/** `known`: the model's own; `most`: what is sent at most where that is null. Null: all of it is. */
export function promptWindow(known: number | null, most: number | null): PromptWindow | null {
  if (known !== null) return { tokens: known, isKnown: true }
  return most === null ? null : { tokens: most, isKnown: false }
}

/** Kept for the answer, tokens: a quarter of a small window, and so many of a large one. */
const MAX_ANSWER = 8_192
const ANSWER_SHARE = 1 / 4
/** Estimates are about a fifth off: what is estimated counts as more when it is fitted in … */
const RATHER_MORE = 1.2
/** … by less where the provider's own counts have set them right, … */
const LEARNT_MORE = 1.08
/** … and as less where a message would be refused for it. */
const RATHER_LESS = 0.8

/** Estimated tokens that a prompt may have in all. What nobody knows is not made smaller by how far estimates err. */
export const promptBudgetOf = ({ tokens, isKnown }: PromptWindow, isLearnt = false): number =>
  isKnown ? promptBudgetIn(tokens, isLearnt) : tokens

/** The same for a model that takes `windowTokens` with its answer. `isLearnt`: its provider said how the estimate errs. */
export const promptBudgetIn = (windowTokens: number, isLearnt = false): number =>
  Math.floor(
    (windowTokens - Math.min(MAX_ANSWER, Math.ceil(windowTokens * ANSWER_SHARE))) /
      (isLearnt ? LEARNT_MORE : RATHER_MORE),
  )

/** No model of that window can take so many estimated tokens, however the estimate errs. */
export const isBeyond = (tokens: number, windowTokens: number): boolean => tokens * RATHER_LESS > windowTokens
