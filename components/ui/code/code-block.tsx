'use client'

import { type ReactNode, useEffect, useState } from 'react'
import { useTabStop, useOutOfView, clipLines } from '../text/out-of-view'
import { codeGap, codeLine, codeBox } from '../recipes/recipe'
import { labelOf } from '@/lib/base/untrusted-text/foreign'
import { loadPart } from '@/lib/i18n/load-part'
import { t } from '@/lib/i18n/t'
import { splitLines } from '@/lib/base/untrusted-text/foreign-text'
import type { TextKind } from '@/lib/base/untrusted-text/mark'
import { drawableText, judgedLimits } from '../text/drawable-text'
import { ForeignCode, type ColouredPiece, MAX_COLOURED_LENGTH } from './foreign-code'

export type CodeLineKind = 'same' | 'add' | 'del' | 'bad' | 'left'

export interface CodeLineProps {
  /** Left out: a text without numbers. */
  readonly number?: number
  readonly kind?: CodeLineKind
  /** For a narrow container: the numbers take less space. */
  readonly tight?: boolean
  readonly children: ReactNode
}

const signs: Readonly<Record<CodeLineKind, string>> = { same: '', add: '+', del: '−', bad: '', left: '−' }

/** One line of code or of a change, with its number and its sign. */
export function CodeLine({ number, kind = 'same', tight = false, children }: CodeLineProps) {
  const columns = number === undefined ? 'text' : tight ? 'tight' : undefined
  return (
    <div data-line={kind} className={codeLine({ columns, kind: kind === 'same' ? undefined : kind })}>
      {number === undefined ? null : (
        <>
          <span
            data-number=""
            className={`text-end text-code-muted tabular-nums select-none ${tight ? 'pe-2' : 'pe-3 narrow:pe-2'}`}
          >
            {number}
          </span>
          <span className="select-none forced-colors:text-[CanvasText]">{signs[kind]}</span>
        </>
      )}
      <span>{children}</span>
    </div>
  )
}

export interface CodeGapProps {
  /** Left out if there is nothing more to show. */
  readonly onOpen?: (() => void) | undefined
  readonly columns?: 'tight' | 'text' | undefined
  /** Below its area instead of in it. */
  readonly below?: boolean
  readonly children: ReactNode
}

/** Says how many lines are left out; a button if it opens them. */
export function CodeGap({ onOpen, columns, below = false, children }: CodeGapProps) {
  const tabIndex = useTabStop()
  if (!onOpen) return <span className={codeGap({ columns, below })}>{children}</span>
  return (
    <button
      type="button"
      tabIndex={tabIndex}
      className={codeGap({ columns, below, opens: true }, below ? 'pb-2' : undefined)}
      onClick={onOpen}
    >
      {children}
    </button>
  )
}

export interface CodeBlockProps {
  readonly label: string
  readonly text: string
  /**
   * A language name or file extension; highlighted if it is known, once its highlighter has loaded. Also decides where
   * lines end.
   */
  readonly language?: string
  /** Lines shown before "show all". */
  readonly maxLines?: number
  readonly numbered?: boolean
  /** Left out: code. */
  readonly reading?: TextKind
}

/**
 * Code with line numbers, counted as its language does. Plain at first; colors appear when the language's highlighter
 * has loaded. Invisible characters are marked; the clipboard gets the text unchanged.
 */
export function CodeBlock(props: CodeBlockProps) {
  const { label, text, language, maxLines = 16, numbered = true, reading = 'code' } = props
  const [all, setAll] = useState(false)
  const lines = splitLines(drawableText(text, judgedLimits), language)
  const { shown, hidden, cut } = clipLines(lines, all ? Infinity : maxLines)
  const plain = shown.map((line) => line.text).join('\n')
  const coloured = useHighlightedLines(plain, language)
  const columns = numbered ? undefined : 'text'
  useOutOfView(hidden, 'line', () => setAll(true))
  const tabIndex = useTabStop()
  return (
    <div className={codeBox({ pad: 'lines' })} dir="ltr" tabIndex={tabIndex} role="group" aria-label={labelOf(label)}>
      {shown.map((line, index) => (
        <CodeLine key={index} {...(numbered ? { number: index + 1 } : {})}>
          <ForeignCode text={line.text} end={line.end} pieces={coloured?.[index]} reading={reading} />
        </CodeLine>
      ))}
      {language !== undefined && plain.length > MAX_COLOURED_LENGTH ? (
        <CodeGap columns={columns}>{t('view.too-long', { characters: plain.length })}</CodeGap>
      ) : null}
      {hidden ? (
        <CodeGap columns={columns} onOpen={() => setAll(true)}>
          {cut > 0 && lines.length === 1
            ? t('view.whole-line', { characters: cut })
            : t('view.all-lines', { lines: lines.length })}
        </CodeGap>
      ) : null}
    </div>
  )
}

type ColouredLines = readonly (readonly ColouredPiece[])[]

function useHighlightedLines(text: string, language: string | undefined): ColouredLines | null {
  const [result, setResult] = useState<{ readonly text: string; readonly lines: ColouredLines } | null>(null)
  useEffect(() => {
    if (!language) return
    let wanted = true
    const colour = async () => {
      const { highlightLines } = await loadPart(() => import('./highlight'))
      const lines = await highlightLines(text, language)
      if (wanted && lines) setResult({ text, lines })
    }
    // Without its chunk, the code stays plain.
    void colour().catch(() => {})
    return () => {
      wanted = false
    }
  }, [text, language])
  return result?.text === text ? result.lines : null
}
