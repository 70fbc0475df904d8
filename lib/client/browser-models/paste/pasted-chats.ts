import type { LanguageModelV4Prompt } from '@ai-sdk/provider'
import { atLastReply, createMarked, textMark, promptMark } from './prompt-text'

/** What chats elsewhere were told by this tab, and what they answered: by it is known whether what is new is enough. */
export interface PastedChats {
  note(prompt: LanguageModelV4Prompt, reply: string): void
  /** True: the chat that gave the last reply was told all that stands before it. */
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
