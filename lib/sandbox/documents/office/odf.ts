import { FlawedDocument } from '../flaw'
import { createLine, withBoldHeadings, type Block } from '../blocks'
import type { Zip } from '../zip'
import { childOf, elementsOf, findAll, findElement, textOf, type XmlElement } from '../xml'
import { readXml } from './package'

/*
 * OpenDocument texts and presentations. Text deleted with tracked changes is left out; a presentation's notes follow
 * their page.
 */

/** Names of the styles that are bold. */
const boldStyles = (tree: XmlElement | null): ReadonlySet<string> =>
  new Set(
    (tree ? findAll(tree, 'style') : []).flatMap((style) => {
      const weight = childOf(style, 'text-properties')?.attributes['font-weight'] ?? ''
      return weight === 'bold' || Number(weight) >= 600 ? [style.attributes['name'] ?? ''] : []
    }),
  )

/** `cell`: the style of the enclosing cell. */
type IsHidden = (style: string | undefined, cell?: string) => boolean

const isWhite = (color: string | undefined): boolean => /^#f[c-f]f[c-f]f[c-f]$/i.test(color ?? '')

/**
 * Styles with invisible letters: hidden, nearly without size, or white without a background; in a coloured cell white
 * is visible.
 */
function hiddenStyles(...trees: readonly (XmlElement | null)[]): IsHidden {
  const hidden = new Set<string>()
  const white = new Set<string>()
  const colored = new Set<string>()
  for (const style of trees.flatMap((tree) => (tree ? findAll(tree, 'style') : []))) {
    const name = style.attributes['name'] ?? ''
    const attributes = (of: string) => childOf(style, of)?.attributes ?? {}
    const text = attributes('text-properties')
    const behind = [text, attributes('paragraph-properties')].map((each) => each['background-color'] ?? 'transparent')
    const size = /^([\d.]+)pt$/.exec(text['font-size'] ?? '')?.[1]
    if (text['display'] === 'none' || (size !== undefined && Number(size) <= 2)) hidden.add(name)
    else if (isWhite(text['color']) && behind.every((color) => color === 'transparent' || isWhite(color)))
      white.add(name)
    const { fill, 'fill-color': filled } = attributes('graphic-properties')
    const color = fill === 'solid' ? filled : attributes('table-cell-properties')['background-color']
    if (color !== undefined && color !== 'transparent' && !isWhite(color)) colored.add(name)
  }
  return (style = '', cell = '') => hidden.has(style) || (white.has(style) && !colored.has(cell))
}

function addText(
  element: XmlElement,
  line: ReturnType<typeof createLine>,
  isHidden: IsHidden,
  inherited: boolean,
): void {
  const hidden = inherited || isHidden(element.attributes['style-name'])
  for (const child of element.children) {
    if (typeof child === 'string') {
      line.add(child.replace(/\s+/g, ' '), hidden)
      continue
    }
    switch (child.name) {
      case 's':
        line.add(' '.repeat(Math.min(80, Math.max(0, Number(child.attributes['c'] ?? 1) || 1))), hidden)
        break
      case 'tab':
        line.add(' ', hidden)
        break
      case 'line-break':
        line.add('\n')
        break
      case 'note': {
        const body = childOf(child, 'note-body')
        if (body) line.add(` [note: ${textOf(body).replace(/\s+/g, ' ').trim()}]`)
        break
      }
      case 'hidden-text':
      case 'hidden-paragraph':
        line.add(textOf(child), true)
        break
      case 'annotation':
      case 'tracked-changes':
        break
      default:
        addText(child, line, isHidden, hidden)
    }
  }
}

const paragraphText = (element: XmlElement, isHidden: IsHidden): string => {
  const line = createLine()
  addText(element, line, isHidden, false)
  return line.take()
}

/** A row may define the style of its cells. */
const styleOf = (cell: XmlElement, row: XmlElement): string | undefined =>
  cell.attributes['style-name'] ?? row.attributes['default-cell-style-name']

function readTable(table: XmlElement, isHidden: IsHidden): Block {
  const rows = findAll(table, 'table-row').map((row) =>
    elementsOf(row).flatMap((cell) =>
      cell.name === 'table-cell' || cell.name === 'covered-table-cell'
        ? [
            findAll(cell, 'p')
              .map((paragraph) => paragraphText(paragraph, (style) => isHidden(style, styleOf(cell, row))))
              .join(' '),
          ]
        : [],
    ),
  )
  return { kind: 'table', rows: rows.filter((row) => row.length > 0) }
}

