import { readyToRead } from '@/lib/client/api/api-failure'
import { writeRecord, type WrittenRecord } from '@/lib/client/export/record/write-record'
import type { PackedMember } from '@/lib/client/files/chat-zip/pack-chat'
import type { ConversationExport } from '@/lib/shared/conversation/wire/api-types'
import { createOriginMarker } from '@/lib/shared/origin/mark-calls'
import { toolRegistry } from '@/lib/shared/tools/built-in-registry'
import type { Vfs } from '@/lib/vfs/vfs'

/** The record of a chat of this browser's owner. Rejects if its code did not load. */
export async function recordOf(
  exported: ConversationExport,
  vfs: Vfs,
  members: readonly PackedMember[],
): Promise<WrittenRecord> {
  await readyToRead(exported.messages)
  const marker = createOriginMarker(() => new Promise((resolve) => setTimeout(resolve)))
  return writeRecord(exported, members, { tools: toolRegistry.of(exported.tools ?? []), vfs, marker })
}
