import { FlawedDocument } from '../flaw'
import type { Block } from '../blocks'
import { createLine } from '../blocks'
import type { Zip } from '../zip'
import { childOf, elementsOf, textOf, type XmlElement } from '../xml'
import { readXml } from './package'
import { readStyles, runLook, type DocxStyles } from './docx-styles'

/*
 * Word documents: paragraphs, lists, tables, notes. Text deleted with tracked changes is left out, inserted text is
 * included. Pages are those that Word last rendered, if it recorded them.
 */

interface Walk {
  readonly styles: DocxStyles
  readonly lists: ReadonlyMap<string, readonly boolean[]>
  readonly notes: ReadonlyMap<string, string>
  /** Ids of the referenced notes, in order. */
  readonly named: string[]
}

const valueOf = (element: XmlElement | undefined): string | undefined => element?.attributes['val']

/** Which levels of a list are numbered, by the list's id. */
async function readLists(zip: Zip): Promise<ReadonlyMap<string, readonly boolean[]>> {
  const tree = await readXml(zip, 'word/numbering.xml')
  const numbering = tree && childOf(tree, 'numbering')
  const children = numbering ? elementsOf(numbering) : []
  const kinds = new Map<string, readonly boolean[]>()
  for (const list of children.filter(({ name }) => name === 'abstractNum')) {
    const levels = elementsOf(list).filter(({ name }) => name === 'lvl')
    const numbered = levels.map((level) => !['bullet', 'none'].includes(valueOf(childOf(level, 'numFmt')) ?? ''))
    kinds.set(list.attributes['abstractNumId'] ?? '', numbered)
  }
  const lists = new Map<string, readonly boolean[]>()
  for (const list of children.filter(({ name }) => name === 'num')) {
    const kind = kinds.get(valueOf(childOf(list, 'abstractNumId')) ?? '')
    if (kind) lists.set(list.attributes['numId'] ?? '', kind)
  }
  return lists
}

async function readNotes(zip: Zip): Promise<ReadonlyMap<string, string>> {
  const notes = new Map<string, string>()
  for (const [file, kind] of [
    ['word/footnotes.xml', 'footnote'],
    ['word/endnotes.xml', 'endnote'],
  ] as const) {
    const tree = await readXml(zip, file)
    const list = tree && childOf(tree, `${kind}s`)
    for (const note of list ? elementsOf(list) : []) {
      if (note.attributes['type'] !== undefined && note.attributes['type'] !== 'normal') continue
      const text = textOf(note).replace(/\s+/g, ' ').trim()
      if (text !== '') notes.set(`${kind} ${note.attributes['id'] ?? ''}`, text)
    }
  }
  return notes
}

const passedThrough = new Set([
  'ins',
  'hyperlink',
  'smartTag',
  'fldSimple',
  'sdtContent',
  'sdt',
  'moveTo',
  'oMath',
  'oMathPara',
])

interface Paragraph {
  readonly line: ReturnType<typeof createLine>
  readonly breaks: { before: boolean; after: boolean }
  /** Text boxes and similar blocks, which follow the paragraph. */
  readonly after: Block[]
}

function readRun(
  run: XmlElement,
  into: Paragraph,
  walk: Walk,
  paragraphStyle: string | undefined,
  shaded: boolean,
): void {
  const { line, breaks } = into
  const hidden = runLook(run, walk.styles, paragraphStyle, shaded).hidden
  for (const child of elementsOf(run)) {
    switch (child.name) {
      case 't':
        line.add(textOf(child), hidden)
        break
      case 'tab':
        line.add(' ', hidden)
        break
      case 'noBreakHyphen':
        line.add('-', hidden)
        break
      case 'cr':
        line.add('\n')
        break
      case 'br':
        if (child.attributes['type'] === 'page') breaks[line.isEmpty() ? 'before' : 'after'] = true
        else line.add('\n')
        break
      case 'lastRenderedPageBreak':
        breaks[line.isEmpty() ? 'before' : 'after'] = true
        break
      case 'footnoteReference':
      case 'endnoteReference': {
        const id = `${child.name.replace('Reference', '')} ${child.attributes['id'] ?? ''}`
        if (!walk.notes.has(id)) break
        walk.named.push(id)
        line.add(`[^${walk.named.length}]`)
        break
      }
      case 'AlternateContent':
      case 'drawing':
      case 'pict':
        into.after.push(...textBoxes(child, walk))
    }
  }
}

