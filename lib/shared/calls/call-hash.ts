import type { JsonObject } from '@/lib/base/json'
import { sha256Hex } from '@/lib/base/sha256-hex'
import { canonicalJson } from '@/lib/protocols/types/canonical-json'

/**
 * The hash that an approval is bound to: SHA-256, as 64 hex digits, over the canonical JSON of message id, slot, tool
 * name and arguments. The browser and the server compute it with this same code; any change of the call gives another
 * hash. Needs a secure context in a browser (HTTPS or localhost); rejects without one.
 */
export async function callHash(messageId: string, slot: number, name: string, args: JsonObject): Promise<string> {
  return sha256Hex(canonicalJson([messageId, slot, name, args]))
}

/** The hash that a grant for the exact same call is bound to. */
export const argumentsHash = (name: string, args: JsonObject): Promise<string> => sha256Hex(canonicalJson([name, args]))

/**
 * The id of the one message that sends a reply's results. Derived from the reply's id, so that two tabs, a retry and a
 * replay make the same request. A version 8 (custom) UUID.
 */
export async function resultsMessageId(messageId: string): Promise<string> {
  const hex = await sha256Hex(canonicalJson(['tool-results', messageId]))
  const variant = '89ab'.charAt(Number.parseInt(hex.charAt(16), 16) % 4)
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
