import type { LanguageModelV4Prompt } from '@ai-sdk/provider'
import { createMarked, promptMark } from './prompt-text'

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

const MOST = 8

/** `storage`: `sessionStorage`, or null if the browser has no storage. */
export function createPastedDrafts(storage: Pick<Storage, 'getItem' | 'setItem'> | null): PastedDrafts {
  const drafts = createMarked(storage, 'nod:pasted', MOST)
  return {
    get: (prompt) => drafts.get(promptMark(prompt)) ?? '',
    set: (prompt, text) => drafts.set(promptMark(prompt), text),
  }
}
