/** The element around the whole page; no browser extension uses this name. */
export const pageElement = 'nod-page'

/** Next's own element before the page, where it puts its titles. */
const isOfNext = (node: Element): boolean =>
  node.tagName === 'DIV' && node.attributes.length === 1 && node.hasAttribute('hidden')

/**
 * Moves nodes that a browser extension put before the page behind it. React takes a `div` or a text there for part of
 * the page, finds a difference, and renders everything again (hydration error 418), which loses the text typed until
 * then. It ignores elements of other names, and comments are its own.
 */
export function moveForeignNodes(body: HTMLElement): void {
  const page = body.querySelector(`:scope > ${pageElement}`)
  for (let node = page?.previousSibling; node;) {
    const before: ChildNode | null = node.previousSibling
    const isTaken = node instanceof Text || (node instanceof HTMLDivElement && !isOfNext(node))
    if (isTaken) body.append(node)
    node = before
  }
}
