/** Ids of models that a browser has for itself: `browser/<kind>:<name>`. What is behind one is known to that browser alone. */
const BROWSER = 'browser/'

export const isBrowserModel = (modelId: string): boolean => modelId.startsWith(BROWSER)

export const browserModelId = (kind: string, name: string): string => `${BROWSER}${kind}:${name}`

/** Null: it is none of a browser's. */
export const kindOfBrowserModel = (modelId: string): string | null =>
  isBrowserModel(modelId) ? modelId.slice(BROWSER.length).split(':', 1)[0] || null : null
