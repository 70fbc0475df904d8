/** Whether a pattern matches a model: `*`, all of its provider (`openai/*`), or its own id. */
export function fitsModel(pattern: string, model: string): boolean {
  if (pattern === '*' || pattern === model) return true
  return pattern.endsWith('/*') && model.startsWith(pattern.slice(0, -1))
}
