import { isJsonObject, isRecord } from '@/lib/base/json'
import type { PositionedChat, PositionedMessage } from '@/lib/shared/conversation/readable/export-of-readable'
import type { ReadableFile, ReadablePart } from '@/lib/shared/conversation/readable/readable-chat'
import { fenced } from '@/lib/shared/conversation/readable/readable-markdown'
import { withoutCitationMarks } from './chatgpt-marks'
import { holdsSomething, type SkippedCount } from './skipped'

/*
 * `{"title":…,"create_time":1.5,"current_node":"b","mapping":{"a":{"parent":null,"children":["b"],"message":{"author":{"role":
 * "user"},"content":{"content_type":"text","parts":["Hi"]}}},…}}`, as chatgpt.com exports it since 2023. The tree has
 * invisible nodes (system, custom instructions); the shown branch ends with `current_node`. Parts may be objects:
 * images, whose files are elsewhere in the zip and only named, and speech.
 */

type Json = Readonly<Record<string, unknown>>

/** The whole tree; a chat without messages has an empty list. */
export function readChatGptChat(value: Json, skipped: SkippedCount): PositionedChat {
  const mapping = isRecord(value['mapping']) ? value['mapping'] : {}
  const createdAt = timeOf(value['create_time']) ?? 0
  const messages: PositionedMessage[] = []
  /** For each node its message, or that of the nearest node before it. */
  const places = new Map<string, string | null>()
  const nodeOf = (id: string): Json | null => {
    const node = Object.hasOwn(mapping, id) ? mapping[id] : undefined
    return isRecord(node) ? node : null
  }
  const isRoot = (node: unknown): boolean =>
    isRecord(node) && (typeof node['parent'] !== 'string' || nodeOf(node['parent']) === null)
  const ids = Object.keys(mapping)
  const walk = (from: readonly string[]) => {
    const open = from.toReversed()
    for (let id = open.pop(); id !== undefined; id = open.pop()) {
      const node = nodeOf(id)
      // A node with two parents, or one that is its own parent, is read once.
      if (!node || places.has(id)) continue
      const parent = typeof node['parent'] === 'string' ? (places.get(node['parent']) ?? null) : null
      const message = messageOf(node['message'], { id: `n${messages.length}`, parentId: parent }, createdAt, skipped)
      if (message) messages.push(message)
      places.set(id, message ? message.id : parent)
      const children = Array.isArray(node['children']) ? node['children'] : []
      for (const child of children.toReversed()) if (typeof child === 'string') open.push(child)
    }
  }
  walk(ids.filter((id) => isRoot(mapping[id])))
  // Nodes that no root leads to, in a cycle or missing from their parent's list: start at any of them.
  for (const id of ids) {
    if (nodeOf(id) === null) skipped.addLost('damaged', mapping[id])
    walk([id])
  }
  const current = typeof value['current_node'] === 'string' ? value['current_node'] : ''
  return {
    title: typeof value['title'] === 'string' ? value['title'] : '',
    createdAt,
    updatedAt: timeOf(value['update_time']) ?? createdAt,
    systemPrompt: null,
    messages,
    headId: places.get(current) ?? null,
  }
}

type Place = Pick<PositionedMessage, 'id' | 'parentId'>

