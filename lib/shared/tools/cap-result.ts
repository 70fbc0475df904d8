import { isJsonObject, type JsonValue } from '@/lib/base/json'

/** Characters of JSON text that a result may have. */
export const maxResultCharacters = 64_000

/** `text` with its middle left out, saying how much; at most about `limit` long. Never splits a surrogate pair. */
export function cutMiddle(text: string, limit: number): string {
  if (text.length <= limit) return text
  const head = text.slice(0, Math.ceil(limit * 0.7)).replace(/[\ud800-\udbff]$/, '')
  const tail = text.slice(text.length - Math.floor(limit * 0.3)).replace(/^[\udc00-\udfff]/, '')
  const left = text.length - head.length - tail.length
  return `${head}\n… ${left} characters left out …\n${tail}`
}

function cutList(items: readonly JsonValue[], limit: number): readonly JsonValue[] {
  if (items.length <= limit) return items
  const tail = Math.floor(limit * 0.3)
  const head = limit - tail
  return [
    ...items.slice(0, head),
    `… ${items.length - head - tail} items left out …`,
    ...items.slice(items.length - tail),
  ]
}

/** Shortens every text and list in a value; keys and depth stay as they are. */
function shorten(value: JsonValue, texts: number, items: number): JsonValue {
  if (typeof value === 'string') return cutMiddle(value, texts)
  if (Array.isArray(value)) return cutList(value, items).map((item: JsonValue) => shorten(item, texts, items))
  if (!isJsonObject(value)) return value
  const short = Object.entries(value).map(([key, item]) => [key, shorten(item, texts, items)] as const)
  return Object.fromEntries(short)
}

/**
 * The value itself when its JSON text fits, else the longest texts and lists are cut in the middle until it does. A value
 * that stays too large (many keys) becomes its own JSON text, cut.
 */
export function capResult(value: JsonValue, limit = maxResultCharacters): JsonValue {
  const text = JSON.stringify(value)
  if (text.length <= limit) return value
  for (let share = 0.75; share > 0.01; share /= 2) {
    const short = shorten(value, Math.floor(limit * share), Math.max(4, Math.floor((limit * share) / 40)))
    if (JSON.stringify(short).length <= limit) return short
  }
  return {
    note: 'The result was too large. This is its JSON text, cut in the middle.',
    text: cutMiddle(text, limit / 2),
  }
}
