import { AppError, type AppErrorCode, type AppErrorOptions, type Refusal } from '@/lib/base/app-error'
import type { JsonObject } from '@/lib/base/json'
import { type Language, readersLanguage } from '@/lib/base/text/languages'
import { formatText } from './format-text'
import type { MessageValues } from './generated/message-values'

/*
 * The messages are ICU MessageFormat in `lib/i18n/<language>/*.json`, and `t` returns the text of one of them. Errors
 * and refusals hold a message's key as `reason` with its values, and become text where they are shown:
 * docs/internals/languages.md.
 */

export type TextKey = keyof MessageValues

/** The keys that begin with an area: `KeyOf<'card'>`. */
export type KeyOf<Area extends string> = Extract<TextKey, `${Area}.${string}`>

/** The part of an area's keys after the area: `NameIn<'card-state'>`. */
export type NameIn<Area extends string, K extends string = KeyOf<Area>> = K extends `${Area}.${infer Name}`
  ? Name
  : never

type Values<K extends TextKey> = [MessageValues[K]] extends [never] ? readonly [] : readonly [values: MessageValues[K]]

type ValuesAndOptions<K extends TextKey> = [MessageValues[K]] extends [never]
  ? readonly [values?: Readonly<Record<string, never>>, options?: AppErrorOptions]
  : readonly [values: MessageValues[K], options?: AppErrorOptions]

/** The text of a message in the reader’s language. */
export const t = <K extends TextKey>(key: K, ...[values]: Values<K>): string =>
  formatText(key, values ?? {}, readersLanguage()) ?? key

/** The text of a message in a given language. */
export const tIn = <K extends TextKey>(language: Language, key: K, ...[values]: Values<K>): string =>
  formatText(key, values ?? {}, language) ?? key

/** The text for a key that was stored or sent; null: this build has no such message, or the values do not match. */
export const textOfKey = (
  key: string,
  values: JsonObject = {},
  language: Language = readersLanguage(),
): string | null => formatText(key, values, language)

/** The text of a refusal in a language; its own `message` if this build has none for its reason. */
export const refusalText = ({ reason, values, message }: Refusal, language: Language = readersLanguage()): string =>
  formatText(reason, values, language) ?? message

/** A refusal as data, with its text in the reader’s language. */
export const makeRefusal = <K extends TextKey>(reason: K, ...[values]: Values<K>): Refusal<K> =>
  refusalOf(reason, values ?? {}, readersLanguage())

const refusalOf = <K extends string>(reason: K, values: JsonObject, language: Language): Refusal<K> => ({
  reason,
  values,
  message: formatText(reason, values, language) ?? reason,
})

declare const forModels: unique symbol

/**
 * A message that a model reads in English and the user of the page in their own language (`refusalText`). Only
 * `makeModelMessage` and `asModelMessage` create one, so that no text for both can exist only in English.
 */
export interface ModelMessage<R extends string = string> extends Refusal<R> {
  readonly [forModels]: true
}

/** A message for a model. */
export const makeModelMessage = <K extends TextKey>(reason: K, ...[values]: Values<K>): ModelMessage<K> =>
  refusalOf(reason, values ?? {}, 'en') as ModelMessage<K>

/** A refusal for a model, with its message in English. */
export const asModelMessage = <R extends string>(refusal: Refusal<R>): ModelMessage<R> =>
  ({ reason: refusal.reason, values: refusal.values, message: refusalText(refusal, 'en') }) as ModelMessage<R>

/** An error with its text in the reader’s language; on a server, English except for pages. */
export const makeError = <K extends TextKey>(
  code: AppErrorCode,
  reason: K,
  ...[values, options]: ValuesAndOptions<K>
): AppError => new AppError(code, refusalOf(reason, values ?? {}, readersLanguage()), options)
