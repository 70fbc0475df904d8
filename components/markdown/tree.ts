import type { fromMarkdown } from 'mdast-util-from-markdown'

/** Markdown as a tree. It crosses from the worker, and places in the text are half of its size: only what stands at its top keeps them. */
export type MarkdownRoot = ReturnType<typeof fromMarkdown>
export type MarkdownNode = MarkdownRoot['children'][number]

export type InlineElementName = 'sub' | 'sup' | 'kbd'

/** `<sub>…</sub>` and the like (`inline-html.ts`); not a node of Markdown's own. */
export interface InlineElement {
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
