import type { DecodeSettings } from './rows'

/** Most chats have the settings that a server begins them with. */
const MAX_KNOWN = 200
const MAX_CHARS = 4_000

/**
 * The same, but texts that were read before are not checked again: a reply reads the settings of its chat several times. What could
 * not be read is not kept, as what stands in for it may change.
 */
export function decodeOnce(decode: DecodeSettings): DecodeSettings {
  const known = new Map<string, ReturnType<DecodeSettings>>()
  return (text) => {
    const found = known.get(text)
    if (found) return found
    const decoded = decode(text)
    if (decoded.problem !== null || text.length > MAX_CHARS) return decoded
    const [oldest] = known.keys()
    if (known.size >= MAX_KNOWN && oldest !== undefined) known.delete(oldest)
    known.set(text, decoded)
    return decoded
  }
}
