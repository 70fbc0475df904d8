import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import { isRecord } from '@/lib/base/is-record'
import type { PlacedChat } from '@/lib/conversation/export-of-readable'
import { readChatGptChat } from './chatgpt'
import { readClaudeChat } from './claude'
import { otherSourceOf, readOtherChat, type OtherSource } from './other-chats'

export type ForeignSource = 'chatgpt' | 'claude' | OtherSource

/** Why a chat of a file can't be taken in; the words are `bring.broken.*`. */
export type ForeignProblem = 'too-large' | 'too-deep' | 'no-json' | 'unknown-form' | 'no-words'

export type ForeignChat =
  | {
      readonly ok: true
      readonly source: ForeignSource
      /** The same for the same chat of that product, so that it comes in once. */
      readonly id: string
      readonly chat: PlacedChat
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

function chatOf(value: Readonly<Record<string, unknown>>, source: ForeignSource): PlacedChat {
  if (source === 'chatgpt') return readChatGptChat(value)
  return source === 'claude' ? readClaudeChat(value) : readOtherChat(value, source)
}

export const textIn = (record: Readonly<Record<string, unknown>>, name: string): string => {
  const value = record[name]
  return typeof value === 'string' ? value : ''
}

const idOf = (source: ForeignSource, foreign: string): string =>
  `${source}-${bytesToHex(sha256(utf8ToBytes(`${source} ${foreign}`))).slice(0, 32)}`
