import { isJsonObject, type JsonObject, type JsonValue } from '@/lib/base/json'
import { err, ok, type Result } from '@/lib/base/result'
import { jsonErrorAt } from './json-error-at'

/** Typed text as the arguments of a call; otherwise a sentence that names the place. */
export function parseArguments(text: string): Result<JsonObject, string> {
  if (text.trim() === '') return ok({})
  const wrongAt = jsonErrorAt(text)
  if (wrongAt !== null) return err(`This is not JSON: ${placeOf(text, wrongAt)}. Nothing ran.`)
  const value = JSON.parse(text) as JsonValue
  if (!isJsonObject(value)) return err('The arguments must be one JSON object, such as {"path": "/"}. Nothing ran.')
  return ok(value)
}

function placeOf(text: string, at: number): string {
  const before = text.slice(0, at)
  const place = `line ${before.split('\n').length}, column ${at - before.lastIndexOf('\n')}`
  return at >= text.trimEnd().length ? `it ends too early, in ${place}` : place
}
