import type { Refusal } from '@/lib/base/app-error'
import { refusalText } from '@/lib/i18n/t'
import { asUntrusted } from '@/lib/base/untrusted-text/foreign'
import type { JsonObject, JsonValue } from '@/lib/base/json'

/*
 * A refusal is data: models, logs and servers use it as plain text, so its values are not marked where it is created.
 * The page marks them here, where it shows one, so that no path or name in it looks like the app's own text.
 */

/** Names of values that the app did not write. */
export const foreignInRefusals: ReadonlySet<string> = new Set([
  'path',
  'name',
  'title',
  'folder',
  'file',
  'model',
  'provider',
  'host',
  'address',
  'query',
  'column',
  'url',
  'email',
  'quoted',
  'glob',
  'selector',
  'details',
  'tool',
  'from',
  'to',
  'near',
  'nearest',
  'holds',
  'field',
  'missing',
])

/** Already marked by us. Any other text that contains these characters is untrusted. */
const isMarked = (text: string): boolean => /^\u2068[^\u2068\u2069]*\u2069$/.test(text)

const marked = (value: JsonValue): JsonValue =>
  Array.isArray(value)
    ? value.map(marked)
    : typeof value === 'string' && value !== '' && !isMarked(value)
      ? asUntrusted(value)
      : value

/** The values of a refusal with marks around untrusted ones. */
export const quotedValues = (values: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, foreignInRefusals.has(name) ? marked(value) : value]),
  )

/** A refusal in the reader's language, for `SentenceText`, `labelOf` and `spoken`. */
export const quotedRefusal = (refusal: Refusal): string =>
  refusalText({ ...refusal, values: quotedValues(refusal.values) })
