import type { FileChanges } from '@/lib/shared/conversation/call-record'
import type { ChangedPath } from '@/lib/vfs/path'
import type { Vfs } from '@/lib/vfs/vfs'
import type { PathChange } from '@/lib/vfs/vfs-history'

const maxNamed = 200

/**
 * The file changes of one attempt of a call that were not undone, as far as this browser's history knows; null: none.
 * They are recorded together with the changes themselves, so they exist even if the page died before the call's outcome
 * was stored.
 */
export async function recordedChanges(
  { history }: Pick<Vfs, 'history'>,
  call: { readonly messageId: string; readonly slot: number; readonly attempt: number },
): Promise<FileChanges | null> {
  const listed = await history.list()
  if (!listed.ok) throw new Error(listed.error.message)
  const changes = new Map<string, PathChange>()
  for (const { origin, undone, changes: more } of listed.value.toReversed()) {
    if (undone || origin.kind !== 'call' || origin.messageId !== call.messageId) continue
    if (origin.slot !== call.slot || origin.attempt !== call.attempt) continue
    for (const one of more) {
      changes.set(one.path, { ...one, before: (changes.get(one.path) ?? one).before })
    }
  }
  const named = [...changes.values()].map(changedPath).toSorted((a, b) => (a.path < b.path ? -1 : 1))
  return named.length === 0 ? null : { kept: true, changes: named.slice(0, maxNamed), total: named.length }
}

function changedPath({ path, before, after }: PathChange): ChangedPath {
  const change = before === null ? 'created' : after === null ? 'deleted' : 'changed'
  const kind = (after ?? before)?.kind ?? 'file'
  return { path, change, kind, size: after?.kind === 'file' ? after.size : 0 }
}
