import { documentLimits } from '../../document'
import { FlawedDocument } from '../flaw'
import type { DefaultTreeAdapterTypes } from 'parse5'

/*
 * Finds elements of a page that are invisible according to the page itself: attributes, styles of elements, and simple
 * rules of its style sheets (`.note { display: none }`). Rules in other files, from scripts or with combinators are
 * ignored.
 */

export type Element = DefaultTreeAdapterTypes.Element

export const attributeOf = (element: Element, name: string): string | undefined =>
  element.attrs.find((attribute) => attribute.name === name)?.value

const zero = String.raw`-?0*\.?0+(?:px|em|rem|%|pt|vw|vh)?\s*(?:!\s*important\s*)?(?:;|$)`
const property = (name: string, value: string) => new RegExp(String.raw`(?:^|;)\s*(?:${name})\s*:\s*(?:${value})`, 'i')

const hiding = [
  property('display', 'none'),
  property('visibility', 'hidden|collapse'),
  property('content-visibility', 'hidden'),
  property('opacity', zero),
  property('font-size', zero),
  property('font', String.raw`0(?:px|em|pt)?[\s/]`),
  property('color', String.raw`transparent|rgba\([^)]*,\s*0(?:\.0+)?\s*\)`),
  property('text-indent', String.raw`-\s*\d{3,}`),
  property('left|right|top|bottom|margin-left|margin-top', String.raw`-\s*\d{4,}`),
  property('left|right|top|bottom', String.raw`-\s*(?:[2-9]\d\d|\d{4,})(?:%|em|rem|vw|vh)`),
  property('clip', String.raw`rect\(\s*(?:0|1px)`),
  property('clip-path', String.raw`inset\(\s*(?:50|100)%|circle\(\s*0`),
  property('transform', String.raw`[^;]*(?:scale\(\s*0|translate[xy]?\(\s*-\d{4,})`),
]
const isFlat = property('width|height|max-width|max-height', zero)
const isCut = property('overflow(?:-[xy])?', 'hidden|clip')
const colours = /(?:^|;)\s*(color|background(?:-color)?)\s*:\s*([^;!]+)/gi

/** Whether these declarations make text invisible. */
function hidesText(style: string): boolean {
  if (style.length > 4_000) return false
  if (hiding.some((one) => one.test(style)) || (isFlat.test(style) && isCut.test(style))) return true
  const named = new Map(
    [...style.matchAll(colours)].map(([, name = '', value = '']) => [name.toLowerCase(), plain(value)]),
  )
  const text = named.get('color')
  return text !== undefined && text === (named.get('background-color') ?? named.get('background'))
}

