import type { Vfs, VfsTreeEntry } from '@/lib/vfs/vfs'
import { kindOfFile } from '../kind-of-file'
import { pageAddress, possiblePaths } from './page-address'

/**
 * The limits on the files that a page may include, and on its total length: an image that is used a thousand times is
 * in it a thousand times.
 */
export const pageLimits = { files: 500, bytes: 20_000_000, written: 60_000_000 } as const

/** Each file counts with at least this length. */
const minLength = 1_000

/** Addresses in a page by their outcome; each once, in order. */
export interface PageNeeds {
  /** Files that are not there. */
  readonly missing: readonly string[]
  /** Files that exist, but exceed the limit (`pageLimits`). */
  readonly left: readonly string[]
  /** Addresses on the network, which a page shown here does not have. */
  readonly remote: readonly string[]
  /** Paths of the files that were included because the page names them. */
  readonly used: readonly string[]
}

export interface PageFile {
  readonly path: string
  readonly data: Uint8Array
}

export interface PageFiles {
  /**
   * Reads the file that `address` refers to in the file at `from`; null if it is not available, and then `needs` names
   * it.
   */
  read(address: string, from: string): Promise<PageFile | null>
  /** Reads an existing file that was not named so far; null if there is no space for its size. */
  beside(path: string, size: number): Promise<PageFile | null>
  /** Returns the file as a `data:` URL; null if the page would become too long, and then `needs` names it. */
  address(file: PageFile): string | null
  /** Counts the text of a file once more; returns false if it exceeds the limit. */
  spend(file: PageFile): boolean
  /** Adds something without an address that the page uses, and that is missing: a package. */
  miss(name: string): void
  needs(): PageNeeds
}

/** Reads the files around one page, each once, within `pageLimits`. */
export function createPageFiles(vfs: Pick<Vfs, 'read'>, page: string): PageFiles {
  const known = new Map<string, PageFile | null>()
  const missing = new Set<string>()
  const left = new Set<string>()
  const remote = new Set<string>()
  const used = new Set<string>()
  const room: Record<keyof typeof pageLimits, number> = { ...pageLimits }

  async function take(path: string): Promise<PageFile | null> {
    const before = known.get(path)
    if (before !== undefined) return before
    const found = await vfs.read(path)
    const fits = found.ok && room.files > 0 && found.value.byteLength <= room.bytes
    const file = fits ? { path, data: found.value } : null
    if (file) {
      room.files -= 1
      room.bytes -= file.data.byteLength
    } else if (found.ok) left.add(path)
    known.set(path, file)
    return file
  }

  function spend({ path, data }: PageFile, factor = 1): boolean {
    // Empty ones count too: otherwise sheets that each import the next one twice would have no limit.
    const length = Math.max(minLength, data.byteLength * factor)
    const fits = length <= room.written
    if (fits) room.written -= length
    else left.add(path)
    return fits
  }

  return {
    async read(address, from) {
      const meant = pageAddress(address, from)
      if (meant === null) {
        remote.add(address)
        return null
      }
      for (const path of possiblePaths(address, meant, page)) {
        const file = await take(path)
        if (file !== null) used.add(path)
        if (file !== null || left.has(path)) return file
      }
      missing.add(meant.path)
      return null
    },
    async beside(path, size) {
      const file = known.get(path)
      if (file !== undefined) return file
      return room.files > 0 && size <= room.bytes ? take(path) : null
    },
    miss: (name) => void missing.add(name),
    address: (file) => (spend(file, 4 / 3) ? dataAddress(file) : null),
    spend: (file) => spend(file),
    needs: () => ({ missing: [...missing], left: [...left], remote: [...remote], used: [...used] }),
  }
}

const types: Readonly<Record<string, string>> = {
  css: 'text/css',
  js: 'text/javascript',
  mjs: 'text/javascript',
  woff2: 'font/woff2',
  woff: 'font/woff',
  ttf: 'font/ttf',
  otf: 'font/otf',
  svg: 'image/svg+xml',
}

/** The media type of a file: by its extension if that decides, else by its bytes. */
export function typeOfFile({ path, data }: PageFile): string {
  const ending = path.slice(path.lastIndexOf('.') + 1).toLowerCase()
  return (Object.hasOwn(types, ending) ? types[ending] : undefined) ?? kindOfFile(path, data).mimeType
}

/** The file as a `data:` address. */
export function dataAddress(file: PageFile): string {
  const { data } = file
  let binary = ''
  for (let at = 0; at < data.length; at += 8_192) binary += String.fromCharCode(...data.subarray(at, at + 8_192))
  return `data:${typeOfFile(file)};base64,${btoa(binary)}`
}

export const pageText = ({ data }: PageFile): string => new TextDecoder().decode(data)

/** The files around a page that its scripts may request while it runs. It is sent to its frame unchanged. */
export interface PageBundle {
  /** Contents by path. */
  readonly files: ReadonlyMap<string, Uint8Array>
  /** Files that exist, but exceed the limit. */
  readonly left: readonly string[]
}

export const noBundle: PageBundle = { files: new Map(), left: [] }

/** Bundles as many files as fit, the nearest to the page first. */
export async function bundleOf(
  entries: readonly Pick<VfsTreeEntry, 'kind' | 'path' | 'size'>[],
  page: string,
  files: PageFiles,
): Promise<PageBundle> {
  const found = new Map<string, Uint8Array>()
  const left: string[] = []
  const nearest = entries
    .filter(({ kind }) => kind === 'file')
    .map((entry) => ({ ...entry, away: stepsBetween(entry.path, page) }))
    .toSorted((a, b) => a.away - b.away || (a.path < b.path ? -1 : 1))
  for (const { path, size } of nearest) {
    const file = await files.beside(path, size)
    if (file === null) left.push(path)
    else found.set(path, file.data)
  }
  return { files: found, left }
}

/** The number of folder steps up and down from one file to another. */
function stepsBetween(a: string, b: string): number {
  const [one, other] = [a.split('/').slice(1, -1), b.split('/').slice(1, -1)]
  let shared = 0
  while (shared < one.length && one[shared] === other[shared]) shared++
  return one.length + other.length - 2 * shared
}

/** Paths at which two bundles differ. */
export function changedIn(before: PageBundle, now: PageBundle): readonly string[] {
  const paths = new Set([...before.files.keys(), ...now.files.keys()])
  return [...paths].filter((path) => !isSame(before.files.get(path), now.files.get(path)))
}

function isSame(a: Uint8Array | undefined, b: Uint8Array | undefined): boolean {
  if (a === undefined || b === undefined) return a === b
  return a === b || (a.byteLength === b.byteLength && a.every((byte, at) => byte === b[at]))
}
