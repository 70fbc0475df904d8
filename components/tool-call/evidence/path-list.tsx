'use client'

import { useState } from 'react'
import { ForeignText } from '@/components/ui/foreign-text'
import { useOutOfView } from '@/components/ui/out-of-view'
import { visibleText } from '@/lib/base/untrusted-text/foreign-text'
import { formatBytes } from '@/lib/base/text/format-bytes'
import type { CallSummary } from '@/lib/shared/tools/tool'
import { t } from '@/lib/i18n/t'
import { note } from '@/components/ui/recipes/note'
import { codeBox } from '@/components/ui/recipes/code'
import { CodeGap } from '@/components/ui/code-line'
import { CardBody } from '../styles/card-parts'

const OPEN_ROWS = 12

/** The files that a call would take away or move. */
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
