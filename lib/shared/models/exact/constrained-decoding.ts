import type { MonotonicClock } from '@/lib/base/clocks'
import type { LanguageModelV4 } from '@ai-sdk/provider'
import type { ExactOfModel, ModelId, ModelFailure } from '../model'
import { exactForms, type ReplyConstraint, type ExactForm, type ExactOffer } from './exact-forms'
import {
  createExactKnowledge,
  probeConstraint,
  probeExact,
  type ExactFinding,
  mayBeForGrammar,
} from './exact-knowledge'
import type { JsonObject } from '@/lib/base/json'

/** What a reply is requested with, or why it is not constrained. */
export interface PreparedExact {
  readonly form: ExactForm
  /** The fields in its request; null: the server is known to ignore them, so they are left out. */
  readonly fields: JsonObject | null
  /** The server's earlier handling of a grammar; null: unknown. */
  readonly finding: ExactFinding | null
  /** Tools whose arguments the grammar constrains less than their schemas. */
  readonly looseTools: readonly string[]
}

/** Knows how each model's replies can be constrained, and the results in this process. */
export interface ConstrainedDecoding {
  /** For lists; null: it can't be constrained. Makes no request. */
  of(model: ModelId): ExactOfModel | null
  /**
   * `ask`: only called if needed. `wanted`: the chat's own setting; undefined: the model's default. Null: the reply is
   * not constrained. Takes as long as one short request if the server is unknown, and no longer than `signal`. Rejects
   * if `ask` throws.
   */
  prepare(
    model: ModelId,
    ask: () => ReplyConstraint | null,
    wanted: boolean | undefined,
    signal: AbortSignal,
  ): Promise<PreparedExact | null>
  /** Records what a reply showed. */
  note(model: ModelId, form: ExactForm, finding: ExactFinding): void
}

export interface ConstrainedDecodingPorts {
  readonly offerOf: (model: ModelId) => ExactOffer | null
  /** The model, with these fields in each of its requests. Throws if there is none. */
  readonly modelWith: (model: ModelId, fields: JsonObject) => LanguageModelV4
  /** Epoch milliseconds. */
  readonly monotonic: MonotonicClock
}

/** A model may have to be loaded first; then the reply waits for that, too. */
const PROBE_MS = 20_000

export function createConstrainedDecoding({
  offerOf,
  modelWith,
  monotonic,
}: ConstrainedDecodingPorts): ConstrainedDecoding {
  const knowledge = createExactKnowledge({ monotonic })

  async function tryForm(id: ModelId, form: ExactForm): Promise<ExactFinding | null> {
    const fields = exactForms[form].fields(probeConstraint)
    return fields && probeExact(modelWith(id, fields), AbortSignal.timeout(PROBE_MS))
  }

  return {
    of(id) {
      const offer = offerOf(id)
      if (!offer) return null
      const findings = knowledge.of(id)
      const taken = offer.forms.find((one) => isTaken(findings.get(one)))
      const form = taken ?? lastTried(offer.forms, findings) ?? offer.forms.at(-1)
      const found = form && (findings.get(form) ?? unaskedOf(offer))
      const kinds = new Set((form && isTaken(found) ? [form] : offer.forms).map((one) => exactForms[one].takes))
      const [only] = kinds
      return {
        takes: kinds.size === 1 && only ? only : 'unknown',
        byDefault: offer.byDefault,
        ...(found && { found }),
      }
    },

    async prepare(id, askNow, wanted, signal) {
      const offer = offerOf(id)
      const ask = offer && (wanted ?? offer.byDefault) ? askNow() : null
      if (!ask || !offer) return null
      const isExpressible = (form: ExactForm) => exactForms[form].fields(ask) !== null
      const first = offer.forms.find(isExpressible)
      if (first === undefined) return null
      const mayBe = (form: ExactForm) => ask.schemaLater === true && exactForms[form].takes === 'json-schema'
      const forms = offer.forms.filter((form) => isExpressible(form) || mayBe(form))
      const model = { id, stamp: offer.stamp }
      const unasked = knowledge.of(id).has(first) ? undefined : unaskedOf(offer)
      const found = unasked
        ? { form: first, finding: unasked }
        : await unlessAborted(
            knowledge.find(model, forms, (form) => tryForm(id, form)),
            signal,
          )
      const form = found?.form ?? first
      const isIdle = found?.finding === 'ignored' || found?.finding === 'refused'
      // It supports a form that can't express this reply; the next one may.
      if (!isIdle && !isExpressible(form)) return null
      return {
        form,
        fields: isIdle ? null : exactForms[form].fields(ask),
        finding: found?.finding ?? null,
        looseTools: ask.looseTools ?? [],
      }
    },

    note: (id, form, finding) => knowledge.note({ id, stamp: offerOf(id)?.stamp ?? '' }, form, finding),
  }
}

