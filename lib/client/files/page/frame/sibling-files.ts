import { pageAddress, pathsMeant } from '../page-address'
import { typeOfFile, type PageFile, type PageBundle } from '../page-files'
import type { FileAsked } from '../page-messages'

/** What an address of a running page leads to. */
export type Found = { readonly kind: 'file'; readonly file: PageFile } | { readonly kind: 'nothing' | 'outside' }

/** The files beside a running page. */
export interface SiblingFiles {
  /** Tells, once each, which files were asked for and are not to be had. */
  find(address: string, from?: string): Found
  /** The contents of a file as an address that can be loaded here; `contents`: others than those that are in it. */
  address(file: PageFile, contents?: string | null): string
  tell(what: FileAsked, path: string): void
  /** All scripts, asked for or not. */
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
  /** By path, then by what they hold: null is the file as it is. */
  let addresses = new Map<string, Map<string | null, string>>()
  const told = new Set<string>()

  function tell(what: FileAsked, path: string): void {
    const once = `${what} ${path}`
    if (told.has(once)) return
    told.add(once)
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
