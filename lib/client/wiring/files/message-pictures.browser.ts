import type { AttachmentToSend } from '@/lib/shared/conversation/wire/api-types'
import type { Result } from '@/lib/base/result'
import { loadPictures } from '@/lib/client/files/attach/load-pictures'
import { scalePicture } from '@/lib/client/files/attach/scale-picture.browser'
import { toolRuntimes } from '@/lib/client/wiring/tool-runtimes.browser'

/** Loads the images of a message that a reload dropped. Returns a sentence if a file is gone. */
export async function loadMessagePictures(
  conversationId: string,
  files: readonly AttachmentToSend[],
): Promise<Result<readonly AttachmentToSend[], string>> {
  const { vfs } = await toolRuntimes.get(conversationId)
  return loadPictures(vfs, files, scalePicture)
}
