import { OPS, type PDFPageProxy } from 'pdfjs-dist/legacy/build/pdf.mjs'
import type { RawItem } from './page-items'

/*
 * Finds the pieces of a page's text that are invisible: white without a background, without ink, or not drawn at all.
 * Text items have no colour, so the page's drawing operations are walked for it, and the letters of both are aligned.
 * Letters that were recognised in a scan are drawn without ink over its picture: they are the page's text.
 */

type Matrix = readonly [a: number, b: number, c: number, d: number, e: number, f: number]

interface State {
  matrix: Matrix
  isWhite: boolean
  alpha: number
  /** PDF's text rendering mode: 3 draws nothing, 7 only cuts out. */
  mode: number
}

interface Box {
  readonly left: number
  readonly bottom: number
  readonly right: number
  readonly top: number
}

interface Drawing {
  /** Letters without white space, with a mark for each: 'w' white, 'n' no ink, ' ' visible. */
  readonly letters: string
  readonly marks: string
  /** Areas behind letters that are not white. */
  readonly boxes: readonly Box[]
  readonly hasPicture: boolean
}

const multiply = ([a, b, c, d, e, f]: Matrix, [ga, gb, gc, gd, ge, gf]: Matrix): Matrix => [
  a * ga + c * gb,
  b * ga + d * gb,
  a * gc + c * gd,
  b * gc + d * gd,
  a * ge + c * gf + e,
  b * ge + d * gf + f,
]

const asMatrix = (value: unknown): Matrix | null => {
  const numbers = numbersIn(value)
  return numbers.length === 6 ? (numbers as unknown as Matrix) : null
}

/** pdf.js passes both arrays and typed arrays. */
function numbersIn(value: unknown): readonly number[] {
  if (value === null || typeof value !== 'object' || !('length' in value)) return []
  return Array.from(value as ArrayLike<number>)
}

function boxOf(matrix: Matrix, corners: readonly number[]): Box | null {
  const [x1, y1, x2, y2] = corners
  if (x1 === undefined || y1 === undefined || x2 === undefined || y2 === undefined) return null
  const [a, b, c, d, e, f] = matrix
  const points = [
    [x1, y1],
    [x2, y1],
    [x1, y2],
    [x2, y2],
  ] as const
  const xs = points.map(([x, y]) => a * x + c * y + e)
  const ys = points.map(([x, y]) => b * x + d * y + f)
  return { left: Math.min(...xs), bottom: Math.min(...ys), right: Math.max(...xs), top: Math.max(...ys) }
}

const isWhiteColor = (args: readonly unknown[]): boolean => {
  const [first] = args
  if (typeof first === 'string') return /^#f[c-f]f[c-f]f[c-f]$/i.test(first)
  const numbers = args.map(Number)
  return numbers.length === 3 && numbers.every((part) => part >= 252)
}

const pictures: ReadonlySet<number> = new Set([
  OPS.paintImageXObject,
  OPS.paintInlineImageXObject,
  OPS.paintImageMaskXObject,
  OPS.paintImageXObjectRepeat,
  OPS.paintImageMaskXObjectGroup,
  OPS.paintImageMaskXObjectRepeat,
  OPS.paintInlineImageXObjectGroup,
  // A picture that was left out becomes this (scripts/pdf-reader.mjs).
  OPS.paintSolidColorImageMask,
])

const fills: ReadonlySet<unknown> = new Set([
  OPS.fill,
  OPS.eoFill,
  OPS.fillStroke,
  OPS.eoFillStroke,
  OPS.closeFillStroke,
  OPS.closeEOFillStroke,
])

/** Maximum number of letters of a page to check. */
const maxLetters = 200_000

interface OperatorList {
  readonly fnArray: readonly number[]
  readonly argsArray: readonly unknown[]
}

