import katex, { type KatexOptions } from 'katex'
import { isTooMuch } from './formula-of'

/** A node of what KaTeX is about to draw. */
interface VirtualNode {
  readonly children?: readonly VirtualNode[]
  readonly attributes?: Record<string, string>
}

interface KatexOfTree {
  readonly __renderToDomTree: (
    tex: string,
    options: KatexOptions,
  ) => VirtualNode & { readonly toNode: () => HTMLElement }
}

export type DrawnFormula =
  | { readonly kind: 'drawn'; readonly node: HTMLElement }
  | { readonly kind: 'too-much' }
  /** In KaTeX's words. */
  | { readonly kind: 'unreadable'; readonly why: string }

/** Exported for whoever puts the nodes somewhere else; its types leave it out. */
const { __renderToDomTree: renderToDomTree } = katex as unknown as KatexOfTree

const options: KatexOptions = {
  throwOnError: true,
  strict: 'ignore',
  // No address, no picture, no class or id that the text chose.
  trust: false,
  // Macros that make more of themselves.
  maxExpand: 500,
  // In em, of whatever has a size of its own.
  maxSize: 20,
}

/** Of what would be drawn: macros nest it deeper than the text shows. A page can't lay out hundreds of levels. */
const limits = { depth: 420, nodes: 12_000 }
const styleHere = 'data-style'

/** Nodes of a formula: never markup, whose style attributes the page's policy refuses, and whose reader could be fooled. */
export function drawFormula(tex: string, display: boolean): DrawnFormula {
  if (isTooMuch(tex)) return { kind: 'too-much' }
  try {
    const tree = renderToDomTree(tex, { ...options, displayMode: display })
    if (!fits(tree)) return { kind: 'too-much' }
    const node = tree.toNode()
    for (const styled of node.querySelectorAll<SVGElement>(`[${styleHere}]`)) {
      styled.style.cssText = styled.getAttribute(styleHere) ?? ''
      styled.removeAttribute(styleHere)
    }
    return { kind: 'drawn', node }
  } catch (error) {
    // Its reader calls itself for each level.
    if (error instanceof RangeError) return { kind: 'too-much' }
    return { kind: 'unreadable', why: error instanceof Error ? error.message.replace(/^KaTeX parse error: /, '') : '' }
  }
}

/** Counts, and moves style attributes aside: set as such they are refused, set by the page's own script they are not. */
function fits(tree: VirtualNode): boolean {
  let nodes = 0
  const walk = ({ attributes, children = [] }: VirtualNode, depth: number): boolean => {
    nodes += 1
    if (nodes > limits.nodes || depth > limits.depth) return false
    const style = attributes?.['style']
    if (attributes && style !== undefined) {
      attributes[styleHere] = style
      delete attributes['style']
    }
    return children.every((child) => walk(child, depth + 1))
  }
  return walk(tree, 0)
}
