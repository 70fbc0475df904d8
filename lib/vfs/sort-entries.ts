import type { VfsEntry } from './vfs'

/** Folders first, then by name in code unit order: the same on every machine. */
export function sortEntries<Entry extends VfsEntry>(entries: readonly Entry[]): readonly Entry[] {
  return entries.toSorted((a, b) => {
    if (a.kind !== b.kind) return a.kind === 'directory' ? -1 : 1
    return a.name < b.name ? -1 : a.name > b.name ? 1 : 0
  })
}
