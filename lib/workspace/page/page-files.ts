import { joinPath, parentOf } from '@/lib/vfs/path'
import type { Vfs } from '@/lib/vfs/vfs'
import { kindOfFile } from '../kind-of-file'

/** What a page may bring along of the files around it. */
export const pageLimits = { files: 200, bytes: 10_000_000 } as const

/** Addresses of a page by what became of them; each once, in order. */
export interface PageNeeds {
  /** Files that are not there, or could not be taken along. */
  readonly missing: readonly string[]
  /** Addresses on the network: a page shown here has none. */
  readonly remote: readonly string[]
  /** Paths of the files that were taken along. */
  readonly used: readonly string[]
}

export interface PageFile {
  readonly path: string
  readonly data: Uint8Array
}

export interface PageFiles {
  /** The file that `address` means in the file at `from`; null when there is none here, which `needs` then names. */
  read(address: string, from: string): Promise<PageFile | null>
  /** Something without an address that the page names, and that is not here: a package. */
  miss(name: string): void
  needs(): PageNeeds
}

const nowhere = 'http://workspace.invalid'

/** The path that an address means beside `from`, or null when it leaves the workspace. */
function pathOf(address: string, from: string): string | null {
  const base = `${nowhere}${from.split('/').map(encodeURIComponent).join('/')}`
  const url = URL.canParse(address, base) ? new URL(address, base) : null
  if (url?.origin !== nowhere) return null
  try {
    return decodeURIComponent(url.pathname)
  } catch {
    return null
  }
}

/** Reads the files around one page, each once, within `pageLimits`. */
export function createPageFiles(vfs: Pick<Vfs, 'read'>, page: string): PageFiles {
  const known = new Map<string, PageFile | null>()
  const missing = new Set<string>()
  const remote = new Set<string>()
  let bytes = 0

  async function take(path: string): Promise<PageFile | null> {
    const before = known.get(path)
    if (before !== undefined) return before
    const found = known.size < pageLimits.files ? await vfs.read(path) : null
    const fits = found?.ok === true && bytes + found.value.byteLength <= pageLimits.bytes
    const file = fits ? { path, data: found.value } : null
    bytes += file?.data.byteLength ?? 0
    known.set(path, file)
    return file
  }

  return {
    async read(address, from) {
      const path = pathOf(address, from)
      if (path === null) {
        remote.add(address)
        return null
      }
      // A page in a folder says `/style.css` and means the top of its site, which is that folder.
      const beside = address.startsWith('/') ? joinPath(parentOf(page), address.slice(1)) : null
      const file = (await take(path)) ?? (beside === null ? null : await take(beside))
      if (file === null) missing.add(path)
      return file
    },
    miss: (name) => void missing.add(name),
    needs: () => ({
      missing: [...missing],
      remote: [...remote],
      used: [...known].flatMap(([path, file]) => (file === null ? [] : [path])),
    }),
  }
}

const types: Readonly<Record<string, string>> = {
  css: 'text/css',
  woff2: 'font/woff2',
  woff: 'font/woff',
  ttf: 'font/ttf',
  otf: 'font/otf',
  svg: 'image/svg+xml',
}

/** The file as a `data:` address. */
export function dataAddress({ path, data }: PageFile): string {
  const ending = path.slice(path.lastIndexOf('.') + 1).toLowerCase()
  const type = (Object.hasOwn(types, ending) ? types[ending] : undefined) ?? kindOfFile(path, data).mimeType
  let binary = ''
  for (let at = 0; at < data.length; at += 8_192) binary += String.fromCharCode(...data.subarray(at, at + 8_192))
  return `data:${type};base64,${btoa(binary)}`
}

export const pageText = ({ data }: PageFile): string => new TextDecoder().decode(data)
