import type { DefaultTreeAdapterTypes } from 'parse5'
import { documentLimits } from '../../document'
import { FlawedDocument } from '../flaw'
import { attributeOf, isHiddenElement, type Element, type HidingRules } from './hidden-elements'

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
const leastCharacters = 200

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
  if (all < leastCharacters) return { element: body, isWhole: true, hidden }
  let element = body
  for (;;) {
    const next = element.childNodes.find((child) => isElement(child) && (weights.get(child) ?? 0) >= all * most)
    if (next === undefined || !isElement(next) || !holdsBlocks(next)) return { element, isWhole: false, hidden }
    element = next
  }
}

/** Whether the search may descend into the element: a single table or paragraph would lose its own markup. */
const holdsBlocks = ({ tagName }: Element): boolean => ['div', 'main', 'article', 'section', 'center'].includes(tagName)
