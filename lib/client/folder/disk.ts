import { sha256HexOfBytes } from '@/lib/base/sha256-hex'
/*
 * A folder on the user's disk, through the File System Access API. The API leaves three problems to its caller:
 * - A name is opened only if the listing of its folder contains it. A name that opens but is not listed is a symbolic
 *   link, or differs in case on a disk that ignores case. Both would redirect a write.
 * - A `File` can't be read after the file changed, so it is read at once and retried once.
 * - Names on disk may be in any Unicode form; the workspace uses NFC.
 */

export interface DiskFile {
  readonly size: number
  readonly lastModified: number
  arrayBuffer(): Promise<ArrayBuffer>
  slice(start: number, end: number): Pick<Blob, 'arrayBuffer'>
}

export interface DiskWritable {
  write(data: Uint8Array<ArrayBuffer>): Promise<void>
  /** Until this point the file has its old bytes. */
  close(): Promise<void>
  abort(): Promise<void>
}

export interface DiskFileHandle {
  readonly kind: 'file'
  readonly name: string
  getFile(): Promise<DiskFile>
  createWritable(options?: { readonly mode?: 'exclusive' }): Promise<DiskWritable>
}

export interface DiskFolderHandle {
  readonly kind: 'directory'
  readonly name: string
  entries(): AsyncIterable<readonly [string, DiskFileHandle | DiskFolderHandle]>
  getFileHandle(name: string, options?: { readonly create?: boolean }): Promise<DiskFileHandle>
  getDirectoryHandle(name: string, options?: { readonly create?: boolean }): Promise<DiskFolderHandle>
  removeEntry(name: string): Promise<void>
}

type DiskEntry = DiskFileHandle | DiskFolderHandle

export interface DiskContent {
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly size: number
  /** Epoch milliseconds. */
  readonly modifiedAt: number
  /** SHA-256, hexadecimal. */
  readonly hash: string
}

/** `other`: a link, a name that differs in case, or a folder in place of a file, or the reverse. */
type Located<T> =
  | { readonly kind: 'there'; readonly handle: T; readonly parent: DiskFolderHandle }
  | { readonly kind: 'absent' }
  | { readonly kind: 'other' }

/** Compared by name, because the error may come from another realm. */
export const isNamed = (error: unknown, ...names: readonly string[]): boolean =>
  typeof error === 'object' && error !== null && 'name' in error && names.includes(String(error.name))

/** Reads a whole file. If the file changes meanwhile, the browser rejects the first `File`. */
export async function readDisk(handle: DiskFileHandle): Promise<DiskContent> {
  for (let attempt = 0; ; attempt++) {
    const file = await handle.getFile()
    try {
      const bytes = new Uint8Array(await file.arrayBuffer())
      return { bytes, size: bytes.byteLength, modifiedAt: file.lastModified, hash: await sha256HexOfBytes(bytes) }
    } catch (error) {
      if (attempt > 0 || !isNamed(error, 'NotReadableError')) throw error
    }
  }
}

const nfc = (name: string) => name.normalize('NFC')
const partsOf = (path: string): readonly string[] => path.split('/').filter((part) => part !== '')

/** Whether this name can be opened, listed or not. */
async function opensByName(folder: DiskFolderHandle, name: string): Promise<boolean> {
  try {
    await folder.getFileHandle(name)
    return true
  } catch (error) {
    if (isNamed(error, 'NotFoundError')) return false
    // A folder, or a name that this system rejects.
    if (isNamed(error, 'TypeMismatchError', 'TypeError')) return true
    throw error
  }
}

/**
 * A folder with relative paths such as `a/b.txt`. Each folder is listed once, and again if the disk contradicts the
 * listing.
 */
