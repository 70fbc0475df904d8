'use client'

import { useState } from 'react'
import { ForeignText } from '@/components/ui/text/foreign-text'
import { useOutOfView } from '@/components/ui/text/out-of-view'
import { visibleText } from '@/lib/base/untrusted-text/foreign-text'
import { formatBytes } from '@/lib/base/text/locale'
import type { CallSummary } from '@/lib/shared/tools/tool'
import { t } from '@/lib/i18n/t'
import { note } from '@/components/ui/recipes/surface'
import { codeBox } from '@/components/ui/recipes/recipe'
import { CodeGap, CodeBlock } from '@/components/ui/code/code-block'
import { CardBody } from '../styles/card'
import { asUntrusted, labelOf } from '@/lib/base/untrusted-text/foreign'
import { DiffView, leftOut } from '@/components/ui/code/diff-view'
import { endingOf, readingOfFile } from '@/lib/base/untrusted-text/mark'
import { foldedDiff, opening, useDiff } from './text-diff'

const OPEN_ROWS = 12

/** Files that a call would delete or move. */
export function PathList({ label, gone, entries, total }: Extract<CallSummary['body'], { kind: 'paths' }>) {
  const [all, setAll] = useState(false)
  const shown = all ? entries : entries.slice(0, OPEN_ROWS)
  const hidden = entries.length - shown.length
  useOutOfView(hidden, 'file', () => setAll(true))
  if (entries.length === 0) return null
  const unlisted = total - entries.length
  return (
    <CardBody>
      <ul className={codeBox({ pad: 'tree' })} dir="ltr" aria-label={visibleText(label, 'prose')}>
        {shown.map(({ path, to, size }) => (
          <li key={path} className="flex gap-2 wrap-anywhere">
            <span className={gone ? 'line-through' : undefined}>
              <ForeignText text={path} />
            </span>
            {to === undefined ? null : (
              <span>
                {' → '}
                <ForeignText text={to} />
              </span>
            )}
            <span className="ms-auto whitespace-nowrap text-muted tabular-nums">{formatBytes(size)}</span>
          </li>
        ))}
      </ul>
      {hidden > 0 ? (
        <CodeGap below onOpen={() => setAll(true)}>
          {t('card-evidence.all-files', { files: entries.length })}
        </CodeGap>
      ) : unlisted > 0 ? (
        <p className={note({ place: 'inset' })}>{t('card-evidence.unlisted', { count: unlisted })}</p>
      ) : null}
    </CardBody>
  )
}

const OPEN_LINES = 16

export interface ChangeViewProps {
  readonly path: string
  /** Null if there is no such file or it is unknown; the new text is then shown as it is. */
  readonly before: string | null
  readonly after: string
}

/** What a write would change: the difference to the existing file, or the new text. */
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
