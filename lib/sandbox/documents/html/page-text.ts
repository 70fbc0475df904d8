import { parse } from 'parse5'
import { createLine, partsOfBlocks, titleOf, type Block } from '../blocks'
import { documentLimits, type DocumentPart, type DocumentSummary, type OutlineEntry } from '../../document'
import {
  attributeOf,
  isHiddenElement,
  readHidingRules,
  type Element,
  type HidingRules,
  findMainContent,
  isAround,
  isElement,
  isText,
  silent,
} from './main-content'

/*
 * A web page as text: its title and its main text, without hidden parts, as Markdown with absolute links. The page is
 * parsed by the HTML standard, so that text is where a browser would show it. Invisible text is dropped and counted.
 */

const lines = new Set(
  (
    'address article aside blockquote center dd details dialog div dl dt fieldset figcaption figure footer form header hgroup hr ' +
    'legend main nav p section summary tbody td tfoot th thead tr caption'
  ).split(' '),
)
const maxLinkCharacters = 300

interface Place {
  readonly depth: number
  readonly isOrdered: boolean
}

function* elementsIn(element: Element): Generator<Element> {
  const left = [element]
  for (let one = left.pop(); one; one = left.pop()) {
    yield one
    for (const child of one.childNodes.toReversed()) if (isElement(child)) left.push(child)
  }
}

const textIn = (element: Element): string =>
  element.childNodes.map((child) => (isText(child) ? child.value : '')).join('')

/** The first `base` is the address of the page, the second the page's own. */
function baseOf(bases: readonly string[]): string | null {
  const [fetched, own] = bases
  if (fetched === undefined || !URL.canParse(fetched)) return null
  return own !== undefined && URL.canParse(own, fetched) ? new URL(own, fetched).href : fetched
}

function addressOf(href: string | undefined, base: string | null): string | null {
  if (href === undefined || base === null || href.startsWith('#') || !URL.canParse(href, base)) return null
  const url = new URL(href, base)
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return null
  // A bracket would end the link text in Markdown.
  const address = url.href.replaceAll('(', '%28').replaceAll(')', '%29')
  return address.length <= maxLinkCharacters ? address : null
}

interface Page {
  readonly rules: HidingRules
  readonly base: string | null
  readonly isWhole: boolean
}

const paragraph = (text: string): Block => ({ kind: 'paragraph', text })

/** Collects text and elements into blocks; a block ends wherever a block-level element begins or ends. */
function blocksOf(root: Element, { rules, base, isWhole }: Page): readonly Block[] {
  const blocks: Block[] = []
  const line = createLine()
  // The kind of the next block: the first text in a list item is the item.
  let next = paragraph
  const flush = (make = next) => {
    const text = line
      .take()
      .replaceAll(/[ \t]+/g, ' ')
      .replaceAll(/ ?\n ?/g, '\n')
    if (text === '') return
    blocks.push(make(text))
    next = paragraph
  }
  const isLeftOut = (element: Element) =>
    silent.has(element.tagName) || isHiddenElement(element, rules) || (!isWhole && isAround(element))

  function link(element: Element, place: Place): void {
    const address = addressOf(attributeOf(element, 'href'), base)
    const words = address === null ? '' : inlineText(element)
    if (address === null || words === '') walk(element, place)
    else line.add(`[${words.replaceAll('[', '(').replaceAll(']', ')')}](${address})`)
  }

  function inlineText(element: Element): string {
    const found: string[] = []
    const collect = (one: Element) => {
      for (const child of one.childNodes) {
        if (isText(child)) found.push(child.value)
        else if (isElement(child) && child.tagName === 'img') found.push(attributeOf(child, 'alt') ?? '')
        else if (isElement(child) && !isLeftOut(child)) {
          if (lines.has(child.tagName)) found.push(' ')
          collect(child)
        }
      }
    }
    collect(element)
    return found.join('').replaceAll(/\s+/g, ' ').trim()
  }

  function table(element: Element, place: Place): void {
    const rows = rowsOf(element).filter((row) => !isLeftOut(row))
    const cells = rows.map(
      (row) => row.childNodes.filter((child) => isElement(child) && /^t[dh]$/.test(child.tagName)) as Element[],
    )
    const isLayout =
      cells.every((row) => row.length < 2) ||
      [...elementsIn(element)].some((one) => one !== element && one.tagName === 'table')
    if (isLayout) return walk(element, place)
    const texts = cells.map((row) => row.map((cell) => (isLeftOut(cell) ? '' : inlineText(cell))))
    flush()
    blocks.push({ kind: 'table', rows: texts.filter((row) => row.length > 0) })
  }

  function code(element: Element): void {
    flush()
    const text = [...textNodes(element, isLeftOut)].join('').replaceAll('```', '` ` `').replace(/\n+$/, '')
    // Not with the line's own method, which merges blanks.
    line.add(text)
    const taken = line.take()
    if (taken !== '') blocks.push({ kind: 'paragraph', text: `\`\`\`\n${taken}\n\`\`\`` })
  }

  function walk(element: Element, place: Place): void {
    for (const child of element.childNodes) {
      if (isText(child)) line.add(child.value.replaceAll(/\s+/g, ' '))
      else if (isElement(child) && !isLeftOut(child)) walkElement(child, place)
    }
  }

  function walkElement(element: Element, place: Place): void {
    const { tagName } = element
    const level = /^h([1-6])$/.exec(tagName)?.[1]
    if (level !== undefined) {
      flush()
      walk(element, place)
      flush((text) => ({ kind: 'heading', level: Number(level), text: text.replaceAll('\n', ' ') }))
    } else if (tagName === 'ul' || tagName === 'ol') {
      flush()
      walk(element, { depth: place.depth + 1, isOrdered: tagName === 'ol' })
      flush()
    } else if (tagName === 'li') {
      flush()
      next = (text) => ({ kind: 'item', depth: Math.max(0, place.depth - 1), ordered: place.isOrdered, text })
      walk(element, place)
      flush()
      next = paragraph
    } else if (tagName === 'br') line.add('\n')
    else if (tagName === 'a') link(element, place)
    else if (tagName === 'img') {
      const words = (attributeOf(element, 'alt') ?? '').trim()
      if (words !== '') line.add(`[picture: ${words.slice(0, 200)}]`)
    } else if (tagName === 'table') table(element, place)
    else if (tagName === 'pre') code(element)
    else if (lines.has(tagName)) {
      flush()
      walk(element, place)
      flush()
    } else walk(element, place)
  }

  walk(root, { depth: 0, isOrdered: false })
  flush()
  return blocks
}

