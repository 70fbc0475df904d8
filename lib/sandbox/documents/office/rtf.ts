import { FlawedDocument } from '../flaw'
import { createLine, type Block } from '../blocks'
import { documentLimits } from '../../document'

/*
 * Rich Text Format, in one pass:
 *
 *   {\rtf1\ansi\ansicpg1252 {\fonttbl …} Hello {\v secret} w\'f6rld\par \trowd a\cell b\cell\row }
 *
 * Groups that a reader may skip (`\*`) and tables of fonts, styles and pictures are left out.
 */

const skipped = new Set(
  'fonttbl colortbl stylesheet info pict object themedata colorschememapping datastore latentstyles listtable listoverridetable generator header footer headerl headerr headerf footerl footerr footerf xmlnstbl rsidtbl'.split(
    ' ',
  ),
)

const signs: Readonly<Record<string, string>> = {
  emdash: '—',
  endash: '–',
  bullet: '•',
  lquote: '‘',
  rquote: '’',
  ldblquote: '“',
  rdblquote: '”',
  tab: ' ',
  line: '\n',
  '~': '\u00a0',
  _: '-',
}

interface State {
  isSkipped: boolean
  hidden: boolean
  /** Index in the table of colours. */
  color: number
  /** Number in the table of fonts. */
  font: number | null
  /** In half points. */
  size: number
  /** Heading level from 1, from the paragraph itself or its style; null if it is not a heading. */
  level: number | null
  /** Number of letters after `\u` that replace it in readers that do not know it. */
  fallback: number
}

const codePages: Readonly<Record<string, string>> = {
  '932': 'shift_jis',
  '936': 'gb18030',
  '949': 'euc-kr',
  '950': 'big5',
  '10000': 'macintosh',
  '65001': 'utf-8',
}

function decoderOf(page: string): TextDecoder {
  try {
    return new TextDecoder(codePages[page] ?? `windows-${page}`)
  } catch {
    return new TextDecoder('windows-1252')
  }
}

const token = /\\([a-z]{1,32})(-?\d{1,10})? ?|\\'([0-9a-f]{2})|\\([^a-z'])|([{}])|[\r\n]+|([^\\{}\r\n]+)/gi

/** RTF has only ASCII; a program that writes other letters as they are writes UTF-8. */
function sourceOf(data: Uint8Array): string {
  const plain = new TextDecoder('latin1').decode(data)
  if (!/[\u00c2-\u00f4][\u0080-\u00bf]/.test(plain)) return plain
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(data)
  } catch {
    return plain
  }
}

