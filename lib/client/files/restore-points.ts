import { isHere, type ChatRow } from '@/lib/shared/conversation/chat-row'
import { hasText } from '@/lib/shared/conversation/has-text'
import { nameOf } from '@/lib/vfs/path'

/** A place in the chat to go back to. */
export interface RestorePoint {
  readonly messageId: string
  /** The message that the chat then ends with; null: before the first one. */
  readonly head: string | null
  /** The beginning of the message, one line; the names of its files when it has no words; '': a reply without any. */
  readonly words: string
  /** A message of the user's own: one goes back to before it, and gets its text back; empty for files without words. */
  readonly draft: string | null
}

const MAX_WORDS = 80

/** Of the messages that are here, in the order of the chat: each message that the user wrote, and each reply that ended a turn but the last one. */
export function restorePoints(path: readonly ChatRow[], plainText: (text: string) => string): readonly RestorePoint[] {
  return path.flatMap((message, at): readonly RestorePoint[] => {
    if (!isHere(message)) return []
    const { id, text, parentId } = message
    if (message.role === 'user') {
      if (!hasText(message)) return []
      const said = text === '' ? (message.attachments ?? []).map((file) => nameOf(file.path)).join(', ') : text
      return [{ messageId: id, head: parentId, words: oneLine(said), draft: text }]
    }
    const next = path[at + 1]
    const endsTurn = next?.role === 'user' && hasText(next)
    const words = oneLine(plainText(text))
    return endsTurn ? [{ messageId: id, head: id, words, draft: null }] : []
  })
}

function oneLine(text: string): string {
  const line = text.trim().replaceAll(/\s+/g, ' ')
  const characters = Array.from(line.slice(0, MAX_WORDS * 4))
  return characters.length > MAX_WORDS ? `${characters.slice(0, MAX_WORDS).join('').trimEnd()}…` : characters.join('')
}
