import type { Refusal } from '@/lib/base/app-error'
import { asTold, makeTold, type Told } from '@/lib/i18n/t'
import { keptWords, namesOfModel, type NamesOfModel } from '@/lib/i18n/kept-words'
import { defaultStrategy } from '@/lib/protocols/types/tool-context-def'
import { kindOfBrowserModel } from '@/lib/base/browser-model-id'
import type { ModelFailure } from './model'
import { readFailure } from './read-failure'
import type { FailureFacts } from './read-failure'
import type { Redact } from './redact-keys'

/** What a sentence needs to know of the model that failed. */
interface ModelName {
  readonly id?: string
  readonly label: string
  readonly providerLabel: string
  /** The demo plays failures on request. */
  readonly simulated?: boolean
}

/**
 * A failure that says for people, by itself, what happened, what is safe and the way out: of a model that no server is asked for,
 * which knows more of it than an answer's status does.
 */
export class OwnFailure extends Error {
  readonly failure: ModelFailure
  constructor(failure: ModelFailure, options?: ErrorOptions) {
    super(failure.message, options)
    this.name = 'OwnFailure'
    this.failure = failure
  }
}

/**
 * Anything thrown or reported while a reply was made, as a sentence for the chat: names the thing, says what is safe,
 * gives the way out. `detail` holds status and the server's own message, cut at 2 kB, keys blotted out.
 * `wrote`: some of the reply had come, and is kept. `redact` knows the very keys of this server.
 */
export function describeFailure(
  error: unknown,
  model: ModelName,
  wrote = true,
  redact: Redact = (text) => text,
): ModelFailure {
  if (error instanceof OwnFailure) return error.failure
  const facts = readFailure(error, redact)
  const safe = makeTold(wrote ? 'failure.kept' : 'failure.nothing-ran')
  // A failure that no one played is our own, and is told as such.
  const isPlayed = model.simulated === true && facts.code !== 'unknown'
  const { what, way } = whatAndWay(facts, namesOf(model, isPlayed), wrote)
  const words = isPlayed
    ? keptWords(makeTold('failure.played'), safe, makeTold('failure.played-real'), what, way)
    : keptWords(what, safe, way)
  return { code: facts.code, ...words, detail: facts.detail }
}

/** A prompt that its model cannot take, so that it was not asked. `tokens` is an estimate. */
export function describeTooLong(
  { tokens, windowTokens }: { readonly tokens: number; readonly windowTokens: number },
  model: ModelName,
): ModelFailure {
  const told = makeTold('failure.beyond', { ...namesOf(model), tokens, windowTokens })
  return { code: 'too-long', ...keptWords(told), detail: '' }
}

/** What was refused before any model was asked. */
export const refusedFailure = (code: ModelFailure['code'], refusal: Refusal, detail = ''): ModelFailure => ({
  code,
  ...keptWords(asTold(refusal)),
  detail,
})

/** Of a failure that the demo plays nothing is its own: a sentence about the demo's key would be about nothing. */
function namesOf({ id = '', label, providerLabel, simulated }: ModelName, isPlayed = false): NamesOfModel {
  const kind = isPlayed ? 'played' : simulated === true ? 'demo' : kindOfBrowserModel(id)
  const by = kind ?? (providerLabel === '' ? 'unknown' : '')
  return { ...namesOfModel({ label, provider: providerLabel, by }, 'en'), by }
}

/** What happened, and the way out. */
function whatAndWay(facts: FailureFacts, names: NamesOfModel, wrote: boolean) {
  // Who wrote before was reached.
  const reason = facts.reason === 'unreachable' && wrote ? 'connection-lost' : facts.reason
  const values = { ...names, strategy: defaultStrategy, seconds: facts.retryAfterSeconds }
  return { what: makeTold(`failure.${reason}`, values), way: makeTold(`failure.${reason}-way`, values) }
}

/**
 * What a source with configured models is told by asking its server; null where that says nothing of the models: many
 * servers have no list.
 */
export function describeCheckFailure(error: unknown, provider: string): Told | null {
  const { code } = readFailure(error)
  if (code === 'unauthorised') return makeTold('listing.key-refused-now', { provider })
  if (code !== 'unreachable' && code !== 'stalled') return null
  return makeTold('listing.silent-now', { provider })
}

/** Why a provider gave no list of models: one sentence for the list's `problems`. */
export function describeListingFailure(error: unknown, provider: string): Told {
  // Nothing of what the server said is in the sentence.
  const facts = readFailure(error)
  switch (facts.code) {
    case 'unreachable':
    case 'stalled':
      return makeTold('listing.silent', { provider })
    case 'unauthorised':
      return makeTold('listing.key-refused', { provider })
    case 'bad-response':
    case 'not-found':
      return makeTold('listing.no-list', { provider })
    default:
      return makeTold('listing.failed', { provider, status: facts.status })
  }
}
