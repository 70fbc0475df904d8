import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import type { PositionedChat, PositionedMessage } from '@/lib/shared/conversation/readable/export-of-readable'
import { readChatGptChat } from './chatgpt'
import { otherSourceOf, readOtherChat, type OtherSource } from './other-chats'
import { isJsonObject, type JsonObject, isRecord } from '@/lib/base/json'
import type { ReadableCall, ReadableFile, ReadablePart } from '@/lib/shared/conversation/readable/readable-chat'

/*
 * `{"uuid":…,"name":…,"created_at":"2026-01-01T…Z","chat_messages":[{"sender":"human","text":…,"content":[{"type":"text",
 * "text":…},{"type":"thinking","thinking":…},{"type":"tool_use","name":…,"input":{}},{"type":"tool_result","name":…,"content":
 * [{"type":"text",…}]}],"attachments":[{"file_name":…,"extracted_content":…}],"files":[{"file_name":…}]}]}`, as claude.ai exports
 * it. Flat: branches that were edited away are not in it, nor is the model.
 */

type Json = Readonly<Record<string, unknown>>

function readClaudeChat(value: Json): PositionedChat {
  const createdAt = timeOf(value['created_at']) ?? 0
  const messages: PositionedMessage[] = []
  const given = Array.isArray(value['chat_messages']) ? value['chat_messages'] : []
  for (const one of given) {
    if (!isRecord(one)) continue
    const place = { id: `n${messages.length}`, parentId: messages.at(-1)?.id ?? null }
    const at = timeOf(one['created_at']) ?? createdAt
    const parts = partsOf(one)
    if (one['sender'] === 'human') {
      const text = parts.flatMap((part) => (part.kind === 'text' ? [part.text] : [])).join('\n\n')
      const files = filesOf(one)
      if (text !== '' || files.length > 0) messages.push({ ...place, by: 'person', at, text, files })
    } else if (one['sender'] === 'assistant' && parts.length > 0) {
      messages.push({ ...place, by: 'model', at, model: '', ended: 'finished', parts })
    }
  }
  return {
    title: textOf(value['name']),
    createdAt,
    updatedAt: timeOf(value['updated_at']) ?? createdAt,
    systemPrompt: null,
    messages,
    headId: messages.at(-1)?.id ?? null,
  }
}

function partsOf(message: Json): readonly ReadablePart[] {
  const content = Array.isArray(message['content']) ? message['content'].filter(isRecord) : []
  const parts: ReadablePart[] = []
  for (const one of content) {
    switch (one['type']) {
      case 'text':
        addText(parts, 'text', textOf(one['text']))
        break
      case 'thinking':
        addText(parts, 'thought', textOf(one['thinking']))
        break
      case 'tool_use':
        parts.push(callOf(one))
        break
      case 'tool_result':
        addResult(parts, one)
        break
    }
  }
  // Older exports have the text alone.
  if (parts.length === 0) addText(parts, 'text', textOf(message['text']))
  return parts
}

function addText(parts: ReadablePart[], kind: 'text' | 'thought', text: string): void {
  if (text.trim() !== '') parts.push({ kind, text })
}

const callOf = (one: Json): ReadableCall => ({
  kind: 'call',
  tool: textOf(one['name']).slice(0, 300),
  state: 'done',
  arguments: inputOf(one['input']),
  written: null,
  result: null,
})

const inputOf = (input: unknown): JsonObject => (isJsonObject(input) ? input : {})

/** To the call before it that has none, else by itself. */
function addResult(parts: ReadablePart[], one: Json): void {
  const value = resultText(one['content'])
  const tool = textOf(one['name']).slice(0, 300)
  const state = one['is_error'] === true ? 'failed' : 'done'
  const at = parts.findLastIndex((part) => part.kind === 'call' && part.result === null && part.tool === tool)
  const call = parts[at]
  const result = { value, displays: [] }
  if (call?.kind === 'call') parts[at] = { ...call, state, result }
  else parts.push({ kind: 'call', tool, state, arguments: null, written: null, result })
}

function resultText(content: unknown): string {
  if (typeof content === 'string') return content
  const texts = (Array.isArray(content) ? content : []).flatMap((one) =>
    isRecord(one) ? [textOf(one['text']) || `[${textOf(one['type'])}]`] : [],
  )
  return texts.join('\n\n')
}

function filesOf(message: Json): readonly ReadableFile[] {
  const attached = Array.isArray(message['attachments']) ? message['attachments'].filter(isRecord) : []
  const files = Array.isArray(message['files']) ? message['files'].filter(isRecord) : []
  const names = new Set(attached.map((one) => textOf(one['file_name'])))
  return [...attached, ...files.filter((one) => !names.has(textOf(one['file_name'])))].map((one) => {
    const size = one['file_size']
    const head = textOf(one['extracted_content'])
    return {
      name: textOf(one['file_name']).slice(0, 1_000) || 'file',
      mediaType: 'application/octet-stream',
      size: typeof size === 'number' && size >= 0 ? size : new Blob([head]).size,
      head: head === '' ? null : head,
      picture: null,
    }
  })
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

const timeOf = (value: unknown): number | null => {
  const time = typeof value === 'string' ? Date.parse(value) : Number.NaN
  return Number.isFinite(time) && time > 0 ? time : null
}

export type ForeignSource = 'chatgpt' | 'claude' | OtherSource

/** Why a chat of a file can't be taken in; the words are `bring.broken.*`. */
export type ForeignProblem = 'too-large' | 'too-deep' | 'no-json' | 'unknown-form' | 'no-words'

export type ForeignChat =
  | {
      readonly ok: true
      readonly source: ForeignSource
      /** The same for the same chat of that product, so that it comes in once. */
      readonly id: string
      readonly chat: PositionedChat
    }
  | { readonly ok: false; readonly title: string; readonly why: ForeignProblem }

/** One chat of an export of another program, told apart by what it is made of. Never throws. */
export function readForeignChat(text: string): ForeignChat {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return { ok: false, title: '', why: 'no-json' }
  }
  if (!isRecord(value)) return { ok: false, title: '', why: 'unknown-form' }
  const source: ForeignSource | null = isRecord(value['mapping'])
    ? 'chatgpt'
    : Array.isArray(value['chat_messages'])
      ? 'claude'
      : otherSourceOf(value)
  const title = textIn(value, source === 'claude' ? 'name' : 'title')
  if (source === null) return { ok: false, title, why: 'unknown-form' }
  const chat = chatOf(value, source)
  if (chat.messages.length === 0) return { ok: false, title, why: 'no-words' }
  const named =
    textIn(value, 'conversation_id') || textIn(value, 'conversationId') || textIn(value, 'id') || textIn(value, 'uuid')
  // One without a name of its own is known by what it says.
  return { ok: true, source, chat, id: idOf(source, named === '' ? text : named) }
}

function chatOf(value: Readonly<Record<string, unknown>>, source: ForeignSource): PositionedChat {
  if (source === 'chatgpt') return readChatGptChat(value)
  return source === 'claude' ? readClaudeChat(value) : readOtherChat(value, source)
}

export const textIn = (record: Readonly<Record<string, unknown>>, name: string): string => {
  const value = record[name]
  return typeof value === 'string' ? value : ''
}

const idOf = (source: ForeignSource, foreign: string): string =>
  `${source}-${bytesToHex(sha256(utf8ToBytes(`${source} ${foreign}`))).slice(0, 32)}`
