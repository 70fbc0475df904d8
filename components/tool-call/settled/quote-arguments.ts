import { isJsonObject, type JsonObject, type JsonValue } from '@/lib/base/json'
import type { SentencePart } from '@/lib/base/untrusted-text/sentence-part'

/** Shorter ones are words that any sentence may hold. */
const MIN_LENGTH = 3
/** Characters of one quotation. */
const MAX_QUOTED = 120
/** Texts that are looked for; a call may hold thousands. */
const MAX_TEXTS = 200

/**
 * A sentence about a call in parts: what of it stands in the call's arguments is the model's, and is set as code, so that
 * a path made of words does not go on in the app's voice. Only what is longer than a word is cut.
 */
export function quoteArguments(sentence: string, args: JsonObject): readonly SentencePart[] {
  const texts = [...new Set(textsIn(args))]
    .filter((text) => text.length >= MIN_LENGTH && sentence.includes(text))
    .toSorted((a, b) => b.length - a.length)
    .slice(0, MAX_TEXTS)
  return texts.reduce<readonly SentencePart[]>(
    (parts, text) => parts.flatMap((part) => (typeof part === 'string' ? cutAt(part, text) : [part])),
    [sentence],
  )
}

function cutAt(sentence: string, text: string): readonly SentencePart[] {
  const quotation = { code: text.length > MAX_QUOTED ? `${text.slice(0, MAX_QUOTED)}…` : text }
  return sentence
    .split(text)
    .flatMap((piece, index): SentencePart[] => [...(index === 0 ? [] : [quotation]), ...(piece === '' ? [] : [piece])])
}

function textsIn(value: JsonValue): readonly string[] {
  // A path is told in its absolute form, whichever way it was written.
  if (typeof value === 'string')
    return value.startsWith('/') ? [value, value.replace(/\/+$/, '')] : [value, `/${value}`]
  if (Array.isArray(value)) return value.flatMap(textsIn)
  return isJsonObject(value) ? Object.values(value).flatMap(textsIn) : []
}
