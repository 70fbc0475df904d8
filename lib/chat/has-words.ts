import type { UserMessage } from './conversation'

/** The user said something in it, in words or with files; else it only takes results back. */
export const hasWords = ({ text, attachments = [] }: Pick<UserMessage, 'text' | 'attachments'>): boolean =>
  text !== '' || attachments.length > 0
