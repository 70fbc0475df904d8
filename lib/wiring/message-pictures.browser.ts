import type { AttachmentToSend } from '@/lib/conversation/api-types'
import { ApiFailure } from '@/lib/client/api'
import { loadPictures } from '@/lib/workspace/attach/load-pictures'
import { scalePicture } from '@/lib/workspace/attach/scale-picture.browser'
import { toolRuntimes } from './tool-runtimes.browser'

/** The pictures of a message that a reload left without them. Rejects with a sentence when a file is gone. */
export async function loadMessagePictures(
  conversationId: string,
  files: readonly AttachmentToSend[],
): Promise<readonly AttachmentToSend[]> {
  const { vfs } = await toolRuntimes.get(conversationId)
  const loaded = await loadPictures(vfs, files, scalePicture)
  if (loaded.ok) return loaded.value
  throw new ApiFailure('bad-request', 0, loaded.error)
}
