import type { Message, UserMessage } from './conversation'

/** The user said something in it, in words or with files; else it only takes results back. */
export const hasWords = ({ text, attachments = [] }: Pick<UserMessage, 'text' | 'attachments'>): boolean =>
  text !== '' || attachments.length > 0

/** The last message of the path that the user said something in. */
export const lastSaid = (path: readonly Message[]): UserMessage | undefined =>
  path.findLast((row): row is UserMessage => row.role === 'user' && hasWords(row))
