import type { ModelId } from '../model'
import { exactOfferOf, type ExactOffer } from './exact-servers'

/** By the kind that stands in a model's id, `browser/<kind>:<name>`. The list of a person's server is not asked who it is. */
const offers: Readonly<Record<string, ExactOffer | null>> = {
  // Somebody may pay, and nobody knows what it is: the chat has to want it.
  'openai-compatible': exactOfferOf(null, { charges: true }),
  ollama: exactOfferOf('ollama', { charges: false }),
  'lm-studio': exactOfferOf('lm-studio', { charges: false }),
  chrome: { forms: ['response-constraint'], byDefault: false, stamp: '' },
  // The engine comes with the app, in one version: that it binds is tested, and not asked of it.
  wllama: { forms: ['grammar'], byDefault: true, stamp: '', bindsSurely: true },
}

/** What may be tried on a model of a browser. `stamp`: another one when another model stands behind the id. Null: nothing. */
export function browserExactOf(model: ModelId, stamp = ''): ExactOffer | null {
  const kind = /^browser\/([^:]+):/.exec(model)?.[1] ?? ''
  const offer = Object.hasOwn(offers, kind) ? offers[kind] : null
  return offer ? { ...offer, stamp } : null
}
