import { pageAddress, pathsMeant } from '../page-address'
import { typeOfFile, type PageFile, type PageBundle } from '../page-files'
import type { FileAsked } from '../page-messages'

/** The target of an address of a running page. */
export type Found = { readonly kind: 'file'; readonly file: PageFile } | { readonly kind: 'nothing' | 'outside' }

/** The files beside a running page. */
export interface SiblingFiles {
  /** Finds a file. Reports each file that was requested and is missing, once. */
  find(address: string, from?: string): Found
  /** Returns a loadable URL for a file's contents. `contents`: replaces the file's own. */
  address(file: PageFile, contents?: string | null): string
  tell(what: FileAsked, path: string): void
  /** All scripts, requested or not. */
  scripts(): readonly PageFile[]
  update(bundle: PageBundle): void
}

export interface PageSiblingOptions {
  readonly path: string
  readonly base: string
  readonly bundle: PageBundle
  /** The address of the frame. */
  readonly frame: string
  readonly say: (message: object) => void
}

export function createSiblingFiles({ path: page, base, bundle, frame, say }: PageSiblingOptions): SiblingFiles {
  let { files } = bundle
  let left = new Set(bundle.left)
  /** By path, then by content: null is the unchanged file. */
  let addresses = new Map<string, Map<string | null, string>>()
  const reported = new Set<string>()

  function tell(what: FileAsked, path: string): void {
    const once = `${what} ${path}`
    if (reported.has(once)) return
    reported.add(once)
    say({ type: 'file', what, path })
  }

  return {
    tell,
    find(address, from = base) {
      const meant = pageAddress(address, from, frame)
      if (meant === null) return { kind: 'outside' }
      const paths = pathsMeant(address, meant, page)
      for (const path of paths) {
        const data = files.get(path)
        if (data === undefined) continue
        tell('used', path)
        return { kind: 'file', file: { path, data } }
      }
      const tooMuch = paths.find((path) => left.has(path))
      tell(tooMuch === undefined ? 'missing' : 'left', tooMuch ?? meant.path)
      return { kind: 'nothing' }
    },
    address(file, contents = null) {
      const known = addresses.get(file.path) ?? new Map<string | null, string>()
      addresses.set(file.path, known)
      const before = known.get(contents)
      if (before !== undefined) return before
      const made = URL.createObjectURL(new Blob([contents ?? new Uint8Array(file.data)], { type: typeOfFile(file) }))
      known.set(contents, made)
      return made
    },
    scripts: () => [...files].flatMap(([path, data]) => (/\.m?js$/i.test(path) ? [{ path, data }] : [])),
    update(next) {
      files = next.files
      left = new Set(next.left)
      addresses = new Map()
    },
  }
}
