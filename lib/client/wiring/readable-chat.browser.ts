import { readyToRead } from '@/lib/client/api/api-failure'
import type { ConversationExport } from '@/lib/shared/conversation/wire/api-types'
import type { ReadableChat } from '@/lib/shared/conversation/readable/readable-chat'
import { readableOfExport } from '@/lib/client/export/readable-of-export'
import { toolRegistry } from './tools/page-tools.browser'

/** A chat of this browser's owner as people read it. Rejects if its code did not load. */
export async function readableChatOf(exported: ConversationExport): Promise<ReadableChat> {
  await readyToRead(exported.messages)
  return readableOfExport(exported, toolRegistry.of(exported.tools ?? []))
}
