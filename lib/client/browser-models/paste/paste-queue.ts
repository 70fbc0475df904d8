import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import type { LanguageModelV4Prompt } from '@ai-sdk/provider'

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

const MOST_MARKS = 100

/** `storage`: `sessionStorage`, or null if the browser has no storage. A forgotten chat gets the whole prompt again. */
export function createPastedChats(storage: Pick<Storage, 'getItem' | 'setItem'> | null): PastedChats {
  const told = createMarked(storage, 'nod:told-elsewhere', MOST_MARKS)
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

/** A reply that the user fetches from another chat. */
export interface PasteRequest {
  readonly runId: string
  readonly prompt: LanguageModelV4Prompt
  /** Takes the pasted text. Further calls do nothing. */
  answer(text: string): void
}

/** The queue of prompts that the user carries to other chats: the page shows what waits here. */
export interface PasteQueue {
  /** Resolves with the pasted text; rejects with the signal's reason. */
  ask(request: Pick<PasteRequest, 'runId' | 'prompt'>, signal?: AbortSignal): Promise<string>
  /** The same object until it is answered. */
  waiting(runId: string): PasteRequest | null
  /** Calls the listener when a request is added or removed; returns the function that unsubscribes. */
  readonly subscribe: (listener: () => void) => () => void
}

/** `onAsk`: called for each request before it is shown. */
export function createPasteQueue(onAsk: (runId: string) => void = () => {}): PasteQueue {
  const requests = new Map<string, PasteRequest>()
  const listeners = new Set<() => void>()
  const tell = () => listeners.forEach((listener) => listener())

  return {
    ask({ runId, prompt }, signal) {
      const { promise, resolve, reject } = Promise.withResolvers<string>()
      if (signal?.aborted === true) return Promise.reject(signal.reason as Error)
      const leave = () => reject(signal?.reason as Error)
      signal?.addEventListener('abort', leave, { once: true })
      onAsk(runId)
      requests.set(runId, { runId, prompt, answer: resolve })
      tell()
      return promise.finally(() => {
        signal?.removeEventListener('abort', leave)
        requests.delete(runId)
        tell()
      })
    },
    waiting: (runId) => requests.get(runId) ?? null,
    subscribe(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}

/** Pasted text that was not used yet: it survives a reload, and a reply that was requested again. */
interface PastedDrafts {
  get(prompt: LanguageModelV4Prompt): string
  set(prompt: LanguageModelV4Prompt, text: string): void
}

const MOST_DRAFTS = 8

/** `storage`: `sessionStorage`, or null if the browser has no storage. */
export function createPastedDrafts(storage: Pick<Storage, 'getItem' | 'setItem'> | null): PastedDrafts {
  const drafts = createMarked(storage, 'nod:pasted', MOST_DRAFTS)
  return {
    get: (prompt) => drafts.get(promptMark(prompt)) ?? '',
    set: (prompt, text) => drafts.set(promptMark(prompt), text),
  }
}