function walk({ fnArray, argsArray }: OperatorList): Drawing {
  const stack: State[] = []
  let state: State = { matrix: [1, 0, 0, 1, 0, 0], isWhite: false, alpha: 1, mode: 0 }
  let letters = ''
  let marks = ''
  const boxes: Box[] = []
  let hasPicture = false
  const show = (glyphs: unknown) => {
    if (!Array.isArray(glyphs)) return
    const mark = state.mode === 3 || state.mode === 7 || state.alpha === 0 ? 'n' : state.isWhite ? 'w' : ' '
    for (const glyph of glyphs as { readonly unicode?: unknown }[]) {
      if (glyph === null || typeof glyph !== 'object' || typeof glyph.unicode !== 'string') continue
      const text = glyph.unicode.replace(/\s+/g, '')
      letters += text
      marks += mark.repeat(text.length)
    }
  }
  for (const [index, operator] of fnArray.entries()) {
    if (letters.length > maxLetters) break
    const args = (argsArray[index] ?? []) as readonly unknown[]
    if (operator === OPS.save) stack.push({ ...state })
    else if (operator === OPS.restore) state = stack.pop() ?? state
    else if (operator === OPS.transform) state.matrix = multiply(state.matrix, asMatrix(args) ?? [1, 0, 0, 1, 0, 0])
    else if (operator === OPS.paintFormXObjectBegin) {
      stack.push({ ...state })
      state.matrix = multiply(state.matrix, asMatrix(args[0]) ?? [1, 0, 0, 1, 0, 0])
    } else if (operator === OPS.paintFormXObjectEnd) state = stack.pop() ?? state
    else if (operator === OPS.setFillRGBColor) state.isWhite = isWhiteColor(args)
    else if (operator === OPS.setFillColorN || operator === OPS.setFillColor) state.isWhite = false
    else if (operator === OPS.setTextRenderingMode) state.mode = Number(args[0])
    else if (operator === OPS.setGState) {
      for (const [key, value] of (args[0] ?? []) as [string, unknown][]) if (key === 'ca') state.alpha = Number(value)
    } else if (operator === OPS.showText) show(args[0])
    else if (operator === OPS.constructPath) {
      const box = fills.has(args[0]) && !state.isWhite ? boxOf(state.matrix, numbersIn(args[2])) : null
      if (box) boxes.push(box)
    } else if (operator === OPS.shadingFill) boxes.push({ left: -1e6, bottom: -1e6, right: 1e6, top: 1e6 })
    else if (pictures.has(operator)) {
      hasPicture = true
      const box = boxOf(state.matrix, [0, 0, 1, 1])
      if (box) boxes.push(box)
    }
  }
  return { letters, marks, boxes, hasPicture }
}

/** Maximum number of letters between two places where both texts agree. */
const slack = 400

/** For each item, the mark of most of its letters. */
function marksOf(items: readonly RawItem[], { letters, marks }: Drawing): readonly string[] {
  let at = 0
  return items.map(({ str }) => {
    const text = str.replace(/\s+/g, '')
    if (text === '') return ' '
    const found = letters.startsWith(text, at) ? at : letters.slice(at, at + slack + text.length).indexOf(text) + at
    if (found < at) return ' '
    at = found + text.length
    const own = marks.slice(found, at)
    const count = (mark: string) => own.split(mark).length - 1
    return count('n') * 2 > own.length ? 'n' : count('w') * 2 > own.length ? 'w' : ' '
  })
}

/** Which items are invisible, by number. If a page's drawing can't be read, nothing is marked as hidden. */
export async function hiddenItems(page: PDFPageProxy, items: readonly RawItem[]): Promise<(index: number) => boolean> {
  let drawing: Drawing
  try {
    drawing = walk(await page.getOperatorList())
  } catch {
    return () => false
  }
  const marks = marksOf(items, drawing)
  const isBehind = ({ transform, width, height }: RawItem, { left, bottom, right, top }: Box) => {
    const x = (transform[4] ?? 0) + width / 2
    const y = (transform[5] ?? 0) + height / 3
    return x >= left && x <= right && y >= bottom && y <= top
  }
  return (index) => {
    const item = items[index]
    const mark = marks[index]
    if (item === undefined || mark === ' ') return false
    if (mark === 'n') return !drawing.hasPicture
    return !drawing.boxes.some((box) => isBehind(item, box))
  }
}
