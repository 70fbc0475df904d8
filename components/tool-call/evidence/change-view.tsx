'use client'

import { asUntrusted, labelOf } from '@/lib/base/untrusted-text/foreign'
import { useState } from 'react'
import { CodeBlock } from '@/components/ui/code-block'
import { DiffView, leftOut } from '@/components/ui/diff-view'
import { useOutOfView } from '@/components/ui/out-of-view'
import { endingOf, readingOfFile } from '@/lib/base/untrusted-text/reading-of-file'
import { t } from '@/lib/i18n/t'
import { foldedDiff, opening, useDiff } from './text-diff'
import { note } from '@/components/ui/recipes/note'
import { CodeGap } from '@/components/ui/code-line'
import { CardBody } from '../styles/card-parts'

const OPEN_LINES = 16

export interface ChangeViewProps {
  readonly path: string
  /** Null: no such file, or not known; then the new text shows as it is. */
  readonly before: string | null
  readonly after: string
}

/** What a write would change: the difference to the file that stands there, else the new text. */
export function ChangeView({ path, before, after }: ChangeViewProps) {
  const [unchanged, setUnchanged] = useState(false)
  const [all, setAll] = useState(false)
  const lines = useDiff(before, after, unchanged)
  const { shown, hidden } = foldedDiff(before === null || before === after ? [] : (lines ?? []), all)
  useOutOfView(hidden, 'line', () => setAll(true))
  useOutOfView(leftOut(lines), 'same', () => setUnchanged(true))

  if (before === null || !lines) {
    return (
      <CardBody>
        <CodeBlock
          label={labelOf(t('card-evidence.new-text', { path: asUntrusted(path) }))}
          reading={readingOfFile(path)}
          text={after.replace(/\n$/, '')}
          {...languageOf(path)}
          maxLines={OPEN_LINES}
        />
      </CardBody>
    )
  }
  if (before === after) {
    return (
      <CardBody>
        <p className={note({ place: 'inset' })}>{t('card-evidence.same')}</p>
      </CardBody>
    )
  }
  return (
    <CardBody>
      <DiffView
        label={labelOf(t('card-evidence.change', { path: asUntrusted(path) }))}
        lines={shown.map((line) => opening(line, () => setUnchanged(true)))}
        path={path}
      />
      {hidden ? (
        <CodeGap below onOpen={() => setAll(true)}>
          {t('view.all-lines', { lines: lines.length })}
        </CodeGap>
      ) : null}
    </CardBody>
  )
}

function languageOf(path: string): { language?: string } {
  const ending = endingOf(path)
  return ending === '' ? {} : { language: ending }
}
