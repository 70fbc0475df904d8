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

// A browser holds its page's policy against every style that it parses, in a document that no one sees too, and complains of
// each in the console. So styles have other names while a page is put together: elements one whose content is raw text in the
// same places (`noframes`, which no browser draws), attributes one with a mark before it. The way back is a plain
// replacement, so that the same words in a text or in a value come out as they went in.

const mark = 'data-nod-quiet'

/** What finds the quiet style elements of a document. */
const quietStyle = `noframes[${mark}-open]`

/** Under which name a style attribute stands meanwhile. */
const quietStyleAttribute = `${mark}-style`

/** `html` as it can be parsed without a word about its styles. */
const quiet = (html: string): string =>
  html
    .replaceAll(/<style(?=[\s/>])/gi, `<noframes ${mark}-open`)
    .replaceAll(/<\/style(?=[\s/>])/gi, `</noframes ${mark}-close`)
    .replaceAll(/(?<=[\s"'/])style(?=\s*=)/gi, `${mark}-$&`)

/** A style element under its quiet name. */
function quietStyleElement(page: Document, css: string): HTMLElement {
  const style = page.createElement('noframes')
  style.setAttribute(`${mark}-open`, '')
  style.textContent = css
  return style
}

/** A document whose styles are quiet, as HTML with their own names. */
function aloud(page: Document): string {
  for (const frames of page.querySelectorAll(`noframes:not([${mark}-open])`)) frames.remove()
  return page.documentElement.outerHTML
    .replaceAll('</noframes>', '</style>')
    .replaceAll(new RegExp(`noframes ${mark}-(?:open(?:="")?|close)`, 'g'), 'style')
    .replaceAll(new RegExp(`${mark}-(?=style)`, 'gi'), '')
}

/**
 * A style sheet with what it imports and the pictures and fonts that it names taken in.
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

/** A sheet as it can be in an element: nothing in it ends that. */
const inElement = (css: string): string => css.replaceAll(/<\/(?=style|noframes)/gi, '<\\/')

export interface FullPage extends PageNeeds {
  readonly html: string
  /** Its `<title>`; '' without one. */
  readonly title: string
  /** Whether it has scripts, of its own or in what it loads. */
  readonly hasScripts: boolean
  /** What addresses in it count from: its path, or what its `<base>` says. */
  readonly base: string
  /** What its scripts may ask for while it runs; empty without scripts. */
  readonly bundle: PageBundle
}

/** What a page is put together for: to be seen without scripts, to run, or to know everything that it names if it ran. */
export type PageUse = 'seen' | 'run' | 'listed'

/** So deep may frames of a page hold pages. */
const maxFrames = 3

/**
 * A page of the workspace in one piece: style sheets, pictures and fonts that lie beside it are in the HTML itself, so that
 * it can be shown where nothing can be loaded. Where it runs, its scripts are there too, with everything that they import, and the files
 * that they may ask for come with it. Needs a browser's `DOMParser`; nothing loads or runs here.
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
  /** The pages in whose frames this one stands. */
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
  // It would leave by itself.
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

/** What the page says of where its addresses count from. The element goes: where it leads there is nothing. */
function takeBase(page: Document, path: string): string {
  const [base] = page.querySelectorAll('base')
  const address = base?.getAttribute('href') ?? null
  for (const element of page.querySelectorAll('base')) element.remove()
  return address === null ? path : (pageAddress(address, path)?.path ?? path)
}

/** A page of the workspace in a frame of the page; whether it has scripts. One that holds itself ends there. */
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

/** `onclick="…"`, `href="javascript:…"`, pages in pages: scripts that are no element. */
const hasHandlers = (page: Document): boolean =>
  [...page.querySelectorAll('*')].some(({ attributes }) =>
    [...attributes].some(
      ({ name, value }) => /^on[a-z]+$|^srcdoc$/i.test(name) || /^[\s\p{Cc}]*javascript:/iu.test(value),
    ),
  )

async function inlineLink(page: Document, link: Element, path: string, files: PageFiles): Promise<void> {
  const rel = (link.getAttribute('rel') ?? '').toLowerCase().split(/\s+/)
  const address = link.getAttribute('href') ?? ''
  // An icon is shown by no one here, and what is fetched ahead is here already.
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

/** Style attributes are quiet here, so they are found by that name. */
async function inlineStyleAttribute(element: Element, path: string, files: PageFiles): Promise<void> {
  const css = element.getAttribute(quietStyleAttribute) ?? ''
  if (/url\(/i.test(css)) element.setAttribute(quietStyleAttribute, await inlineStyles(css, path, files))
}
