import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import type { PositionedChat, PositionedMessage } from '@/lib/shared/conversation/readable/export-of-readable'
import { readChatGptChat } from './chatgpt'
import { otherSourceOf, readOtherChat, type OtherSource } from './other-chats'
import { isRecord } from '@/lib/base/json'
import { isBlank } from '@/lib/base/text/characters'
import { titleOf } from '@/lib/shared/conversation/outline'
import { addMessage, listIn, MessageParts, recordsIn, textOf, timeOf } from './message-parts'
import { SkippedCount, type Skipped } from './skipped'

/*
 * `{"uuid":…,"name":…,"created_at":"2026-01-01T…Z","chat_messages":[{"sender":"human","text":…,"content":[{"type":"text",
 * "text":…},{"type":"thinking","thinking":…},{"type":"tool_use","name":…,"input":{}},{"type":"tool_result","name":…,"content":
 * [{"type":"text",…}]}],"attachments":[{"file_name":…,"extracted_content":…}],"files":[{"file_name":…}]}]}`, as
 * claude.ai exports it. Flat: edited-away branches are not in it, nor is the model.
 */

type Json = Readonly<Record<string, unknown>>

function readClaudeChat(value: Json, skipped: SkippedCount): PositionedChat {
  const createdAt = timeOf(value['created_at']) ?? 0
  const messages: PositionedMessage[] = []
  for (const one of listIn(value['chat_messages'])) {
    if (!isRecord(one)) {
      skipped.addLost('damaged', one)
      continue
    }
    const at = timeOf(one['created_at']) ?? createdAt
    const read = new MessageParts(skipped)
    read.read(one['content'])
    // Older exports have only the text.
    if (read.parts.length === 0) read.say('text', textOf(one['text']))
    readFiles(one, read, skipped)
    const by = one['sender'] === 'human' ? 'person' : 'model'
    addMessage(messages, read, { by, parentId: messages.at(-1)?.id ?? null, at })
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

function readFiles(message: Json, read: MessageParts, skipped: SkippedCount): void {
  const attached = listIn(message['attachments'])
  const names = new Set(recordsIn(attached).map((one) => textOf(one['file_name'])))
  for (const one of [...attached, ...listIn(message['files'])]) {
    if (!isRecord(one)) skipped.addLost('files', one)
    // An attached text is in both lists.
    else if (attached.includes(one) || !names.has(textOf(one['file_name']))) read.file(one, 'file')
  }
}

export type ForeignSource = 'chatgpt' | 'claude' | OtherSource

/** Why a chat of a file can't be imported; the messages are `bring.broken.*`. */
export type ForeignProblem = 'too-large' | 'too-deep' | 'no-json' | 'unknown-form' | 'no-words'

export type ForeignChat =
  | {
      readonly ok: true
      readonly source: ForeignSource
      /** The same for the same chat of that product, so that it is imported once. */
      readonly id: string
      readonly chat: PositionedChat
      /** What is missing in `chat`. */
      readonly skipped: Skipped
    }
  | { readonly ok: false; readonly title: string; readonly why: ForeignProblem }

/** Reads one chat of another program's export, recognized by its structure. Never throws. */
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
  const skipped = new SkippedCount()
  const chat = chatOf(value, source, skipped)
  if (chat.messages.length === 0) return { ok: false, title, why: 'no-words' }
  const named =
    textIn(value, 'conversation_id') || textIn(value, 'conversationId') || textIn(value, 'id') || textIn(value, 'uuid')
  // A chat without a name is identified by its text.
  const id = idOf(source, named === '' ? text : named)
  return { ok: true, source, chat: { ...chat, title: titleIn(chat) }, id, skipped: skipped.counts }
}

/** Without a title, the beginning of the first message, like a chat that was started here. */
function titleIn({ title, messages }: PositionedChat): string {
  if (!isBlank(title)) return title
  const first = messages.find((one) => one.by === 'person')
  return first ? titleOf(first.text.trim() || first.files.map(({ name }) => name).join(', ')) : ''
}

function chatOf(value: Json, source: ForeignSource, skipped: SkippedCount): PositionedChat {
  if (source === 'chatgpt') return readChatGptChat(value, skipped)
  return source === 'claude' ? readClaudeChat(value, skipped) : readOtherChat(value, source, skipped)
}

export const textIn = (record: Readonly<Record<string, unknown>>, name: string): string => {
  const value = record[name]
  return typeof value === 'string' ? value : ''
}

const idOf = (source: ForeignSource, foreign: string): string =>
  `${source}-${bytesToHex(sha256(utf8ToBytes(`${source} ${foreign}`))).slice(0, 32)}`
