import { filtersIn, filtersOfSheets, type MetElement } from './sheet-filters'

/*
 * Estimates the cost of drawing foreign SVG or HTML from its text, before anything is drawn:
 *
 *   <g id="b"><use href="#a"/><use href="#a"/></g>     b costs twice as much as a
 *   <rect fill="url(#p)" filter="url(#f)"/>            patterns, masks, markers, clips and filters count where they are used
 *
 * So a text of 1 kB that represents ten million shapes costs ten million. The estimate is rough and rather too high. It
 * only decides whether the user is asked first: content is drawn in a frame that can be removed.
 */

export type MarkupRisk = 'inside' | 'entities' | 'filter' | 'deep' | 'large'

export interface MarkupCost {
  /** About the number of shapes that are drawn, including references; at most `mostCost`. */
  readonly cost: number
  /** Another reason why it is expensive; null for none. */
  readonly risk: MarkupRisk | null
  /** The requested size in pixels; null if not given. */
  readonly width: number | null
  readonly height: number | null
}

export const mostCost = 1_000_000_000

interface Element {
  readonly parent: number
  readonly own: number
  readonly children: number[]
  readonly refs: string[]
  /** A gradient counts as one, however often it is used. */
  readonly isFlat: boolean
}

const rasterData = /^data:image\/(?:png|jpe?g|gif|webp|avif|bmp)[;,]/i
const maxDepth = 4_000
const maxPixels = 30_000_000

/** `&#35;` and `&#x23;` as browsers read them; named entities are kept. */
const decoded = (value: string): string =>
  value.includes('&')
    ? value
        .replace(/&#(?:x([0-9a-f]{1,6})|(\d{1,7}));?/gi, (whole, hex?: string, decimal?: string) => {
          const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)
          return code <= 0x10ffff ? String.fromCodePoint(code) : whole
        })
        .replace(/&num;/g, '#')
    : value

const costs: Readonly<Record<string, number>> = {
  feturbulence: 3_000,
  fedisplacementmap: 1_000,
  foreignobject: 20,
  animate: 20,
  animatetransform: 20,
  animatemotion: 20,
  set: 20,
}

const ownCost = (name: string, length: number): number =>
  (costs[name] ?? (name.startsWith('fe') ? 300 : 1)) + Math.floor(length / 400)

