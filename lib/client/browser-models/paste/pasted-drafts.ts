import type { LanguageModelV4Prompt } from '@ai-sdk/provider'
import { createMarked, promptMark } from './prompt-text'

/** What was pasted and not used yet: it survives a reload, and a reply that was asked for again. */
export interface PastedDrafts {
  get(prompt: LanguageModelV4Prompt): string
  set(prompt: LanguageModelV4Prompt, text: string): void
}

const MOST = 8

/** `storage`: `sessionStorage`, or null where the browser keeps nothing. */
export function createPastedDrafts(storage: Pick<Storage, 'getItem' | 'setItem'> | null): PastedDrafts {
  const drafts = createMarked(storage, 'nod:pasted', MOST)
  return {
    get: (prompt) => drafts.get(promptMark(prompt)) ?? '',
    set: (prompt, text) => drafts.set(promptMark(prompt), text),
  }
}
