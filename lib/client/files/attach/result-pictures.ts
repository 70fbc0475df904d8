import { isJsonObject, type JsonValue } from '@/lib/base/json'
import type { CallOutcome } from '@/lib/shared/conversation/conversation'
import type { AttachmentToSend } from '@/lib/shared/conversation/wire/api-types'
import { resultsFolder } from '@/lib/shared/tools/offload-result'

/** The pictures that came with a result and are kept as files of the chat, as a message carries them. */
export function resultPictures({
  displays,
  result,
}: Pick<CallOutcome, 'displays' | 'result'>): readonly AttachmentToSend[] {
  // Without a picture on the card, what is called `files` was written by foreign code.
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
