'use client'

import { loadPart } from '@/lib/base/load-part'
import { useEffect, useRef, useState, type ReactNode } from 'react'
import { CopyButton } from '@/components/ui/copy-button'

/** A code block of a message. Colours come when it is finished, near the view, and its language has loaded. */
export function CodeFence({ language, text, growing }: { language: string; text: string; growing: boolean }) {
  const ref = useRef<HTMLElement>(null)
  const [coloured, setColoured] = useState<{ readonly text: string; readonly lines: readonly ReactNode[] } | null>(null)

  useEffect(() => {
    const figure = ref.current
    if (!figure || growing || language === '' || typeof IntersectionObserver === 'undefined') return
    let wanted = true
    const colour = async () => {
      const { highlightLines } = await loadPart(() => import('@/components/ui/highlight'))
      const lines = await highlightLines(text, language)
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

  const lines = coloured?.text === text ? coloured.lines : null
  return (
    <figure className="fence" ref={ref}>
      <figcaption>
        <span>{language || 'text'}</span>
        <CopyButton text={() => text} />
      </figcaption>
      <pre tabIndex={0} aria-label={language ? `Code, ${language}` : 'Code'}>
        <code>
          {lines
            ? lines.map((line, index) => (
                <span key={index}>
                  {line}
                  {index < lines.length - 1 ? '\n' : ''}
                </span>
              ))
            : text}
        </code>
      </pre>
    </figure>
  )
}
