import { setupI18n, type I18n, type Messages } from '@lingui/core'
import type { JsonObject, JsonValue } from './json'
import type { Language } from './languages'
import { parseMessage, type Argument, type ArgumentKind, type ParsedMessage } from './parse-message'
import { listKinds, numberKinds, type ListKind, type NumberKind } from './written-kinds'

/*
 * One sentence, said: its text is an ICU message (`parse-message.ts` has the grammar), Lingui puts the values in and
 * chooses the forms. Kinds of values that are ours (a size, a span, a list) are written before, as the language writes them.
 */

const readers = new Map<Language, I18n>()
const parsed = new Map<string, ParsedMessage>()

function readerOf(language: Language): I18n {
  let reader = readers.get(language)
  if (reader === undefined) {
    reader = setupI18n({ locale: language, messages: { [language]: {} } })
    readers.set(language, reader)
  }
  return reader
}

/** Null: these are not the values that the text asks for. */
export function sayMessage(text: string, values: JsonObject, language: Language): string | null {
  if (!/[{']/.test(text)) return text
  let message = parsed.get(text)
  if (message === undefined) parsed.set(text, (message = parseMessage(text)))
  const said: Record<string, unknown> = {}
  for (const argument of message.arguments) {
    const value = Object.hasOwn(values, argument.name) ? values[argument.name] : undefined
    const written = value === undefined ? null : write(argument, value, language)
    if (written === null) return null
    said[argument.key] = written
  }
  const reader = readerOf(language)
  // The text is its own name: the same text says the same.
  if (!Object.hasOwn(reader.messages, text)) reader.load(language, { [text]: message.tokens as Messages[string] })
  return reader._(text, said)
}

/** The value as it stands in the sentence; null: it is of another kind. A null stands in forms that are not taken. */
function write({ kind }: Argument, value: JsonValue, language: Language): string | number | null {
  if (kind === null) {
    if (typeof value === 'string') return shielded(value)
    return typeof value === 'number' ? value : value === null ? '' : null
  }
  // No form can be named by nothing, by a star, or with a hyphen.
  if (kind === 'select') {
    if (typeof value === 'object' && value !== null)
      return Array.isArray(value) && value.length === 0 ? 'empty' : 'some'
    return value === '' ? 'empty' : value === '*' ? 'all' : String(value).replaceAll('-', '_')
  }
  if (isListKind(kind)) {
    if (!Array.isArray(value)) return null
    return shielded(listKinds[kind](value.map(String), language))
  }
  if (value === null) return 0
  if (typeof value !== 'number') return null
  return isNumberKind(kind) ? numberKinds[kind](value, language) : value
}

const isListKind = (kind: ArgumentKind): kind is ListKind => Object.hasOwn(listKinds, kind)
const isNumberKind = (kind: ArgumentKind): kind is NumberKind => Object.hasOwn(numberKinds, kind)

/** Lingui reads `\u0041` and `\x41` as escapes, also in values, which come from models and files: here they stand as they are. */
const shielded = (text: string): string => text.replaceAll(/\\(?=[ux])/g, '\\x5c')
