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
