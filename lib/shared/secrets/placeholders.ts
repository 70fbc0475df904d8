import { isJsonObject, type JsonValue } from '@/lib/base/json'

/*
 * Instead of a value that it must not see, the model gets a placeholder, `⟦secret-1⟧`. The value stays in the browser
 * that found it. The model may write the placeholder into the arguments of a later call; the browser inserts the value
 * when the user runs that call. The server only knows the placeholder.
 */

/** Models also write look-alike brackets and spaces inside them. Such a text must not be sent as if it were a value. */
const placeholder = /[⟦〚]\s?secret-([1-9]\d{0,5})\s?[⟧〛]/g

export const placeholderOf = (number: number): string => `⟦secret-${number}⟧`

/** The numbers of the placeholders in a text or in any JSON, without duplicates, in order. */
export function placeholdersIn(value: JsonValue): readonly number[] {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return [...new Set([...text.matchAll(placeholder)].map(([, number]) => Number(number)))]
}

export const holdsPlaceholder = (value: JsonValue): boolean => placeholdersIn(value).length > 0

/** Replaces placeholders by their values. A placeholder without a value stays. */
export const fillPlaceholders = (value: JsonValue, valueOf: (number: number) => string | undefined): JsonValue =>
  mapTexts(value, (text) => text.replace(placeholder, (whole, number: string) => valueOf(Number(number)) ?? whole))

/** Shorter numbers are no cards or phone numbers. */
const longNumber = 1e6

/** Applies `change` to every text of a JSON value, including object keys and long numbers, which may become texts. */
export function mapTexts(value: JsonValue, change: (text: string) => string): JsonValue {
  if (typeof value === 'string') return change(value)
  if (typeof value === 'number' && Math.abs(value) >= longNumber) {
    const text = String(value)
    const changed = change(text)
    return changed === text ? value : changed
  }
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, change))
  if (!isJsonObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [change(key), mapTexts(member, change)]))
}

/** A note for the model, beside a result with placeholders. */
export const placeholderNote =
  'A text such as ⟦secret-1⟧ stands for a value that stays in the user’s browser. To use that value, write the ' +
  'placeholder as it is in the arguments of a call. The browser puts the value in when the user runs the call.'
