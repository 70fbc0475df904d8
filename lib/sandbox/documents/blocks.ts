import { documentLimits, hiddenMark, piecesOf, withoutMarks, type DocumentPart, type OutlineEntry } from '../document'

/*
 * The intermediate form of office files, books and RTF before they become Markdown: a flat list of blocks. Breaks are
 * where the document says that a page, a slide or a chapter begins.
 */

export type Block =
  | { readonly kind: 'heading'; readonly level: number; readonly text: string }
  | { readonly kind: 'paragraph'; readonly text: string }
  | { readonly kind: 'item'; readonly depth: number; readonly ordered: boolean; readonly text: string }
  | { readonly kind: 'table'; readonly rows: readonly (readonly string[])[] }
  | { readonly kind: 'break' }

/** Collects the text of a paragraph, with hidden pieces in marks. */
export function createLine() {
  let text = ''
  let hidden = ''
  const flush = () => {
    if (hidden.trim() !== '') text += hiddenMark(hidden.trim())
    hidden = ''
  }
  return {
    add(piece: string, isHidden = false) {
      if (isHidden && piece.trim() !== '') hidden += piece
      else if (hidden !== '' && piece.trim() === '') hidden += piece
      else {
        flush()
        text += withoutMarks(piece)
      }
    },
    isEmpty: () => text.trim() === '' && hidden.trim() === '',
    take(): string {
      flush()
      const whole = text.trim()
      text = ''
      return whole
    },
  }
}

/** A block of a slide; `bold`: every letter of it is. */
export interface SlideBlock {
  readonly block: Block
  readonly bold: boolean
}

const maxHeadingCharacters = 100

/** Slides have no headings but their title: a short bold paragraph above text that is not bold is one. */
export const withBoldHeadings = (blocks: readonly SlideBlock[]): readonly Block[] =>
  blocks.map(({ block, bold }, at) => {
    const next = blocks[at + 1]
    const isHeading = bold && block.kind === 'paragraph' && next?.bold === false && next.block.kind !== 'heading'
    return isHeading && block.text.length <= maxHeadingCharacters
      ? { kind: 'heading', level: 3, text: block.text }
      : block
  })

const cellText = (text: string): string =>
  text
    .replace(/\s*\n\s*/g, ' ')
    .replaceAll('|', '\\|')
    .trim()

export function markdownTable(rows: readonly (readonly string[])[]): string {
  const columns = rows.reduce((most, row) => Math.max(most, row.length), 0)
  const line = (row: readonly string[]) =>
    `| ${Array.from({ length: columns }, (_, column) => cellText(row[column] ?? '')).join(' | ')} |`
  const [head = [], ...body] = rows
  return [line(head), `|${' --- |'.repeat(columns)}`, ...body.map(line)].join('\n')
}

export function markdownOf(block: Block): string {
  switch (block.kind) {
    case 'heading':
      return `${'#'.repeat(Math.min(6, Math.max(1, block.level)))} ${block.text.replace(/\s*\n\s*/g, ' ')}`
    case 'item':
      return `${'  '.repeat(Math.min(8, Math.max(0, block.depth)))}${block.ordered ? '1.' : '-'} ${block.text.replace(/\n+/g, '\n  ')}`
    case 'table':
      return markdownTable(block.rows)
    case 'paragraph':
      return block.text
    case 'break':
      return ''
  }
}

/** Number of characters in marks. */
const hiddenIn = (text: string): number =>
  piecesOf(text).reduce((sum, piece) => sum + (piece.hidden ? piece.text.length : 0), 0)

export const partOf = (text: string, label = ''): DocumentPart => ({
  label: label.slice(0, documentLimits.titleCharacters),
  text,
  hidden: hiddenIn(text),
})

/** A text without pages is split into pieces of about this many characters, the length of a page. */
const partCharacters = 3_000

interface Parts {
  readonly parts: readonly DocumentPart[]
  readonly outline: readonly OutlineEntry[]
}

/**
 * Groups blocks into parts: at breaks if there are any, else in pieces of about a page, which begin at headings if
 * possible.
 */
export function partsOfBlocks(blocks: readonly Block[]): Parts {
  const hasBreaks = blocks.some(({ kind }) => kind === 'break')
  const texts: string[][] = [[]]
  const outline: OutlineEntry[] = []
  let length = 0
  let last: Block['kind'] | null = null
  for (const block of blocks) {
    const isFull = !hasBreaks && (length > partCharacters || (block.kind === 'heading' && length > partCharacters / 2))
    if (isFull || (block.kind === 'break' && (texts.at(-1)?.length ?? 0) > 0)) {
      texts.push([])
      length = 0
    }
    if (block.kind === 'break') continue
    const text = markdownOf(block)
    if (text.trim() === '') continue
    if (block.kind === 'heading' && outline.length < documentLimits.outline)
      outline.push({ title: titleOf(block.text), part: texts.length })
    // Items of one list have no empty line between them.
    const group = texts.at(-1)
    if (group && block.kind === 'item' && last === 'item' && group.length > 0) group[group.length - 1] += `\n${text}`
    else group?.push(text)
    length += text.length
    last = block.kind
  }
  return { parts: texts.filter((group) => group.length > 0).map((group) => partOf(group.join('\n\n'))), outline }
}

export const titleOf = (text: string): string => {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length <= documentLimits.titleCharacters ? line : `${line.slice(0, documentLimits.titleCharacters - 1)}…`
}
