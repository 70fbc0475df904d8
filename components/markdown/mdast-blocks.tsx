'use client'

import { note } from '@/components/ui/recipes/note'
import { cx } from '@/components/ui/recipes/recipe'
import { ForeignName, ForeignText, SaidText } from '@/components/ui/foreign-text'
import { visibleText } from '@/lib/base/foreign-text/foreign-text'
import { Fragment, createContext, createElement, memo, useContext, useMemo, useState, type ReactNode } from 'react'
import { Guarded } from '@/components/ui/guarded'
import { PlainText } from '@/components/ui/plain-text'
import { TextButton } from '@/components/ui/text-button'
import { CodeFence } from './code-fence'
import { hostBeside } from './link-host'
import { treeLimits, type MarkdownNode as Node, type MarkdownRoot } from './read-markdown'
import { safeUrl } from './safe-url'
import { useTree } from './use-tree'

/** Where `[text][name]` leads, by name. */
const Definitions = createContext<ReadonlyMap<string, string>>(new Map())

/**
 * One block of Markdown as React elements. There is no HTML at all: raw HTML shows as the text it is, so there is
 * nothing to sanitise; addresses pass `safeUrl`.
 */
export const MarkdownBlock = memo(function MarkdownBlock({ text, open }: { text: string; open: boolean }) {
  const { root, pending } = useTree(text)
  if (root) {
    return (
      <Guarded what="The formatting" look="silent" plain={<PlainText text={text.trim()} />} resetKey={root}>
        <MarkdownTree root={root} open={open} />
      </Guarded>
    )
  }
  return (
    <>
      <PlainText text={text.trim()} />
      {pending ? null : <p className={note()}>Shown as it was written: formatted, it would be too much to draw.</p>}
    </>
  )
})

export const MarkdownTree = memo(function MarkdownTree({ root, open }: { root: MarkdownRoot; open: boolean }) {
  const definitions = useMemo(() => definitionsOf(root), [root])
  const last = root.children.at(-1)
  return (
    <Definitions value={definitions}>
      {root.children.map((node, index) => (
        // An unfinished fence grows to the end of the text: it is coloured when it is closed.
        <Fragment key={index}>{render(node, open && node === last, 'auto')}</Fragment>
      ))}
    </Definitions>
  )
})

const definitionsOf = (root: MarkdownRoot): ReadonlyMap<string, string> =>
  new Map(root.children.flatMap((node) => (node.type === 'definition' ? [[node.identifier, node.url] as const] : [])))

const renderAll = (nodes: readonly Node[]): ReactNode[] =>
  nodes.map((node, index) => <Fragment key={index}>{render(node, false)}</Fragment>)

/**
 * A block of the reply itself (`dir` given) has its own writing direction, that of its first letter; what is inside goes
 * with it, so that the items of a list and the cells of a table stand on one side.
 */
function render(node: Node, growing: boolean, dir?: 'auto'): ReactNode {
  switch (node.type) {
    case 'text':
      return <SaidText text={node.value} />
    case 'html':
      return dir ? (
        <p className="whitespace-pre-wrap" dir={dir}>
          <SaidText text={node.value} />
        </p>
      ) : (
        <span className="whitespace-pre-wrap">
          <SaidText text={node.value} />
        </span>
      )
    case 'paragraph':
      return <p dir={dir}>{renderAll(node.children)}</p>
    case 'heading':
      // The page's own headings end at level 2.
      return createElement(`h${Math.min(6, node.depth + 2)}`, { dir }, ...renderAll(node.children))
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
      return <blockquote dir={dir}>{renderAll(node.children)}</blockquote>
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
      return <List node={node} dir={dir} />
    case 'table':
      return <Table node={node} dir={dir} />
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
        <p dir={dir}>
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
  if (href === null) return <span data-tip={visibleText(url, 'name')}>{children}</span>
  const host = hostBeside(text, href)
  return (
    <>
      <a href={href} target="_blank" rel="noreferrer noopener nofollow" data-tip={visibleText(href, 'name')}>
        <bdi>{children}</bdi>
      </a>
      {host === null ? null : (
        <span>
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

interface RowsProps<Type extends 'list' | 'table'> {
  readonly node: Extract<Node, { type: Type }>
  readonly dir: 'auto' | undefined
}

/** As many rows as a page draws at once, and a way to the next ones. */
function useRows(total: number, noun: string): readonly [number, ReactNode] {
  const [limit, setLimit] = useState<number>(treeLimits.maxRows)
  const more = Math.min(treeLimits.maxRows, total - limit)
  if (more <= 0) return [total, null]
  const show = () => setLimit(limit + more)
  return [limit, <TextButton key="more" onClick={show}>{`show ${more} more of ${total} ${noun}`}</TextButton>]
}

function List({ node, dir }: RowsProps<'list'>) {
  const [limit, more] = useRows(node.children.length, 'items')
  const items = node.children.slice(0, limit).map((item, index) => {
    const task = item.checked === true || item.checked === false
    const tight = !node.spread && !item.spread
    return (
      <li key={index}>
        {task ? <input type="checkbox" checked={item.checked === true} readOnly disabled aria-label="Done" /> : null}
        {item.children.map((child, at) => (
          <Fragment key={at}>
            {tight && child.type === 'paragraph' ? renderAll(child.children) : render(child, false)}
          </Fragment>
        ))}
      </li>
    )
  })
  return (
    <>
      {node.ordered ? (
        <ol start={node.start ?? 1} dir={dir}>
          {items}
        </ol>
      ) : (
        <ul dir={dir}>{items}</ul>
      )}
      {more}
    </>
  )
}

// At the side of its beginning, unless the table says otherwise.
const cellLook = cx('data-[align=center]:text-center data-[align=right]:text-end')

function Table({ node, dir }: RowsProps<'table'>) {
  const [limit, more] = useRows(node.children.length, 'rows')
  const [head, ...rows] = node.children.slice(0, limit)
  const align = (index: number) => node.align?.[index] ?? undefined
  return (
    <div className="overflow-x-auto" tabIndex={0} role="region" aria-label="Table">
      <table dir={dir}>
        <thead>
          <tr>
            {head?.children.map((cell, index) => (
              <th key={index} className={cellLook} data-align={align(index)}>
                {renderAll(cell.children)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, at) => (
            <tr key={at}>
              {row.children.map((cell, index) => (
                <td key={index} className={cellLook} data-align={align(index)}>
                  {renderAll(cell.children)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {more}
    </div>
  )
}
