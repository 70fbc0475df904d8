import type { ExactOfModel, ModelInfo } from '../model'

/** A model of someone's own server, of which no more is known than what it does when it is asked exactly. */
export const exactModel = (exact?: ExactOfModel): ModelInfo => ({
  id: 'own/it',
  label: 'It',
  providerLabel: 'Own',
  contextTokens: null,
  simulated: false,
  ...(exact && { exact }),
})
