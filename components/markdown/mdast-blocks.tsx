'use client'

import { note } from '@/components/ui/recipes/surface'
import { ForeignName, ForeignText, SentenceText } from '@/components/ui/text/foreign-text'
import { visibleText } from '@/lib/base/untrusted-text/foreign-text'
import { t } from '@/lib/i18n/t'
import { Fragment, createContext, createElement, memo, useContext, useId, useMemo, type ReactNode } from 'react'
import { Guarded } from '@/components/ui/page/guarded'
import { useLanguage } from '@/components/ui/page/use-language'
import { PlainText } from '@/components/ui/text/plain-text'
import { CodeFence } from './code/code-fence'
import { Diagram } from './diagram/diagram'
import { FootnoteList, FootnoteReference, FootnotesContext, footnotesOf, type Footnotes } from './footnotes'
import { hostNextTo, unseenAddress, safeUrl } from './link-host'
import { Formula } from './math/formula'
import { formulaOf, unescapedMarks } from './math/formula-of'
import { mendFences } from './nested-fences'
import { readMarkdown, type MarkdownNode as Node, type MarkdownRoot } from './read-markdown'
import { Table, useRows } from './table'
import { useTree } from './reader'

/** Longer words behind a formula are no line of a text. */
const maxBehind = 1_000

/** Where `[text][name]` leads, by name. */
const Definitions = createContext<ReadonlyMap<string, string>>(new Map())

/** What the parts of one text name of each other. */
export interface NamedParts {
  readonly definitions: ReadonlyMap<string, string>
  readonly footnotes: Footnotes
}

const empty: MarkdownRoot = { type: 'root', children: [] }

/** What a text names; null: it is not read, or has no parts. */
export function useNamed(root: MarkdownRoot | null): NamedParts {
  const prefix = useId()
  return useMemo(
    () => ({ definitions: definitionsOf(root ?? empty), footnotes: footnotesOf(root ?? empty, prefix) }),
    [root, prefix],
  )
}

/** A block of a text that was read as a whole: what of the whole is in it, and what all blocks name. */
export interface DocumentPart {
  readonly root: MarkdownRoot
  readonly named: NamedParts
}

interface BlockProps {
  readonly text: string
  readonly open: boolean
  /** Left out: it stands alone. The elements of a block stay when it turns out to be a part. */
  readonly part?: DocumentPart | undefined
}

/**
 * One block of Markdown as React elements. There is no HTML at all: raw HTML shows as the text it is, so there is
 * nothing to sanitise; addresses pass `safeUrl`.
 */
export const MarkdownBlock = memo(function MarkdownBlock({ text, open, part }: BlockProps) {
  useLanguage()
  // A Markdown document that still grows in a fence is read to its end so far.
  const alone = useTree(part ? null : open ? mendFences(text, true).text : text)
  const root = part?.root ?? alone.root
  if (root) {
    return (
      <Guarded look="silent" plain={<PlainText text={text.trim()} />} resetKey={root}>
        <MarkdownTree root={root} open={open} of={part?.named} />
      </Guarded>
    )
  }
  return (
    <>
      <PlainText text={text.trim()} />
      {alone.pending ? null : <p className={note()}>{t('reading.too-much')}</p>}
    </>
  )
})

interface TreeProps {
  readonly root: MarkdownRoot
  readonly open: boolean
  /** Of the text that it is a part of, whose notes are below all parts; left out: it is a text of its own. */
  readonly of?: NamedParts | undefined
}

export const MarkdownTree = memo(function MarkdownTree({ root, open, of }: TreeProps) {
  // Everything that is below says something too.
  useLanguage()
  const own = useNamed(of ? null : root)
  const last = root.children.at(-1)
  return (
    <Naming named={of ?? own}>
      {root.children.map((node, index) => (
        // An unfinished fence grows to the end of the text: it is coloured when it is closed.
        <Fragment key={index}>{render(node, open && node === last, 'auto')}</Fragment>
      ))}
      {of ? null : <FootnoteList>{renderAll}</FootnoteList>}
    </Naming>
  )
})

/** The notes of a text whose parts are drawn one by one. */
export const NotesBelow = memo(function NotesBelow({ named }: { named: NamedParts }) {
  useLanguage()
  return (
    <Naming named={named}>
      <FootnoteList>{renderAll}</FootnoteList>
    </Naming>
  )
})

const Naming = ({ named, children }: { named: NamedParts; children: ReactNode }) => (
  <Definitions value={named.definitions}>
    <FootnotesContext value={named.footnotes}>{children}</FootnotesContext>
  </Definitions>
)

const definitionsOf = (root: MarkdownRoot): ReadonlyMap<string, string> =>
  new Map(root.children.flatMap((node) => (node.type === 'definition' ? [[node.identifier, node.url] as const] : [])))

