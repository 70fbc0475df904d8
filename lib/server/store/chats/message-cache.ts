import type { Message } from '@/lib/shared/conversation/conversation'

/*
 * What rows of messages say, decoded, as long as there is room. A row is written twice at most, when it begins and when its
 * reply has ended, and each writing bears a stamp of its own: what is kept under a stamp is what stands under it, whoever
 * wrote it, and a row that is written anew, in a chat of the same name too, is another one. What was not asked for longest goes
 * first.
 */

/** Which writing of which row. */
export interface MessageKey {
  readonly owner: string
  readonly conversationId: string
  readonly id: string
  readonly stamp: string
}

export interface MessageCache {
  get(key: MessageKey): Message | undefined
  /** `chars`: how long the row is. */
  keep(key: MessageKey, message: Message, chars: number): void
  /** About, rather too many. */
  readonly bytes: number
}

/** A chat of 5,000 messages of 4 kB, and room beside it. */
const MAX_BYTES = 64_000_000
/** What a message takes beside its words. */
const OVERHEAD = 1_000

export function createMessageCache(maxBytes = MAX_BYTES): MessageCache {
  /** Oldest first. */
  const kept = new Map<string, { readonly message: Message; readonly bytes: number }>()
  let bytes = 0
  const nameOf = ({ owner, conversationId, id, stamp }: MessageKey) =>
    JSON.stringify([owner, conversationId, id, stamp])

  return {
    get bytes() {
      return bytes
    },

    get(key) {
      const name = nameOf(key)
      const found = kept.get(name)
      if (!found) return undefined
      kept.delete(name)
      kept.set(name, found)
      return found.message
    },

    keep(key, message, chars) {
      const name = nameOf(key)
      const size = OVERHEAD + 2 * (name.length + chars)
      // It would drive out all others.
      if (size > maxBytes / 4) return
      const before = kept.get(name)
      kept.delete(name)
      kept.set(name, { message, bytes: size })
      bytes += size - (before?.bytes ?? 0)
      for (const [oldest, one] of kept) {
        if (bytes <= maxBytes) return
        kept.delete(oldest)
        bytes -= one.bytes
      }
    },
  }
}
