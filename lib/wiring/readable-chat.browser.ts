import { readyToRead } from '@/lib/client/envelope-form'
import type { ConversationExport } from '@/lib/conversation/api-types'
import type { ReadableChat } from '@/lib/conversation/readable-chat'
import { readableOfExport } from '@/lib/export/readable-of-export'
import { toolRegistry } from './tool-registry'

/** A chat of this browser's owner as people read it. Rejects where the code to read it did not come. */
export async function readableChatOf(exported: ConversationExport): Promise<ReadableChat> {
  await readyToRead(exported.messages)
  return readableOfExport(exported, toolRegistry.of(exported.tools ?? []))
}
