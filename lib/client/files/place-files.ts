import { joinPath, nameOf } from '@/lib/vfs/path'
import type { FileChange, Vfs } from '@/lib/vfs/vfs'
import type { VfsResult } from '@/lib/vfs/vfs-result'

/** A file from outside: an upload, a drop, a paste, an attachment, a zip's member. */
export interface IncomingFile {
  /** Relative to the folder it goes to, as `a/b.txt`. */
  readonly path: string
  readonly data: Uint8Array
}

/** `report.csv` → `report 2.csv`, `report 3.csv`, … until the name is free. */
export function freeName(name: string, isTaken: (name: string) => boolean): string {
  if (!isTaken(name)) return name
  const dot = name.lastIndexOf('.')
  const [stem, ending] = dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, '']
  for (let number = 2; ; number++) {
    const next = `${stem} ${number}${ending}`
    if (!isTaken(next)) return next
  }
}

export interface PlaceFilesOptions {
  /** Replaces existing files of the same name; else a file gets a free name. */
  readonly replace?: boolean
  /** These folders are created too, as `a/b`, even if they are empty. */
  readonly folders?: readonly string[]
}

/** Puts files into a folder, all or none. Returns the absolute path of each file, in order. */
export async function placeFiles(
  vfs: Vfs,
  folder: string,
  files: readonly IncomingFile[],
  options: PlaceFilesOptions = {},
): Promise<VfsResult<readonly string[]>> {
  const placed = await placeAllFiles(vfs, folder, files, options)
  return placed.ok ? { ok: true, value: placed.value.files } : placed
}

/** As `placeFiles`; also returns the absolute path of each folder. */
export async function placeAllFiles(
  vfs: Vfs,
  folder: string,
  files: readonly IncomingFile[],
  { replace = false, folders = [] }: PlaceFilesOptions = {},
): Promise<VfsResult<{ readonly files: readonly string[]; readonly folders: readonly string[] }>> {
  const listed = await vfs.list(folder)
  if (!listed.ok && listed.error.code !== 'ENOENT') return listed
  const taken = new Set(listed.ok ? listed.value.map(({ name }) => name) : [])
  // Files of one dropped folder stay together under the name that it gets.
  const tops = new Map<string, string>()
  const topFor = (top: string, isFolder: boolean): string => {
    const known = isFolder ? tops.get(top) : undefined
    if (known !== undefined) return known
    const name = replace ? top : freeName(top, (one) => taken.has(one))
    if (isFolder) tops.set(top, name)
    taken.add(name)
    return name
  }
  const placed = files.map(({ path, data }): FileChange & { kind: 'write' } => {
    const [top = '', ...rest] = path.split('/').filter((name) => name !== '')
    const name = topFor(top || nameOf(path), rest.length > 0)
    return { kind: 'write', path: joinPath(folder, [name, ...rest].join('/')), data }
  })
  const made = folders.map((path): FileChange & { kind: 'makeDirectory' } => {
    const [top = '', ...rest] = path.split('/').filter((name) => name !== '')
    return { kind: 'makeDirectory', path: joinPath(folder, [topFor(top, true), ...rest].join('/')) }
  })
  const done = await vfs.apply([...placed, ...made])
  if (!done.ok) return done
  return { ok: true, value: { files: placed.map(({ path }) => path), folders: made.map(({ path }) => path) } }
}