/** A text box is stored twice, for old and new readers of the format. */
function textBoxes(element: XmlElement, walk: Walk): readonly Block[] {
  if (element.name === 'Fallback') return []
  return elementsOf(element).flatMap((child) =>
    child.name === 'txbxContent' ? readBlocks(child, walk, false) : textBoxes(child, walk),
  )
}

function readParagraph(element: XmlElement, walk: Walk, shaded: boolean): readonly Block[] {
  const properties = childOf(element, 'pPr')
  const style = valueOf(childOf(properties, 'pStyle'))
  const into: Paragraph = { line: createLine(), breaks: { before: false, after: false }, after: [] }
  const isShaded = shaded || walk.styles.isShaded(properties)
  if (childOf(properties, 'pageBreakBefore')) into.breaks.before = true
  const walkRuns = (parent: XmlElement) => {
    for (const child of elementsOf(parent)) {
      if (child.name === 'r') readRun(child, into, walk, style, isShaded)
      else if (passedThrough.has(child.name)) walkRuns(child)
    }
  }
  walkRuns(element)
  const text = into.line.take()
  const block = text === '' ? [] : [blockOf(text, properties, style, walk)]
  const pageBreak: Block = { kind: 'break' }
  return [
    ...(into.breaks.before ? [pageBreak] : []),
    ...block,
    ...into.after,
    ...(into.breaks.after ? [pageBreak] : []),
  ]
}

function blockOf(text: string, properties: XmlElement | undefined, style: string | undefined, walk: Walk): Block {
  const own = valueOf(childOf(properties, 'outlineLvl'))
  const level = own === undefined ? walk.styles.headingLevel(style) : Number(own) + 1
  if (level !== null && level <= 6) return { kind: 'heading', level, text }
  const list = childOf(properties, 'numPr') ?? walk.styles.listOf(style)
  const id = valueOf(childOf(list, 'numId'))
  if (id === undefined || id === '0') return { kind: 'paragraph', text }
  const depth = Number(valueOf(childOf(list, 'ilvl')) ?? 0) || 0
  return { kind: 'item', depth, ordered: walk.lists.get(id)?.[depth] === true, text }
}

const plainText = (blocks: readonly Block[]): string =>
  blocks
    .map((block) =>
      block.kind === 'table'
        ? block.rows.map((row) => row.join(' ')).join(' ')
        : block.kind === 'break'
          ? ''
          : block.text,
    )
    .join(' ')
    .trim()

function readTable(table: XmlElement, walk: Walk, shaded: boolean): readonly Block[] {
  const rows: string[][] = []
  for (const row of elementsOf(table).filter(({ name }) => name === 'tr')) {
    const cells: string[] = []
    for (const cell of elementsOf(row).filter(({ name }) => name === 'tc')) {
      const properties = childOf(cell, 'tcPr')
      const merge = childOf(properties, 'vMerge')
      const continues = merge !== undefined && merge.attributes['val'] !== 'restart'
      const isShaded = shaded || walk.styles.isShaded(properties)
      cells.push(continues ? '' : plainText(readBlocks(cell, walk, isShaded)))
      const span = Math.min(64, Number(valueOf(childOf(properties, 'gridSpan')) ?? 1) || 1)
      for (let n = 1; n < span; n++) cells.push('')
    }
    if (cells.length > 0) rows.push(cells)
  }
  return rows.length === 0 ? [] : [{ kind: 'table', rows }]
}

function readBlocks(parent: XmlElement, walk: Walk, shaded: boolean): readonly Block[] {
  const blocks: Block[] = []
  for (const child of elementsOf(parent)) {
    if (child.name === 'p') blocks.push(...readParagraph(child, walk, shaded))
    else if (child.name === 'tbl') blocks.push(...readTable(child, walk, shaded))
    else if (child.name === 'sdt' || child.name === 'sdtContent' || child.name === 'ins' || child.name === 'customXml')
      blocks.push(...readBlocks(child, walk, shaded))
  }
  return blocks
}

export async function readDocx(zip: Zip): Promise<readonly Block[]> {
  const tree = await readXml(zip, 'word/document.xml')
  const body = tree && childOf(childOf(tree, 'document'), 'body')
  if (!body) throw new FlawedDocument('unknown')
  const walk: Walk = {
    styles: await readStyles(zip),
    lists: await readLists(zip),
    notes: await readNotes(zip),
    named: [],
  }
  const blocks = readBlocks(body, walk, false)
  const notes = walk.named.map((id, index): Block => ({
    kind: 'paragraph',
    text: `[^${index + 1}]: ${walk.notes.get(id) ?? ''}`,
  }))
  return [...blocks, ...notes]
}
