'use client'

import { useEffect, useState } from 'react'
import { CodeBlock } from '@/components/ui/code-block'
import { DiffView, leftOut, type DiffLine } from '@/components/ui/diff-view'
import { useOutOfView } from '@/components/ui/out-of-view'
import { diffLines } from '@/components/ui/diff-lines'
import { CodeGap } from '@/components/ui/code-line'
import { viewSentence } from '@/lib/words/ui-views'

const OPEN_LINES = 16

/** Two texts as one difference; the new text alone until the comparison is there, and where there is none. */
export function TextDiff({ label, before, after }: { label: string; before: string; after: string }) {
  const [unchanged, setUnchanged] = useState(false)
  const [all, setAll] = useState(false)
  const lines = useDiff(before, after, unchanged)
  const hidden = all || !lines || lines.length <= OPEN_LINES + 1 ? 0 : lines.length - OPEN_LINES
  useOutOfView(hidden, 'line', () => setAll(true))
  useOutOfView(leftOut(lines), 'same', () => setUnchanged(true))
  if (!lines) return <CodeBlock label={label} text={after} />
  const shown = (hidden ? lines.slice(0, OPEN_LINES) : lines).map((line) =>
    line.kind === 'gap' ? { ...line, onOpen: () => setUnchanged(true) } : line,
  )
  return (
    <>
      <DiffView label={label} lines={shown} />
      {hidden ? (
        <CodeGap below onOpen={() => setAll(true)}>
          {viewSentence('view.all-lines', { lines: lines.length })}
        </CodeGap>
      ) : null}
    </>
  )
}

/** Null until the comparison is there, and when there is none. */
export function useDiff(before: string | null, after: string, all: boolean): readonly DiffLine[] | null {
  const [diff, setDiff] = useState<{ before: string; after: string; lines: readonly DiffLine[] | null } | null>(null)
  useEffect(() => {
    if (before === null) return
    let wanted = true
    const show = (lines: readonly DiffLine[] | null) => {
      if (wanted) setDiff({ before, after, lines })
    }
    diffLines(before, after, all).then(show, () => show(null))
    return () => {
      wanted = false
    }
  }, [before, after, all])
  return diff && diff.before === before && diff.after === after ? diff.lines : null
}
