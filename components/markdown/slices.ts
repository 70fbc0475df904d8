import type { MarkdownRoot } from './read-markdown'

/**
 * What of a text that was read as a whole stands in each of its blocks, which joined are the text: so that each is drawn in the place
 * that it had alone. What spans several blocks stands in the first of them, and the others have nothing.
 */
export function slicesOf(root: MarkdownRoot, blocks: readonly string[]): readonly MarkdownRoot[] {
  const slices = blocks.map((): MarkdownRoot => ({ type: 'root', children: [] }))
  let at = 0
  let end = blocks[0]?.length ?? 0
  for (const node of root.children) {
    const begins = node.position?.start.offset ?? 0
    while (begins >= end && at < blocks.length - 1) {
      at += 1
      end += blocks[at]?.length ?? 0
    }
    slices[at]?.children.push(node)
  }
  return slices
}
