'use client'

import { note } from '@/components/ui/recipes/surface'
import { ForeignName, ForeignText, SentenceText } from '@/components/ui/text/foreign-text'
import { visibleText } from '@/lib/base/untrusted-text/foreign-text'
import { t } from '@/lib/i18n/t'
import { Fragment, createContext, createElement, memo, useContext, useId, useMemo, type ReactNode } from 'react'
import { Guarded } from '@/components/ui/page/page-failed'
import { useLanguage } from '@/components/ui/page/use-language'
import { PlainText } from '@/components/ui/text/plain-text'
import { CodeFence } from './code/code-fence'
import { Diagram, Formula } from './drawings'
import { FootnoteList, FootnoteReference, FootnotesContext, footnotesOf, type Footnotes } from './footnotes'
import { hostNextTo, unseenAddress, safeUrl } from './link-host'
import { formulaOf, unescapedMarks } from './math/formula-of'
import { mendFences } from './nested-fences'
import { readMarkdown, type MarkdownNode as Node, type MarkdownRoot } from './read-markdown'
import { Table, useRows } from './table'
import { useTree } from './reader'

/** The most text after a formula that counts as part of its line. */
const maxBehind = 1_000

/** The target of `[text][name]`, by name. */
const Definitions = createContext<ReadonlyMap<string, string>>(new Map())

/** The references between the parts of one text. */
export interface NamedParts {
  readonly definitions: ReadonlyMap<string, string>
  readonly footnotes: Footnotes
}

const empty: MarkdownRoot = { type: 'root', children: [] }

/** A text's references; null if it is not parsed or has no parts. */
export function useNamed(root: MarkdownRoot | null): NamedParts {
  const prefix = useId()
  return useMemo(
    () => ({ definitions: definitionsOf(root ?? empty), footnotes: footnotesOf(root ?? empty, prefix) }),
    [root, prefix],
  )
}

/** A block of a text that was parsed as a whole: its own nodes, and the references of all blocks. */
export interface DocumentPart {
  readonly root: MarkdownRoot
  readonly named: NamedParts
}

interface BlockProps {
  readonly text: string
  readonly open: boolean
  /** Left out if the block stands alone. A block keeps its elements when it becomes a part. */
  readonly part?: DocumentPart | undefined
}

/**
 * One block of Markdown as React elements. It creates no HTML: raw HTML is shown as text, so nothing has to be
 * sanitized; addresses pass `safeUrl`.
 */
export const MarkdownBlock = memo(function MarkdownBlock({ text, open, part }: BlockProps) {
  useLanguage()
  // A Markdown document growing inside a fence is parsed to its current end.
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
  /** The text that it is a part of, whose footnotes are below all parts; left out if it is a text of its own. */
  readonly of?: NamedParts | undefined
}

export const MarkdownTree = memo(function MarkdownTree({ root, open, of }: TreeProps) {
  // Renders everything below again when the language changes.
  useLanguage()
  const own = useNamed(of ? null : root)
  const last = root.children.at(-1)
  return (
    <Naming named={of ?? own}>
      {root.children.map((node, index) => (
        // An unfinished fence reaches to the end of the text; it is highlighted when it is closed.
        <Fragment key={index}>{render(node, open && node === last, 'auto')}</Fragment>
      ))}
      {of ? null : <FootnoteList>{renderAll}</FootnoteList>}
    </Naming>
  )
})

/** The footnotes of a text whose parts are rendered one by one. */
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
 * A top-level block (`dir` given) has its own text direction, that of its first letter. Its content inherits it, so
 * that list items and table cells are aligned.
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
      // An unfinished block is not a diagram yet.
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

/** Content without Markdown: HTML, which is shown as text, and formulas. */
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

/** Text on a formula's last line. */
function Behind({ text, dir }: { readonly text: string; readonly dir: 'auto' | undefined }) {
  const root = useMemo(() => (text.length > maxBehind ? null : readMarkdown(text)), [text])
  return root ? root.children.map((node, index) => <Fragment key={index}>{render(node, false, dir)}</Fragment>) : text
}

/** A footnote without a reference stays where it was written. */
function LoneFootnote({ node, dir }: { node: Extract<Node, { type: 'footnoteDefinition' }>; dir: 'auto' | undefined }) {
  const { notes } = useContext(FootnotesContext)
  if (notes.has(node.identifier)) return null
  return (
    <div dir={dir}>
      [{node.identifier}] {renderAll(node.children)}
    </div>
  )
}

/** A link out of the app opens in a new tab without a referrer. */
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

/** The visible text of these nodes. */
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

/** The model's own task list: it shows what is done, and can't be changed. */
const TaskBox = ({ isDone }: { readonly isDone: boolean }) => (
  <input
    type="checkbox"
    checked={isDone}
    readOnly
    disabled
    aria-label={t(isDone ? 'reading.task.done' : 'reading.task.open')}
  />
)
