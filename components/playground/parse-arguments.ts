import { isJsonObject, type JsonObject, type JsonValue } from '@/lib/base/json'
import type { Refusal } from '@/lib/base/app-error'
import { err, ok, type Result } from '@/lib/base/result'
import { makeRefusal } from '@/lib/i18n/t'
import { jsonErrorAt } from './json-error-at'

/** Typed text as the arguments of a call; otherwise why it is none, and where. */
export function parseArguments(text: string): Result<JsonObject, Refusal> {
  if (text.trim() === '') return ok({})
  const wrongAt = jsonErrorAt(text)
  if (wrongAt !== null) return err(makeRefusal('play.not-json', placeOf(text, wrongAt)))
  const value = JSON.parse(text) as JsonValue
  if (!isJsonObject(value)) return err(makeRefusal('play.no-object'))
  return ok(value)
}

function placeOf(text: string, at: number) {
  const before = text.slice(0, at)
  const [line, column] = [before.split('\n').length, at - before.lastIndexOf('\n')]
  return { isEarly: at >= text.trimEnd().length, line, column }
}
