import { viaModuleLoader, codeOfModule, importsOf, moduleLoaderSource, moduleName, withSource } from '../module-imports'
import { pageText, type PageFile } from '../page-files'
import type { SiblingFiles } from './sibling-files'

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