function messageOf(value: unknown, place: Place, otherwise: number, skipped: SkippedCount): PositionedMessage | null {
  if (!isRecord(value) || !isRecord(value['content'])) {
    // A root has no message.
    skipped.addLost('damaged', isRecord(value) ? value['content'] : value)
    return null
  }
  const { content, metadata } = value
  const author = isRecord(value['author']) ? value['author'] : {}
  const about = isRecord(metadata) ? metadata : {}
  const role = author['role']
  const { content_type: _, ...said } = content
  if (about['is_visually_hidden_from_conversation'] === true || role === 'system') {
    skipped.addLost(role === 'system' ? 'instructions' : 'hidden', said)
    return null
  }
  const at = timeOf(value['create_time']) ?? otherwise
  if (role === 'user') {
    const { text, files } = wordsOf(content, about, skipped)
    return text === '' && files.length === 0 ? null : { ...place, by: 'person', at, text, files }
  }
  if (role !== 'assistant' && role !== 'tool') {
    skipped.addLost('unknown', said)
    return null
  }
  const parts =
    role === 'tool'
      ? toolParts(content, author, about, skipped)
      : replyParts(content, value['recipient'], about, skipped)
  if (parts.length === 0) return null
  const model = about['model_slug']
  return { ...place, by: 'model', at, model: typeof model === 'string' ? model : '', ended: 'finished', parts }
}

function replyParts(content: Json, recipient: unknown, about: Json, skipped: SkippedCount): readonly ReadablePart[] {
  switch (content['content_type']) {
    case 'thoughts': {
      const given = Array.isArray(content['thoughts']) ? content['thoughts'] : []
      for (const one of given) if (!isRecord(one)) skipped.addLost('damaged', one)
      const thoughts = given.filter(isRecord)
      const text = thoughts
        .map((one) => [one['summary'], one['content']].filter((part) => typeof part === 'string').join('\n\n'))
        .join('\n\n')
        .trim()
      return text === '' ? [] : [{ kind: 'thought', text }]
    }
    // "Thought for 5 seconds", written by the page.
    case 'reasoning_recap':
      skipped.add('hidden')
      return []
    default: {
      const { text, files } = wordsOf(content, about, skipped)
      const words = [text, ...files.map(({ name }) => `[${name}]`)].filter((part) => part.trim() !== '').join('\n\n')
      if (words === '') return []
      // Addressed to a tool, not to the user.
      if (typeof recipient === 'string' && recipient !== '' && recipient !== 'all') {
        if (recipient.startsWith('canmore.')) return [canvasPart(recipient, words)]
        return [{ kind: 'call', tool: recipient, state: 'done', arguments: null, written: words, result: null }]
      }
      return [{ kind: 'text', text: content['content_type'] === 'code' ? fenced(words, languageOf(content)) : words }]
    }
  }
}

