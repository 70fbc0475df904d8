import type { AttachmentToSend } from './wire/api-types'
import type { Attachment, Message, MessageImage } from './conversation'

/** What may come with one message; the browser says the same before it sends. */
export const attachmentLimits = {
  maxFiles: 20,
  maxHeadChars: 2_000,
  /** Of a document: its outline and its first page. */
  maxDocumentHeadChars: 6_000,
  /** Base64 of one picture, and of all of a message. */
  maxImageChars: 5_000_000,
  maxImagesChars: 20_000_000,
} as const

/** No vendor looks closer than this: larger pictures are scaled down at the other end, and cost more. */
const maxImageSide = 1_568

/** Pixels, as a model is sent a picture of this size. */
export function sentSize({ width, height }: Size): Size {
  const scale = Math.min(1, maxImageSide / Math.max(width, height, 1))
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) }
}

interface Size {
  readonly width: number
  readonly height: number
}

/** Pixels of a picture per token, by Anthropic; other vendors count by tiles and come near it. */
const PIXELS_OF_A_TOKEN = 750

/** About how many tokens a picture takes. Vendors count differently: an estimate for people, not for limits. */
export function pictureTokens(size: Size): number {
  const { width, height } = sentSize(size)
  return Math.ceil((width * height) / PIXELS_OF_A_TOKEN)
}

/** The latest pictures of a branch that a model is shown; older ones are named only. */
const MAX_IMAGES_SENT = 8
/** So many leave at once: each leaving changes what a server has kept of the prompt. */
const IMAGES_LEAVING = 4

/** Attachments as they stand in a message: without pictures, which are rows of their own. */
export const attachedFiles = (sent: readonly AttachmentToSend[] = []): readonly Attachment[] =>
  sent.map(({ image, path, mediaType, size, head, written, document }) => ({
    path,
    mediaType,
    size,
    head,
    ...(written && { written }),
    ...(document && { document }),
    isImage: image !== undefined,
  }))

export const attachedImages = (messageId: string, sent: readonly AttachmentToSend[] = []): readonly MessageImage[] =>
  sent.flatMap(({ image }, number) => (image ? [{ messageId, number, ...image }] : []))

/** Which pictures of a branch go to a model that can see, oldest first. */
export function imagesToSend(path: readonly Message[]): readonly Pick<MessageImage, 'messageId' | 'number'>[] {
  const all = path.flatMap((message) =>
    message.role === 'user'
      ? (message.attachments ?? []).flatMap(({ isImage }, number) =>
          isImage ? [{ messageId: message.id, number }] : [],
        )
      : [],
  )
  const tooMany = Math.max(0, all.length - MAX_IMAGES_SENT)
  return all.slice(Math.ceil(tooMany / IMAGES_LEAVING) * IMAGES_LEAVING)
}

/** Bytes of the file that the beginning of its text stands for. */
export const bytesOfHead = ({ head, written }: Pick<Attachment, 'head' | 'written'>): number =>
  written?.bytes ?? new TextEncoder().encode(head ?? '').byteLength
