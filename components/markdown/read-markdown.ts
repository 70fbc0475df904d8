import { fromMarkdown } from 'mdast-util-from-markdown'
import { gfmFromMarkdown } from 'mdast-util-gfm'
import { gfm } from 'micromark-extension-gfm'
import { soleFence } from './sole-fence'
import { writtenMath } from './written-math'

/**
 * Markdown as a tree. It crosses from the worker, and places in the text are half of its size: only what stands at its top keeps
 * them.
 */
export type MarkdownRoot = ReturnType<typeof fromMarkdown>
export type MarkdownNode = MarkdownRoot['children'][number]

/** What a tree may hold. Beyond, drawing it would take the page longer than a frame; the text shows as written then. */
export const treeLimits = { maxNodes: 4_000, maxDepth: 40, maxRows: 100 } as const

// One tilde is what is written in H~2~O; two strike through.
const github = gfm({ singleTilde: false })
const mdastExtensions = [gfmFromMarkdown()]

/**
 * The tree of `text`, or null where its shape is too much for the reader or for a page. Some shapes take time that grows
 * with the square of their length: `isTame` says what may be read where somebody waits.
 */
export function readMarkdown(text: string): MarkdownRoot | null {
  const fence = soleFence(text)
  if (fence) return { type: 'root', children: [{ type: 'code', ...fence }] }
  try {
    const root = fromMarkdown(text, { extensions: [github, writtenMath(text)], mdastExtensions })
    return fitsPage(root, text) ? root : null
  } catch {
    // Nested so deep that the reader, which calls itself, runs out of room.
    return null
  }
}

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
      if (depth >= treeLimits.maxDepth) {
        const { start, end } = node.position ?? {}
        const source = text.slice(start?.offset ?? 0, end?.offset ?? 0)
        node.children = [{ type: 'text', value: source }] as never
      }
      const rows = node.type === 'table' || node.type === 'list'
      for (const [index, child] of node.children.entries()) {
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