/** It does something with the constraint. */
const isTaken = (found: ExactFinding | undefined): boolean => found === 'honoured' || found === 'half'

/** If no form is enforced: the last of those that a reply uses, all of them with a grammar, or a schema. */
const lastTried = (forms: readonly ExactForm[], findings: ReadonlyMap<ExactForm, ExactFinding>) =>
  forms.findLast((one) =>
    forms.every((other) => exactForms[other].takes !== exactForms[one].takes || findings.has(other)),
  )

/** What is true of a model before it was tested. */
const unaskedOf = ({ bindsSurely }: ExactOffer): ExactFinding | undefined => (bindsSurely ? 'honoured' : undefined)

/** If this reply is stopped, it waits no longer; the request continues for the next one. */
function unlessAborted<T>(answer: Promise<T>, signal: AbortSignal): Promise<T | null> {
  if (signal.aborted) return Promise.resolve(null)
  return new Promise((resolve) => {
    const leave = () => resolve(null)
    signal.addEventListener('abort', leave, { once: true })
    void answer
      .then(
        (value) => resolve(value),
        () => resolve(null),
      )
      .finally(() => signal.removeEventListener('abort', leave))
  })
}

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
 * Lets a model write a reply constrained by a grammar, if it supports one; `undefined`: nobody knows of any. A refusal before the first token is retried
 * without it. `write` asks the model, with these fields in the request, and says how that ended; `wrote`: text has
 * come. Rejects only if `write` or `ask` does.
 */
export async function requestConstrained<Ended extends End>(
  constrainedDecoding: ConstrainedDecoding | undefined,
  model: ModelId,
  how: {
    readonly ask: () => ReplyConstraint | null
    readonly wanted: boolean | undefined
    readonly signal: AbortSignal
    readonly write: (fields?: JsonObject) => Promise<Ended>
    readonly wrote: () => boolean
  },
): Promise<{ readonly end: Ended; readonly asked: RequestedConstraint | null }> {
  const prepared = await constrainedDecoding?.prepare(model, how.ask, how.wanted, how.signal)
  if (!constrainedDecoding || !prepared) return { end: await how.write(), asked: null }
  if (prepared.fields === null) return { end: await how.write(), asked: { ...prepared, isRefused: false } }
  const end = await how.write(prepared.fields)
  // There is text already, so this reply is not retried; the next one is asked without.
  if (how.wrote() && mentionsGrammar(end)) constrainedDecoding.note(model, prepared.form, 'refused')
  if (!isTurnedDown(end, how.wrote())) return { end, asked: { ...prepared, isRefused: false } }
  const again = await how.write()
  // If it also fails without a grammar, the grammar was not the cause.
  const isRefused = again.outcome !== 'failed'
  if (isRefused) constrainedDecoding.note(model, prepared.form, 'refused')
  return { end: again, asked: isRefused ? { ...prepared, isRefused } : null }
}

/** In the words of llama.cpp, XGrammar, vLLM, SGLang, Ollama and LM Studio. */
const mentionsGrammar = ({ failure }: End): boolean =>
  failure !== null && /grammar|ebnf|json.?schema|structured|response_format/i.test(failure.detail)

const isTurnedDown = ({ outcome, failure }: End, wrote: boolean): boolean =>
  outcome === 'failed' && !wrote && failure !== null && mayBeForGrammar(failure.code)
