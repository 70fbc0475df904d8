import { isJsonObject, type JsonValue } from '@/lib/base/json'
import type { CallOutcome } from '@/lib/shared/conversation/call-record'
import type { AttachmentToSend } from '@/lib/shared/conversation/wire/api-types'
import { resultsFolder } from '@/lib/shared/tools/offload-result'

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
