import type { DefaultTreeAdapterTypes } from 'parse5'
import { documentLimits } from '../../document'
import { FlawedDocument } from '../flaw'
import { attributeOf, isHiddenElement, type Element, type HidingRules } from './hidden-elements'

/*
 * Where the text of a page is. Not a guess by names of classes: of all elements, the innermost one that holds most of the text
 * which is neither a link nor around the page.
 */

type Node = DefaultTreeAdapterTypes.ChildNode

export const isElement = (node: Node): node is Element => 'tagName' in node
export const isText = (node: Node): node is DefaultTreeAdapterTypes.TextNode => node.nodeName === '#text'

/** Never text of a page. */
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

/** What is around the text of a page: menus, columns beside it, its foot. */
export const isAround = (element: Element): boolean =>
  around.has(element.tagName) || aroundRoles.has(attributeOf(element, 'role')?.toLowerCase() ?? '')

/** An element that holds this part of the text is gone into. */
const most = 0.8
/** A page with less text is taken whole. */
const leastCharacters = 200

interface MainContent {
  readonly element: Element
  /** Menus and the like are part of it: there is hardly anything else. */
  readonly isWhole: boolean
  /** Characters that a person does not see, of the whole page. */
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

/** A table or a paragraph alone would lose its own frame. */
const holdsBlocks = ({ tagName }: Element): boolean => ['div', 'main', 'article', 'section', 'center'].includes(tagName)
