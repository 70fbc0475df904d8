import type { AnswerQuestions } from './inline-approval'

/**
 * The cards' answers while the code that asks is loaded with the first of them. `onFailure` is told, once per answer, when it
 * can't be loaded; the answer is then forgotten, so that a later try starts nothing that nobody thinks of any more.
 */
export function createLazyAnswers(load: () => Promise<AnswerQuestions>, onFailure: () => void): AnswerQuestions {
  return async (kind, keys, decision) => {
    const answer = await load().catch(() => null)
    if (answer) return answer(kind, keys, decision)
    onFailure()
    return null
  }
}