/** The ids that a style text or an attribute references. */
function urlsOf(value: string): readonly string[] {
  const found: string[] = []
  for (const [, id = ''] of value.matchAll(/url\(\s*["']?\s*#([^"')\s]{1,200})/gi)) found.push(id)
  return found
}

/** One pass over the text, one over its references: linear in its length. Never throws. */
export function measureMarkup(text: string): MarkupCost {
  const elements: Element[] = [{ parent: -1, own: 0, children: [], refs: [], isFlat: false }]
  const byId = new Map<string, number>()
  const open: { readonly name: string; readonly at: number }[] = []
  const styleRefs = new Set<string>()
  const sheets: string[] = []
  const met: MetElement[] = []
  let anyRef = false
  let risk: MarkupRisk | null = null
  let size: { width: number | null; height: number | null } | null = null

  const readSheet = (sheet: string) => {
    for (const id of readStyle(sheet)) styleRefs.add(id)
    sheets.push(sheet)
  }

  const note = (found: MarkupRisk) => (risk ??= found)

  const readStyle = (value: string): readonly string[] => {
    // An escape may spell `url` or a name in another way.
    if (value.includes('\\') && /url|#|\\[0-9a-f]/i.test(value)) anyRef = true
    if (/data\s*:\s*image\/svg|data\s*:\s*text/i.test(value)) note('inside')
    return urlsOf(value)
  }

  let at = 0
  while (at < text.length) {
    const start = text.indexOf('<', at)
    if (start < 0) break
    if (text.startsWith('<!--', start)) {
      const end = text.indexOf('-->', start + 4)
      at = end < 0 ? text.length : end + 3
      continue
    }
    if (text.startsWith('<![CDATA[', start)) {
      const end = text.indexOf(']]>', start)
      const inside = text.slice(start + 9, end < 0 ? text.length : end)
      if (open.at(-1)?.name === 'style') readSheet(inside)
      at = end < 0 ? text.length : end + 3
      continue
    }
    if (text.startsWith('<!', start) || text.startsWith('<?', start)) {
      const end = text.indexOf('>', start)
      // Entities expand to text, so their result is unknown before parsing.
      if (/<!entity/i.test(text.slice(start, end < 0 ? text.length : end + 1))) note('entities')
      at = end < 0 ? text.length : end + 1
      continue
    }
    const tag = readTag(text, start + 1)
    at = tag.end
    if (tag.name === '') continue
    if (tag.closes) {
      // Searches only near the end, so that many wrong tags stay cheap.
      for (let depth = open.length - 1; depth >= Math.max(0, open.length - 50); depth--) {
        if (open[depth]?.name !== tag.name) continue
        open.length = depth
        break
      }
      continue
    }
    const parent = open.at(-1)?.at ?? 0
    const index = elements.length
    const refs: string[] = []
    let own = ownCost(tag.name, tag.end - start)
    for (const [name, raw] of tag.attributes) {
      const value = decoded(raw)
      if (name === 'id' || name === 'xml:id') {
        if (!byId.has(value)) byId.set(value, index)
      } else if (name === 'href' || name === 'xlink:href' || name === 'src') {
        const target = value.trim()
        if (target.startsWith('#')) {
          if (tag.name !== 'a') refs.push(safelyDecoded(target.slice(1)))
        } else if (/^data:/i.test(target) && tag.name !== 'a' && !rasterData.test(target)) {
          note('inside')
        }
      } else if (name === 'numoctaves' && Number(value) > 8) note('filter')
      else if (value.includes('(') || value.includes('\\')) {
        refs.push(...readStyle(value))
        own += filtersIn(value) * 300
      }
    }
    if (size === null && tag.name === 'svg') size = sizeOf(tag.attributes)
    const isFlat = tag.name === 'lineargradient' || tag.name === 'radialgradient'
    elements.push({ parent, own, children: [], refs, isFlat })
    met.push({ name: tag.name, attributes: tag.attributes })
    elements[parent]?.children.push(index)
    if (tag.name === 'style' || tag.name === 'script') {
      const end = indexOfIgnoringCase(text, `</${tag.name}`, at)
      if (tag.name === 'style') readSheet(text.slice(at, end))
      if (!text.startsWith('<![CDATA[', at)) at = end
      continue
    }
    if (!tag.isEmpty) open.push({ name: tag.name, at: index })
    if (open.length > maxDepth) {
      note('deep')
      open.length = maxDepth
    }
  }

  const worth = worths(elements, byId)
  // Which elements a style matches is unknown here: it may be all.
  let perElement = 0
  for (const id of anyRef ? byId.keys() : styleRefs) perElement = Math.max(perElement, worth(byId.get(id) ?? -1))
  const cost = Math.min(mostCost, worth(0) + perElement * elements.length + filtersOfSheets(sheets, met) * 100)
  const { width, height } = size ?? { width: null, height: null }
  if ((width ?? 1) * (height ?? 1) > maxPixels && /filter|pattern|mask|fe[A-Z]/.test(text)) note('large')
  return { cost, risk, width, height }
}

interface Tag {
  readonly name: string
  readonly closes: boolean
  readonly isEmpty: boolean
  readonly attributes: readonly (readonly [name: string, value: string])[]
  /** The position after it. */
  readonly end: number
}

const tagName = /\/?([a-z][^\s/>]{0,100})/iy
const attribute = /[\s/]*([^\s=>/]+|=)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]*)))?/y
const tagEnd = /\s*(\/?)[\s/]*>?/y

/** Reads a tag after its `<`. Attributes in a form that browsers would read differently are read as far as possible. */
function readTag(text: string, from: number): Tag {
  tagName.lastIndex = from
  const name = tagName.exec(text)?.[1]
  if (name === undefined) return { name: '', closes: false, isEmpty: false, attributes: [], end: from }
  const attributes: (readonly [string, string])[] = []
  let at = tagName.lastIndex
  for (;;) {
    attribute.lastIndex = at
    const found = attribute.exec(text)
    if (found === null) break
    const [, key = '', double, single, bare] = found
    const value = double ?? single ?? bare
    if (value !== undefined) attributes.push([key.toLowerCase(), value])
    at = attribute.lastIndex
  }
  tagEnd.lastIndex = at
  const isEmpty = tagEnd.exec(text)?.[1] === '/'
  return {
    name: name.toLowerCase().replace(/^svg:/, ''),
    closes: text[from] === '/',
    isEmpty,
    attributes,
    end: Math.max(from, tagEnd.lastIndex),
  }
}

function indexOfIgnoringCase(text: string, wanted: string, from: number): number {
  const found = text.slice(from).search(new RegExp(wanted, 'i'))
  return found < 0 ? text.length : from + found
}

function safelyDecoded(id: string): string {
  try {
    return decodeURIComponent(id)
  } catch {
    return id
  }
}

function sizeOf(attributes: Tag['attributes']): { width: number | null; height: number | null } {
  const read = (wanted: string) => {
    const value = attributes.find(([name]) => name === wanted)?.[1] ?? ''
    const pixels = /^\s*(\d+(?:\.\d+)?)(?:px)?\s*$/.exec(value)?.[1]
    return pixels === undefined ? null : Number(pixels)
  }
  const box = (attributes.find(([name]) => name === 'viewbox')?.[1] ?? '')
    .trim()
    .split(/[\s,]+/)
    .map(Number)
  const own = { width: read('width'), height: read('height') }
  if (own.width !== null || own.height !== null || box.length !== 4) return own
  return { width: box[2] ?? null, height: box[3] ?? null }
}

/**
 * The cost of an element with its content and everything that it references; circular references count nothing, as in
 * browsers.
 */
function worths(elements: readonly Element[], byId: ReadonlyMap<string, number>): (index: number) => number {
  const known = new Map<number, number>()
  const under = new Set<number>()
  const parts = ({ children, refs }: Element): readonly number[] => [
    ...children,
    ...refs.flatMap((id) => {
      const target = byId.get(id)
      return target === undefined ? [] : [target]
    }),
  ]
  // Uses its own stack, so that neither depth nor a long chain of references can overflow it.
  return (root) => {
    if (elements[root] === undefined) return 0
    const stack = [root]
    while (stack.length > 0) {
      const index = stack.at(-1) ?? 0
      const element = elements[index]
      if (element === undefined || known.has(index)) {
        stack.pop()
        continue
      }
      const needed = parts(element)
      if (!under.has(index)) {
        under.add(index)
        const open = needed.filter((part) => !known.has(part) && !under.has(part))
        if (open.length > 0) {
          for (const part of open) stack.push(part)
          continue
        }
      }
      const sum = needed.reduce((all, part) => all + (known.get(part) ?? 0), element.own)
      known.set(index, element.isFlat ? 1 : Math.min(mostCost, sum))
      under.delete(index)
      stack.pop()
    }
    return known.get(root) ?? 0
  }
}
