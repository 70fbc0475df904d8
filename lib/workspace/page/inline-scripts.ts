import { isJsonObject, type JsonValue } from '@/lib/base/json'
import { withSource } from './module-imports'
import { codeAddress, createPageModules, type BareNames } from './page-modules'
import { pageText, type PageFiles } from './page-files'

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
      // An address keeps its time: `defer` means nothing to what stands in the page.
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
