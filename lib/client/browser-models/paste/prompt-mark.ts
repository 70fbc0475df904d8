import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import type { LanguageModelV4Prompt } from '@ai-sdk/provider'

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
