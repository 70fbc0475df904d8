import type { ExactOfModel, ModelInfo } from '../model'

/** A model of a private server, known only by how it handles constraints. */
export const exactModel = (exact?: ExactOfModel): ModelInfo => ({
  id: 'own/it',
  label: 'It',
  providerLabel: 'Own',
  contextTokens: null,
  simulated: false,
  ...(exact && { exact }),
})
