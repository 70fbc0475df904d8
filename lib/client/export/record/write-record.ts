import type { PackedMember } from '@/lib/client/files/chat-zip/pack-chat'
import type { ConversationExport } from '@/lib/shared/conversation/wire/api-types'
import type { OriginMarker } from '@/lib/shared/origin/mark-calls'
import { createRecordChain, lastType } from '@/lib/shared/record/record-chain'
import type { ToolSet } from '@/lib/shared/tools/tool-registry'
import type { Vfs } from '@/lib/vfs/vfs'
import { createEffects } from './effects'
import { recordEntries } from './record-entries'

export interface WrittenRecord {
  readonly bytes: Uint8Array
  /** The hash of the last entry, which represents all of them. */
  readonly head: string
  readonly entries: number
}

export interface RecordPorts {
  readonly tools: ToolSet
  readonly vfs: Pick<Vfs, 'history'>
  readonly marker: OriginMarker
}

/** The record of a chat and of the files beside it in the zip. File changes that can't be read are left out. */
export async function writeRecord(
  exported: ConversationExport,
  members: readonly PackedMember[],
  { tools, vfs, marker }: RecordPorts,
): Promise<WrittenRecord> {
  const listed = await vfs.history.list()
  const changes = listed.ok ? listed.value.toReversed() : []
  const effects = createEffects(vfs.history)
  const chain = createRecordChain(exported.conversation.id)
  const lines: string[] = []
  for (const entry of await recordEntries({ exported, tools, changes, effects, marker })) {
    lines.push(await chain.add(entry))
  }
  const at = exported.exportedAt
  for (const { path, bytes, hash } of members) {
    lines.push(await chain.add({ type: 'file', at, subject: { path, bytes, hash } }))
  }
  const subject = { entries: chain.head().entries + 1, changes_known: listed.ok }
  lines.push(await chain.add({ type: lastType, at, subject }, 'end'))
  const { hash, entries } = chain.head()
  return { bytes: new TextEncoder().encode(lines.join('')), head: hash ?? '', entries }
}
