import { pageAddress, possiblePaths } from '../page-address'
import { typeOfFile, type PageFile, type PageBundle, pageText } from '../page-files'
import type { FileAsked } from '../page-messages'
import { viaModuleLoader, codeOfModule, importsOf, moduleLoaderSource, moduleName, withSource } from '../module-imports'

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
      const paths = possiblePaths(address, meant, page)
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

/**
 * Modules that are requested while the page runs: by a computed name, in a script that the page created, or in a
 * worker.
 */
export interface FrameModules {
  /**
   * The address from which a module can be imported: its name if it came with the page, else a blob that is created
   * once.
   */
  address(file: PageFile): string
  /** A script that imports the module. */
  importing(file: PageFile): string
  /** A classic script. */
  script(file: PageFile): string
}

/** @param mapped names of the modules that came with the page (`../inline-scripts.ts`) */
export function createFrameModules(beside: SiblingFiles, mapped: () => ReadonlySet<string>): FrameModules {
  const known = new Map<string, string>()
  const making = new Set<string>()

  function address(file: PageFile): string {
    const name = moduleName(file.path)
    if (mapped().has(name)) return name
    const before = known.get(name)
    if (before !== undefined) return before
    // A blob has no URL before it is created, so two of them can't import each other.
    if (making.has(name))
      throw new TypeError(`${file.path} imports itself, which works here for written-out imports of the page alone`)
    making.add(name)
    try {
      const code = codeOfModule(file.path, pageText(file))
      const made = code === null ? beside.address(file) : addressOfCode(withNames(code, file.path), file.path)
      known.set(name, made)
      return made
    } finally {
      making.delete(name)
    }
  }

  function withNames(code: string, from: string): string {
    const parts: string[] = []
    let at = 0
    for (const { specifier, start, end, under } of importsOf(code)) {
      if (specifier === undefined || !isPath(specifier)) continue
      const found = beside.find(specifier, from)
      if (found.kind !== 'file') continue
      parts.push(code.slice(at, start), under(address(found.file)))
      at = end
    }
    return viaModuleLoader(parts.join('') + code.slice(at), from)
  }

  return {
    address,
    importing: (file) => addressOfCode(`import ${JSON.stringify(address(file))}`, file.path),
    script: (file) => addressOfCode(withNames(pageText(file), file.path), file.path),
  }
}

/** Answers code that asks for an import with a computed name, or for its own location. */
export function installModuleLoader(beside: SiblingFiles, modules: FrameModules): void {
  Object.defineProperty(globalThis, Symbol.for(moduleLoaderSource), {
    value: {
      name(specifier: unknown, from: string): string {
        const address = String(specifier)
        const found = isPath(address) ? beside.find(address, from) : null
        if (found?.kind === 'file') return modules.address(found.file)
        return found === null ? address : failing(`${address} is not in this workspace`)
      },
      meta: (url: string) => ({ url, resolve: (specifier: string) => new URL(specifier, url).href }),
    },
  })
}

/** A module that fails at once with this message. */
const failing = (words: string): string =>
  `data:text/javascript,throw new TypeError(${encodeURIComponent(JSON.stringify(words.toWellFormed()))})`

/** The names in the import map that came with the page. */
export function mappedModules(): ReadonlySet<string> {
  const map = document.querySelector('script[type="importmap"]')?.textContent ?? '{}'
  const { imports = {} } = JSON.parse(map) as { readonly imports?: object }
  return new Set(Object.keys(imports))
}

const isPath = (specifier: string): boolean => /^(?:\.{0,2}\/|https?:)/i.test(specifier)

const addressOfCode = (code: string, path: string): string =>
  URL.createObjectURL(new Blob([withSource(code, path)], { type: 'text/javascript' }))
