/**
 * Ids of models that only this browser has: `browser/<kind>:<name>`. Only this browser knows which model an id refers
 * to.
 */
const BROWSER = 'browser/'

export const isBrowserModel = (modelId: string): boolean => modelId.startsWith(BROWSER)

export const browserModelId = (kind: string, name: string): string => `${BROWSER}${kind}:${name}`

/** Null if the model is not a browser model. */
export const kindOfBrowserModel = (modelId: string): string | null =>
  isBrowserModel(modelId) ? modelId.slice(BROWSER.length).split(':', 1)[0] || null : null

/** What constrains a model's replies, for sentences: a model that the page runs itself has no server. */
export const modelHolder = (modelId: string): 'server' | 'engine' =>
  modelId.startsWith(browserModelId('wllama', '')) ? 'engine' : 'server'

/** Whether a pattern matches a model: `*`, all of its provider (`openai/*`), or its own id. */
export function fitsModel(pattern: string, model: string): boolean {
  if (pattern === '*' || pattern === model) return true
  return pattern.endsWith('/*') && model.startsWith(pattern.slice(0, -1))
}
