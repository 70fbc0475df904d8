import { isJsonObject, type JsonObject, type JsonValue } from '@/lib/base/json'
import { canonicalJson } from '@/lib/protocols/types/canonical-json'
import type { ToolPage } from '@/lib/shared/conversation/settings/tool-server'

/** What the user sees: images and sound as data URLs; `app`: the data for the tool's page (`readShownInPage`). */
interface Shown {
  readonly kind: 'text' | 'image' | 'audio' | 'app'
  readonly data: string
}

interface ReceivedFile {
  readonly mediaType: string
  readonly base64: string
  /** Its source, as the server says. */
  readonly from?: string
}

/** The result of a call for the model, and for the user to see. */
export interface McpOutcome {
  readonly isError: boolean
  /** Without its files. */
  readonly result: JsonValue
  /** For the user only. */
  readonly displays: readonly Shown[]
  /** Bytes, which no model reads: they are stored as files of the chat. */
  readonly files: readonly ReceivedFile[]
  /** The result with the outcome of storing its files. */
  readonly withFiles: (files: readonly JsonValue[]) => JsonValue
}

/** Types that browsers show or play without running anything. */
const PICTURE = /^image\/(?:png|jpeg|gif|webp)$/
const AUDIO = /^audio\/(?:mpeg|mp3|wav|x-wav|wave|ogg|mp4|aac|flac|webm)$/
const MEDIA_TYPE = /^[a-z]+\/[\w.+-]{1,80}$/
// Without white space: a pattern that allows it before and at the end takes quadratic time for many line breaks.
const BASE64 = /^[A-Za-z\d+/]+={0,2}$/
/** The limit for one result: further ones are only counted. */
const MAX_FILES = 20
/** The limit of a result that is stored for the page of its tool. */
const MAX_SHOWN_IN_PAGE = 1_000_000

/** The parts of a result, sorted. */
interface Parts {
  readonly texts: string[]
  readonly links: JsonValue[]
  readonly other: JsonValue[]
  readonly displays: Shown[]
  readonly files: ReceivedFile[]
}

/**
 * Reads a `tools/call` result of any structure. A single text becomes a string. Structured content replaces a text that
 * says the same. Images and sound go to the user, bytes into files; unknown kinds stay as JSON.
 * @param page of the tool: it gets the whole result, and the model only the texts if there are any
 */
export function readResult(result: JsonObject, page?: ToolPage): McpOutcome {
  const content = Array.isArray(result['content']) ? (result['content'] as readonly JsonValue[]) : []
  const parts: Parts = { texts: [], links: [], other: [], displays: [], files: [] }
  for (const part of content) readPart(part, parts)
  const { texts, links, other, displays, files } = parts
  const structured = page && texts.length > 0 ? undefined : result['structuredContent']
  const own = structured === undefined ? texts : texts.filter((text) => !isSameContent(text, structured))
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
    isError: result['isError'] === true,
    result: simplest(more, result),
    displays: page ? [...displays, shownInPage(page, result)] : displays,
    files: files.slice(0, MAX_FILES),
    withFiles: (kept) => (kept.length === 0 ? simplest(more, result) : { ...more, files: kept }),
  }
}

function readPart(part: JsonValue, { texts, links, other, displays, files }: Parts): void {
  if (!isJsonObject(part)) return void other.push(part)
  const { type, text, data, mimeType } = part
  if (type === 'text' && typeof text === 'string') {
    // Parts for the user only are shown, and not sent to the model.
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
    // A model can't read bytes.
    if (!keepBytes({ mimeType, data }, { displays, files })) other.push({ type, mimeType: mimeType ?? null })
  } else other.push(part)
}

function simplest(more: JsonObject, result: JsonObject): JsonValue {
  const keys = Object.keys(more)
  // No known form: the result stays visible unchanged.
  if (keys.length === 0) return Array.isArray(result['content']) ? '' : result
  const [only = ''] = keys
  return keys.length === 1 && (only === 'structured' || typeof more[only] === 'string') ? (more[only] ?? null) : more
}

/** Returns false if these are no bytes. */
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

function shownInPage({ uri }: ToolPage, result: JsonObject): Shown {
  const data = JSON.stringify({ uri, result })
  return { kind: 'app', data: data.length <= MAX_SHOWN_IN_PAGE ? data : JSON.stringify({ uri, result: null }) }
}

/** Parses what `shownInPage` wrote. `result` null: it was too large to be stored. */
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

function isSameContent(text: string, structured: JsonValue): boolean {
  try {
    return canonicalJson(JSON.parse(text) as JsonValue) === canonicalJson(structured)
  } catch {
    return false
  }
}
