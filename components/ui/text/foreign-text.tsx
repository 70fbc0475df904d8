import type { TextKind, Mark } from '@/lib/base/untrusted-text/mark'
import { foreignText, foreignMark } from '../recipes/surface'
import { Fragment, type ReactNode } from 'react'
import { foreignIn } from '@/lib/base/untrusted-text/foreign'
import { foreignParts, visible, type ForeignPart, proseParts } from '@/lib/base/untrusted-text/foreign-text'
import { t } from '@/lib/i18n/t'
import { shapeable } from './plain-text'

/**
 * Untrusted prose inside a line: invisible characters are marked, and it can't change the direction of the text beside
 * it.
 */
export const ForeignProse = ({ text }: { text: string }) => (
  <bdi dir="auto" className={foreignText}>
    {foreignNodes(proseParts(text))}
  </bdi>
)

/** A sentence of the app: its foreign parts are set apart, in code style; plain if none needs a mark. */
export function SentenceText({ text }: { text: string }) {
  const foreign = foreignIn(text)
  if (foreign.length < 2 && typeof foreign[0] !== 'object') return <AppWords text={text} />
  return foreign.map((part, index) =>
    typeof part === 'string' ? (
      <AppWords key={index} text={part} />
    ) : (
      <code key={index} dir="ltr" className={foreignText}>
        {foreignNodes(foreignParts(part.code, 'name'))}
      </code>
    ),
  )
}

function AppWords({ text }: { text: string }) {
  const parts = proseParts(text)
  return parts.every(({ kind }) => kind === 'text') ? (
    shapeable(text)
  ) : (
    <span className={foreignText}>{foreignNodes(parts)}</span>
  )
}

/** The maximum number of pieces with their own elements. More would be slow and would not help the reader. */
const maxPieces = 300

/**
 * The pieces of a foreign text as nodes, for components that lay them out themselves. Beyond a few hundred, the marks
 * are plain text.
 */
export function foreignNodes(parts: readonly ForeignPart[]): ReactNode {
  const nodes = parts.slice(0, maxPieces).map((part, index) => <ForeignPiece key={index} part={part} />)
  if (parts.length <= maxPieces) return nodes
  const rest = parts.slice(maxPieces)
  const words = shapeable(visible(rest))
  // Inside code or a name, nothing may change the surrounding direction; prose has its own direction.
  const isCode = rest.some(({ kind }) => kind === 'rtl')
  return [
    ...nodes,
    <bdi key="rest" className={isCode ? '[direction:ltr] [unicode-bidi:isolate-override]' : undefined}>
      {words}
    </bdi>,
  ]
}

function ForeignPiece({ part }: { part: ForeignPart }) {
  switch (part.kind) {
    case 'text':
      return shapeable(part.text)
    case 'rtl':
      return <bdi dir="rtl">{shapeable(part.text)}</bdi>
    case 'mark':
      return <MarkSpan text={part.text} mark={part.mark} />
  }
}

function MarkSpan({ text, mark }: { text: string; mark: Mark }) {
  const label = mark.kind === 'blank' ? t('ui.blanks', { count: mark.count }) : mark.label
  const sign = (
    <span className={foreignMark} data-tip={t('ui.mark', { label, kind: mark.kind })}>
      ⟨{label}⟩
    </span>
  )
  return mark.kind === 'look-alike' ? (
    <Fragment>
      <bdi className="underline decoration-danger decoration-wavy">{text}</bdi>
      {sign}
    </Fragment>
  ) : (
    sign
  )
}

// Prose is in a separate file, because the first screen needs nothing else.

export interface ForeignTextProps {
  readonly text: string
  /** Left out: a name. */
  readonly reading?: TextKind
}

/**
 * Untrusted text (from a model, a file, an address, an error of foreign code) inside a line: invisible characters are
 * marked, and it can't change the direction of the text beside it. All such text uses this component or `ForeignCode`.
 */
export function ForeignText({ text, reading = 'name' }: ForeignTextProps) {
  return (
    <bdi dir={reading === 'prose' ? 'auto' : 'ltr'} className={foreignText}>
      {foreignNodes(foreignParts(text, reading))}
    </bdi>
  )
}

/** A path, a key or a tool's name, in code style; short code with its `reading`. */
export const ForeignName = ({ text, reading = 'name' }: ForeignTextProps) => (
  <code dir="ltr" className={foreignText}>
    {foreignNodes(foreignParts(text, reading))}
  </code>
)