function readList(list: XmlElement, depth: number, isHidden: IsHidden): readonly Block[] {
  return elementsOf(list).flatMap((item) =>
    elementsOf(item).flatMap((child): readonly Block[] => {
      if (child.name === 'list') return readList(child, depth + 1, isHidden)
      if (child.name !== 'p' && child.name !== 'h') return []
      const text = paragraphText(child, isHidden)
      return text === '' ? [] : [{ kind: 'item', depth, ordered: false, text }]
    }),
  )
}

function readBlocks(parent: XmlElement, isHidden: IsHidden): readonly Block[] {
  return elementsOf(parent).flatMap((child): readonly Block[] => {
    switch (child.name) {
      case 'p':
      case 'h': {
        const text = paragraphText(child, isHidden)
        const turns: readonly Block[] = findElement(child, 'soft-page-break') ? [{ kind: 'break' }] : []
        if (text === '') return [...turns, ...findAll(child, 'text-box').flatMap((box) => readBlocks(box, isHidden))]
        const level = Number(child.attributes['outline-level'] ?? 1) || 1
        return [...turns, child.name === 'h' ? { kind: 'heading', level, text } : { kind: 'paragraph', text }]
      }
      case 'list':
        return readList(child, 0, isHidden)
      case 'table':
        return [readTable(child, isHidden)]
      case 'soft-page-break':
        return [{ kind: 'break' }]
      case 'tracked-changes':
      case 'sequence-decls':
      case 'forms':
        return []
      case 'notes': {
        const blocks = readBlocks(child, isHidden).flatMap((block) => ('text' in block ? [block.text] : []))
        return blocks.length === 0 ? [] : [{ kind: 'paragraph', text: `Speaker’s notes: ${blocks.join('\n')}` }]
      }
      default:
        return readBlocks(child, isHidden)
    }
  })
}

interface Content {
  readonly body: XmlElement
  readonly isHidden: IsHidden
  readonly bold: ReadonlySet<string>
}

/** A frame of a slide, whose bold lines are headings. */
function readFrame(frame: XmlElement, isHidden: IsHidden, bold: ReadonlySet<string>): readonly Block[] {
  const isBold = (element: XmlElement, inherited = false): boolean => {
    const isOn = inherited || bold.has(element.attributes['style-name'] ?? '')
    return element.children.every((child) =>
      typeof child === 'string' ? isOn || child.trim() === '' : isBold(child, isOn),
    )
  }
  if (frame.name !== 'frame') return readBlocks({ ...frame, name: 'group', children: [frame] }, isHidden)
  return withBoldHeadings(
    elementsOf(frame).flatMap((box) =>
      box.name === 'text-box'
        ? elementsOf(box).flatMap((part) =>
            readBlocks({ ...box, children: [part] }, isHidden).map((block) => ({
              block,
              bold: part.name === 'p' && isBold(part),
            })),
          )
        : readBlocks({ ...frame, children: [box] }, isHidden).map((block) => ({ block, bold: false })),
    ),
  )
}

async function readContent(zip: Zip): Promise<Content> {
  const manifest = await readXml(zip, 'META-INF/manifest.xml')
  if (manifest && findElement(manifest, 'encryption-data')) throw new FlawedDocument('locked')
  const content = await readXml(zip, 'content.xml')
  const body = content && findElement(content, 'body')
  if (!content || !body) throw new FlawedDocument('unknown')
  return { body, isHidden: hiddenStyles(content, await readXml(zip, 'styles.xml')), bold: boldStyles(content) }
}

export async function readOdt(zip: Zip): Promise<readonly Block[]> {
  const { body, isHidden } = await readContent(zip)
  return readBlocks(body, isHidden)
}

export async function readOdp(zip: Zip): Promise<readonly Block[]> {
  const { body, isHidden, bold } = await readContent(zip)
  return findAll(body, 'page').flatMap((page): readonly Block[] => {
    const title = findAll(page, 'frame').find((frame) => frame.attributes['class'] === 'title')
    const blocks = elementsOf(page).flatMap((shape) => readFrame(shape, isHidden, bold))
    const heading = title ? textOf(title).replace(/\s+/g, ' ').trim() : ''
    const [first, ...rest] = blocks
    const titled: readonly Block[] =
      first && 'text' in first && heading !== '' && first.text === heading
        ? [{ kind: 'heading', level: 2, text: heading }, ...rest]
        : blocks
    return [{ kind: 'break' }, ...(titled.length > 0 ? titled : [{ kind: 'paragraph' as const, text: '(no text)' }])]
  })
}
