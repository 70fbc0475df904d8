import { isHere, type ChatRow } from '@/lib/shared/conversation/message-tree'
import { nextRatio, ratioOfReply, steadyRatio } from '@/lib/shared/conversation/settings/token-ratio'

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

/** Set aside before the model is asked: an estimate of the prompt, and an allowance for the answer. */
export interface TokenClaim {
  readonly in: number
  readonly out: number
}

/** Set aside for an answer until its length is known; what it really was is settled at its end. */
export const ANSWER_TOKENS = 1_000
/** What Nod tells a model besides the chat, in round numbers. */
const INSTRUCTION_TOKENS = 1_500
const PICTURE_TOKENS = 1_000
const CHARS_OF_A_TOKEN = 4

/** No message takes less: with fewer tokens left, every one is refused. */
export const leastClaim = (): number => {
  const { in: asked, out } = tokenClaim(0, 0)
  return asked + out
}

/**
 * What is set aside for a reply before its model is asked. `chars`: of the system prompt and of the messages that are sent. By
 * lengths alone: reading a long chat letter by letter would cost each turn more than asking the database.
 */
export const tokenClaim = (chars: number, pictures: number): TokenClaim => ({
  in: INSTRUCTION_TOKENS + Math.ceil(chars / CHARS_OF_A_TOKEN) + pictures * PICTURE_TOKENS,
  out: ANSWER_TOKENS,
})

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