function rowsOf(table: Element): readonly Element[] {
  return table.childNodes.flatMap((child) => {
    if (!isElement(child)) return []
    if (child.tagName === 'tr') return [child]
    return /^t(?:body|head|foot)$/.test(child.tagName) ? rowsOf(child) : []
  })
}

function* textNodes(element: Element, isLeftOut: (element: Element) => boolean): Generator<string> {
  for (const child of element.childNodes) {
    if (isText(child)) yield child.value
    else if (isElement(child) && !isLeftOut(child)) {
      if (child.tagName === 'br') yield '\n'
      yield* textNodes(child, isLeftOut)
    }
  }
}

const maxLeads = 20

/** Where a page leads that has no text of its own: its frames, and the page that replaces it. */
function leadOf(element: Element, base: string | null): readonly Block[] {
  const isFrame = element.tagName !== 'meta'
  const refresh = attributeOf(element, 'http-equiv')?.toLowerCase() === 'refresh' ? attributeOf(element, 'content') : ''
  const href = isFrame
    ? attributeOf(element, 'src')
    : /^[\d.\s]*[;,]\s*url\s*=\s*["']?([^"']{1,2000})/i.exec(refresh ?? '')?.[1]?.trim()
  const address = href === undefined || href === '' ? null : addressOf(href, base)
  const words = isFrame ? 'This page shows another one' : 'This page goes on to another one'
  return address === null ? [] : [paragraph(`[${words}](${address})`)]
}

export interface PageText {
  readonly parts: readonly DocumentPart[]
  readonly summary: Exclude<DocumentSummary, { readonly flaw: unknown }>
}

/** `html` begins with a `base` with the address of the page. Throws `FlawedDocument`. */
export function readHtml(html: string): PageText {
  const document = parse(html)
  const root = document.childNodes.find((child) => isElement(child))
  const [bases, sheets, titles, leads]: [string[], string[], string[], Element[]] = [[], [], [], []]
  let body: Element | null = null
  for (const element of root && isElement(root) ? elementsIn(root) : []) {
    if (element.tagName === 'style') sheets.push(textIn(element))
    else if (element.tagName === 'base') bases.push(attributeOf(element, 'href') ?? '')
    else if (element.tagName === 'title') titles.push(textIn(element))
    else if (element.tagName === 'body') body ??= element
    else if (/^(?:i?frame|meta)$/.test(element.tagName)) leads.push(element)
  }
  const rules = readHidingRules(sheets)
  const main = body === null ? null : findMainContent(body, rules)
  const base = baseOf(bases)
  const own = main === null ? [] : blocksOf(main.element, { rules, base, isWhole: main.isWhole })
  const blocks =
    own.length > 0
      ? own
      : leads.flatMap((element) => (isHiddenElement(element, rules) ? [] : leadOf(element, base))).slice(0, maxLeads)
  const title = titleOf(titles[0] ?? '')
  const isNamed = title === '' || blocks.some((block) => block.kind === 'heading' && titleOf(block.text) === title)
  const { parts, outline } = partsOfBlocks(isNamed ? blocks : [{ kind: 'heading', level: 1, text: title }, ...blocks])
  return whole(parts, outline, main?.hidden ?? 0)
}

/** Cuts the parts to what may leave the reader; the number of dropped characters is reported with the first part. */
function whole(all: readonly DocumentPart[], outline: readonly OutlineEntry[], hidden: number): PageText {
  const parts: DocumentPart[] = []
  let left: number = documentLimits.characters
  for (const part of all.slice(0, documentLimits.parts)) {
    if (part.text.length > left) break
    left -= part.text.length
    parts.push({ ...part, hidden: parts.length === 0 ? hidden : 0 })
  }
  if (parts.length === 0) parts.push({ label: '', text: '', hidden })
  const isCut = parts.length < all.length
  return {
    parts,
    summary: {
      unit: 'part',
      total: Math.max(all.length, 1),
      outline: outline.filter(({ part }) => part <= parts.length),
      cut: isCut ? 'size' : null,
    },
  }
}
