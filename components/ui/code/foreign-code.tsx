import { Fragment, type ReactNode } from 'react'
import { foreignParts, type ForeignPart, splitLines } from '@/lib/base/untrusted-text/foreign-text'
import type { TextKind } from '@/lib/base/untrusted-text/mark'
import { t } from '@/lib/i18n/t'
import { foreignNodes } from '../text/foreign-text'
import { shapeable } from '../text/plain-text'
import { foreignMark, foreignText } from '../recipes/surface'

/** Longer code is not highlighted, because that would block the page. */
export const MAX_COLOURED_LENGTH = 60_000

/** A piece of a line in one color; the joined pieces are the line. */
export interface ColouredPiece {
  readonly text: string
  readonly className?: string
}

export interface ForeignCodeProps {
  /** One line, without its end. */
  readonly text: string
  /** The line ending, if it is an unusual one: "CR". */
  readonly end?: string | null
  readonly pieces?: readonly ColouredPiece[] | undefined
  /** Left out: code. */
  readonly reading?: TextKind
}

/** One line of untrusted code or text, isolated from the lines beside it; marks take precedence over colors. */
export function ForeignCode({ text, end = null, pieces, reading = 'code' }: ForeignCodeProps) {
  const parts = foreignParts(text, reading)
  const coloured = pieces && pieces.map((piece) => piece.text).join('') === text ? pieces : null
  return (
    <bdi dir={reading === 'prose' ? 'auto' : 'ltr'} className={foreignText}>
      {coloured ? colouredNodes(parts, coloured) : foreignNodes(parts)}
      {end === null ? null : (
        <span className={foreignMark} data-tip={t('view.line-end', { end })}>
          ⟨{end}⟩
        </span>
      )}
    </bdi>
  )
}

export interface ForeignLinesProps {
  /** One line of a comparison, which splits at line feeds only. */
  readonly text: string
  readonly language: string
  readonly reading: TextKind
  /** Also shows the CR of a CRLF, because the lines beside it end differently. */
  readonly showsCr: boolean
}

/** A line of a comparison; if its language has further line endings, its parts are below each other. */
export function ForeignLines({ text, language, reading, showsCr }: ForeignLinesProps) {
  const endsInCr = text.endsWith('\r')
  const lines = splitLines(endsInCr ? text.slice(0, -1) : text, language)
  return lines.map((line, index) => {
    const isLast = index === lines.length - 1
    const end = isLast && endsInCr && showsCr ? 'CR' : line.end
    return (
      <span key={index}>
        <ForeignCode text={line.text} end={end} reading={reading} />
        {isLast ? null : <br />}
      </span>
    )
  })
}

/** Splits both at each other's ends. A mark has no color, because it is the app's. */
function colouredNodes(parts: readonly ForeignPart[], pieces: readonly ColouredPiece[]): ReactNode {
  const nodes: ReactNode[] = []
  let piece = 0
  let left = pieces[0]?.text.length ?? 0
  /** The next characters of the line with one color, at most `length`. */
  const take = (length: number) => {
    while (left === 0 && piece < pieces.length - 1) left = pieces[++piece]?.text.length ?? 0
    const taken = Math.min(length, left)
    left -= taken
    return { taken, className: pieces[piece]?.className }
  }
  for (const part of parts) {
    for (let at = 0; at < part.text.length;) {
      const { taken, className } = take(part.text.length - at)
      if (taken === 0) break
      if (part.kind !== 'mark') {
        const text = part.text.slice(at, at + taken)
        const inner = part.kind === 'rtl' ? foreignNodes([{ kind: 'rtl', text }]) : shapeable(text)
        nodes.push(
          className || part.kind === 'rtl' ? (
            <span key={nodes.length} className={className}>
              {inner}
            </span>
          ) : (
            <Fragment key={nodes.length}>{shapeable(text)}</Fragment>
          ),
        )
      }
      at += taken
    }
    if (part.kind === 'mark') nodes.push(<span key={nodes.length}>{foreignNodes([part])}</span>)
  }
  return nodes
}
