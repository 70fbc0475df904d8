import type { fromMarkdown } from 'mdast-util-from-markdown'

/**
 * Markdown as a tree. It is posted from the worker, and positions are half of its size, so only its top level keeps
 * them.
 */
export type MarkdownRoot = ReturnType<typeof fromMarkdown>
export type MarkdownNode = MarkdownRoot['children'][number]

type InlineElementName = 'sub' | 'sup' | 'kbd'

/** `<sub>…</sub>` and the like (`inline-html.ts`); not a Markdown node. */
interface InlineElement {
  readonly type: 'inlineElement'
  readonly name: InlineElementName
  children: MarkdownNode[]
  position?: MarkdownRoot['position']
}

declare module 'mdast' {
  interface PhrasingContentMap {
    inlineElement: InlineElement
  }
  interface RootContentMap {
    inlineElement: InlineElement
  }
}

/*
 * The only HTML that a model's Markdown may use, because Markdown has no syntax for it: `<br>`, and `<sub>`, `<sup>`
 * and `<kbd>` in pairs, all without attributes. All other HTML, and an unpaired tag, stays text.
 */

const elements: readonly string[] = ['sub', 'sup', 'kbd'] satisfies InlineElementName[]

const breakTag = /^<br[ \t]*\/?>$/i
const elementTag = /^<(\/?)(sub|sup|kbd)[ \t]*>$/i
/** Such a line starts an HTML block, in which Markdown is not parsed. */
const leadingBreaks = /^(?:[ \t]*<br[ \t]*\/?>[ \t]*(?:\n|$))+/i

const isNamed = (name: string): name is InlineElementName => elements.includes(name)

const tagOf = (node: MarkdownNode): { readonly name: InlineElementName; readonly closes: boolean } | null => {
  const found = node.type === 'html' ? elementTag.exec(node.value) : null
  const name = found?.[2]?.toLowerCase() ?? ''
  return found && isNamed(name) ? { name, closes: found[1] === '/' } : null
}

/** The children of a line of text with its breaks and complete elements; the same list if there are none. */
export function withInlineElements(children: readonly MarkdownNode[]): readonly MarkdownNode[] {
  if (!children.some((node) => node.type === 'html')) return children
  const out: MarkdownNode[] = []
  let open: { readonly name: InlineElementName; readonly at: number }[] = []
  for (const node of children) {
    const tag = tagOf(node)
    if (node.type === 'html' && breakTag.test(node.value)) out.push({ type: 'break' })
    else if (!tag) out.push(node)
    else if (!tag.closes) {
      open.push({ name: tag.name, at: out.length })
      out.push(node)
    } else {
      const begin = open.findLast(({ name }) => name === tag.name)
      if (!begin) {
        out.push(node)
        continue
      }
      // An element that opened inside it and did not close stays text.
      open = open.slice(0, open.indexOf(begin))
      const inside = out.splice(begin.at)
      const [first] = inside.splice(0, 1)
      const position = first?.position && node.position && { start: first.position.start, end: node.position.end }
      out.push({ type: 'inlineElement', name: tag.name, children: inside, ...(position && { position }) })
    }
  }
  return out
}

/** The breaks at the start of an HTML block, and the text after them; null if it starts with none. */
export function cutLeadingBreaks(html: string): { readonly breaks: number; readonly rest: string } | null {
  const [found] = leadingBreaks.exec(html) ?? []
  if (found === undefined) return null
  return { breaks: found.match(/<br/gi)?.length ?? 0, rest: html.slice(found.length) }
}
