import type { ConversationExport } from '@/lib/shared/conversation/wire/api-types'
import type { MessageImage } from '@/lib/shared/conversation/conversation'

/*
 * An exported chat as a zip:
 *
 *   README.txt          what is what
 *   conversation.json   the conversation, each picture as the name of its file
 *   log.json            its log, to be read alone
 *   images/ID-0.png     pictures as models were sent them
 *   files/…             the workspace
 */

export const names = {
  readme: 'README.txt',
  conversation: 'conversation.json',
  log: 'log.json',
  images: 'images/',
  files: 'files/',
} as const

export interface PackedImage extends Omit<MessageImage, 'data'> {
  /** In the zip. */
  readonly file: string
}

export interface PackedConversation extends Omit<ConversationExport, 'images'> {
  readonly images?: readonly PackedImage[]
}

export const imageFile = ({ messageId, number, mediaType }: Omit<MessageImage, 'data'>): string =>
  `${names.images}${messageId}-${number}.${mediaType === 'image/jpeg' ? 'jpg' : mediaType.slice('image/'.length)}`
