import { fromMarkdown } from 'mdast-util-from-markdown'
import { gfmFromMarkdown } from 'mdast-util-gfm'
import { cjkFriendlyExtension } from 'micromark-extension-cjk-friendly'
import { gfmStrikethroughCjkFriendly } from 'micromark-extension-cjk-friendly-gfm-strikethrough'
import { gfm } from 'micromark-extension-gfm'
import { boundedAddresses, cutBehindAddresses } from './addresses'
import { cutLeadingBreaks, withInlineElements } from './inline-html'
import { mendFences } from './nested-fences'
import { soleFence } from './sole-fence'
import type { MarkdownNode, MarkdownRoot } from './tree'
import { writtenMath } from './written-math'

export type { MarkdownNode, MarkdownRoot } from './tree'

/** What a tree may hold. Beyond, drawing it would take the page longer than a frame; the text shows as written then. */
export const treeLimits = { maxNodes: 4_000, maxDepth: 40, maxRows: 100 } as const

// One tilde is what is written in H~2~O; two strike through.
const tildes = { singleTilde: false }
const github = gfm(tildes)
// Marks beside Chinese, Japanese and Korean signs emphasise too: these languages have no spaces beside them.
const besideCjk = [cjkFriendlyExtension(), gfmStrikethroughCjkFriendly(tildes)]
// Addresses that were not read as such are looked for once more: only as far as they go.
const mdastExtensions = [{ transforms: [cutTexts] }, gfmFromMarkdown()]

/**
 * The tree of `text`, or null where its shape is too much for the reader or for a page. Some shapes take time that grows
 * with the square of their length: `isTame` says what may be read where somebody waits.
 */
export function readMarkdown(text: string): MarkdownRoot | null {
  const mended = mendFences(text)
  const fence = soleFence(mended.text)
  if (fence) return { type: 'root', children: [{ type: 'code', ...fence }] }
  try {
    const root = treeOf(mended.text)
    if (!fitsPage(root, mended.text)) return null
    for (const { position } of root.children) {
      if (position) position.start.offset = mended.placeOf(position.start.offset ?? 0)
    }
    return root
  } catch {
    // Nested so deep that the reader, which calls itself, runs out of room.
    return null
  }
}

function treeOf(text: string): MarkdownRoot {
  const extensions = [boundedAddresses(github, text), ...besideCjk, writtenMath(text)]
  return fromMarkdown(text, { extensions, mdastExtensions })
}

const holdsBlocks: ReadonlySet<string> = new Set(['root', 'blockquote', 'listItem', 'footnoteDefinition'])

/** A line that is `<br>` alone makes HTML of all lines behind it: they are read by themselves. */
function behindBreaks(node: MarkdownNode): MarkdownNode[] {
  const cut = node.type === 'html' ? cutLeadingBreaks(node.value) : null
  if (!cut) return [node]
  const position = node.position && { position: node.position }
  const breaks = Array.from({ length: cut.breaks }, () => ({ type: 'break' as const }))
  const below = treeOf(cut.rest).children.map((child) => ({ ...child, ...position }))
  return [{ type: 'paragraph', children: breaks, ...position }, ...below]
}

function cutTexts(parent: MarkdownRoot): undefined {
  const walk = (node: MarkdownRoot | MarkdownNode): void => {
    if (!('children' in node) || node.type === 'link' || node.type === 'linkReference') return
    for (const child of node.children) walk(child)
    if (!node.children.some((child) => child.type === 'text' && mayHoldAddress.test(child.value))) return
    const cut = node.children.flatMap((child): MarkdownNode[] =>
      child.type === 'text' ? cutBehindAddresses(child.value).map((value) => ({ type: 'text', value })) : [child],
    )
    node.children = cut as never
  }
  walk(parent)
}

const mayHoldAddress = /https?:|www\./i

/** About as many nodes as a formula becomes, in tens: one letter of it is several. */
const formulaParts = (raw: string): number => (raw.startsWith('<') ? 1 : 8 + raw.length / 3)

/** Takes places out, makes text of what nests too deep, and counts what would be drawn at once. */
function fitsPage(root: MarkdownRoot, text: string): boolean {
  let drawn = 0
  let all = 0
  const walk = (node: MarkdownNode | MarkdownRoot, depth: number, folded: boolean, inCell = false): boolean => {
    all += 1
    // GitHub's way to write a bar in a cell.
    if (inCell && node.type === 'html') node.value = node.value.replaceAll('\\|', '|')
    if (!folded) drawn += node.type === 'html' ? formulaParts(node.value) : 1
    // A fold holds rows back until they are asked for; they still cross to the page.
    if (drawn > treeLimits.maxNodes || all > treeLimits.maxNodes * 5) return false
    if ('children' in node) {
      const blocks = holdsBlocks.has(node.type) ? node.children.flatMap(behindBreaks) : node.children
      node.children = withInlineElements(blocks) as never
      if (depth >= treeLimits.maxDepth) {
        const { start, end } = node.position ?? {}
        const source = text.slice(start?.offset ?? 0, end?.offset ?? 0)
        node.children = [{ type: 'text', value: source }] as never
      }
      const children: readonly MarkdownNode[] = node.children
      const rows = node.type === 'table' || node.type === 'list'
      for (const [index, child] of children.entries()) {
        if (
          !walk(child, depth + 1, folded || (rows && index >= treeLimits.maxRows), inCell || node.type === 'tableCell')
        )
          return false
      }
    }
    if (depth !== 1) delete node.position
    return true
  }
  return walk(root, 0, false)
}