export function createDisk(root: DiskFolderHandle) {
  const listings = new Map<DiskFolderHandle, ReadonlyMap<string, DiskEntry>>()

  async function list(folder: DiskFolderHandle, fresh = false): Promise<ReadonlyMap<string, DiskEntry>> {
    const known = listings.get(folder)
    if (known && !fresh) return known
    const found = new Map<string, DiskEntry>()
    for await (const [name, handle] of folder.entries()) if (!found.has(nfc(name))) found.set(nfc(name), handle)
    listings.set(folder, found)
    return found
  }

  async function step(folder: DiskFolderHandle, name: string): Promise<DiskEntry | 'absent' | 'other'> {
    const listed = (await list(folder)).get(nfc(name))
    if (listed) return listed
    if (!(await opensByName(folder, name))) return 'absent'
    return (await list(folder, true)).get(nfc(name)) ?? 'other'
  }

  /** The folder that contains `path`. */
  async function parentAt(path: string, create: boolean): Promise<DiskFolderHandle | 'absent' | 'other'> {
    let folder = root
    for (const part of partsOf(path).slice(0, -1)) {
      const next = await step(folder, part)
      if (next === 'other') return next
      if (next === 'absent') {
        if (!create) return next
        const made = await folder.getDirectoryHandle(part, { create: true })
        // Uses the handle of the listing, so that the folders below are listed once.
        const listed = (await list(folder, true)).get(nfc(part)) ?? made
        if (listed.kind !== 'directory') return 'other'
        folder = listed
      } else if (next.kind === 'file') return create ? 'other' : 'absent'
      else folder = next
    }
    return folder
  }

  async function locate(path: string): Promise<Located<DiskFileHandle>> {
    const parent = await parentAt(path, false)
    if (parent === 'absent' || parent === 'other') return { kind: parent }
    const found = await step(parent, partsOf(path).at(-1) ?? '')
    if (found === 'absent' || found === 'other') return { kind: found }
    return found.kind === 'file' ? { kind: 'there', handle: found, parent } : { kind: 'other' }
  }

  return {
    root,
    locate,
    /** Null: there is no such file; `other`: not a file of this folder. */
    async read(path: string): Promise<DiskContent | null | 'other'> {
      const found = await locate(path)
      if (found.kind === 'absent') return null
      if (found.kind === 'other') return 'other'
      try {
        return await readDisk(found.handle)
      } catch (error) {
        // The file was listed a moment ago and is gone now.
        if (isNamed(error, 'NotFoundError')) return null
        throw error
      }
    },
    /**
     * Makes an empty file, and its parent folders, if nothing has that name. The browser can't create a file together
     * with its bytes.
     */
    async make(path: string): Promise<Located<DiskFileHandle>> {
      const parent = await parentAt(path, true)
      if (parent === 'absent' || parent === 'other') return { kind: 'other' }
      const name = partsOf(path).at(-1) ?? ''
      const found = await step(parent, name)
      if (found === 'other' || (found !== 'absent' && found.kind === 'directory')) return { kind: 'other' }
      const handle = await parent.getFileHandle(name, { create: true })
      listings.delete(parent)
      return { kind: 'there', handle, parent }
    },
    /** Removes one file. */
    async remove(parent: DiskFolderHandle, name: string): Promise<void> {
      await parent.removeEntry(name)
      listings.delete(parent)
    },
    /** Removes the parent folders of a deleted file, innermost first, while they are empty and `mayGo` agrees. */
    async prune(path: string, mayGo: (folder: string) => boolean): Promise<void> {
      for (let parts = partsOf(path).slice(0, -1); parts.length > 0; parts = parts.slice(0, -1)) {
        const folder = parts.join('/')
        const parent = mayGo(folder) ? await parentAt(folder, false) : 'other'
        if (parent === 'absent' || parent === 'other') return
        try {
          await parent.removeEntry(parts.at(-1) ?? '')
        } catch (error) {
          if (isNamed(error, 'InvalidModificationError', 'NotFoundError')) return
          throw error
        }
        listings.delete(parent)
      }
    },
  }
}

export type Disk = ReturnType<typeof createDisk>
