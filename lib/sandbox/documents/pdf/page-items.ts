/*
 * The pieces of text of a PDF page by position, upright: a page that is shown rotated is read rotated. `y` grows
 * upwards.
 */

/** A text item from pdf.js. */
export interface RawItem {
  readonly str: string
  /** a, b, c, d, e, f: the position of its letters, before the page is rotated. */
  readonly transform: readonly number[]
  readonly width: number
  readonly height: number
  /** The name by which pdf.js keeps its font. */
  readonly fontName?: string
}

export interface PageItem {
  readonly text: string
  readonly x: number
  readonly y: number
  readonly end: number
  readonly height: number
  /** The item is invisible on the page. */
  readonly hidden: boolean
  /** White space follows. */
  space: boolean
}

export interface PageItems {
  /** In the order in which the page draws them. */
  readonly upright: readonly PageItem[]
  /** Text that runs in another direction than most of the page. */
  readonly turned: readonly PageItem[]
}

export interface PageArea {
  /** From the page's own coordinates to those of its area, where y grows downwards. */
  readonly transform: readonly number[]
}

/** Replaces ligatures and positional forms of letters by the letters as typed. */
export const plainLetters = (text: string): string =>
  text.replace(/[\ufb00-\ufb06\ufb1d-\ufdff\ufe70-\ufefc]+/g, (forms) => forms.normalize('NFKC'))

const ligatures = ['ff', 'fi', 'fl', 'ffi', 'ffl']
// In the old encoding, pdf.js takes the first three for white space and leaves them out.
/** Letters by their codes in the two encodings of TeX’s drawn fonts, where these differ from Latin-1. */
const oldLetters = new Map<string, string>([
  ...ligatures.map((letters, at) => [String.fromCharCode(0x0b + at), letters] as const),
  ...Array.from('ı\0`´ˇ˘¯˚¸ßæœøÆŒØ', (letter, at) => [String.fromCharCode(0x10 + at), letter] as const),
  ['\x7f', '¨'],
])
const newLetters = new Map<string, string>([
  ...ligatures.map((letters, at) => [String.fromCharCode(0x1b + at), letters] as const),
  ...Array.from('“”„«»–—', (letter, at) => [String.fromCharCode(0x10 + at), letter] as const),
  ...Array.from(
    'ĂĄĆČĎĚĘĞĹĽŁŃŇŊŐŔŘŚŠŞŤŢŰŮŸŹŽŻĲİđ§ăąćčďěęğĺľłńňŋőŕřśšşťţűůÿźžżĳ¡¿£',
    (letter, at) => [String.fromCharCode(0x80 + at), letter] as const,
  ),
  ['×', 'Œ'],
  ['ß', 'SS'],
  ['÷', 'œ'],
  ['ÿ', 'ß'],
])
const combining: Readonly<Record<string, string>> = {
  '`': '\u0300',
  '´': '\u0301',
  ˆ: '\u0302',
  '˜': '\u0303',
  '¯': '\u0304',
  '˘': '\u0306',
  '¨': '\u0308',
  '˚': '\u030a',
  '˝': '\u030b',
  ˇ: '\u030c',
  '¸': '\u0327',
}

/** The accent and the letter as one letter; null: there is none. */
function accented(accent: string, letter: string): string | null {
  const one = `${letter === 'ı' ? 'i' : letter}${combining[accent]}`.normalize('NFC')
  return Object.hasOwn(combining, accent) && one.length === 1 ? one : null
}

/** TeX draws the accent, goes back and draws the letter. In other texts, the letter follows the accent: `geht´s`. */
function joinAccents(items: readonly RawItem[], texts: string[]): void {
  for (const [index, { transform, width, height }] of items.entries()) {
    const next = items[index + 1]
    const [text = '', rest = ''] = [texts[index], texts[index + 1]]
    const letter = accented(text.slice(-1), rest.slice(0, 1))
    const [, turned, , , x = 0] = transform
    if (letter === null || !next || turned !== 0 || (next.transform[4] ?? 0) > x + width - height / 10) continue
    texts[index] = text.slice(0, -1)
    texts[index + 1] = letter + rest.slice(1)
  }
}

/** The names of the glyphs are numbers, which pdf.js takes for those of an ornamental font: nothing says the letters. */
const isUnnamed = (text: string): boolean => (text.match(/[\u2701-\u27bf]/g)?.length ?? 0) > text.length / 4

