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