const colourNames: Readonly<Record<string, string>> = { white: '#ffffff', black: '#000000' }
const plain = (value: string): string => {
  const name = value.trim().toLowerCase()
  return colourNames[name] ?? name.replace(/^#([\da-f])([\da-f])([\da-f])$/, '#$1$1$2$2$3$3')
}

/** Common classes of toolkits for text that only screen readers see. */
const offScreen = /(?:^|\s)(?:sr-only|visually-hidden|visuallyhidden|screen-reader-text|u-hidden|a11y-hidden)(?:\s|$)/i

export type HidingRules = ReadonlySet<string>

const maxRules = 5_000

/** Selectors of one tag, class or id, or of a combination (`p.note`), whose last rule hides the element. */
export function readHidingRules(sheets: readonly string[]): HidingRules {
  const rules = new Set<string>()
  let count = 0
  for (const sheet of sheets) {
    const text = withoutComments(sheet)
    for (let at = 0; at < text.length && count < maxRules; count++) {
      const open = text.indexOf('{', at)
      if (open < 0) break
      const selectors = text
        .slice(at, open)
        .replace(/^[^{}]*;/, '')
        .trim()
      const end = endOfBlock(text, open)
      // Whether a media query applies depends on the screen.
      if (!selectors.startsWith('@')) note(rules, selectors, text.slice(open + 1, end))
      at = end + 1
    }
  }
  return rules
}

function withoutComments(text: string): string {
  const kept: string[] = []
  for (let at = 0; ;) {
    const open = text.indexOf('/*', at)
    if (open < 0) return [...kept, text.slice(at)].join(' ')
    kept.push(text.slice(at, open))
    const close = text.indexOf('*/', open + 2)
    if (close < 0) return kept.join(' ')
    at = close + 2
  }
}

function endOfBlock(text: string, open: number): number {
  let depth = 0
  for (let at = open; at < text.length; at++) {
    const letter = text[at]
    if (letter === '{') depth++
    else if (letter === '}' && --depth === 0) return at
  }
  return text.length
}

function note(rules: Set<string>, selectors: string, declarations: string): void {
  const hides = hidesText(declarations)
  const shows = /(?:^|;)\s*(?:display|visibility|opacity)\s*:/i.test(declarations)
  if (!hides && !shows) return
  for (const selector of selectors.split(',')) {
    const name = selector.trim()
    if (!/^(?:[a-z][\w-]*)?(?:[.#][\w-]+)*$/i.test(name) || name === '') continue
    if (hides) rules.add(sorted(name))
    else rules.delete(sorted(name))
  }
}

/** `p.b.a#c` → `p#c.a.b` */
function sorted(selector: string): string {
  const [tag = ''] = /^[a-z][\w-]*/i.exec(selector) ?? []
  const parts = selector.slice(tag.length).match(/[.#][\w-]+/g) ?? []
  return [tag.toLowerCase(), ...parts.toSorted()].join('')
}

function matches(rules: HidingRules, element: Element): boolean {
  if (rules.size === 0) return false
  const id = attributeOf(element, 'id')
  const classes = (attributeOf(element, 'class') ?? '')
    .split(/\s+/)
    .filter((name) => name !== '')
    .slice(0, 20)
  const names = [...(id === undefined ? [] : [`#${id}`]), ...classes.map((name) => `.${name}`)]
  const pairs = names.flatMap((one, at) => names.slice(at + 1).map((other) => [one, other].toSorted().join('')))
  const all = ['', ...names, ...pairs]
  return all.some((name) => (name !== '' && rules.has(name)) || rules.has(`${element.tagName}${name}`))
}

/** Ignored for the whole page: some pages hide it until a script has run. */
export function isHiddenElement(element: Element, rules: HidingRules): boolean {
  const { tagName } = element
  if (tagName === 'body' || tagName === 'html') return false
  const hidden = attributeOf(element, 'hidden')
  if (hidden !== undefined && hidden.toLowerCase() !== 'until-found') return true
  if (attributeOf(element, 'aria-hidden')?.toLowerCase() === 'true') return true
  const style = attributeOf(element, 'style')
  if (style !== undefined && hidesText(style)) return true
  return offScreen.test(attributeOf(element, 'class') ?? '') || matches(rules, element)
}

/*
 * Finds the main text of a page. It does not guess by class names, but picks the innermost element that contains most
 * of the text, not counting links and the surroundings of the text.
 */

type Node = DefaultTreeAdapterTypes.ChildNode

export const isElement = (node: Node): node is Element => 'tagName' in node
export const isText = (node: Node): node is DefaultTreeAdapterTypes.TextNode => node.nodeName === '#text'

/** Elements that never contain text of a page. */
export const silent = new Set([
  'script',
  'style',
  'template',
  'svg',
  'math',
  'noscript',
  'iframe',
  'object',
  'canvas',
  'audio',
  'video',
  'select',
  'button',
  'textarea',
  'input',
  'datalist',
  'head',
])

const around = new Set(['nav', 'aside', 'footer'])
const aroundRoles = new Set([
  'navigation',
  'complementary',
  'contentinfo',
  'banner',
  'search',
  'menu',
  'dialog',
  'alert',
])

/** The surroundings of a page's text: menus, columns beside it, its footer. */
export const isAround = (element: Element): boolean =>
  around.has(element.tagName) || aroundRoles.has(attributeOf(element, 'role')?.toLowerCase() ?? '')

/** The search descends into a child that contains at least this share of the text. */
const most = 0.8
/** A page with less text is kept completely. */
const minCharacters = 200

interface MainContent {
  readonly element: Element
  /** The page has hardly any text, so menus and similar parts are included. */
  readonly isWhole: boolean
  /** Number of invisible characters in the whole page. */
  readonly hidden: number
}

const depthLimit = 512

/** Throws `FlawedDocument` for a page that is nested too deeply or too large. */
export function findMainContent(body: Element, rules: HidingRules): MainContent {
  const weights = new Map<Element, number>()
  let elements = 0
  let hidden = 0

  function weigh(element: Element, depth: number, counts: boolean, isHidden: boolean): number {
    if (depth > depthLimit) throw new FlawedDocument('too-deep')
    if (++elements > documentLimits.xmlElements) throw new FlawedDocument('too-large')
    let weight = 0
    for (const child of element.childNodes) {
      if (isText(child)) {
        const length = /\S/.test(child.value) ? child.value.replaceAll(/\s+/g, ' ').length : 0
        if (isHidden) hidden += length
        else if (counts) weight += length
      } else if (isElement(child) && !silent.has(child.tagName)) {
        const off = isHidden || isHiddenElement(child, rules)
        const isOwn = counts && child.tagName !== 'a' && child.tagName !== 'header' && !isAround(child)
        weight += weigh(child, depth + 1, isOwn, off)
      }
    }
    weights.set(element, weight)
    return weight
  }

  const all = weigh(body, 0, true, false)
  if (all < minCharacters) return { element: body, isWhole: true, hidden }
  let element = body
  for (;;) {
    const next = element.childNodes.find((child) => isElement(child) && (weights.get(child) ?? 0) >= all * most)
    if (next === undefined || !isElement(next) || !holdsBlocks(next)) return { element, isWhole: false, hidden }
    element = next
  }
}

/** Whether the search may descend into the element: a single table or paragraph would lose its own markup. */
const holdsBlocks = ({ tagName }: Element): boolean => ['div', 'main', 'article', 'section', 'center'].includes(tagName)
