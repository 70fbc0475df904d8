import { isHere, type AbsentMessage, type ChatRow } from './chat-row'
import type { UserMessage } from './conversation'

/** The user said something in it, in words or with files; else it only takes results back. */
export const hasText = (message: Pick<UserMessage, 'text' | 'attachments'> | AbsentMessage): boolean =>
  'absent' in message ? message.said : message.text !== '' || (message.attachments ?? []).length > 0

/** Where the user's last word stands in a path; -1 where there is none. */
export const lastTextAt = (path: readonly ChatRow[]): number =>
  path.findLastIndex((row) => row.role === 'user' && hasText(row))

/** All since the user's last word is here, from which on rounds and repeated calls are counted. */
export const isTurnLoaded = (path: readonly ChatRow[]): boolean =>
  path.slice(Math.max(0, lastTextAt(path))).every(isHere)

/** The last message of the path that the user said something in. */
export const lastText = (path: readonly ChatRow[]): ChatRow | undefined => path[lastTextAt(path)]

/** The user has written nothing since this message. */
export const isOfLastTurn = (path: readonly ChatRow[], messageId: string): boolean =>
  path.slice(lastTextAt(path) + 1).some(({ id }) => id === messageId)
