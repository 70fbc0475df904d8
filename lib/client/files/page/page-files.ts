import type { Vfs, VfsTreeEntry } from '@/lib/vfs/vfs'
import { kindOfFile } from '../kind-of-file'
import { pageAddress, pathsMeant } from './page-address'

/**
 * What a page may bring along of the files around it, and how long all of it may be where it is in the page: a picture that is
 * named a thousand times is there a thousand times.
 */
export const pageLimits = { files: 500, bytes: 20_000_000, written: 60_000_000 } as const

/** As long as this each of them counts at least. */
const leastLength = 1_000

/** Addresses of a page by what became of them; each once, in order. */
export interface PageNeeds {
  /** Files that are not there. */
  readonly missing: readonly string[]
  /** Files that are there, and too much to be taken along (`pageLimits`). */
  readonly left: readonly string[]
  /** Addresses on the network: a page shown here has none. */
  readonly remote: readonly string[]
  /** Paths of the files that were taken along because the page names them. */
  readonly used: readonly string[]
}

export interface PageFile {
  readonly path: string
  readonly data: Uint8Array
}

export interface PageFiles {
  /** The file that `address` means in the file at `from`; null when there is none here, which `needs` then names. */
  read(address: string, from: string): Promise<PageFile | null>
  /** A file that no one named so far, at a path that is there; null where there is no room for one of this size. */
  beside(path: string, size: number): Promise<PageFile | null>
  /** The file as a `data:` address; null where the page would grow beyond measure by it, which `needs` then names. */
  address(file: PageFile): string | null
  /** Whether the text of a file may be in the page once more. */
  spend(file: PageFile): boolean
  /** Something without an address that the page names, and that is not here: a package. */
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
    // The empty ones count too: sheets that each import the next one twice are as many as fit.
    const length = Math.max(leastLength, data.byteLength * factor)
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
      for (const path of pathsMeant(address, meant, page)) {
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

/** Under which type a file is served: by its ending where that decides, else by its bytes. */
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

/** The files around a page, for what its scripts ask for while it runs. Crosses to its frame as it is. */
export interface PageBundle {
  /** Contents by path. */
  readonly files: ReadonlyMap<string, Uint8Array>
  /** Files that are there and too much to be taken along. */
  readonly left: readonly string[]
}

export const noBundle: PageBundle = { files: new Map(), left: [] }

/** As many of the files as fit, the nearest to the page first. */
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

/** Folders to go up and down from one file to another. */
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
