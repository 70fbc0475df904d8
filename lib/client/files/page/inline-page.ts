import type { Vfs } from '@/lib/vfs/vfs'
import { inlineMedia, mediaElements, styleAddresses, underConditions } from './inline-media'
import { inlineScripts, isCode } from './inline-scripts'
import { isOwnAddress, isPage, pageAddress } from './page-address'
import {
  createPageFiles,
  pageText,
  type PageFiles,
  type PageNeeds,
  type PageFile,
  bundleOf,
  noBundle,
  type PageBundle,
} from './page-files'

// A browser applies its page's policy to every style that it parses, even in an invisible document, and logs each
// violation in the console. So styles are renamed while a page is put together: elements become an element whose
// content is raw text in the same places (`noframes`, which no browser shows), and attributes get a prefix. Restoring
// them is a plain replacement, so the same text elsewhere in a page comes out unchanged.

const mark = 'data-nod-quiet'

/** The selector of the renamed style elements. */
const quietStyle = `noframes[${mark}-open]`

/** The name of a style attribute while it is renamed. */
const quietStyleAttribute = `${mark}-style`

/** `html` with renamed styles, which can be parsed without console messages. */
const quiet = (html: string): string =>
  html
    .replaceAll(/<style(?=[\s/>])/gi, `<noframes ${mark}-open`)
    .replaceAll(/<\/style(?=[\s/>])/gi, `</noframes ${mark}-close`)
    .replaceAll(/(?<=[\s"'/])style(?=\s*=)/gi, `${mark}-$&`)

/** Creates a style element under its temporary name. */
function quietStyleElement(page: Document, css: string): HTMLElement {
  const style = page.createElement('noframes')
  style.setAttribute(`${mark}-open`, '')
  style.textContent = css
  return style
}

/** The HTML of a document with renamed styles, with their own names restored. */
function aloud(page: Document): string {
  for (const frames of page.querySelectorAll(`noframes:not([${mark}-open])`)) frames.remove()
  return page.documentElement.outerHTML
    .replaceAll('</noframes>', '</style>')
    .replaceAll(new RegExp(`noframes ${mark}-(?:open(?:="")?|close)`, 'g'), 'style')
    .replaceAll(new RegExp(`${mark}-(?=style)`, 'gi'), '')
}

/**
 * Inlines a style sheet's imports, images and fonts.
 * @param within the sheets that import this one: one that imports itself is left out, as a browser does
 */
async function inlineStyles(
  css: string,
  from: string,
  files: PageFiles,
  within: readonly string[] = [],
): Promise<string> {
  const parts: string[] = []
  let at = 0
  for (const { kind, address, conditions, start, end } of styleAddresses(css)) {
    if (isOwnAddress(address)) continue
    const file = await files.read(address, from)
    const data = kind === 'url' && file !== null ? files.address(file) : null
    const inPlace = kind === 'import' ? await sheetOf(file, conditions) : data === null ? null : `url("${data}")`
    if (inPlace === null) continue
    parts.push(css.slice(at, start), inPlace)
    at = end
  }
  return parts.join('') + css.slice(at)

  async function sheetOf(file: PageFile | null, conditions: string): Promise<string> {
    if (file === null || file.path === from || within.includes(file.path) || !files.spend(file)) return ''
    return underConditions(await inlineStyles(pageText(file), file.path, files, [...within, from]), conditions)
  }
}

/** Escapes a sheet so that nothing in it ends its element. */
const inElement = (css: string): string => css.replaceAll(/<\/(?=style|noframes)/gi, '<\\/')

export interface FullPage extends PageNeeds {
  readonly html: string
  /** Its `<title>`; '' without one. */
  readonly title: string
  /** Whether it has scripts, of its own or in what it loads. */
  readonly hasScripts: boolean
  /** What its addresses are resolved against: its path, or its `<base>`. */
  readonly base: string
  /** The files that its scripts may request while it runs; empty without scripts. */
  readonly bundle: PageBundle
}

/** The purpose of a page: to be seen without scripts, to run, or to list every file that it would use if it ran. */
export type PageUse = 'seen' | 'run' | 'listed'

/** The deepest nesting of frames with pages. */
const maxFrames = 3

/**
 * Builds a page of the workspace in one piece: style sheets, images and fonts beside it are put into the HTML, so that
 * it can be shown where nothing can be loaded. To run, its scripts are included too, with everything that they import,
 * and with the files that they may request. Needs a browser's `DOMParser`; nothing loads or runs here.
 */
export async function inlinePage(
  vfs: Pick<Vfs, 'read' | 'tree'>,
  path: string,
  html: string,
  use: PageUse = 'seen',
): Promise<FullPage> {
  const files = createPageFiles(vfs, path)
  const scripts = use === 'seen' ? 'left-out' : 'kept'
  const page = await wholePage(html, { path, files, scripts, within: [] })
  const tree = page.hasScripts && use === 'run' ? await vfs.tree('/') : null
  const bundle = tree?.ok === true ? await bundleOf(tree.value, path, files) : noBundle
  return { ...page, bundle, ...files.needs() }
}

interface PageWork {
  readonly path: string
  readonly files: PageFiles
  readonly scripts: 'left-out' | 'kept'
  /** The pages whose frames contain this one. */
  readonly within: readonly string[]
}

async function wholePage(html: string, work: PageWork): Promise<Omit<FullPage, keyof PageNeeds | 'bundle'>> {
  const { path, files, scripts } = work
  const page = new DOMParser().parseFromString(quiet(html), 'text/html')
  const base = takeBase(page, path)
  for (const link of page.querySelectorAll('link[href]')) await inlineLink(page, link, base, files)
  for (const style of page.querySelectorAll(quietStyle)) {
    style.textContent = inElement(await inlineStyles(style.textContent, base, files))
  }
  for (const element of page.querySelectorAll(`[${quietStyleAttribute}]`)) {
    await inlineStyleAttribute(element, base, files)
  }
  for (const element of page.querySelectorAll(mediaElements)) await inlineMedia(element, base, files)
  // It would navigate away by itself.
  for (const meta of page.querySelectorAll('meta[http-equiv="refresh" i]')) meta.remove()
  const found = [...page.querySelectorAll('script')].filter(isCode)
  let hasScripts = found.length > 0 || hasHandlers(page)
  if (scripts === 'kept') {
    await inlineScripts(page, base, files)
    for (const frame of page.querySelectorAll('iframe[src]')) {
      if (await inlineFrame(frame, base, work)) hasScripts = true
    }
  } else for (const script of found) script.remove()
  const title = page.querySelector('title')?.textContent.trim() ?? ''
  return { html: `<!doctype html>\n${aloud(page)}`, title, hasScripts, base }
}

/** Returns the page's base for its addresses. The element is removed, because its address leads nowhere here. */
function takeBase(page: Document, path: string): string {
  const [base] = page.querySelectorAll('base')
  const address = base?.getAttribute('href') ?? null
  for (const element of page.querySelectorAll('base')) element.remove()
  return address === null ? path : (pageAddress(address, path)?.path ?? path)
}

/**
 * Inlines a page of the workspace in a frame; returns whether it has scripts. A page that contains itself ends there.
 */
async function inlineFrame(frame: Element, from: string, work: PageWork): Promise<boolean> {
  const address = frame.getAttribute('src') ?? ''
  if (isOwnAddress(address)) return false
  const { files, within } = work
  const file = await files.read(address, from)
  frame.removeAttribute('src')
  if (file === null || !isPage(file.path)) return false
  if (file.path === work.path || within.includes(file.path) || within.length >= maxFrames) return false
  if (!files.spend(file)) return false
  const inner = await wholePage(pageText(file), { ...work, path: file.path, within: [...within, work.path] })
  frame.setAttribute('srcdoc', inner.html)
  return inner.hasScripts
}

/** `onclick="…"`, `href="javascript:…"`, pages in pages: scripts that are not elements. */
const hasHandlers = (page: Document): boolean =>
  [...page.querySelectorAll('*')].some(({ attributes }) =>
    [...attributes].some(
      ({ name, value }) => /^on[a-z]+$|^srcdoc$/i.test(name) || /^[\s\p{Cc}]*javascript:/iu.test(value),
    ),
  )

async function inlineLink(page: Document, link: Element, path: string, files: PageFiles): Promise<void> {
  const rel = (link.getAttribute('rel') ?? '').toLowerCase().split(/\s+/)
  const address = link.getAttribute('href') ?? ''
  // Icons are not shown here, and prefetched files are here already.
  if (!rel.includes('stylesheet') || rel.includes('alternate')) return link.remove()
  const file = await files.read(address, path)
  if (file === null || !files.spend(file)) return link.remove()
  const style = quietStyleElement(page, inElement(await inlineStyles(pageText(file), file.path, files)))
  for (const name of ['media', 'id']) {
    const value = link.getAttribute(name)
    if (value !== null) style.setAttribute(name, value)
  }
  link.replaceWith(style)
}

/** Style attributes are renamed here, so they are found by that name. */
async function inlineStyleAttribute(element: Element, path: string, files: PageFiles): Promise<void> {
  const css = element.getAttribute(quietStyleAttribute) ?? ''
  if (/url\(/i.test(css)) element.setAttribute(quietStyleAttribute, await inlineStyles(css, path, files))
}
