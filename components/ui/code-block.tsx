'use client'

import { loadPart } from '@/lib/base/load-part'
import { useEffect, useState, type ReactNode } from 'react'
import { drawableText, judgedLimits } from './drawable-text'
import { TextButton } from './text-button'

export interface CodeBlockProps {
  readonly label: string
  readonly text: string
  /** A language name or file ending; highlighted when it is known, once its reader has loaded. */
  readonly language?: string
  /** Lines that show before "show all". */
  readonly maxLines?: number
  readonly numbered?: boolean
}

/** Code with line numbers. Plain at once; colours come when the highlighter of this language has loaded. */
export function CodeBlock({ label, text, language, maxLines = 16, numbered = true }: CodeBlockProps) {
  const [all, setAll] = useState(false)
  const lines = drawableText(text, judgedLimits).split('\n')
  const hidden = all || lines.length <= maxLines + 1 ? 0 : lines.length - maxLines
  const shown = hidden ? lines.slice(0, maxLines) : lines
  const coloured = useHighlightedLines(shown.join('\n'), language)
  return (
    <div className="code diff" tabIndex={0} role="group" aria-label={label}>
      {shown.map((line, index) => (
        <div key={index} className={numbered ? 'ln' : 'ln bare'}>
          {numbered ? <span className="no">{index + 1}</span> : null}
          {numbered ? <span className="sg" /> : null}
          <span>{coloured?.[index] ?? line}</span>
        </div>
      ))}
      {hidden ? (
        <TextButton className="gap" onClick={() => setAll(true)}>
          show all {lines.length} lines
        </TextButton>
      ) : null}
    </div>
  )
}

function useHighlightedLines(text: string, language: string | undefined): readonly ReactNode[] | null {
  const [result, setResult] = useState<{ readonly text: string; readonly lines: readonly ReactNode[] } | null>(null)
  useEffect(() => {
    if (!language) return
    let wanted = true
    const colour = async () => {
      const { highlightLines } = await loadPart(() => import('./highlight'))
      const lines = await highlightLines(text, language)
      if (wanted && lines) setResult({ text, lines })
    }
    // Colours are a comfort: without their chunk the code stays plain.
    void colour().catch(() => {})
    return () => {
      wanted = false
    }
  }, [text, language])
  return result?.text === text ? result.lines : null
}
