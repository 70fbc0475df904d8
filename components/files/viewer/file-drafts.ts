import { isInside } from '@/lib/vfs/path'
import type { Vfs } from '@/lib/vfs/vfs'
import type { StoredText } from '@/lib/client/files/edit/edit-session'

export interface FileDraft {
  readonly base: StoredText
  readonly text: string
}

/** What was typed and not saved, kept while the page lives: another file or a closed panel loses nothing. */
const drafts = new WeakMap<Vfs, Map<string, FileDraft>>()

export const fileDraftOf = (vfs: Vfs, path: string): FileDraft | null => drafts.get(vfs)?.get(path) ?? null

/** The files at or under these paths that hold something not saved. */
export const draftsUnder = (vfs: Vfs, paths: readonly string[]): readonly string[] =>
  [...(drafts.get(vfs)?.keys() ?? [])].filter((path) => paths.some((folder) => isInside(path, folder)))

/** What was typed goes along with a file or folder that was moved. */
export function moveDrafts(vfs: Vfs, from: string, to: string): void {
  for (const path of draftsUnder(vfs, [from])) {
    storeDraft(vfs, to + path.slice(from.length), fileDraftOf(vfs, path))
    storeDraft(vfs, path, null)
  }
}

export function storeDraft(vfs: Vfs, path: string, draft: FileDraft | null): void {
  const kept = drafts.get(vfs) ?? new Map<string, FileDraft>()
  drafts.set(vfs, kept)
  if (draft) kept.set(path, draft)
  else kept.delete(path)
}
