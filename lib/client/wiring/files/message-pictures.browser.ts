import type { AttachmentToSend } from '@/lib/shared/conversation/wire/api-types'
import type { Result } from '@/lib/base/result'
import { loadPictures } from '@/lib/client/files/attach/load-pictures'
import { scalePicture } from '@/lib/client/files/attach/scale-picture.browser'
import { toolRuntimes } from '@/lib/client/wiring/tool-runtimes.browser'

/** The pictures of a message that a reload left without them. A sentence when a file is gone. */
export async function loadMessagePictures(
  conversationId: string,
  files: readonly AttachmentToSend[],
): Promise<Result<readonly AttachmentToSend[], string>> {
  const { vfs } = await toolRuntimes.get(conversationId)
  return loadPictures(vfs, files, scalePicture)
}
