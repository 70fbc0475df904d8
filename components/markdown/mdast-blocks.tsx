'use client'

import { ForeignName, ForeignText, SaidText } from '@/components/ui/foreign-text'
import { visibleText } from '@/lib/base/foreign-text/foreign-text'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { gfmFromMarkdown } from 'mdast-util-gfm'
import { gfm } from 'micromark-extension-gfm'
import { Fragment, createContext, createElement, memo, useContext, useMemo, type ReactNode } from 'react'
import { CodeFence } from './code-fence'
import { hostBeside } from './link-host'
import { safeUrl } from './safe-url'

type Root = ReturnType<typeof fromMarkdown>
type Node = Root['children'][number]

const extensions = [gfm()]
const mdastExtensions = [gfmFromMarkdown()]

/** Where `[text][name]` leads, by name. */
const Definitions = createContext<ReadonlyMap<string, string>>(new Map())

/**
 * One block of Markdown as React elements. There is no HTML at all: raw HTML shows as the text it is, so there is
 * nothing to sanitise; addresses pass `safeUrl`.
 */
export const MarkdownBlock = memo(function MarkdownBlock({ text, open }: { text: string; open: boolean }) {
  const { root, definitions } = useMemo(() => read(text), [text])
  const last = root.children.at(-1)
  return (
    <Definitions value={definitions}>
      {root.children.map((node, index) => (
        // An unfinished fence grows to the end of the text: it is coloured when it is closed.
        <Fragment key={index}>{render(node, open && node === last)}</Fragment>
      ))}
    </Definitions>
  )
})

function read(text: string) {
  const root = fromMarkdown(text, { extensions, mdastExtensions })
  const definitions: ReadonlyMap<string, string> = new Map(
    root.children.flatMap((node) => (node.type === 'definition' ? [[node.identifier, node.url] as const] : [])),
  )
  return { root, definitions }
}

const renderAll = (nodes: readonly Node[]): ReactNode[] =>
  nodes.map((node, index) => <Fragment key={index}>{render(node, false)}</Fragment>)

function render(node: Node, growing: boolean): ReactNode {
  switch (node.type) {
    case 'text':
    case 'html':
      return <SaidText text={node.value} />
    case 'paragraph':
      return <p>{renderAll(node.children)}</p>
    case 'heading':
      // The page's own headings end at level 2.
      return createElement(`h${Math.min(6, node.depth + 2)}`, null, ...renderAll(node.children))
    case 'strong':
      return <strong>{renderAll(node.children)}</strong>
    case 'emphasis':
      return <em>{renderAll(node.children)}</em>
    case 'delete':
      return <del>{renderAll(node.children)}</del>
    case 'inlineCode':
      return <ForeignName text={node.value} reading="code" />
    case 'break':
      return <br />
    case 'thematicBreak':
      return <hr />
    case 'blockquote':
      return <blockquote>{renderAll(node.children)}</blockquote>
    case 'code':
      return <CodeFence language={node.lang ?? ''} text={node.value} growing={growing} />
    case 'link':
      return (
        <Link url={node.url} text={wordsOf(node.children)}>
          {renderAll(node.children)}
        </Link>
      )
    case 'image':
      return (
        <Link url={node.url} text={node.alt || node.url}>
          {`image: ${visibleText(node.alt || node.url, 'prose')}`}
        </Link>
      )
    case 'list':
      return <List node={node} />
    case 'table':
      return <Table node={node} />
    case 'linkReference':
      return (
        <Reference name={node.identifier} text={wordsOf(node.children)}>
          {renderAll(node.children)}
        </Reference>
      )
    case 'imageReference':
      return node.alt ?? ''
    case 'footnoteReference':
      return `[${node.identifier}]`
    case 'footnoteDefinition':
      return (
        <p>
          [{node.identifier}] {renderAll(node.children)}
        </p>
      )
    case 'definition':
    case 'yaml':
    case 'listItem':
    case 'tableRow':
    case 'tableCell':
      return null
  }
}

/** A link that leads out of the app opens beside it and tells nobody where it came from. */
function Link({ url, text, children }: { url: string; text: string; children: ReactNode }) {
  const href = safeUrl(url)
  if (href === null) return <span title={visibleText(url, 'name')}>{children}</span>
  const host = hostBeside(text, href)
  return (
    <>
      <a href={href} target="_blank" rel="noreferrer noopener nofollow" title={visibleText(href, 'name')}>
        <bdi>{children}</bdi>
      </a>
      {host === null ? null : (
        <span className="link-host">
          {' ('}
          <ForeignText text={host} />
          {')'}
        </span>
      )}
    </>
  )
}

/** What a reader sees of these. */
const wordsOf = (nodes: readonly Node[]): string =>
  nodes.map((node) => ('children' in node ? wordsOf(node.children) : 'value' in node ? node.value : '')).join('')

function Reference({ name, text, children }: { name: string; text: string; children: ReactNode }) {
  const url = useContext(Definitions).get(name)
  return url === undefined ? (
    children
  ) : (
    <Link url={url} text={text}>
      {children}
    </Link>
  )
}

function List({ node }: { node: Extract<Node, { type: 'list' }> }) {
  const items = node.children.map((item, index) => {
    const task = item.checked === true || item.checked === false
    const tight = !node.spread && !item.spread
    return (
      <li key={index} className={task ? 'task' : undefined}>
        {task ? <input type="checkbox" checked={item.checked === true} readOnly disabled aria-label="Done" /> : null}
        {item.children.map((child, at) => (
          <Fragment key={at}>
            {tight && child.type === 'paragraph' ? renderAll(child.children) : render(child, false)}
          </Fragment>
        ))}
      </li>
    )
  })
  return node.ordered ? <ol start={node.start ?? 1}>{items}</ol> : <ul>{items}</ul>
}

function Table({ node }: { node: Extract<Node, { type: 'table' }> }) {
  const [head, ...rows] = node.children
  const align = (index: number) => node.align?.[index] ?? undefined
  return (
    <div className="table-scroll" tabIndex={0} role="region" aria-label="Table">
      <table>
        <thead>
          <tr>
            {head?.children.map((cell, index) => (
              <th key={index} data-align={align(index)}>
                {renderAll(cell.children)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, at) => (
            <tr key={at}>
              {row.children.map((cell, index) => (
                <td key={index} data-align={align(index)}>
                  {renderAll(cell.children)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
