import { isJsonObject } from '@/lib/base/json'
import type { JsonValue } from '@/lib/base/json'
import { isPlaceholder } from './placeholder'

/**
 * JSON that our readers read back as the same value: whole numbers beyond 2^53 are written with an exponent, since plain
 * digits are read as digits; texts that look like a placeholder get an escape, which says that they are meant.
 */
export function writeJson(value: JsonValue): string {
  if (typeof value === 'number') return writeNumber(value)
  if (typeof value === 'string') return writeString(value)
  if (Array.isArray(value)) return `[${value.map(writeJson).join(',')}]`
  if (!isJsonObject(value)) return JSON.stringify(value)
  return `{${Object.entries(value)
    .map(([key, child]) => `${JSON.stringify(key)}:${writeJson(child)}`)
    .join(',')}}`
}

function writeNumber(value: number): string {
  if (!Number.isFinite(value)) return 'null'
  return Number.isInteger(value) && !Number.isSafeInteger(value) ? value.toExponential() : JSON.stringify(value)
}

function writeString(text: string): string {
  const json = JSON.stringify(text)
  return isPlaceholder(text) ? `"\\u${text.charCodeAt(0).toString(16).padStart(4, '0')}${json.slice(2)}` : json
}
