import type { AttachmentToSend } from '@/lib/conversation/api-types'
import type { Result } from '@/lib/base/result'
import { loadPictures } from '@/lib/workspace/attach/load-pictures'
import { scalePicture } from '@/lib/workspace/attach/scale-picture.browser'
import { toolRuntimes } from './tool-runtimes.browser'

/** The pictures of a message that a reload left without them. A sentence when a file is gone. */
export async function loadMessagePictures(
  conversationId: string,
  files: readonly AttachmentToSend[],
): Promise<Result<readonly AttachmentToSend[], string>> {
  const { vfs } = await toolRuntimes.get(conversationId)
  return loadPictures(vfs, files, scalePicture)
}
