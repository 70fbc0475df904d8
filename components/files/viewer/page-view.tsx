'use client'

import { asUntrusted, labelOf } from '@/lib/base/untrusted-text/foreign'
import { useMemo } from 'react'
import { Button } from '@/components/ui/button'
import { ForeignMarkup } from '@/components/ui/foreign/foreign-markup'
import type { Vfs } from '@/lib/vfs/vfs'
import { t } from '@/lib/i18n/t'
import { FileBar } from './file-bar'
import { MissingNeeds } from './page-needs'
import { useFullPage } from './use-full-page'

export interface PageViewProps {
  readonly vfs: Pick<Vfs, 'read' | 'tree' | 'watch'>
  readonly path: string
  /** As it stands in the editor, saved or not. */
  readonly text: string
  /** Left out: it can't be run from here. */
  readonly onRun?: (() => void) | undefined
}

/** A page of the workspace as it stands: with its styles and pictures, without its scripts. */
export default function PageView({ vfs, path, text, onRun }: PageViewProps) {
  const page = useFullPage(vfs, path, text)
  const markup = useMemo(() => ({ kind: 'html', text: page?.html ?? '' }) as const, [page])
  if (page === null) return null
  return (
    <>
      <FileBar facts={t(page.hasScripts ? 'artifact.static' : 'artifact.plain')}>
        {onRun && page.hasScripts ? <Button onClick={onRun}>{t('artifact.run')}</Button> : null}
      </FileBar>
      <MissingNeeds {...page} />
      <ForeignMarkup
        label={labelOf(t('files-viewer.page', { path: asUntrusted(path) }))}
        markup={markup}
        height="fill"
      />
    </>
  )
}
