import { isHere, type ChatRow } from '@/lib/shared/conversation/message-tree'
import { nextRatio, ratioOfReply, steadyRatio } from '@/lib/shared/conversation/settings/token-ratio'

/** How much of a chat is sent, by what is known of the model. */
export interface PromptWindow {
  readonly tokens: number
  /** The model's window, its answer included. False: unknown, and this is the limit for such models. */
  readonly isKnown: boolean
}

/** `known`: the model's own window; `most`: the limit if that is null. Null: everything is sent. */
export function promptWindow(known: number | null, most: number | null): PromptWindow | null {
  if (known !== null) return { tokens: known, isKnown: true }
  return most === null ? null : { tokens: most, isKnown: false }
}

/** Reserved for the answer, in tokens: a quarter of a small window, and at most this much of a large one. */
const MAX_ANSWER = 8_192
const ANSWER_SHARE = 1 / 4
/** Estimates are off by about a fifth, so they are increased to fit a window. */
const RATHER_MORE = 1.2
/** The same, if the provider's own counts have corrected the estimates. */
const LEARNT_MORE = 1.08
/** Estimates are reduced before a message is refused because of them. */
const RATHER_LESS = 0.8

/** The limit of a prompt in estimated tokens. An unknown window is not reduced by the error of estimates. */
export const promptBudgetOf = ({ tokens, isKnown }: PromptWindow, isLearnt = false): number =>
  isKnown ? promptBudgetIn(tokens, isLearnt) : tokens

/**
 * The same for a model with a window of `windowTokens`, its answer included. `isLearnt`: its provider's counts have
 * corrected the estimate.
 */
export const promptBudgetIn = (windowTokens: number, isLearnt = false): number =>
  Math.floor(
    (windowTokens - Math.min(MAX_ANSWER, Math.ceil(windowTokens * ANSWER_SHARE))) /
      (isLearnt ? LEARNT_MORE : RATHER_MORE),
  )

/** No model with that window can accept so many estimated tokens, whatever the error of the estimate. */
export const isBeyond = (tokens: number, windowTokens: number): boolean => tokens * RATHER_LESS > windowTokens

/** Reserved before the model is asked: an estimate of the prompt, and an allowance for the answer. */
export interface TokenClaim {
  readonly in: number
  readonly out: number
}

/** Reserved for an answer until its length is known; it is corrected at its end. */
export const ANSWER_TOKENS = 1_000
/** Nod's own instructions, in round numbers. */
const INSTRUCTION_TOKENS = 1_500
const PICTURE_TOKENS = 1_000
const CHARS_OF_A_TOKEN = 4

/** The smallest claim of a message: with fewer tokens left, every one is refused. */
export const minClaim = (): number => {
  const { in: asked, out } = tokenClaim(0, 0)
  return asked + out
}

/**
 * The tokens reserved for a reply before its model is asked. `chars`: of the system prompt and of the messages that are
 * sent. Computed from lengths only: tokenizing a long chat would cost each turn more than the database query.
 */
export const tokenClaim = (chars: number, pictures: number): TokenClaim => ({
  in: INSTRUCTION_TOKENS + Math.ceil(chars / CHARS_OF_A_TOKEN) + pictures * PICTURE_TOKENS,
  out: ANSWER_TOKENS,
})

/** The number of newest replies in a branch that are used. */
const MOST_REPLIES = 8

/** The token ratio from the provider's counts in this branch; null: there are none yet. */
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
