import type { LanguageModelV4Prompt } from '@ai-sdk/provider'
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'

/** A prompt, or its end, as one text for a chat with a single field. */
export interface PromptText {
  readonly text: string
  /** The number of images that a text can't contain: the user attaches them. */
  readonly pictures: number
}

/** The whole prompt: the system prompt, then the messages. A single message has no heading. */
export function completePrompt(prompt: LanguageModelV4Prompt): PromptText {
  const systemTexts = prompt.filter(({ role }) => role === 'system').map(({ content }) => textOf(content))
  const dialogue = prompt.filter(({ role }) => role !== 'system')
  const words =
    dialogue.length === 1
      ? dialogue.map(({ content }) => textOf(content))
      : dialogue.map(({ role, content }) => `[${role === 'assistant' ? 'Assistant' : 'User'}]\n${textOf(content)}`)
  return { text: [...systemTexts, ...words].join('\n\n'), pictures: picturesIn(dialogue) }
}

/** What came after the last reply: everything that is new to a chat that gave that reply. Null: there was none. */
export function newInPrompt(prompt: LanguageModelV4Prompt): PromptText | null {
  const { said } = atLastReply(prompt)
  if (said === null) return null
  return { text: said.map(({ content }) => textOf(content)).join('\n\n'), pictures: picturesIn(said) }
}

/** Splits a prompt at its last reply. `reply` and `said` are null if there is none. */
export function atLastReply(prompt: LanguageModelV4Prompt) {
  const at = prompt.findLastIndex(({ role }) => role === 'assistant')
  const last = prompt[at]
  if (!last) return { asked: prompt, reply: null, said: null }
  return { asked: prompt.slice(0, at), reply: textOf(last.content), said: prompt.slice(at + 1) }
}

type Part = { readonly type: string; readonly text?: string }

const partsOf = (content: LanguageModelV4Prompt[number]['content']): readonly Part[] =>
  typeof content === 'string' ? [{ type: 'text', text: content }] : content

const textOf = (content: LanguageModelV4Prompt[number]['content']): string =>
  partsOf(content)
    .map(({ text = '' }) => text)
    .join('')

const picturesIn = (messages: LanguageModelV4Prompt): number =>
  messages.flatMap(({ content }) => partsOf(content)).filter(({ type }) => type === 'file').length

/** A hash of the text; 32 hex digits. */
export const textMark = (text: string): string => bytesToHex(sha256(utf8ToBytes(text)).subarray(0, 16))

/** A hash of the question; it survives a reload. */
export const promptMark = (prompt: LanguageModelV4Prompt): string => textMark(JSON.stringify(prompt))

/** A few texts by hash, the newest last; if the browser can't store them, they last as long as the page. */
export function createMarked(storage: Pick<Storage, 'getItem' | 'setItem'> | null, key: string, most: number) {
  const marked = new Map<string, string>(read(storage, key))
  return {
    get: (mark: string): string | undefined => marked.get(mark),
    /** An empty text removes the entry. */
    set(mark: string, text: string): void {
      marked.delete(mark)
      if (text !== '') marked.set(mark, text)
      for (const oldest of [...marked.keys()].slice(0, -most)) marked.delete(oldest)
      try {
        storage?.setItem(key, JSON.stringify([...marked]))
      } catch {
        // Storage is full: a reload loses it.
      }
    },
  }
}

function read(storage: Pick<Storage, 'getItem'> | null, key: string): readonly (readonly [string, string])[] {
  try {
    const value: unknown = JSON.parse(storage?.getItem(key) ?? '[]')
    return Array.isArray(value) ? value.filter(isPair) : []
  } catch {
    return []
  }
}

const isPair = (value: unknown): value is readonly [string, string] =>
  Array.isArray(value) && value.length === 2 && value.every((one) => typeof one === 'string')

/**
 * What chats elsewhere got from this tab, and what they answered. This shows whether sending only the new part is
 * enough.
 */
interface PastedChats {
  note(prompt: LanguageModelV4Prompt, reply: string): void
  /** True: the chat that gave the last reply got everything before it. */
  knows(prompt: LanguageModelV4Prompt): boolean
}

const MOST = 100

/** `storage`: `sessionStorage`, or null if the browser has no storage. A forgotten chat gets the whole prompt again. */
export function createPastedChats(storage: Pick<Storage, 'getItem' | 'setItem'> | null): PastedChats {
  const promptedElsewhere = createMarked(storage, 'nod:told-elsewhere', MOST)
  return {
    note: (prompt, reply) => promptedElsewhere.set(promptMark(prompt), textMark(plain(reply))),
    knows(prompt) {
      const { asked: question, reply } = atLastReply(prompt)
      return reply !== null && promptedElsewhere.get(promptMark(question)) === textMark(plain(reply))
    },
  }
}

/** Chats and clipboards change the white space of a text. */
const plain = (text: string): string => text.replaceAll(/\s+/g, ' ').trim()
