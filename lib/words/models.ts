import { errorsOf, type Catalogue } from '@/lib/base/catalogue'

/** What is refused of a model's name. */
export const modelWords = {
  'models.not-offered': '{name} is not among the models of {provider} that this server offers. Choose another model.',
  'models.unknown': 'This server has no model called {quoted}. Choose another model.',
} as const satisfies Catalogue

export const modelError = errorsOf(modelWords)
