import type { JsonValue } from '@/lib/base/json'
import { makeModelMessage } from '@/lib/i18n/t'
import { refuse } from '../refuse'
import type { ToolOutcome } from '../tool'
import { answerOf, readAnswerDraft } from './answer'
import { questionOf, type AskArguments } from './question'

/**
 * `answer`: the form as it was filled in. A call runs only with a complete one; anything else is a bug of the caller.
 */
export function runAskUser(args: AskArguments, answer: JsonValue | undefined): ToolOutcome {
  const read = answer === undefined ? null : answerOf(questionOf(args), readAnswerDraft(answer))
  if (!read?.ok) return refuse('no-answer', makeModelMessage('told.no-answer'))
  return { ok: true, result: read.value }
}
