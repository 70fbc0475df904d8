'use client'

import { numberWords, plural } from '@/lib/base/locale'
import { loadPart } from '@/lib/base/load-part'
import { splitLines } from '@/lib/base/foreign-text/lines'
import { visibleText } from '@/lib/base/foreign-text/foreign-text'
import { useEffect, useRef, useState } from 'react'
import { CopyButton } from '@/components/ui/copy-button'
import { ForeignCode, type ColouredPiece } from '@/components/ui/foreign-code'
import { ForeignText } from '@/components/ui/foreign-text'
import { TextButton } from '@/components/ui/text-button'
import { firstLines } from './first-lines'

/** What is drawn of a long block until more of it is asked for; a few lines over it are not worth a fold. */
const fold = { lines: 30, slack: 6, chars: 8_000 } as const
/** What one click adds: as much as a page draws at once. */
const step = { lines: 2_000, chars: 100_000 } as const

/** How often more was asked for, by the block's first lines: it stays open when its reply ends, or scrolls out and in. */
const asked = new Map<string, number>()

function useFirstLines(text: string) {
  const [, drawAgain] = useState(0)
  const head = firstLines(text, fold.lines, fold.chars)
  const times = asked.get(head.text) ?? 0
  const isLong = head.lines > fold.lines + fold.slack || text.length > fold.chars
  const shown = !isLong
    ? firstLines(text, fold.lines + fold.slack, fold.chars)
    : times === 0
      ? head
      : firstLines(text, step.lines * times, step.chars * times)
  const more = () => {
    asked.set(head.text, times + 1)
    drawAgain(times + 1)
  }
  return { shown, more }
}

/** A code block of a message. Colours come when it is finished, near the view, and its language has loaded. */
export function CodeFence({ language, text: whole, growing }: { language: string; text: string; growing: boolean }) {
  const { shown, more } = useFirstLines(whole)
  const { text } = shown
  const ref = useRef<HTMLElement>(null)
  const [coloured, setColoured] = useState<{
    readonly text: string
    readonly lines: readonly (readonly ColouredPiece[])[]
  } | null>(null)

  useEffect(() => {
    const figure = ref.current
    if (!figure || (growing && !shown.hidden) || language === '' || typeof IntersectionObserver === 'undefined') return
    let wanted = true
    const colour = async () => {
      const { highlightLines } = await loadPart(() => import('@/components/ui/highlight'))
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
  }, [text, language, growing, shown.hidden])

  const lines = splitLines(text, language)
  const colours = coloured?.text === text ? coloured.lines : null
  return (
    <figure className="overflow-clip rounded-lg border border-line bg-code" ref={ref}>
      {/* Copying stays at hand in a block that is longer than the window. */}
      <figcaption className="sticky top-0 z-above flex min-h-8 items-center justify-between border-b border-line bg-code px-3.5 text-sm text-code-muted">
        <span>{language === '' ? 'text' : <ForeignText text={language} />}</span>
        <CopyButton text={() => whole} />
      </figcaption>
      <pre
        className="overflow-x-auto px-3.5 py-3 font-mono text-mono text-code-text tab-2"
        tabIndex={0}
        aria-label={language ? `Code, ${visibleText(language, 'name')}` : 'Code'}
      >
        <code className="bg-transparent p-0 [font:inherit]">
          {lines.map((line, index) => (
            <span key={index}>
              <ForeignCode text={line.text} end={line.end} pieces={colours?.[index]} />
              {index < lines.length - 1 ? '\n' : ''}
            </span>
          ))}
        </code>
      </pre>
      {shown.hidden ? (
        <TextButton className="block w-full border-t border-line px-3.5 py-2 text-start" onClick={more}>
          {moreWords(shown.lines, whole.length)}
          {growing ? ' so far' : ''}
        </TextButton>
      ) : null}
    </figure>
  )
}

const moreWords = (lines: number, chars: number): string =>
  lines <= step.lines && chars <= step.chars
    ? `show all ${plural(lines, { one: `${numberWords(chars)} characters`, other: `${lines} lines` })}`
    : `show more of ${plural(lines, { one: `${numberWords(chars)} characters`, other: `${numberWords(lines)} lines` })}`
