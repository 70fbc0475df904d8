import { assertNever } from '@/lib/base/assert-never'
import { defaultStrategy } from '@/lib/strategies/tool-context-def'
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

/** Whose failure the demo plays: a sentence about the demo's own key would be about nothing. */
const played: ModelName = { label: 'the model', providerLabel: 'the model’s server' }

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
  const facts = readFailure(error, redact)
  const safe = wrote ? kept : 'Nothing ran.'
  // A failure that nobody played is our own, and is told as such.
  if (model.simulated === true && facts.code !== 'unknown') {
    const [what, wayOut] = sentences(facts, 'The model', played)
    const message = `The demo plays a failure, because you asked for it. Of a real one it says: “${capital(what)} ${wayOut}” ${safe}`
    return { code: facts.code, message, detail: facts.detail }
  }
  const [what, wayOut] = sentences(facts, `${model.label} at ${model.providerLabel}`, model)
  return { code: facts.code, message: `${what} ${safe} ${wayOut}`, detail: facts.detail }
}

const capital = (sentence: string): string => sentence.charAt(0).toUpperCase() + sentence.slice(1)

const kept = 'What it had written is kept above; nothing ran.'

/** What happened, and the way out. */
function sentences(facts: FailureFacts, name: string, model: ModelName): readonly [string, string] {
  const provider = model.providerLabel
  if (facts.refusesTools) {
    return [
      `${name} takes no native tool calls.`,
      `Choose another strategy for this chat, ${defaultStrategy} for example, then retry; or choose another model.`,
    ]
  }
  switch (facts.code) {
    case 'unreachable':
      return [
        `The model stopped answering. ${name} could not be reached.`,
        `Check that ${provider} is running, then retry.`,
      ]
    case 'unauthorised':
      return [
        `${provider} refused the key that this server uses for ${model.label}.`,
        'Whoever runs Nod has to set a valid key; until then, choose another model.',
      ]
    case 'rate-limited':
      return [
        `${provider} turns requests for ${model.label} away for now: too many in a short time, or the quota is used up.`,
        `Retry ${waitWords(facts.retryAfterSeconds)}, or choose another model.`,
      ]
    case 'not-found':
      return [
        `There is no model ${name}, or this server's key may not use it.`,
        'Choose another model, or check its name in the configuration.',
      ]
    case 'server-error':
      return [`${provider} failed while ${model.label} was answering.`, 'Retry; if it goes on, choose another model.']
    case 'bad-response':
      return [
        `${name} sent something that is not a reply.`,
        'Retry; if it goes on, check that its address speaks the API that it is configured for.',
      ]
    case 'stalled':
      return [`The model stopped answering. Nothing came from ${name} for too long.`, 'Retry, or choose another model.']
    case 'too-long':
      return [`This chat has become too long for ${name}.`, 'Start a new chat, or choose a model that takes more text.']
    case 'refused':
      return [`${name} did not accept the request.`, 'Details has what it said; or choose another model.']
    case 'unknown':
      return [`The reply of ${name} failed.`, 'Retry, or choose another model.']
    default:
      return assertNever(facts.code)
  }
}

const waitWords = (seconds: number | null): string => {
  if (seconds === null) return 'later'
  return seconds < 90 ? `in ${seconds} s` : `in ${Math.ceil(seconds / 60)} minutes`
}

/**
 * What a source with configured models is told by asking its server; null where that says nothing of the models: many
 * servers have no list.
 */
export function describeCheckFailure(error: unknown, providerLabel: string): string | null {
  const { code } = readFailure(error)
  if (code === 'unauthorised') return `${providerLabel} refused the key of this server, so its models will not answer.`
  if (code !== 'unreachable' && code !== 'stalled') return null
  return `${providerLabel} could not be reached, so its models will not answer now.`
}

/** Why a provider gave no list of models: one sentence for the list's `problems`. */
export function describeListingFailure(error: unknown, providerLabel: string): string {
  // Nothing of what the server said stands in the sentence.
  const facts = readFailure(error)
  switch (facts.code) {
    case 'unreachable':
    case 'stalled':
      return `${providerLabel} could not be reached, so its models are missing here.`
    case 'unauthorised':
      return `${providerLabel} refused the key of this server, so its models are missing here.`
    case 'bad-response':
    case 'not-found':
      return `${providerLabel} did not answer with a list of models; name them in the configuration instead.`
    default:
      return `${providerLabel} could not list its models${facts.status === null ? '' : ` (status ${facts.status})`}.`
  }
}
