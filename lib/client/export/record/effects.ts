import type { JsonObject } from '@/lib/base/json'
import { hashOfBytes } from '@/lib/shared/record/record-chain'
import type { ChangeSet, NodeImage, PathChange, VfsHistory } from '@/lib/vfs/vfs-history'

type Side = 'before' | 'after'

/**
 * The file changes of change sets, with the hash of each content that the history still has. Each content is read once.
 */
export function createEffects(history: Pick<VfsHistory, 'read'>) {
  const hashes = new Map<string, Promise<string | null>>()

  async function read(id: number, path: string, side: Side): Promise<string | null> {
    const found = await history.read(id, path, side)
    return found.ok ? hashOfBytes(found.value) : null
  }

  function hashOf(set: ChangeSet, path: string, side: Side, image: NodeImage): Promise<string | null> {
    if (image?.kind !== 'file') return Promise.resolve(null)
    const known = hashes.get(image.version) ?? read(set.id, path, side)
    hashes.set(image.version, known)
    return known
  }

  async function changeOf(set: ChangeSet, { path, before, after }: PathChange): Promise<JsonObject> {
    return {
      path,
      change: before === null ? 'created' : after === null ? 'deleted' : 'changed',
      kind: (after ?? before)?.kind ?? 'file',
      bytes_before: sizeOf(before),
      bytes_after: sizeOf(after),
      before_hash: await hashOf(set, path, 'before', before),
      after_hash: await hashOf(set, path, 'after', after),
    }
  }

  return {
    /** In sequence, so that one content at a time is in memory. */
    async changesOf(set: ChangeSet): Promise<readonly JsonObject[]> {
      const changes: JsonObject[] = []
      for (const change of set.changes) changes.push(await changeOf(set, change))
      return changes
    },
  }
}

export type Effects = ReturnType<typeof createEffects>

const sizeOf = (image: NodeImage): number | null => (image?.kind === 'file' ? image.size : null)
