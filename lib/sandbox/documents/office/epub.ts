import { FlawedDocument } from '../flaw'
import { createLine, type Block } from '../blocks'
import type { Zip } from '../zip'
import { childOf, elementsOf, findAll, findElement, textOf, type XmlElement } from '../xml'
import { readXml, resolveName } from './package'

/** Books: the chapters in reading order. */

const silent = new Set(['head', 'script', 'style', 'template', 'svg', 'noscript'])
const lines = new Set([
  'p',
  'div',
  'section',
  'article',
  'body',
  'html',
  'main',
  'header',
  'footer',
  'blockquote',
  'figure',
  'figcaption',
  'dl',
  'dt',
  'dd',
  'aside',
  'nav',
  'address',
  'center',
])

const isHidden = ({ attributes }: XmlElement): boolean =>
  'hidden' in attributes ||
  /(?:display\s*:\s*none|visibility\s*:\s*hidden|font-size\s*:\s*0(?![.\d]))/i.test(attributes['style'] ?? '')

/** Collects text and elements into blocks; a block ends wherever a block-level element begins or ends. */
export function blocksOfPage(root: XmlElement): readonly Block[] {
  const blocks: Block[] = []
  const line = createLine()
  const flush = (make: (text: string) => Block = (text) => ({ kind: 'paragraph', text })) => {
    const text = line.take().replace(/[ \t]+/g, ' ')
    if (text !== '') blocks.push(make(text))
  }
  const walk = (element: XmlElement, depth: number, ordered: boolean, hidden: boolean): void => {
    for (const child of element.children) {
      if (typeof child === 'string') {
        line.add(child.replace(/\s+/g, ' '), hidden)
        continue
      }
      const name = child.name.toLowerCase()
      const off = hidden || isHidden(child)
      const heading = /^h([1-6])$/.exec(name)?.[1]
      if (silent.has(name)) continue
      if (name === 'br') line.add('\n')
      else if (heading !== undefined) {
        flush()
        walk(child, depth, ordered, off)
        flush((text) => ({ kind: 'heading', level: Number(heading), text }))
      } else if (name === 'ul' || name === 'ol') {
        flush()
        walk(child, depth + 1, name === 'ol', off)
      } else if (name === 'li') {
        flush()
        walk(child, depth, ordered, off)
        flush((text) => ({ kind: 'item', depth: Math.max(0, depth - 1), ordered, text }))
      } else if (name === 'table') {
        flush()
        const rows = findAll(child, 'tr').map((row) =>
          elementsOf(row).flatMap((cell) =>
            cell.name === 'td' || cell.name === 'th' ? [textOf(cell).replace(/\s+/g, ' ').trim()] : [],
          ),
        )
        if (rows.length > 0) blocks.push({ kind: 'table', rows })
      } else if (name === 'img') {
        const words = child.attributes['alt']?.trim() ?? ''
        if (words !== '') line.add(`[picture: ${words}]`)
      } else if (lines.has(name) || name === 'pre') {
        flush()
        walk(child, depth, ordered, off)
        flush()
      } else walk(child, depth, ordered, off)
    }
  }
  walk(root, 0, false, false)
  flush()
  return blocks
}

/** A name with `%` that escapes nothing is as it is. */
function plainName(href: string): string {
  try {
    return decodeURI(href)
  } catch {
    return href
  }
}

export async function readEpub(zip: Zip): Promise<readonly Block[]> {
  if (zip.names.includes('META-INF/encryption.xml') && zip.names.includes('META-INF/rights.xml'))
    throw new FlawedDocument('locked')
  const container = await readXml(zip, 'META-INF/container.xml')
  const main = container && findElement(container, 'rootfile')?.attributes['full-path']
  const book = main ? await readXml(zip, main) : null
  const root = book && childOf(book, 'package')
  if (!root || !main) throw new FlawedDocument('unknown')
  const manifest = childOf(root, 'manifest')
  // The table of contents names what follows: that is the outline.
  const isContents = ({ attributes }: XmlElement) => (attributes['properties'] ?? '').split(/\s+/).includes('nav')
  const files = new Map(
    (manifest ? elementsOf(manifest) : []).flatMap((item) =>
      isContents(item) ? [] : [[item.attributes['id'] ?? '', item.attributes['href'] ?? ''] as const],
    ),
  )
  const spine = childOf(root, 'spine')
  const blocks: Block[] = []
  for (const { attributes } of spine ? elementsOf(spine) : []) {
    const id = attributes['idref'] ?? ''
    const file = files.get(id)
    // A book has each of its files once.
    files.delete(id)
    const page = file === undefined ? null : await readXml(zip, resolveName(main, plainName(file)))
    if (page) blocks.push({ kind: 'break' }, ...blocksOfPage(page))
  }
  return blocks
}
