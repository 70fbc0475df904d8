import { defaultStrategy } from '@/lib/strategies/tool-context-def'
import { modelSentence } from '@/lib/words/failures'
import type { ModelFailure } from './model'
import { readFailure } from './read-failure'
import type { FailureFacts } from './read-failure'
import type { Redact } from './redact-keys'

/** What a sentence needs to know of the model that failed. */
interface ModelName {
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

/** Whose failure the demo plays: a sentence about the demo's own key would be about nothing. */
const played: ModelName = {
  label: modelSentence('failure.the-model'),
  providerLabel: modelSentence('failure.its-server'),
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
  const safe = modelSentence(wrote ? 'failure.kept' : 'failure.nothing-ran')
  // A failure that nobody played is our own, and is told as such.
  if (model.simulated === true && facts.code !== 'unknown') {
    const message = modelSentence('failure.played', {
      ...whatAndWay(facts, modelSentence('failure.the-model-begins'), played),
      safe,
    })
    return { code: facts.code, message, detail: facts.detail }
  }
  const { what, way } = whatAndWay(facts, `${model.label} at ${model.providerLabel}`, model)
  return { code: facts.code, message: `${what} ${safe} ${way}`, detail: facts.detail }
}

/** A prompt that its model cannot take, so that it was not asked. `tokens` is an estimate. */
export function describeTooLong(
  { tokens, windowTokens }: { readonly tokens: number; readonly windowTokens: number },
  { label, providerLabel }: ModelName,
): ModelFailure {
  const name = `${label} at ${providerLabel}`
  return { code: 'too-long', message: modelSentence('failure.beyond', { name, tokens, windowTokens }), detail: '' }
}

/** What happened, and the way out. */
function whatAndWay(facts: FailureFacts, name: string, { label, providerLabel }: ModelName) {
  const reason = facts.refusesTools ? 'no-tools' : facts.code
  const values = { name, label, provider: providerLabel, strategy: defaultStrategy, seconds: facts.retryAfterSeconds }
  return { what: modelSentence(`failure.${reason}`, values), way: modelSentence(`failure.${reason}-way`, values) }
}

/**
 * What a source with configured models is told by asking its server; null where that says nothing of the models: many
 * servers have no list.
 */
export function describeCheckFailure(error: unknown, provider: string): string | null {
  const { code } = readFailure(error)
  if (code === 'unauthorised') return modelSentence('listing.key-refused-now', { provider })
  if (code !== 'unreachable' && code !== 'stalled') return null
  return modelSentence('listing.silent-now', { provider })
}

/** Why a provider gave no list of models: one sentence for the list's `problems`. */
export function describeListingFailure(error: unknown, provider: string): string {
  // Nothing of what the server said stands in the sentence.
  const facts = readFailure(error)
  switch (facts.code) {
    case 'unreachable':
    case 'stalled':
      return modelSentence('listing.silent', { provider })
    case 'unauthorised':
      return modelSentence('listing.key-refused', { provider })
    case 'bad-response':
    case 'not-found':
      return modelSentence('listing.no-list', { provider })
    default:
      return modelSentence('listing.failed', { provider, status: facts.status })
  }
}
