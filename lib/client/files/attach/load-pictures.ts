import { isJsonObject, type JsonValue } from '@/lib/base/json'
import type { CallOutcome } from '@/lib/shared/conversation/call-record'
import { resultsFolder } from '@/lib/shared/tools/offload-result'
import { t } from '@/lib/i18n/t'
import type { Result } from '@/lib/base/result'
import type { AttachmentToSend } from '@/lib/shared/conversation/wire/api-types'
import { attachmentLimits } from '@/lib/shared/conversation/attached'
import type { Attachment } from '@/lib/shared/conversation/conversation'
import { nameOf } from '@/lib/vfs/path'
import type { Vfs } from '@/lib/vfs/vfs'

/** The images of a result that are stored as files of the chat, as attachments of a message. */
export function resultPictures({
  displays,
  result,
}: Pick<CallOutcome, 'displays' | 'result'>): readonly AttachmentToSend[] {
  // If the card has no image, foreign code wrote what is called `files`.
  if (!isJsonObject(result) || !displays.some(({ kind }) => kind === 'image')) return []
  const { files } = result
  return (Array.isArray(files) ? (files as readonly JsonValue[]) : []).flatMap((file) => {
    if (!isJsonObject(file)) return []
    const { path, type, bytes } = file
    if (typeof path !== 'string' || !path.startsWith(`${resultsFolder}/`)) return []
    if (typeof type !== 'string' || !type.startsWith('image/') || typeof bytes !== 'number') return []
    return [{ path, mediaType: type, size: bytes, head: null, isImage: true }]
  })
}

/** An image as models accept it; null if the browser can't open it. */
export type ScalePicture = (data: Uint8Array) => Promise<AttachmentToSend['image'] | null>

/**
 * The attachments of a message with their images, made from the current files. Returns a sentence if a file is gone. An
 * image that can't be opened, or is too large for one message, is only named.
 */
export async function loadPictures(
  vfs: Vfs,
  attachments: readonly Attachment[],
  scale: ScalePicture,
): Promise<Result<readonly AttachmentToSend[], string>> {
  let left: number = attachmentLimits.maxImagesChars
  const ready: AttachmentToSend[] = []
  for (const attachment of attachments) {
    const found = await vfs.read(attachment.path)
    if (!found.ok) {
      const name = nameOf(attachment.path)
      const isGone = found.error.code === 'ENOENT'
      const reason = isGone ? 'attach.gone' : 'attach.unreadable-now'
      return { ok: false, error: t(reason, { name }) }
    }
    // The file may have been edited since it was attached.
    const now = { ...attachment, size: found.value.byteLength }
    const image = attachment.isImage ? await scale(found.value).catch(() => null) : null
    const fits = image && image.data.length <= Math.min(left, attachmentLimits.maxImageChars)
    if (fits) left -= image.data.length
    ready.push(fits ? { ...now, image } : { ...now, isImage: false })
  }
  return { ok: true, value: ready }
}