/** Text for the canvas is a document that the user saw, or a change of it. */
function canvasPart(tool: string, written: string): ReadablePart {
  let given: unknown
  try {
    given = JSON.parse(written)
  } catch {
    given = null
  }
  if (!isJsonObject(given)) return { kind: 'call', tool, state: 'done', arguments: null, written, result: null }
  const { name, type, content, updates } = given
  const [update] = Array.isArray(updates) ? updates : []
  const whole = isRecord(update) && update['pattern'] === '.*' ? update['replacement'] : null
  const document = typeof content === 'string' ? content : typeof whole === 'string' ? whole : null
  if (document === null) return { kind: 'call', tool, state: 'done', arguments: given, written: null, result: null }
  const title = typeof name === 'string' && name !== '' ? `**${name}**\n\n` : ''
  const language = typeof type === 'string' ? /^code\/([\w+#-]{1,20})$/.exec(type)?.[1] : undefined
  return { kind: 'text', text: title + (language === undefined ? document : fenced(document, language)) }
}

function toolParts(content: Json, author: Json, about: Json, skipped: SkippedCount): readonly ReadablePart[] {
  const { text, files } = wordsOf(content, about, skipped)
  const value = [text, ...files.map(({ name }) => `[${name}]`)].filter((part) => part.trim() !== '').join('\n\n')
  if (value === '') return []
  const tool = typeof author['name'] === 'string' ? author['name'] : ''
  return [{ kind: 'call', tool, state: 'done', arguments: null, written: null, result: { value, displays: [] } }]
}

const languageOf = (content: Json): string =>
  typeof content['language'] === 'string' && /^[\w+#-]{1,20}$/.test(content['language']) ? content['language'] : 'text'

interface Words {
  readonly text: string
  readonly files: readonly ReadableFile[]
}

/** The text of a content, in any of its forms; images and other files by name. */
function wordsOf(content: Json, about: Json, skipped: SkippedCount): Words {
  const texts: string[] = []
  const files: ReadableFile[] = []
  const { content_type: _, language: __, parts, ...rest } = content
  for (const name of ['text', 'result', 'content']) {
    const text = rest[name]
    if (typeof text === 'string') texts.push(text)
  }
  const given: readonly unknown[] = Array.isArray(parts) ? parts : []
  for (const part of given) {
    if (typeof part === 'string') texts.push(part)
    else if (!isRecord(part)) skipped.addLost('damaged', part)
    else if (typeof part['text'] === 'string') texts.push(part['text'])
    else if (isSpeech(part)) skipped.add('sound')
    else files.push(fileOf(part))
  }
  const text = texts.filter((one) => one.trim() !== '').join('\n\n')
  const all = [...withNames(files, about), ...drawnFiles(about)]
  skipped.add('files', all.length)
  // A content of another kind, with its text in an unknown place.
  if (text === '' && given.length === 0 && holdsSomething(rest)) skipped.add('unknown')
  if (parts !== undefined && !Array.isArray(parts)) skipped.addLost('damaged', parts)
  return { text: withoutCitationMarks(text, about), files: all }
}

/** A voice chat also contains its transcript as text. */
const isSpeech = ({ content_type: kind }: Json): boolean => typeof kind === 'string' && kind.includes('audio')

/** The names of the user's files, and those of files that are named nowhere else. */
function withNames(files: readonly ReadableFile[], about: Json): readonly ReadableFile[] {
  const attached = (Array.isArray(about['attachments']) ? about['attachments'] : []).filter(isRecord)
  const left = new Map(attached.map((one) => [textIn(one, 'id'), one]))
  const named = files.map((file) => {
    const one = left.get(file.name)
    left.delete(file.name)
    return one ? { ...file, name: textIn(one, 'name').slice(0, 1_000) || file.name } : file
  })
  const others = Array.from(left.values(), (one) => ({
    name: textIn(one, 'name').slice(0, 1_000) || 'file',
    mediaType: /^[\w.+-]{1,60}\/[\w.+-]{1,100}$/.exec(textIn(one, 'mime_type'))?.[0] ?? 'application/octet-stream',
    size: typeof one['size'] === 'number' && one['size'] >= 0 ? one['size'] : 0,
    head: null,
    picture: null,
  }))
  return [...named, ...others]
}

/** Images that code drew. */
function drawnFiles(about: Json): readonly ReadableFile[] {
  const result = isRecord(about['aggregate_result']) ? about['aggregate_result'] : {}
  const messages = Array.isArray(result['messages']) ? result['messages'].filter(isRecord) : []
  return messages
    .filter((one) => one['message_type'] === 'image')
    .map((one) => fileOf({ content_type: 'image', asset_pointer: one['image_url'] }))
}

const textIn = (record: Json, name: string): string => {
  const value = record[name]
  return typeof value === 'string' ? value : ''
}

function fileOf(part: Json): ReadableFile {
  const pointer = typeof part['asset_pointer'] === 'string' ? part['asset_pointer'] : ''
  const kind = typeof part['content_type'] === 'string' ? part['content_type'] : 'file'
  const name = (pointer.split('/').at(-1) || kind).slice(0, 200)
  const size = typeof part['size_bytes'] === 'number' && part['size_bytes'] >= 0 ? part['size_bytes'] : 0
  return {
    name,
    mediaType: kind.startsWith('image') ? 'image/*' : 'application/octet-stream',
    size,
    head: null,
    picture: null,
  }
}

/** Seconds with a fraction, as milliseconds. */
const timeOf = (value: unknown): number | null =>
  typeof value === 'number' && Number.isFinite(value) && value > 0 && value < 1e11 ? Math.round(value * 1000) : null