export function readRtf(data: Uint8Array): readonly Block[] {
  const source = sourceOf(data)
  if (!/^(?:\ufeff|\u00ef\u00bb\u00bf)?[\s\0]*\{\\rtf/.test(source)) throw new FlawedDocument('unknown')
  const decoder = decoderOf(/\\ansicpg(\d{1,5})/.exec(source)?.[1] ?? '1252')
  const fonts = fontDecoders(source)
  const whites = whiteColors(source)
  const styles = headingStyles(source)
  const blocks: Block[] = []
  const line = createLine()
  const stack: State[] = []
  let state: State = { isSkipped: false, hidden: false, color: 0, font: null, size: 24, level: null, fallback: 1 }
  let bytes: number[] = []
  let toSkip = 0
  let cells: string[] | null = null
  let rows: string[][] = []
  const add = (text: string) => {
    if (state.isSkipped) return
    line.add(text, state.hidden || state.size <= 4 || whites.has(state.color))
  }
  const flushBytes = () => {
    if (bytes.length > 0) add((fonts.get(state.font ?? -1) ?? decoder).decode(Uint8Array.from(bytes)))
    bytes = []
  }
  const endTable = () => {
    if (rows.length > 0) blocks.push({ kind: 'table', rows })
    rows = []
  }
  const endParagraph = () => {
    const text = line.take()
    if (text === '') return
    endTable()
    const item = itemOf(text, blocks.at(-1))
    const { level } = state
    blocks.push(level !== null ? { kind: 'heading', level, text } : (item ?? { kind: 'paragraph', text }))
  }
  const control = (word: string, value: number | null) => {
    if (skipped.has(word)) state.isSkipped = true
    else if (Object.hasOwn(signs, word)) add(signs[word] ?? '')
    else if (word === 'par' || word === 'sect') {
      if (cells === null) endParagraph()
      else add(' ')
    } else if (word === 'page') {
      endParagraph()
      endTable()
      blocks.push({ kind: 'break' })
    } else if (word === 'intbl' || word === 'trowd') cells ??= []
    else if (word === 'pard') {
      cells = cells?.length === 0 ? null : cells
      state.level = null
    } else if (word === 's') state.level = styles.get(value ?? 0) ?? state.level
    else if (word === 'outlinelevel') state.level = value !== null && value < 9 ? value + 1 : null
    else if (word === 'cell') (cells ??= []).push(line.take())
    else if (word === 'row') {
      if (cells && cells.length > 0) rows.push(cells)
      cells = null
    } else if (word === 'v') state.hidden = value !== 0
    else if (word === 'cf') state.color = value ?? 0
    else if (word === 'f') state.font = value
    else if (word === 'fs') state.size = value ?? 24
    else if (word === 'plain') Object.assign(state, { hidden: false, color: 0, font: null, size: 24 })
    else if (word === 'uc') state.fallback = Math.min(8, Math.max(0, value ?? 1))
    else if (word === 'u' && value !== null) {
      add(String.fromCharCode(value < 0 ? value + 65_536 : value))
      toSkip = state.fallback
    }
  }

  let isFirst = false
  for (const [whole, word, value, byte, symbol, brace, text] of source.matchAll(token)) {
    if (byte !== undefined) {
      if (toSkip > 0) toSkip -= 1
      else if (!state.isSkipped) bytes.push(Number.parseInt(byte, 16))
      continue
    }
    flushBytes()
    if (brace === '{') {
      if (stack.push({ ...state }) > documentLimits.xmlDepth) throw new FlawedDocument('too-deep')
      isFirst = true
      continue
    }
    if (brace === '}') state = stack.pop() ?? state
    else if (symbol === '*' && isFirst) state.isSkipped = true
    else if (symbol !== undefined)
      add(Object.hasOwn(signs, symbol) ? (signs[symbol] ?? '') : '\\{}'.includes(symbol) ? symbol : '')
    else if (word !== undefined) control(word, value === undefined ? null : Number(value))
    else if (text !== undefined) {
      add(text.slice(toSkip))
      toSkip = Math.max(0, toSkip - text.length)
    } else if (whole === '') break
    isFirst = false
  }
  flushBytes()
  endParagraph()
  endTable()
  return blocks
}

/** A line of a list whose marker is part of the text. Items with a dash may be nested below one with a dot. */
function itemOf(text: string, before: Block | undefined): Block | null {
  const [, sign = '', rest = ''] = /^([•◦▪‣\uf0b7–-])[ \t\u00a0]+([\s\S]+)$/.exec(text) ?? []
  const isBelow = sign === '◦' || sign === '▪' || sign === '–' || sign === '-'
  if (sign === '' || (isBelow && before?.kind !== 'item')) return null
  return { kind: 'item', depth: isBelow ? 1 : 0, ordered: false, text: rest }
}

/** Levels of headings, from 1, by style number. */
function headingStyles(source: string): ReadonlyMap<number, number> {
  const found = source.matchAll(/\{\\s(\d{1,4})(?=[\\ ])[^{}]{0,2000}?\\outlinelevel([0-8])(?!\d)/g)
  return new Map([...found].map(([, style, level]) => [Number(style), Number(level) + 1]))
}

const charsetPages: Readonly<Record<string, string>> = {
  '128': '932',
  '129': '949',
  '134': '936',
  '136': '950',
  '161': '1253',
  '162': '1254',
  '177': '1255',
  '178': '1256',
  '186': '1257',
  '204': '1251',
  '222': '874',
  '238': '1250',
}

/** Fonts whose letters have an encoding of their own. */
function fontDecoders(source: string): ReadonlyMap<number, TextDecoder> {
  const found = source.matchAll(/\\f(\d{1,5})(?:\\[a-z]+-?\d* ?){0,6}?\\fcharset(\d{1,3})/g)
  return new Map(
    [...found].flatMap(([, font, charset = '']) => {
      const page = charsetPages[charset]
      return page === undefined ? [] : [[Number(font), decoderOf(page)] as const]
    }),
  )
}

/** Which entries of the table of colours are white. */
function whiteColors(source: string): ReadonlySet<number> {
  const table = /\{\\colortbl([^{}]{0,20000})\}/.exec(source)?.[1] ?? ''
  const whites = table
    .split(';')
    .flatMap((entry, index) => (/\\red25[2-5]\\green25[2-5]\\blue25[2-5]/.test(entry) ? [index] : []))
  return new Set(whites)
}
