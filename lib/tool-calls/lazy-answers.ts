import type { AnswerQuestions } from './inline-approval'

/**
 * The cards' answers while the code that asks is loaded with the first of them. `onFailure` is told, once per answer, when it
 * can't be loaded; the answer is then forgotten, so that a later try starts nothing that nobody thinks of any more.
 */
export function createLazyAnswers(
  answer: AnswerQuestions,
  load: () => Promise<void>,
  onFailure: () => void,
): AnswerQuestions {
  let loaded = false
  return async (kind, keys, decision) => {
    if (loaded) return answer(kind, keys, decision)
    try {
      await load()
      loaded = true
    } catch {
      onFailure()
      return null
    }
    return answer(kind, keys, decision)
  }
}
