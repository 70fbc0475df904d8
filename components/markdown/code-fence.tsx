'use client'

import { useEffect, useRef, useState } from 'react'
import { CopyButton } from '@/components/ui/copy-button'
import { ForeignCode, type ColouredPiece } from '@/components/ui/foreign-code'
import { ForeignText } from '@/components/ui/foreign-text'
import { splitLines } from '@/lib/base/foreign-text/lines'
import { visibleText } from '@/lib/base/foreign-text/foreign-text'

/** A code block of a message. Colours come when it is finished, near the view, and its language has loaded. */
export function CodeFence({ language, text, growing }: { language: string; text: string; growing: boolean }) {
  const ref = useRef<HTMLElement>(null)
  const [coloured, setColoured] = useState<{
    readonly text: string
    readonly lines: readonly (readonly ColouredPiece[])[]
  } | null>(null)

  useEffect(() => {
    const figure = ref.current
    if (!figure || growing || language === '' || typeof IntersectionObserver === 'undefined') return
    let wanted = true
    const colour = async () => {
      const { highlightLines } = await import('@/components/ui/highlight')
      const lines = await highlightLines(
        splitLines(text, language)
          .map((line) => line.text)
          .join('\n'),
        language,
      )
      if (wanted && lines) setColoured({ text, lines })
    }
    const observer = new IntersectionObserver(
      (entries) => {
        if (!entries.some((entry) => entry.isIntersecting)) return
        observer.disconnect()
        // Without its chunk the code stays plain.
        void colour().catch(() => {})
      },
      { rootMargin: '400px' },
    )
    observer.observe(figure)
    return () => {
      wanted = false
      observer.disconnect()
    }
  }, [text, language, growing])

  const lines = splitLines(text, language)
  const colours = coloured?.text === text ? coloured.lines : null
  return (
    <figure className="fence" ref={ref}>
      <figcaption>
        <span>{language === '' ? 'text' : <ForeignText text={language} />}</span>
        <CopyButton text={() => text} />
      </figcaption>
      <pre tabIndex={0} aria-label={language ? `Code, ${visibleText(language, 'name')}` : 'Code'}>
        <code>
          {lines.map((line, index) => (
            <span key={index}>
              <ForeignCode text={line.text} end={line.end} pieces={colours?.[index]} />
              {index < lines.length - 1 ? '\n' : ''}
            </span>
          ))}
        </code>
      </pre>
    </figure>
  )
}
