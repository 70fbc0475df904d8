/** Holds the whole page; a name that no browser extension uses. */
export const pageElement = 'nod-page'

/** Next's own, before the page: the place where its titles come. */
const isOfNext = (node: Element): boolean =>
  node.tagName === 'DIV' && node.attributes.length === 1 && node.hasAttribute('hidden')

/**
 * Moves what a browser extension put before the page behind it. React takes a `div` or a text there for a part of the page,
 * finds that it differs, and draws everything again (hydration error 418): what was typed until then is lost. It passes over
 * elements of other names, and comments are its own.
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
