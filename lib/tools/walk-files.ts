import { joinPath } from '@/lib/vfs/path'
import type { Vfs, VfsEntry, VfsResult } from '@/lib/vfs/vfs'

export interface FoundFile {
  readonly path: string
  readonly size: number
}

/** What a file, or a folder with all in it, amounts to; the folder itself is not counted. */
export interface TreeSize {
  readonly kind: VfsEntry['kind']
  readonly files: number
  readonly folders: number
  readonly bytes: number
}

/**
 * Every entry below a folder with its path, folders before what is in them, each folder in the order of `list`. Ends
 * early when `signal` aborts. A folder that goes away meanwhile counts as empty.
 */
export async function* walkEntries(
  vfs: Vfs,
  folder: string,
  signal?: AbortSignal,
): AsyncGenerator<{ readonly path: string; readonly entry: VfsEntry }> {
  const folders = [folder]
  for (let at = folders.shift(); at !== undefined; at = folders.shift()) {
    if (signal?.aborted === true) return
    const listed = await vfs.list(at)
    if (!listed.ok) continue
    for (const entry of listed.value) {
      const path = joinPath(at, entry.name)
      if (entry.kind === 'directory') folders.push(path)
      yield { path, entry }
    }
  }
}

/** Counts what stands at a normalised path. */
export async function measureTree(vfs: Vfs, path: string, signal?: AbortSignal): Promise<VfsResult<TreeSize>> {
  const stat = await vfs.stat(path)
  if (!stat.ok) return stat
  const { kind, size } = stat.value
  if (kind === 'file') return { ok: true, value: { kind, files: 1, folders: 0, bytes: size } }
  let [files, folders, bytes] = [0, 0, 0]
  for await (const { entry } of walkEntries(vfs, path, signal)) {
    if (entry.kind === 'directory') folders += 1
    else [files, bytes] = [files + 1, bytes + entry.size]
  }
  return { ok: true, value: { kind, files, folders, bytes } }
}
