import { isJsonObject, type JsonObject, type JsonValue } from '@/lib/base/json'
import { canonicalJson } from '@/lib/protocols/types/canonical-json'

/** A picture as a data URL, of a kind that browsers draw without running anything. */
export interface Picture {
  readonly kind: 'image'
  readonly data: string
}

/** What the result of a call is for the model, and for the person's eyes. */
export interface McpOutcome {
  readonly isError: boolean
  readonly result: JsonValue
  readonly displays: readonly Picture[]
}

const PICTURE = /^image\/(?:png|jpeg|gif|webp)$/
// Without white space: a pattern that allows it before and at the end takes quadratic time for a long run of line ends.
const BASE64 = /^[A-Za-z\d+/]+={0,2}$/

/**
 * Reads a `tools/call` result of whatever shape. One text alone is a string. Structured content takes the place of a text that says the
 * same. Pictures go to the person; what has no known kind is kept as the JSON that it is.
 */
export function readResult(said: JsonObject): McpOutcome {
  const parts = Array.isArray(said['content']) ? (said['content'] as readonly JsonValue[]) : []
  const structured = said['structuredContent']
  const texts: string[] = []
  const links: JsonValue[] = []
  const other: JsonValue[] = []
  const displays: Picture[] = []
  for (const part of parts) {
    if (!isJsonObject(part)) other.push(part)
    else if (part['type'] === 'text' && typeof part['text'] === 'string') texts.push(part['text'])
    else if (part['type'] === 'resource_link') links.push(linkOf(part))
    else if (part['type'] === 'resource' && isJsonObject(part['resource'])) readResource(part['resource'], texts, other)
    else {
      const picture = pictureOf(part)
      if (picture) displays.push(picture)
      else if (part['type'] === 'audio') other.push({ type: 'audio', mimeType: part['mimeType'] ?? null })
      else other.push(part)
    }
  }
  const own = structured === undefined ? texts : texts.filter((text) => !saysTheSame(text, structured))
  const more: JsonObject = {
    ...(own.length > 0 && { text: own.length === 1 ? (own[0] ?? '') : own }),
    ...(structured !== undefined && { structured }),
    ...(displays.length > 0 && { pictures: `${displays.length} shown to the user` }),
    ...(links.length > 0 && { links }),
    ...(other.length > 0 && { other }),
  }
  return { isError: said['isError'] === true, result: simplest(more, said), displays }
}

function simplest(more: JsonObject, said: JsonObject): JsonValue {
  const keys = Object.keys(more)
  // Nothing of a known form: what came stays visible.
  if (keys.length === 0) return Array.isArray(said['content']) ? '' : said
  const [only = ''] = keys
  return keys.length === 1 && (only === 'structured' || typeof more[only] === 'string') ? (more[only] ?? null) : more
}

function pictureOf({ type, mimeType, data }: JsonObject): Picture | null {
  if (type !== 'image' || typeof mimeType !== 'string' || typeof data !== 'string') return null
  const base64 = data.replaceAll(/\s/g, '')
  return PICTURE.test(mimeType) && BASE64.test(base64)
    ? { kind: 'image', data: `data:${mimeType};base64,${base64}` }
    : null
}

const linkOf = ({ uri, name, title, mimeType, size }: JsonObject): JsonValue => ({
  uri: uri ?? null,
  ...(name !== undefined && { name }),
  ...(title !== undefined && { title }),
  ...(mimeType !== undefined && { mimeType }),
  ...(size !== undefined && { size }),
})

function readResource(resource: JsonObject, texts: string[], other: JsonValue[]): void {
  const { text, uri, mimeType, blob } = resource
  if (typeof text === 'string') texts.push(text)
  // Bytes are nothing that a model reads.
  else
    other.push({
      uri: uri ?? null,
      mimeType: mimeType ?? null,
      base64Chars: typeof blob === 'string' ? blob.length : 0,
    })
}

function saysTheSame(text: string, structured: JsonValue): boolean {
  try {
    return canonicalJson(JSON.parse(text) as JsonValue) === canonicalJson(structured)
  } catch {
    return false
  }
}
