'use client'

import { useState } from 'react'
import { ForeignText } from '@/components/ui/foreign-text'
import { useOutOfView } from '@/components/ui/out-of-view'
import { TextButton } from '@/components/ui/text-button'
import { visibleText } from '@/lib/base/foreign-text/foreign-text'
import { formatBytes } from '@/lib/base/format-bytes'
import type { CallSummary } from '@/lib/tools/tool'

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
    <div className="card-body">
      <ul className="code path-list" dir="ltr" aria-label={visibleText(label, 'prose')}>
        {shown.map(({ path, to, size }) => (
          <li key={path}>
            <span className={gone ? 'gone' : undefined}>
              <ForeignText text={path} />
            </span>
            {to === undefined ? null : (
              <span>
                {' → '}
                <ForeignText text={to} />
              </span>
            )}
            <span className="num muted size">{formatBytes(size)}</span>
          </li>
        ))}
      </ul>
      {hidden > 0 ? (
        <TextButton className="gap code" onClick={() => setAll(true)}>
          show all {entries.length} files
        </TextButton>
      ) : unlisted > 0 ? (
        <p className="note-line inset">and {unlisted} more</p>
      ) : null}
    </div>
  )
}
