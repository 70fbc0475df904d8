'use client'

import { useEffect, useState } from 'react'
import { clipLines, type ClippedLines, useOutOfView } from '@/components/ui/text/out-of-view'
import { CodeBlock, CodeGap } from '@/components/ui/code/code-block'
import { DiffView, leftOut, type DiffLine, diffLines } from '@/components/ui/code/diff-view'
import { t } from '@/lib/i18n/t'

const OPEN_LINES = 16

/** Two texts as one difference; only the new text until the comparison is done, or if there is none. */
export function TextDiff({ label, before, after }: { label: string; before: string; after: string }) {
  const [unchanged, setUnchanged] = useState(false)
  const [all, setAll] = useState(false)
  const lines = useDiff(before, after, unchanged)
  const { shown, hidden } = foldedDiff(lines ?? [], all)
  useOutOfView(hidden, 'line', () => setAll(true))
  useOutOfView(leftOut(lines), 'same', () => setUnchanged(true))
  if (!lines) return <CodeBlock label={label} text={after} />
  return (
    <>
      <DiffView label={label} lines={shown.map((line) => opening(line, () => setUnchanged(true)))} />
      {hidden ? (
        <CodeGap below onOpen={() => setAll(true)}>
          {t('view.all-lines', { lines: lines.length })}
        </CodeGap>
      ) : null}
    </>
  )
}

/** The first lines of a difference, as many as fit in view. */
export function foldedDiff(lines: readonly DiffLine[], all: boolean): ClippedLines<DiffLine> {
  const { shown, ...rest } = clipLines(
    lines.map((line) => ({ line, text: line.kind === 'gap' ? '' : line.text })),
    all ? Infinity : OPEN_LINES,
  )
  return { ...rest, shown: shown.map(({ line, text }) => (line.kind === 'gap' ? line : { ...line, text })) }
}

/** Hidden unchanged lines open on a press. */
export const opening = (line: DiffLine, onOpen: () => void): DiffLine =>
  line.kind === 'gap' ? { ...line, onOpen } : line

/** Null until the comparison is done, and if there is none. */
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
