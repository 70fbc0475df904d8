import type { AttachmentToSend } from './wire/api-types'
import type { Attachment, Message, MessageImage } from './conversation'

/** The limits of one message's attachments; the browser checks them before it sends. */
export const attachmentLimits = {
  maxFiles: 20,
  maxHeadChars: 2_000,
  /** For a document: its outline and its first page. */
  maxDocumentHeadChars: 6_000,
  /** Base64 of one image, and of all images of a message. */
  maxImageChars: 5_000_000,
  maxImagesChars: 20_000_000,
} as const

/** No vendor uses more than this: larger images are scaled down there, and cost more. */
const maxImageSide = 1_568

/** The size in pixels at which a model gets an image. */
export function sentSize({ width, height }: Size): Size {
  const scale = Math.min(1, maxImageSide / Math.max(width, height, 1))
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) }
}

interface Size {
  readonly width: number
  readonly height: number
}

/** Pixels of an image per token, by Anthropic; other vendors count by tiles with similar results. */
const PIXELS_OF_A_TOKEN = 750

/** The approximate tokens of an image. Vendors count differently: an estimate for people, not for limits. */
export function pictureTokens(size: Size): number {
  const { width, height } = sentSize(size)
  return Math.ceil((width * height) / PIXELS_OF_A_TOKEN)
}

/** A model gets at most this many images, the latest of a branch; older ones are only named. */
const MAX_IMAGES_SENT = 8
/** This many are dropped at once, because each drop invalidates a part of the provider's prompt cache. */
const IMAGES_LEAVING = 4

/** The attachments of a message, without images, which are rows of their own. */
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

/** The images of a branch that are sent to a model with vision, oldest first. */
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

/** Bytes of the file that the beginning of its text covers. */
export const bytesOfHead = ({ head, written }: Pick<Attachment, 'head' | 'written'>): number =>
  written?.bytes ?? new TextEncoder().encode(head ?? '').byteLength
