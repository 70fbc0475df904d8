'use client'

import { asForeign, labelOf } from '@/lib/base/foreign-text/foreign'
import { useState } from 'react'
import { Button } from '@/components/ui/button'
import { DiffView, type DiffLine } from '@/components/ui/diff-view'
import { Icon } from '@/components/ui/icon'
import { row } from '@/components/ui/recipes/surface'
import { diffLines } from '@/components/ui/diff-lines'
import { t } from '@/lib/i18n/t'
import { FileWarning } from './file-warning'

export interface ConflictBarProps {
  readonly path: string
  readonly mine: string
  readonly theirs: string
  readonly onKeepMine: () => void
  readonly onTakeTheirs: () => void
}

/** The file changed while it was edited: nothing is lost, and the user chooses. */
export function ConflictBar({ path, mine, theirs, onKeepMine, onTakeTheirs }: ConflictBarProps) {
  const [lines, setLines] = useState<readonly DiffLine[] | 'too-different' | null>(null)
  const show = async () => {
    if (lines !== null) return setLines(null)
    setLines((await diffLines(theirs, mine, false)) ?? 'too-different')
  }
  return (
    <FileWarning>
      <p>
        <Icon name="warn" className="inline-block align-[-0.1875rem] text-warn" /> {t('files-viewer.conflict')}
      </p>
      <div className={row()}>
        <Button onClick={() => void show()} aria-expanded={lines !== null}>
          {t(lines === null ? 'files-viewer.conflict-show' : 'files-viewer.conflict-hide')}
        </Button>
        <Button onClick={onKeepMine}>{t('files-viewer.keep-mine')}</Button>
        <Button onClick={onTakeTheirs}>{t('files-viewer.take-theirs')}</Button>
      </div>
      {lines === 'too-different' ? <p className="text-muted">{t('files-viewer.too-different')}</p> : null}
      {lines !== null && lines !== 'too-different' ? (
        <div className="max-h-64 overflow-auto">
          <p className="text-muted">{t('files-viewer.sides')}</p>
          <DiffView label={labelOf(t('files-viewer.conflict-label', { path: asForeign(path) }))} lines={lines} />
        </div>
      ) : null}
    </FileWarning>
  )
}
