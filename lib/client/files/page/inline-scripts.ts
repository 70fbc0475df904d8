import { isJsonObject, type JsonValue } from '@/lib/base/json'
import { withSource, viaModuleLoader, codeOfModule, importsOf, moduleName } from './module-imports'
import { pageText, type PageFiles, dataAddress } from './page-files'

/*
 * Modules of a page without addresses to load from: each stands as a `data:` address in an import map, under a name of its own
 * (`nod:/site/app.js`), and what imports it imports that name. So a module is one module, no matter who imports it, also in circles.
 * What an import means is sometimes known only when it runs (`import('./' + name)`, `import.meta.url`): there the code asks the
 * frame (`frame/frame-modules.ts`).
 */

interface PageModules {
  /** The code with its imports under their names here. The modules behind them are taken along. */
  readonly rewrite: (code: string, from: string) => Promise<string>
  /** The name of the module that `address` means in the file at `from`; null: there is none here. */
  readonly nameOf: (address: string, from: string) => Promise<string | null>
  /** Addresses by name, for the page's import map. */
  readonly imports: () => Readonly<Record<string, string>>
}

/** What the page's own import map says, as far as it is `imports`: addresses by bare name, or by what names begin with. */
type BareNames = ReadonlyMap<string, string>

const isRelative = (specifier: string): boolean => /^(?:\.{0,2}\/|[a-z][a-z\d+.-]*:)/i.test(specifier)

/** Code as an address; its errors name the file that it came from. */
const codeAddress = (code: string, path: string): string =>
  `data:text/javascript;charset=utf-8,${encodeURIComponent(withSource(code, path).toWellFormed())}`

/** @param page absolute path of the page: what bare names stand for is beside it */
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
    // Before its own imports are looked at: they may lead back here.
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

/** Data blocks (`application/json`, templates) are none. */
export const isCode = ({ type }: HTMLScriptElement): boolean =>
  type === '' || type === 'module' || /^(?:text|application)\/(?:java|ecma)script$/i.test(type)

/** The page's scripts with what they load taken in: classic ones in their places, modules by an import map. */
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
      // An address keeps its time: `defer` means nothing to what is in the page.
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

/** What the page's own maps say of bare names; the maps go: their addresses lead nowhere here. */
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
      // As a browser would: a map that can't be read says nothing.
    }
  }
  return names
}
