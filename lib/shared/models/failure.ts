import type { Refusal } from '@/lib/base/app-error'
import { asModelMessage, makeModelMessage, type ModelMessage } from '@/lib/i18n/t'
import { storedText, namesOfModel, type NamesOfModel } from '@/lib/i18n/stored-text'
import { defaultStrategy } from '@/lib/protocols/types/tool-context-def'
import { kindOfBrowserModel } from '@/lib/base/model-id'
import type { ModelFailure } from './model'
import { readFailure, type FailureFacts } from './read-failure'
import type { Redact } from './redact-keys'

/** The names of the failed model for a sentence. */
interface ModelName {
  readonly id?: string
  readonly label: string
  readonly providerLabel: string
  /** The demo simulates failures on request. */
  readonly simulated?: boolean
}

/**
 * A failure with its own text for people about what happened, what is safe and what to do. For models without a server,
 * where no HTTP status describes the problem.
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
 * Describes an error during a reply as a sentence for the chat: it names the model, says what is safe, and gives the
 * way out. `detail` contains status and the server's own message, cut at 2 kB, with keys removed. `wrote`: part of the
 * reply had come, and is kept. `redact` knows this server's keys.
 */
export function describeFailure(
  error: unknown,
  model: ModelName,
  wrote = true,
  redact: Redact = (text) => text,
): ModelFailure {
  if (error instanceof OwnFailure) return error.failure
  const facts = readFailure(error, redact)
  const safe = makeModelMessage(wrote ? 'failure.kept' : 'failure.nothing-ran')
  // A failure that was not simulated is our own, and is described as such.
  const isPlayed = model.simulated === true && facts.code !== 'unknown'
  const { what, way } = whatAndWay(facts, namesOf(model, isPlayed), wrote)
  const words = isPlayed
    ? storedText(makeModelMessage('failure.played'), safe, makeModelMessage('failure.played-real'), what, way)
    : storedText(what, safe, way)
  return { code: facts.code, ...words, detail: facts.detail }
}

/** A prompt that is too long for its model, so the model was not asked. `tokens` is an estimate. */
export function describeTooLong(
  { tokens, windowTokens }: { readonly tokens: number; readonly windowTokens: number },
  model: ModelName,
): ModelFailure {
  const told = makeModelMessage('failure.beyond', { ...namesOf(model), tokens, windowTokens })
  return { code: 'too-long', ...storedText(told), detail: '' }
}

/** A refusal before any model was asked. */
export const refusedFailure = (code: ModelFailure['code'], refusal: Refusal, detail = ''): ModelFailure => ({
  code,
  ...storedText(asModelMessage(refusal)),
  detail,
})

/** For a real failure of the demo itself: a sentence about the demo's key would make no sense. */
function namesOf({ id = '', label, providerLabel, simulated }: ModelName, isPlayed = false): NamesOfModel {
  const kind = isPlayed ? 'played' : simulated === true ? 'demo' : kindOfBrowserModel(id)
  const by = kind ?? (providerLabel === '' ? 'unknown' : '')
  return { ...namesOfModel({ label, provider: providerLabel, by }, 'en'), by }
}

/** What happened, and the way out. */
function whatAndWay(facts: FailureFacts, names: NamesOfModel, wrote: boolean) {
  // If it wrote before, it was reached.
  const reason = facts.reason === 'unreachable' && wrote ? 'connection-lost' : facts.reason
  const values = { ...names, strategy: defaultStrategy, seconds: facts.retryAfterSeconds }
  return { what: makeModelMessage(`failure.${reason}`, values), way: makeModelMessage(`failure.${reason}-way`, values) }
}

/**
 * The result of checking a source with configured models by asking its server; null if that says nothing about the
 * models: many servers have no list.
 */
export function describeCheckFailure(error: unknown, provider: string): ModelMessage | null {
  const { code } = readFailure(error)
  if (code === 'unauthorised') return makeModelMessage('listing.key-refused-now', { provider })
  if (code !== 'unreachable' && code !== 'stalled') return null
  return makeModelMessage('listing.silent-now', { provider })
}

/** Why a provider gave no list of models: one sentence for the list's `problems`. */
export function describeListingFailure(error: unknown, provider: string): ModelMessage {
  // The sentence contains nothing of the server's words.
  const facts = readFailure(error)
  switch (facts.code) {
    case 'unreachable':
    case 'stalled':
      return makeModelMessage('listing.silent', { provider })
    case 'unauthorised':
      return makeModelMessage('listing.key-refused', { provider })
    case 'bad-response':
    case 'not-found':
      return makeModelMessage('listing.no-list', { provider })
    default:
      return makeModelMessage('listing.failed', { provider, status: facts.status })
  }
}
