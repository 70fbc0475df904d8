import { markdownOf, type Block } from '../blocks'
import { itemsOfPage, type PageArea, type RawItem } from './page-items'
import { lineTexts } from './page-tables'
import { textOfPage, type PageText } from './page-text'

/*
 * The text of a page of a tagged PDF. Tags say which letters are a heading, an item or a table cell, in reading
 * order. They only order and name what the page shows: alternative texts are ignored, and text without a tag (such as
 * page numbers) follows in its drawing order.
 */

/** A node of pdf.js’s structure tree; a leaf has the id of marked content of the page. */
export interface TagNode {
  readonly role?: string
  readonly type?: string
  readonly id?: string
  readonly children?: readonly TagNode[]
}

/** A piece of text, or the beginning or end of marked content, in drawing order. */
export type ContentItem = RawItem | { readonly type: string; readonly id?: string | null }

export const isText = (item: ContentItem): item is RawItem => 'str' in item

/** No honest file has a deeper tree. */
const maxDepth = 64

/** Below this share of its letters in tags, a page counts as untagged. */
const minTagged = 0.8

type Numbered = readonly { readonly item: RawItem; readonly index: number }[]

/** The pieces of text by the id of their marked content; the others under ''. */
function byContent(items: readonly ContentItem[]): ReadonlyMap<string, Numbered> {
  const found = new Map<string, { item: RawItem; index: number }[]>()
  // For each marked content that is open, the id that text in it has: an outer one's if it has none. Looking it up for
  // each text would be quadratic in a file that opens thousands.
  const open: string[] = []
  let index = 0
  for (const item of items) {
    if (isText(item)) {
      const id = open.at(-1) ?? ''
      const list = found.get(id) ?? []
      list.push({ item, index })
      found.set(id, list)
      index++
    } else if (item.type === 'endMarkedContent') open.pop()
    else open.push(item.id ?? open.at(-1) ?? '')
  }
  return found
}

const heading = /^H([1-6])?$/
const isCell = (role: string | undefined): boolean => role === 'TD' || role === 'TH'

/** Null: the page has no tags, or they cover too little of it. */
export function taggedText(
  tree: TagNode | null,
  items: readonly ContentItem[],
  page: { readonly area: PageArea; readonly isHidden: (index: number) => boolean; readonly body: number },
): PageText | null {
  if (tree === null) return null
  const contents = byContent(items)
  const used = new Set<string>()
  const blocks: Block[] = []

  const upright = (pieces: Numbered) =>
    itemsOfPage(
      pieces.map(({ item }) => item),
      page.area,
      (at) => page.isHidden(pieces[at]?.index ?? -1),
    )

  /** The letters under a node, in its order, each once. */
  function piecesUnder(node: TagNode, skip: (node: TagNode) => boolean = () => false, depth = 0): Numbered {
    if (depth > maxDepth || skip(node)) return []
    if (node.type === 'content' && node.id !== undefined) {
      if (used.has(node.id)) return []
      used.add(node.id)
      return contents.get(node.id) ?? []
    }
    return (node.children ?? []).flatMap((child) => piecesUnder(child, skip, depth + 1))
  }
  const textUnder = (node: TagNode, skip?: (node: TagNode) => boolean): string => {
    const { upright: level, turned } = upright(piecesUnder(node, skip))
    return lineTexts([...level, ...turned])
  }

  function readRows(node: TagNode, rows: string[][], depth: number): void {
    for (const child of depth > maxDepth ? [] : (node.children ?? [])) {
      if (child.role === 'TR') rows.push(cellsOf(child).map((cell) => textUnder(cell)))
      else readRows(child, rows, depth + 1)
    }
  }
  const cellsOf = (row: TagNode): readonly TagNode[] =>
    (row.children ?? []).flatMap((child) => (isCell(child.role) ? [child] : cellsOf(child)))

  function readList(node: TagNode, level: number, depth: number): void {
    for (const item of depth > maxDepth ? [] : (node.children ?? [])) {
      if (item.role === 'L') readList(item, level + 1, depth + 1)
      if (item.role !== 'LI') {
        if (item.role !== 'L') read(item, depth + 1)
        continue
      }
      const parts = partsOf(item)
      const label = parts.filter(({ role }) => role === 'Lbl').map((part) => textUnder(part))
      const isInner = ({ role }: TagNode) => role === 'L' || role === 'Table'
      const text = textUnder(item, (part) => part.role === 'Lbl' || isInner(part))
      const ordered = /^\(?(?:\d+|\p{L})[.)]/u.test(label.join(''))
      if (text !== '') blocks.push({ kind: 'item', depth: level, ordered, text })
      for (const part of parts) {
        if (part.role === 'L') readList(part, level + 1, depth + 1)
        else if (part.role === 'Table') read(part, depth + 1)
      }
    }
  }
  const partsOf = (item: TagNode): readonly TagNode[] =>
    (item.children ?? []).flatMap((child) =>
      child.role === 'LBody' || child.role === 'NonStruct' ? partsOf(child) : [child],
    )

  function read(node: TagNode, depth: number): void {
    const { role = '', children = [] } = node
    if (depth > maxDepth) return
    const [isHeading, level] = heading.exec(role) ?? []
    if (isHeading !== undefined) {
      const text = textUnder(node)
      if (text !== '') blocks.push({ kind: 'heading', level: Number(level ?? 2), text })
    } else if (role === 'Table') {
      const rows: string[][] = []
      readRows(node, rows, 0)
      if (rows.some((row) => row.some((cell) => cell !== ''))) blocks.push({ kind: 'table', rows })
      // A caption, or letters between the cells.
      paragraph(node)
    } else if (role === 'L') {
      readList(node, 0, depth)
      paragraph(node)
    } else if (children.some(isBlock)) for (const child of children) read(child, depth + 1)
    else paragraph(node)
  }
  function paragraph(node: TagNode): void {
    const text = textUnder(node)
    if (text !== '') blocks.push({ kind: 'paragraph', text })
  }

  read(tree, 0)
  const letters = (pieces: Numbered) => pieces.reduce((sum, { item }) => sum + item.str.trim().length, 0)
  const all = [...contents.values()].reduce((sum, pieces) => sum + letters(pieces), 0)
  const left = [...contents].flatMap(([id, pieces]) => (used.has(id) ? [] : pieces))
  if (all === 0 || letters(left) > (1 - minTagged) * all) return null
  const rest = textOfPage(upright(left.toSorted((a, b) => a.index - b.index)), page.body)
  const texts: string[] = []
  let isItem = false
  for (const block of blocks) {
    const text = markdownOf(block)
    if (isItem && block.kind === 'item') texts[texts.length - 1] += `\n${text}`
    else texts.push(text)
    isItem = block.kind === 'item'
  }
  const headings = blocks.flatMap((block) => (block.kind === 'heading' ? [block.text] : []))
  return { text: [...texts, rest.text].filter((text) => text !== '').join('\n\n'), headings }
}

const inline = new Set(['Span', 'Link', 'Quote', 'Code', 'Reference', 'Annot', 'Em', 'Strong', 'Sub', 'Lbl', 'FENote'])

/** Whether it is a block of its own, or contains one. */
function isBlock(node: TagNode, _index = 0, _all: readonly TagNode[] = [], depth = 0): boolean {
  const { role = '', children = [] } = node
  if (role === 'NonStruct' || inline.has(role)) {
    return depth < maxDepth && children.some((child) => isBlock(child, 0, [], depth + 1))
  }
  return role !== ''
}