const renderAll = (nodes: readonly Node[]): ReactNode[] =>
  nodes.map((node, index) => <Fragment key={index}>{render(node, false)}</Fragment>)

/**
 * A block of the reply itself (`dir` given) has its own writing direction, that of its first letter; what is inside goes
 * with it, so that the items of a list and the cells of a table are on one side.
 */
function render(node: Node, growing: boolean, dir?: 'auto'): ReactNode {
  switch (node.type) {
    case 'text':
      return <SentenceText text={node.value} />
    case 'html':
      return <Raw text={node.value} dir={dir} />
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
    case 'inlineElement':
      return createElement(node.name, null, ...renderAll(node.children))
    case 'thematicBreak':
      return <hr />
    case 'blockquote':
      return <blockquote dir={dir}>{renderAll(node.children)}</blockquote>
    case 'code':
      // What still grows is no diagram yet.
      if (node.lang === 'mermaid' && !growing) return <Diagram source={node.value} />
      return <CodeFence language={node.lang ?? ''} meta={node.meta ?? null} text={node.value} growing={growing} />
    case 'link':
      return (
        <Link url={node.url} text={wordsOf(node.children)}>
          {renderAll(node.children)}
        </Link>
      )
    case 'image':
      return (
        <Link url={node.url} text={node.alt || node.url}>
          {t('reading.image', { name: visibleText(node.alt || node.url, 'prose') })}
        </Link>
      )
    case 'list':
      return <List node={node} dir={dir} />
    case 'table':
      return (
        <Table node={node} dir={dir}>
          {renderAll}
        </Table>
      )
    case 'linkReference':
      return (
        <Reference name={node.identifier} text={wordsOf(node.children)}>
          {renderAll(node.children)}
        </Reference>
      )
    case 'imageReference':
      return node.alt ?? ''
    case 'footnoteReference':
      return <FootnoteReference node={node} />
    case 'footnoteDefinition':
      return <LoneFootnote node={node} dir={dir} />
    case 'definition':
    case 'yaml':
    case 'listItem':
    case 'tableRow':
    case 'tableCell':
      return null
  }
}

/** What no Markdown is read in: HTML, which shows as the text it is, and formulas. */
function Raw({ text, dir }: { readonly text: string; readonly dir: 'auto' | undefined }) {
  const formula = useMemo(() => formulaOf(text), [text])
  if (formula) {
    const { tex, display, rest } = formula
    return (
      <>
        <Formula tex={tex} display={display} written={text.slice(0, text.length - rest.length).trim()} />
        {rest === '' ? null : <Behind text={rest} dir={dir} />}
      </>
    )
  }
  const words = <SentenceText text={unescapedMarks(text)} />
  return dir ? (
    <p className="whitespace-pre-wrap" dir={dir}>
      {words}
    </p>
  ) : (
    <span className="whitespace-pre-wrap">{words}</span>
  )
}

/** Words on the last line of a formula. */
function Behind({ text, dir }: { readonly text: string; readonly dir: 'auto' | undefined }) {
  const root = useMemo(() => (text.length > maxBehind ? null : readMarkdown(text)), [text])
  return root ? root.children.map((node, index) => <Fragment key={index}>{render(node, false, dir)}</Fragment>) : text
}

/** A footnote that its text does not name stands where it was written. */
function LoneFootnote({ node, dir }: { node: Extract<Node, { type: 'footnoteDefinition' }>; dir: 'auto' | undefined }) {
  const { notes } = useContext(FootnotesContext)
  if (notes.has(node.identifier)) return null
  return (
    <div dir={dir}>
      [{node.identifier}] {renderAll(node.children)}
    </div>
  )
}

/** A link that leads out of the app opens beside it and tells no one where it came from. */
function Link({ url, text, children }: { url: string; text: string; children: ReactNode }) {
  const href = safeUrl(url)
  if (href === null) return <span data-tip={visibleText(url, 'name')}>{children}</span>
  const host = unseenAddress(href) ?? hostNextTo(text, href)
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

interface ListProps {
  readonly node: Extract<Node, { type: 'list' }>
  readonly dir: 'auto' | undefined
}

function List({ node, dir }: ListProps) {
  const [limit, more] = useRows(node.children.length, 'items')
  const items = node.children.slice(0, limit).map((item, index) => {
    const task = item.checked === true || item.checked === false
    const tight = !node.spread && !item.spread
    return (
      <li key={index}>
        {task ? <TaskBox isDone={item.checked === true} /> : null}
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

/** The model's own list: it says what is done, and no one can tick it. */
const TaskBox = ({ isDone }: { readonly isDone: boolean }) => (
  <input
    type="checkbox"
    checked={isDone}
    readOnly
    disabled
    aria-label={t(isDone ? 'reading.task.done' : 'reading.task.open')}
  />
)
