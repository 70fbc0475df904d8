import type { Vfs } from '@/lib/vfs/vfs'
import { inlineStyles } from './inline-styles'
import { inlineScripts, isCode } from './inline-scripts'
import { createPageFiles, dataAddress, pageText, type PageFiles, type PageNeeds } from './page-files'
import { aloud, quiet, quietStyle, quietStyleElement } from './quiet-styles'

export interface WholePage extends PageNeeds {
  readonly html: string
  /** Whether it has scripts, of its own or in what it loads. */
  readonly hasScripts: boolean
}

/**
 * A page of the workspace in one piece: style sheets, pictures and fonts that lie beside it stand in the HTML itself, so that
 * it can be shown where nothing can be loaded. Its scripts are left out, or `kept` with all that they import. Needs a
 * browser's `DOMParser`; nothing loads or runs here.
 */
export async function inlinePage(
  vfs: Pick<Vfs, 'read'>,
  path: string,
  html: string,
  scripts: 'left-out' | 'kept' = 'left-out',
): Promise<WholePage> {
  const files = createPageFiles(vfs, path)
  const page = new DOMParser().parseFromString(quiet(html), 'text/html')
  for (const link of page.querySelectorAll('link[href]')) await inlineLink(page, link, path, files)
  for (const style of page.querySelectorAll(quietStyle)) {
    style.textContent = await inlineStyles(style.textContent, path, files)
  }
  for (const element of page.querySelectorAll('[src]:not(script), [poster]')) await inlineMedia(element, path, files)
  // It would leave by itself.
  for (const meta of page.querySelectorAll('meta[http-equiv="refresh" i]')) meta.remove()
  const found = [...page.querySelectorAll('script')].filter(isCode)
  if (scripts === 'kept') await inlineScripts(page, path, files)
  else for (const script of found) script.remove()
  const hasScripts = found.length > 0 || hasHandlers(page)
  return { html: `<!doctype html>\n${aloud(page)}`, hasScripts, ...files.needs() }
}

/** `onclick="…"`, `href="javascript:…"`, pages in pages: scripts that are no element. */
const hasHandlers = (page: Document): boolean =>
  [...page.querySelectorAll('*')].some(({ attributes }) =>
    [...attributes].some(
      ({ name, value }) => /^on[a-z]+$|^srcdoc$/i.test(name) || /^[\s\p{Cc}]*javascript:/iu.test(value),
    ),
  )

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