const oldBullet = String.fromCharCode(0x0f)

/** It has letters beyond ASCII, or a ligature within a word; mathematical signs have the codes of these, too. */
const isNewEncoding = (text: string): boolean =>
  Array.from(text).some((sign, at, all) => {
    const code = sign.charCodeAt(0)
    const isLigature = code >= 0x1b && code <= 0x1f
    return (code >= 0x80 && code <= 0xff) || (isLigature && /^[a-z]{2}$/.test(`${all[at - 1]}${all[at + 1]}`))
  })

/**
 * Items with the letters that they show, where TeX wrote them: `e\x0ecient` is "efficient", `Br¨` and `ucke` are "Brücke".
 * Items in a font without any names become empty. `isDrawn`: the letters of the item's font are drawings (Type 3), and
 * nothing but their codes says which.
 */
export function withTexLetters<Item extends RawItem>(
  items: readonly Item[],
  isDrawn: (index: number) => boolean,
): readonly Item[] {
  const drawn = items.filter((_, index) => isDrawn(index))
  const letters = drawn.map(({ str }) => str.replaceAll(/\s/g, '')).join('')
  const table = drawn.some(({ str }) => isNewEncoding(str)) ? newLetters : oldLetters
  const unnamed = isUnnamed(letters)
  const texts = items.map(({ str }, index) => {
    if (!isDrawn(index)) return str
    if (unnamed) return ''
    // Signs have the same codes, but stand alone.
    const signed = str.replace(/^\S(?!\S)/, (sign) => (sign === oldBullet ? '•' : sign))
    return /[a-z]/i.test(signed) ? Array.from(signed, (sign) => table.get(sign) ?? sign).join('') : signed
  })
  joinAccents(items, texts)
  return items.map((item, index) => (texts[index] === item.str ? item : { ...item, str: texts[index] ?? '' }))
}

type Point = readonly [x: number, y: number]

const rotations: readonly ((point: Point) => Point)[] = [
  (point) => point,
  ([x, y]) => [y, -x],
  ([x, y]) => [-x, -y],
  ([x, y]) => [-y, x],
]

interface Placed extends Omit<PageItem, 'x' | 'y' | 'end'> {
  readonly at: Point
  readonly width: number
  readonly turns: number
}

function place({ str, transform, width, height }: RawItem, { transform: view }: PageArea, hidden: boolean): Placed {
  const [a = 1, b = 0, , , e = 0, f = 0] = transform
  const [va = 1, vb = 0, vc = 0, vd = 1, ve = 0, vf = 0] = view
  const [dx, dy] = [va * a + vc * b, vb * a + vd * b]
  const turns = (Math.round(Math.atan2(-dy, dx) / (Math.PI / 2)) + 4) % 4
  return {
    text: plainLetters(str),
    at: [va * e + vc * f + ve, -(vb * e + vd * f + vf)],
    width,
    height: Math.hypot(dx, dy) || height || 10,
    turns,
    hidden,
    space: false,
  }
}

/** Letters smaller than this, in points, are ignored. */
const smallestLetter = 1

/** `isHidden`: whether the item with this number is invisible, according to the page's drawing. */
export function itemsOfPage(raw: readonly RawItem[], area: PageArea, isHidden: (index: number) => boolean): PageItems {
  const counts = [0, 0, 0, 0]
  const placed: Placed[] = []
  for (const [index, item] of raw.entries()) {
    const one = place(item, area, isHidden(index))
    if (item.str.trim() === '') {
      const last = placed.at(-1)
      if (last && item.str !== '' && last.turns === one.turns) last.space = true
      continue
    }
    counts[one.turns] = (counts[one.turns] ?? 0) + one.text.length
    placed.push({ ...one, hidden: one.hidden || one.height < smallestLetter })
  }
  const main = counts.indexOf(Math.max(...counts))
  const upright = (turns: number, list: readonly Placed[]): readonly PageItem[] =>
    list.map(({ at, width, text, height, hidden, space }) => {
      const [x, y] = rotations[turns]?.(at) ?? at
      return { text, height, hidden, space, x, y, end: x + width }
    })
  return {
    upright: upright(
      main,
      placed.filter(({ turns }) => turns === main),
    ),
    turned: [1, 2, 3].flatMap((step) => {
      const turns = (main + step) % 4
      return upright(
        turns,
        placed.filter((item) => item.turns === turns),
      )
    }),
  }
}
