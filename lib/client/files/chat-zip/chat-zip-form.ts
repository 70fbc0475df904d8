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

/** Whole groups of three bytes, and few enough to be arguments of one call. */
const PIECE = 3 * 8_192

export function bytesToBase64(data: Uint8Array): string {
  let text = ''
  for (let at = 0; at < data.length; at += PIECE) text += btoa(String.fromCharCode(...data.subarray(at, at + PIECE)))
  return text
}

/** Throws on what is no base64. */
export const base64ToBytes = (text: string): Uint8Array => Uint8Array.from(atob(text), (char) => char.charCodeAt(0))
