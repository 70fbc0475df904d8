import type { Vfs } from '@/lib/vfs/vfs'
import { inlineStyles } from './inline-styles'
import { createPageFiles, dataAddress, pageText, type PageFiles, type PageNeeds } from './page-files'
import { aloud, quiet, quietStyle, quietStyleElement } from './quiet-styles'

export interface WholePage extends PageNeeds {
  readonly html: string
  /** Whether it has scripts: they are left out. */
  readonly hasScripts: boolean
}

/**
 * A page of the workspace in one piece and without scripts: style sheets, pictures and fonts that lie beside it stand in
 * the HTML itself, so that it can be shown where nothing can be loaded. Needs a browser's `DOMParser`; nothing loads or
 * runs here.
 */
export async function inlinePage(vfs: Pick<Vfs, 'read'>, path: string, html: string): Promise<WholePage> {
  const files = createPageFiles(vfs, path)
  const page = new DOMParser().parseFromString(quiet(html), 'text/html')
  for (const link of page.querySelectorAll('link[href]')) await inlineLink(page, link, path, files)
  for (const style of page.querySelectorAll(quietStyle)) {
    style.textContent = await inlineStyles(style.textContent, path, files)
  }
  for (const element of page.querySelectorAll('[src]:not(script), [poster]')) await inlineMedia(element, path, files)
  const found = [...page.querySelectorAll('script')].filter(isCode)
  for (const script of found) script.remove()
  return { html: `<!doctype html>\n${aloud(page)}`, hasScripts: found.length > 0, ...files.needs() }
}

/** Data blocks (`application/json`, templates) are none. */
const isCode = ({ type }: HTMLScriptElement): boolean =>
  type === '' || type === 'module' || /^(?:text|application)\/(?:java|ecma)script$/i.test(type)

async function inlineLink(page: Document, link: Element, path: string, files: PageFiles): Promise<void> {
  const rel = (link.getAttribute('rel') ?? '').toLowerCase().split(/\s+/)
  if (!rel.includes('stylesheet')) return link.remove()
  const file = await files.read(link.getAttribute('href') ?? '', path)
  if (file === null) return link.remove()
  const css = (await inlineStyles(pageText(file), file.path, files)).replaceAll(/<\/(?=style|noframes)/gi, '<\\/')
  const style = quietStyleElement(page, css)
  const media = link.getAttribute('media')
  if (media !== null) style.setAttribute('media', media)
  link.replaceWith(style)
}

async function inlineMedia(element: Element, path: string, files: PageFiles): Promise<void> {
  for (const name of ['src', 'poster']) {
    const address = element.getAttribute(name)
    if (address === null || address.trim() === '' || /^(?:data|blob):/i.test(address)) continue
    const file = await files.read(address, path)
    if (file !== null) element.setAttribute(name, dataAddress(file))
  }
}
