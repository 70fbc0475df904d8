import { joinPath, nameOf, normalizePath } from '@/lib/vfs/path'
import type { ReadableVfs } from '@/lib/vfs/vfs'
import { editDistance } from './edit-distance'

/** How many folders are looked into before the best find so far is taken. */
const maxFolders = 200

export type WantedKind = 'file' | 'folder' | 'file or folder'

/**
 * The path in `vfs` whose name is most like the wanted one: the same name elsewhere, other case, another ending, a slip
 * of the pen. Null when nothing is near enough to be meant.
 */
export async function nearestPath(vfs: ReadableVfs, wanted: string, kind: WantedKind): Promise<string | null> {
  const normal = normalizePath(wanted)
  if (!normal.ok || normal.value === '/') return null
  const name = nameOf(normal.value).toLowerCase()
  const stem = (text: string) => text.replace(/\.[^.]*$/, '')
  let best: { path: string; cost: number } | null = null
  const folders = ['/']
  for (let seen = 0; seen < maxFolders; seen++) {
    const folder = folders.shift()
    if (folder === undefined) break
    const listed = await vfs.list(folder)
    if (!listed.ok) continue
    for (const entry of listed.value) {
      const path = joinPath(folder, entry.name)
      if (entry.kind === 'directory') folders.push(path)
      if (kind !== 'file or folder' && (entry.kind === 'directory') !== (kind === 'folder')) continue
      const other = entry.name.toLowerCase()
      const limit = Math.max(1, Math.floor(name.length / 3))
      const distance = stem(other) === stem(name) ? 0.5 : editDistance(name, other, limit)
      if (other !== name && distance > limit) continue
      const cost = (other === name ? 0 : distance) * 1000 + editDistance(normal.value, path, 500)
      if (best === null || cost < best.cost) best = { path, cost }
    }
  }
  return best?.path ?? null
}
