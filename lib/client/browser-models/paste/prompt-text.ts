import type { LanguageModelV4Prompt } from '@ai-sdk/provider'
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'

/** A prompt, or its end, as one text for a chat that has a single field. */
export interface PromptText {
  readonly text: string
  /** Pictures of it that a text can't hold: to be attached by hand. */
  readonly pictures: number
}

/** All of it: what the model is told, then what was said. A single message stands without a heading. */
export function completePrompt(prompt: LanguageModelV4Prompt): PromptText {
  const told = prompt.filter(({ role }) => role === 'system').map(({ content }) => textOf(content))
  const said = prompt.filter(({ role }) => role !== 'system')
  const words =
    said.length === 1
      ? said.map(({ content }) => textOf(content))
      : said.map(({ role, content }) => `[${role === 'assistant' ? 'Assistant' : 'User'}]\n${textOf(content)}`)
  return { text: [...told, ...words].join('\n\n'), pictures: picturesIn(said) }
}

/** What came after the last reply: everything that is new to a chat that gave that reply. Null: there was none. */
export function newInPrompt(prompt: LanguageModelV4Prompt): PromptText | null {
  const { said } = atLastReply(prompt)
  if (said === null) return null
  return { text: said.map(({ content }) => textOf(content)).join('\n\n'), pictures: picturesIn(said) }
}

/** A prompt cut at its last reply. `reply` and `said` are null where there is none. */
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

/** The same for the same text; 32 hex digits. */
export const textMark = (text: string): string => bytesToHex(sha256(utf8ToBytes(text)).subarray(0, 16))

/** The same for the same question, also after a reload. */
export const promptMark = (prompt: LanguageModelV4Prompt): string => textMark(JSON.stringify(prompt))

/** A few texts by mark, the newest last; what the browser can't keep lives as long as the page. */
export function createMarked(storage: Pick<Storage, 'getItem' | 'setItem'> | null, key: string, most: number) {
  const marked = new Map<string, string>(read(storage, key))
  return {
    get: (mark: string): string | undefined => marked.get(mark),
    /** An empty text is none. */
    set(mark: string, text: string): void {
      marked.delete(mark)
      if (text !== '') marked.set(mark, text)
      for (const oldest of [...marked.keys()].slice(0, -most)) marked.delete(oldest)
      try {
        storage?.setItem(key, JSON.stringify([...marked]))
      } catch {
        // No room: a reload forgets.
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

/** What chats elsewhere were told by this tab, and what they answered: by it is known whether what is new is enough. */
interface PastedChats {
  note(prompt: LanguageModelV4Prompt, reply: string): void
  /** True: the chat that gave the last reply was told everything that is before it. */
  knows(prompt: LanguageModelV4Prompt): boolean
}

const MOST = 100

/** `storage`: `sessionStorage`, or null where the browser keeps nothing. What is forgotten is told whole again. */
export function createPastedChats(storage: Pick<Storage, 'getItem' | 'setItem'> | null): PastedChats {
  const told = createMarked(storage, 'nod:told-elsewhere', MOST)
  return {
    note: (prompt, reply) => told.set(promptMark(prompt), textMark(plain(reply))),
    knows(prompt) {
      const { asked, reply } = atLastReply(prompt)
      return reply !== null && told.get(promptMark(asked)) === textMark(plain(reply))
    },
  }
}

/** Chats and clipboards change the white space of a text. */
const plain = (text: string): string => text.replaceAll(/\s+/g, ' ').trim()
