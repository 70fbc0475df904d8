import type { JsonObject } from '@/lib/base/json'
import type { ModelFailure, ModelId } from '../model'
import type { ConstrainedDecoding, PreparedExact } from './constrained-decoding'
import type { ReplyConstraint } from './exact-forms'
import { mayBeForGrammar } from './exact-knowledge'

/** How a reply was requested. */
export interface RequestedConstraint extends PreparedExact {
  /** The constraint was refused, and the reply written without it. */
  readonly isRefused: boolean
}

interface End {
  readonly outcome: string
  readonly failure: ModelFailure | null
}

/**
 * Lets a model write a reply constrained by a grammar, if it supports one. A refusal before the first token is retried
 * without it. `write` asks the model, with these fields in the request, and says how that ended; `wrote`: text has
 * come. Rejects only if `write` or `ask` does.
 */
export async function requestConstrained<Ended extends End>(
  constrainedDecoding: ConstrainedDecoding,
  model: ModelId,
  how: {
    readonly ask: () => ReplyConstraint | null
    readonly wanted: boolean | undefined
    readonly signal: AbortSignal
    readonly write: (fields?: JsonObject) => Promise<Ended>
    readonly wrote: () => boolean
  },
): Promise<{ readonly end: Ended; readonly asked: RequestedConstraint | null }> {
  const prepared = await constrainedDecoding.prepare(model, how.ask, how.wanted, how.signal)
  if (!prepared) return { end: await how.write(), asked: null }
  if (prepared.fields === null) return { end: await how.write(), asked: { ...prepared, isRefused: false } }
  const end = await how.write(prepared.fields)
  // There is text already, so this reply is not retried; the next one is asked without.
  if (how.wrote() && speaksOfGrammar(end)) constrainedDecoding.note(model, prepared.form, 'refused')
  if (!isTurnedDown(end, how.wrote())) return { end, asked: { ...prepared, isRefused: false } }
  const again = await how.write()
  // If it also fails without a grammar, the grammar was not the cause.
  const isRefused = again.outcome !== 'failed'
  if (isRefused) constrainedDecoding.note(model, prepared.form, 'refused')
  return { end: again, asked: isRefused ? { ...prepared, isRefused } : null }
}

/** In the words of llama.cpp, XGrammar, vLLM, SGLang, Ollama and LM Studio. */
const speaksOfGrammar = ({ failure }: End): boolean =>
  failure !== null && /grammar|ebnf|json.?schema|structured|response_format/i.test(failure.detail)

const isTurnedDown = ({ outcome, failure }: End, wrote: boolean): boolean =>
  outcome === 'failed' && !wrote && failure !== null && mayBeForGrammar(failure.code)
