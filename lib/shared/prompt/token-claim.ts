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
