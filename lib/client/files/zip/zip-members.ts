import { isInside, nameOf, parentOf } from '@/lib/vfs/path'
import type { Vfs } from '@/lib/vfs/vfs'
import type { VfsResult } from '@/lib/vfs/vfs-result'
import { freeName } from '../place-files'
import type { ZipMember } from './create-zip'

/**
 * The members of a zip of these files and folders. Each goes in under its own name, folders with all their contents;
 * the root's contents are at the top. A path in a folder that is selected too goes in once. Of the root’s contents,
 * paths at or under `except` are left out.
 */
export async function zipMembers(
  vfs: Vfs,
  paths: readonly string[],
  except: string | null = null,
): Promise<VfsResult<readonly ZipMember[]>> {
  const members: ZipMember[] = []
  const taken = new Set<string>()
  const chosen = new Set(paths)
  for (const path of chosen) {
    if (liesIn(path, chosen)) continue
    const found = await vfs.stat(path)
    if (!found.ok) return found
    const top = path === '/' ? '' : freeName(nameOf(path), (name) => taken.has(name))
    taken.add(top)
    if (found.value.kind === 'file') {
      members.push(fileMember(vfs, top, path, found.value.modifiedAt))
      continue
    }
    const tree = await vfs.tree(path)
    if (!tree.ok) return tree
    if (top !== '' && tree.value.length === 0) members.push(folderMember(top, found.value.modifiedAt))
    const below = path === '/' ? 1 : path.length + 1
    const withContents = new Set(tree.value.map((entry) => entry.path.slice(0, entry.path.lastIndexOf('/'))))
    for (const entry of tree.value) {
      if (path === '/' && except !== null && isInside(entry.path, except)) continue
      const inner = entry.path.slice(below)
      const name = top === '' ? inner : `${top}/${inner}`
      if (entry.kind === 'file') members.push(fileMember(vfs, name, entry.path, entry.modifiedAt))
      else if (!withContents.has(entry.path)) members.push(folderMember(name, entry.modifiedAt))
    }
  }
  return { ok: true, value: members }
}

/** True if a folder above the path is selected. */
function liesIn(path: string, chosen: ReadonlySet<string>): boolean {
  for (let at = path; at !== '/';) {
    at = parentOf(at)
    if (chosen.has(at)) return true
  }
  return false
}

const folderMember = (name: string, modifiedAt: number): ZipMember => ({
  path: `${name}/`,
  read: () => Promise.resolve(new Uint8Array()),
  modifiedAt,
})

const fileMember = (vfs: Vfs, name: string, path: string, modifiedAt: number): ZipMember => ({
  path: name,
  modifiedAt,
  async read() {
    const data = await vfs.read(path)
    if (!data.ok) throw new Error(data.error.message)
    return data.value
  },
})
