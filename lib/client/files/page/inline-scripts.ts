import { isJsonObject, type JsonValue } from '@/lib/base/json'
import { withSource, viaModuleLoader, codeOfModule, importsOf, moduleName } from './module-imports'
import { pageText, type PageFiles, dataAddress } from './page-files'

/*
 * Modules of a page without addresses to load from. Each is a `data:` URL in an import map, under a name of its own
 * (`nod:/site/app.js`), and its importers import that name. So a module is loaded once, no matter who imports it, also in
 * cycles. If an import is only known at run time (`import('./' + name)`, `import.meta.url`), the code asks the frame
 * (`frame/frame-modules.ts`).
 */

interface PageModules {
  /** Returns the code with its imports renamed. The imported modules are included. */
  readonly rewrite: (code: string, from: string) => Promise<string>
  /** The name of the module that `address` refers to in the file at `from`; null: there is none here. */
  readonly nameOf: (address: string, from: string) => Promise<string | null>
  /** Addresses by name, for the page's import map. */
  readonly imports: () => Readonly<Record<string, string>>
}

/** The `imports` of the page's own import map: addresses by bare name, or by prefix. */
type BareNames = ReadonlyMap<string, string>

const isRelative = (specifier: string): boolean => /^(?:\.{0,2}\/|[a-z][a-z\d+.-]*:)/i.test(specifier)

/** Code as a URL; its errors name the original file. */
const codeAddress = (code: string, path: string): string =>
  `data:text/javascript;charset=utf-8,${encodeURIComponent(withSource(code, path).toWellFormed())}`

/** @param page absolute path of the page: bare names are resolved beside it */
function createPageModules(files: PageFiles, page: string, bare: BareNames): PageModules {
  const addresses = new Map<string, string>()

  function addressOf(specifier: string, from: string): { readonly address: string; readonly from: string } | null {
    if (isRelative(specifier)) return { address: specifier, from }
    const exact = bare.get(specifier)
    if (exact !== undefined) return { address: exact, from: page }
    for (const [begins, address] of bare) {
      if (begins.endsWith('/') && specifier.startsWith(begins)) {
        return { address: address + specifier.slice(begins.length), from: page }
      }
    }
    files.miss(specifier)
    return null
  }

  async function nameOf(specifier: string, from: string): Promise<string | null> {
    const meant = addressOf(specifier, from)
    if (meant === null || /^(?:data|blob):/i.test(meant.address)) return null
    const file = await files.read(meant.address, meant.from)
    if (file === null) return null
    const name = moduleName(file.path)
    if (addresses.has(name)) return name
    if (!files.spend(file)) return null
    // Set before its own imports are read, because they may lead back here.
    addresses.set(name, '')
    const code = codeOfModule(file.path, pageText(file))
    addresses.set(name, code === null ? dataAddress(file) : codeAddress(await rewrite(code, file.path), file.path))
    return name
  }

  async function rewrite(code: string, from: string): Promise<string> {
    const parts: string[] = []
    let at = 0
    for (const { specifier, start, end, under } of importsOf(code)) {
      const name = specifier === undefined ? null : await nameOf(specifier, from)
      if (name === null) continue
      parts.push(code.slice(at, start), under(name))
      at = end
    }
    return viaModuleLoader(parts.join('') + code.slice(at), from)
  }

  return { rewrite, nameOf, imports: () => Object.fromEntries(addresses) }
}

/** Data blocks (`application/json`, templates) are not code. */
export const isCode = ({ type }: HTMLScriptElement): boolean =>
  type === '' || type === 'module' || /^(?:text|application)\/(?:java|ecma)script$/i.test(type)

/** Inlines the page's scripts with what they load: classic ones in place, modules with an import map. */
export async function inlineScripts(page: Document, path: string, files: PageFiles): Promise<void> {
  const graph = createPageModules(files, path, takeImportMaps(page))
  for (const script of [...page.querySelectorAll('script')].filter(isCode)) {
    for (const name of ['integrity', 'crossorigin', 'nonce']) script.removeAttribute(name)
    const address = script.getAttribute('src')
    if (script.type === 'module') {
      const code = address === null ? await graph.rewrite(script.text, path) : await importOf(address)
      script.removeAttribute('src')
      if (code === null) script.remove()
      else script.text = withSource(code, path)
    } else if (address === null) script.text = withSource(await graph.rewrite(script.text, path), path)
    else {
      const file = address.trim() === '' || /^data:/i.test(address) ? undefined : await files.read(address, path)
      // The script keeps its address, and so its timing: `defer` has no effect on inline scripts.
      if (file && files.spend(file)) {
        script.setAttribute('src', codeAddress(await graph.rewrite(pageText(file), file.path), file.path))
      } else if (file !== undefined) script.remove()
    }
  }
  const imports = graph.imports()
  if (Object.keys(imports).length === 0) return
  const map = page.createElement('script')
  map.type = 'importmap'
  map.text = JSON.stringify({ imports })
  page.head.prepend(map)

  /** A module that others may import too is imported, not copied: it runs once. */
  async function importOf(src: string): Promise<string | null> {
    const name = await graph.nameOf(/^(?:\.{0,2}\/|[a-z][a-z\d+.-]*:)/i.test(src) ? src : `./${src}`, path)
    return name === null ? null : `import ${JSON.stringify(name)}`
  }
}

/** Reads the bare names of the page's own maps, and removes the maps, because their addresses lead nowhere here. */
function takeImportMaps(page: Document): BareNames {
  const names = new Map<string, string>()
  for (const map of page.querySelectorAll<HTMLScriptElement>('script[type="importmap"]')) {
    map.remove()
    try {
      const read = JSON.parse(map.text) as JsonValue
      const imports = isJsonObject(read) && isJsonObject(read['imports']) ? read['imports'] : {}
      for (const [name, address] of Object.entries(imports)) {
        if (typeof address === 'string') names.set(name, address)
      }
    } catch {
      // As in a browser, an invalid map has no effect.
    }
  }
  return names
}
