import { isJsonObject, type JsonObject, type JsonValue } from '@/lib/base/json'
import { canonicalJson } from '@/lib/protocols/types/canonical-json'
import type { ToolPage } from '@/lib/shared/conversation/settings/tool-server'

/** What a person is shown: pictures and sound as data URLs; `app`: what the page of the tool is given (`readShownInPage`). */
interface Shown {
  readonly kind: 'text' | 'image' | 'audio' | 'app'
  readonly data: string
}

interface ReceivedFile {
  readonly mediaType: string
  readonly base64: string
  /** Where it comes from, as the server says. */
  readonly from?: string
}

/** What the result of a call is for the model, and for the person's eyes. */
export interface McpOutcome {
  readonly isError: boolean
  /** Without its files. */
  readonly result: JsonValue
  /** For the person alone. */
  readonly displays: readonly Shown[]
  /** Bytes, which no model reads: they are kept as files of the chat. */
  readonly files: readonly ReceivedFile[]
  /** The result with what became of the files. */
  readonly withFiles: (files: readonly JsonValue[]) => JsonValue
}

/** Kinds that browsers draw without running anything, and play. */
const PICTURE = /^image\/(?:png|jpeg|gif|webp)$/
const AUDIO = /^audio\/(?:mpeg|mp3|wav|x-wav|wave|ogg|mp4|aac|flac|webm)$/
const MEDIA_TYPE = /^[a-z]+\/[\w.+-]{1,80}$/
// Without white space: a pattern that allows it before and at the end takes quadratic time for a long run of line ends.
const BASE64 = /^[A-Za-z\d+/]+={0,2}$/
/** Of one result: the rest is counted. */
const MAX_FILES = 20
/** Of a result that is kept for the page of its tool. */
const MAX_SHOWN_IN_PAGE = 1_000_000

/** What the parts of a result come to. */
interface Parts {
  readonly texts: string[]
  readonly links: JsonValue[]
  readonly other: JsonValue[]
  readonly displays: Shown[]
  readonly files: ReceivedFile[]
}

/**
 * Reads a `tools/call` result of whatever shape. One text alone is a string. Structured content takes the place of a text that says the
 * same. Pictures and sound go to the person, bytes into files; what has no known kind is kept as the JSON that it is.
 * @param page of the tool: it gets the whole result, and the model only the texts where there are any
 */
export function readResult(said: JsonObject, page?: ToolPage): McpOutcome {
  const content = Array.isArray(said['content']) ? (said['content'] as readonly JsonValue[]) : []
  const parts: Parts = { texts: [], links: [], other: [], displays: [], files: [] }
  for (const part of content) readPart(part, parts)
  const { texts, links, other, displays, files } = parts
  const structured = page && texts.length > 0 ? undefined : said['structuredContent']
  const own = structured === undefined ? texts : texts.filter((text) => !saysTheSame(text, structured))
  const shown = displays.length
  const more: JsonObject = {
    ...(own.length > 0 && { text: own.length === 1 ? (own[0] ?? '') : own }),
    ...(structured !== undefined && { structured }),
    ...(shown > 0 && { shown_to_user: shown }),
    ...(links.length > 0 && { links }),
    ...(other.length > 0 && { other }),
    ...(files.length > MAX_FILES && { files_left_out: files.length - MAX_FILES }),
  }
  return {
    isError: said['isError'] === true,
    result: simplest(more, said),
    displays: page ? [...displays, shownInPage(page, said)] : displays,
    files: files.slice(0, MAX_FILES),
    withFiles: (kept) => (kept.length === 0 ? simplest(more, said) : { ...more, files: kept }),
  }
}

function readPart(part: JsonValue, { texts, links, other, displays, files }: Parts): void {
  if (!isJsonObject(part)) return void other.push(part)
  const { type, text, data, mimeType } = part
  if (type === 'text' && typeof text === 'string') {
    // What is for the user alone is shown, and not told.
    if (isForUserAlone(part)) displays.push({ kind: 'text', data: text })
    else texts.push(text)
  } else if (type === 'resource_link') links.push(linkOf(part))
  else if (type === 'resource' && isJsonObject(part['resource'] ?? null)) {
    const { text: inside, uri, mimeType: kind, blob } = part['resource'] as JsonObject
    if (typeof inside === 'string') texts.push(inside)
    else if (!keepBytes({ mimeType: kind, data: blob, uri }, { displays, files })) {
      other.push({ uri: uri ?? null, mimeType: kind ?? null })
    }
  } else if (type === 'image' || type === 'audio') {
    // Bytes are nothing that a model reads.
    if (!keepBytes({ mimeType, data }, { displays, files })) other.push({ type, mimeType: mimeType ?? null })
  } else other.push(part)
}

function simplest(more: JsonObject, said: JsonObject): JsonValue {
  const keys = Object.keys(more)
  // Nothing of a known form: what came stays visible.
  if (keys.length === 0) return Array.isArray(said['content']) ? '' : said
  const [only = ''] = keys
  return keys.length === 1 && (only === 'structured' || typeof more[only] === 'string') ? (more[only] ?? null) : more
}

/** False: these are no bytes. */
function keepBytes(
  { mimeType, data, uri }: Readonly<Record<'mimeType' | 'data', unknown>> & { readonly uri?: unknown },
  { displays, files }: Pick<Parts, 'displays' | 'files'>,
): boolean {
  if (typeof data !== 'string') return false
  const base64 = data.replaceAll(/\s/g, '')
  if (base64 === '' || !BASE64.test(base64)) return false
  const mediaType = typeof mimeType === 'string' && MEDIA_TYPE.test(mimeType) ? mimeType : 'application/octet-stream'
  const source = `data:${mediaType};base64,${base64}`
  if (PICTURE.test(mediaType)) displays.push({ kind: 'image', data: source })
  else if (AUDIO.test(mediaType)) displays.push({ kind: 'audio', data: source })
  files.push({ mediaType, base64, ...(typeof uri === 'string' && { from: uri.slice(0, 500) }) })
  return true
}

function shownInPage({ uri }: ToolPage, said: JsonObject): Shown {
  const data = JSON.stringify({ uri, result: said })
  return { kind: 'app', data: data.length <= MAX_SHOWN_IN_PAGE ? data : JSON.stringify({ uri, result: null }) }
}

/** What `shownInPage` wrote. `result` null: it was too large to be kept. */
export function readShownInPage(data: string): { readonly uri: string; readonly result: JsonObject | null } | null {
  try {
    const { uri, result } = JSON.parse(data) as { uri?: unknown; result?: unknown }
    return typeof uri === 'string' ? { uri, result: isJsonObject(result) ? result : null } : null
  } catch {
    return null
  }
}

function isForUserAlone({ annotations }: JsonObject): boolean {
  const audience = isJsonObject(annotations ?? null) ? (annotations as JsonObject)['audience'] : null
  return Array.isArray(audience) && audience.length === 1 && audience[0] === 'user'
}

const linkOf = ({ uri, name, title, mimeType, size }: JsonObject): JsonValue => ({
  uri: uri ?? null,
  ...(name !== undefined && { name }),
  ...(title !== undefined && { title }),
  ...(mimeType !== undefined && { mimeType }),
  ...(size !== undefined && { size }),
})

function saysTheSame(text: string, structured: JsonValue): boolean {
  try {
    return canonicalJson(JSON.parse(text) as JsonValue) === canonicalJson(structured)
  } catch {
    return false
  }
}
