import { Fragment, type ReactNode } from 'react'
import { foreignParts, type ForeignPart, splitLines } from '@/lib/base/untrusted-text/foreign-text'
import type { TextKind } from '@/lib/base/untrusted-text/mark'
import { t } from '@/lib/i18n/t'
import { foreignNodes } from '../text/foreign-text'
import { shapeable } from '../text/plain-text'
import { foreignMark, foreignText } from '../recipes/surface'

/** A piece of a line in one colour; the pieces joined are the line. */
export interface ColouredPiece {
  readonly text: string
  readonly className?: string
}

export interface ForeignCodeProps {
  /** One line, without its end. */
  readonly text: string
  /** What ends it, where that is not what ends lines everywhere: "CR". */
  readonly end?: string | null
  readonly pieces?: readonly ColouredPiece[] | undefined
  /** Left out: code. */
  readonly reading?: TextKind
}

/** One line of code or text that others wrote, apart from the lines beside it; colours come second to marks. */
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
  /** One line of a comparison, which knows line feeds only. */
  readonly text: string
  readonly language: string
  readonly reading: TextKind
  /** Also the CR of a CRLF is shown: the lines beside it end in another way. */
  readonly showsCr: boolean
}

/** A line of a comparison; where the language ends lines within it, they are below each other. */
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

/** Both cut at each other's ends. A mark keeps no colour: it is the app's. */
function colouredNodes(parts: readonly ForeignPart[], pieces: readonly ColouredPiece[]): ReactNode {
  const nodes: ReactNode[] = []
  let piece = 0
  let left = pieces[0]?.text.length ?? 0
  /** The next characters of the line, up to `length` of them, as far as they have one colour. */
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
