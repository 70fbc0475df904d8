/** Whether a model is meant by `*`, by all of its provider (`openai/*`), or by its own id. */
export function fitsModel(pattern: string, model: string): boolean {
  if (pattern === '*' || pattern === model) return true
  return pattern.endsWith('/*') && model.startsWith(pattern.slice(0, -1))
}
