'use client'

import { createContext, Fragment, useContext, type MouseEvent, type ReactNode } from 'react'
import { t } from '@/lib/i18n/t'
import type { MarkdownNode as Node, MarkdownRoot } from './read-markdown'

type Definition = Extract<Node, { type: 'footnoteDefinition' }>
type Reference = Extract<Node, { type: 'footnoteReference' }>

interface Note {
  readonly number: number
  readonly definition: Definition
  readonly uses: Reference[]
}

/** The footnotes of one text, in the order of their first reference. */
export interface Footnotes {
  /** Prefix of this message's footnote ids, unique on the page. */
  readonly prefix: string
  readonly notes: ReadonlyMap<string, Note>
}

export const FootnotesContext = createContext<Footnotes>({ prefix: '', notes: new Map() })

/** The most back links of a footnote, which may have a thousand references. */
const maxBacks = 8

/** The footnotes that are defined and referenced. A text without definitions is not searched. */
export function footnotesOf(root: MarkdownRoot, prefix: string): Footnotes {
  const definitions = new Map<string, Definition>()
  const notes = new Map<string, Note>()
  for (const node of root.children) {
    if (node.type === 'footnoteDefinition' && !definitions.has(node.identifier)) definitions.set(node.identifier, node)
  }
  const walk = (nodes: readonly Node[]): void => {
    for (const node of nodes) {
      if (node.type === 'footnoteReference') {
        const definition = definitions.get(node.identifier)
        const note = notes.get(node.identifier)
        if (note) note.uses.push(node)
        else if (definition) notes.set(node.identifier, { number: notes.size + 1, definition, uses: [node] })
      } else if ('children' in node) walk(node.children)
    }
  }
  if (definitions.size > 0) {
    // Footnotes referenced only by footnotes come last.
    walk(root.children.filter(({ type }) => type !== 'footnoteDefinition'))
    walk([...definitions.values()])
  }
  return { prefix, notes }
}

/** Scrolls to an id in the same message without changing the page's address. */
const jump = (id: string) => (event: MouseEvent) => {
  event.preventDefault()
  const target = document.getElementById(id)
  target?.scrollIntoView({ block: 'nearest' })
  target?.focus({ preventScroll: true })
}

export function FootnoteReference({ node }: { readonly node: Reference }) {
  const { prefix, notes } = useContext(FootnotesContext)
  const note = notes.get(node.identifier)
  if (!note) return `[${node.identifier}]`
  const id = `${prefix}-note-${note.number}`
  return (
    <sup>
      <a
        id={`${prefix}-use-${note.number}-${note.uses.indexOf(node) + 1}`}
        href={`#${id}`}
        role="doc-noteref"
        aria-label={t('reading.footnote', { number: note.number })}
        onClick={jump(id)}
      >
        {note.number}
      </a>
    </sup>
  )
}

/** The footnotes below their text, each with links back. */
export function FootnoteList({ children }: { readonly children: (nodes: readonly Node[]) => ReactNode }) {
  const { prefix, notes } = useContext(FootnotesContext)
  if (notes.size === 0) return null
  return (
    <section
      className="border-t border-line pt-3 text-md text-muted"
      role="group"
      aria-label={t('reading.footnotes')}
      dir="auto"
    >
      <ol>
        {Array.from(notes.values(), ({ number, definition, uses }) => (
          <li key={number} id={`${prefix}-note-${number}`} tabIndex={-1} className="scroll-mt-4">
            {children(definition.children)}
            {uses.slice(0, maxBacks).map((_, index) => {
              const id = `${prefix}-use-${number}-${index + 1}`
              const label =
                index === 0
                  ? t('reading.footnote.back', { number })
                  : t('reading.footnote.back-again', { number, use: index + 1 })
              return (
                <Fragment key={index}>
                  {' '}
                  <a
                    className="inline-grid min-h-[1.5rem] min-w-[1.5rem] place-items-center"
                    href={`#${id}`}
                    role="doc-backlink"
                    aria-label={label}
                    onClick={jump(id)}
                  >
                    ↩
                  </a>
                </Fragment>
              )
            })}
          </li>
        ))}
      </ol>
    </section>
  )
}
