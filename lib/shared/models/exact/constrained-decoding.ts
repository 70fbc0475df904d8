import type { MonotonicClock } from '@/lib/base/clocks'
import type { LanguageModelV4 } from '@ai-sdk/provider'
import type { JsonObject } from '@/lib/base/json'
import type { ExactOfModel, ModelId } from '../model'
import { exactForms, type ExactAsk, type ExactForm, type ExactOffer } from './exact-forms'
import { createExactKnowledge, probeAsk, probeExact, type ExactFinding } from './exact-knowledge'

/** What a reply is asked with, or why it is not. */
export interface PreparedExact {
  readonly form: ExactForm
  /** What goes into its request; null: the server is known to do nothing with it, so it is left out. */
  readonly fields: JsonObject | null
  /** What the server did with a grammar before; null: no one could tell. */
  readonly finding: ExactFinding | null
  /** Tools of whose arguments the grammar says less than they ask. */
  readonly looseTools: readonly string[]
}

/** Knows what may be asked of each model so that its replies are exact, and what came of it in this process. */
export interface ConstrainedDecoding {
  /** For lists; null: nothing can be asked of it. Asks no one. */
  of(model: ModelId): ExactOfModel | null
  /**
   * `ask`: only called where it is needed. `wanted`: the chat's own word; undefined: what is usual for the model. Null: the
   * reply is asked as ever. Takes as long as one short question where the server is not known, and no longer than `signal`.
   * Rejects where `ask` throws.
   */
  prepare(
    model: ModelId,
    ask: () => ExactAsk | null,
    wanted: boolean | undefined,
    signal: AbortSignal,
  ): Promise<PreparedExact | null>
  /** What a reply showed. */
  note(model: ModelId, form: ExactForm, finding: ExactFinding): void
}

export interface ConstrainedDecodingPorts {
  readonly offerOf: (model: ModelId) => ExactOffer | null
  /** The model, each of whose requests holds these fields. Throws where there is none. */
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
    const fields = exactForms[form].fields(probeAsk)
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
      const isSayable = (form: ExactForm) => exactForms[form].fields(ask) !== null
      const first = offer.forms.find(isSayable)
      if (first === undefined) return null
      const mayBe = (form: ExactForm) => ask.schemaLater === true && exactForms[form].takes === 'json-schema'
      const forms = offer.forms.filter((form) => isSayable(form) || mayBe(form))
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
      // It takes what this reply can't be said by; the next one can.
      if (!isIdle && !isSayable(form)) return null
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

/** It does something with what it is asked. */
const isTaken = (found: ExactFinding | undefined): boolean => found === 'honoured' || found === 'half'

/** Of forms of which none binds, the last of those that a reply asks by: by grammar all of them, or by schema. */
const lastTried = (forms: readonly ExactForm[], findings: ReadonlyMap<ExactForm, ExactFinding>) =>
  forms.findLast((one) =>
    forms.every((other) => exactForms[other].takes !== exactForms[one].takes || findings.has(other)),
  )

/** What is true of a model before anyone tried. */
const unaskedOf = ({ bindsSurely }: ExactOffer): ExactFinding | undefined => (bindsSurely ? 'honoured' : undefined)

/** Anyone who stops the reply waits no longer; the question continues for the next one. */
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
