import { formatBytes } from '@/lib/base/format-bytes'
import { vfsLimits } from '@/lib/vfs/limits'
import { nameOf, parentOf } from '@/lib/vfs/path'
import type { Vfs } from '@/lib/vfs/vfs'
import { placeFiles } from '@/lib/workspace/place-files'
import { outermost, type FileTree } from '@/lib/workspace/tree/tree-rows'
import { createZip, type ZipMember } from '@/lib/workspace/zip/create-zip'
import { readZip } from '@/lib/workspace/zip/read-zip'
import { renamedOf } from '@/lib/workspace/upload/replace-instead'
import type { Uploaded } from '../upload/upload-files'

// Loaded by `import()` when a zip is asked for.

/** These files and folders with all they hold; names count from the folder that holds the first of them. */
function membersOf(vfs: Vfs, tree: FileTree, paths: readonly string[]): readonly ZipMember[] {
  const members: ZipMember[] = []
  const add = (path: string, base: string): void => {
    const entry = tree.byPath.get(path)
    if (entry === undefined) return
    const name = path.slice(base === '/' ? 1 : base.length + 1)
    const inside = tree.children.get(path) ?? []
    if (entry.kind === 'directory') {
      if (inside.length === 0) members.push({ path: `${name}/`, read: nothing, modifiedAt: entry.modifiedAt })
      for (const child of inside) add(child.path, base)
      return
    }
    const read = async () => {
      const data = await vfs.read(path)
      if (!data.ok) throw new Error(data.error.message)
      return data.value
    }
    members.push({ path: name, read, modifiedAt: entry.modifiedAt })
  }
  for (const path of paths) add(path, parentOf(path))
  return members
}

const nothing = () => Promise.resolve(new Uint8Array())

/** A zip of these, one file held at a time. Rejects with a sentence when a file can't be read. */
export function zipOf(vfs: Vfs, tree: FileTree, paths: readonly string[]): Promise<Blob> {
  const chosen = outermost(paths)
  // What lies in different folders keeps its whole path, so that no two names meet.
  const folders = new Set(chosen.map(parentOf))
  const members =
    folders.size <= 1
      ? membersOf(vfs, tree, chosen)
      : chosen.flatMap((path) =>
          membersOf(vfs, tree, [path]).map((member) => ({ ...member, path: prefixed(path, member.path) })),
        )
  return createZip(members)
}

const prefixed = (path: string, name: string): string => `${parentOf(path).slice(1)}/${name}`.replace(/^\//, '')

/** Unpacks a zip into a folder: all of it or, with a sentence, none. */
export async function unpackZip(
  vfs: Vfs,
  folder: string,
  zip: Blob,
  onProgress: (words: string) => void,
): Promise<Uploaded & { readonly skipped?: readonly string[] }> {
  const usage = await vfs.usage()
  const limits = {
    maxFiles: vfsLimits.maxFiles - usage.files,
    maxFileBytes: vfsLimits.maxFileBytes,
    maxTotalBytes: usage.limitBytes - usage.usedBytes,
  }
  const read = await readZip(zip, limits, {
    onProgress: ({ files, bytes }) =>
      onProgress(`Unpacking: ${files.toLocaleString('en')} files, ${formatBytes(bytes)} …`),
  })
  if (!read.ok) return { ok: false, message: read.error.message }
  const { files, skipped } = read.value
  if (files.length === 0) return { ok: false, message: 'There is no file in this zip. Nothing was unpacked.' }
  const named = files.map((file) => ({ ...file, path: file.path.normalize('NFC') }))
  const placed = await placeFiles(vfs, folder, named)
  if (!placed.ok) return { ok: false, message: placed.error.message }
  const paths = named.map(({ path }) => path)
  return {
    ok: true,
    paths: placed.value,
    renamed: renamedOf(folder, paths, placed.value),
    skipped: skipped.map(({ name, why }) => `${name}: ${why}`),
  }
}

/** `data.zip` for one folder, `workspace.zip` for more. */
export const zipName = (paths: readonly string[]): string => {
  const [only] = paths
  return paths.length === 1 && only !== undefined ? `${nameOf(only)}.zip` : 'workspace.zip'
}
