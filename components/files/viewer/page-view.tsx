'use client'

import { SentenceText } from '@/components/ui/text/foreign-text'
import { pageLimits, type PageNeeds, changedIn } from '@/lib/client/files/page/page-files'
import { t } from '@/lib/i18n/t'
import { FileNotice, FileBar } from './file-bar'
import { asUntrusted, labelOf } from '@/lib/base/untrusted-text/foreign'
import { useMemo, useEffect, useState } from 'react'
import { Button } from '@/components/ui/controls/button'
import { ForeignMarkup } from '@/components/ui/foreign/sealed-frame'
import type { Vfs } from '@/lib/vfs/vfs'
import { loadPart } from '@/lib/i18n/load-part'
import type { PageUse, FullPage } from '@/lib/client/files/page/inline-page'

const settleMs = 150

/** The page with its local resources inlined; rebuilt when any file changes. Null at first. */
export function useFullPage(
  vfs: Pick<Vfs, 'read' | 'tree' | 'watch'>,
  path: string,
  text: string,
  use: PageUse = 'seen',
): FullPage | null {
  const [page, setPage] = useState<FullPage | null>(null)
  const [changes, setChanges] = useState(0)
  useEffect(() => vfs.watch(() => setChanges((count) => count + 1)), [vfs])
  useEffect(() => {
    let wanted = true
    const make = async () => {
      const { inlinePage } = await loadPart(() => import('@/lib/client/files/page/inline-page'))
      const made = await inlinePage(vfs, path, text, use)
      if (!wanted) return
      // The same page again must not reload its frame.
      setPage((known) => (known !== null && isSame(known, made) ? known : made))
    }
    const timer = setTimeout(() => void make().catch(() => {}), changes === 0 ? 0 : settleMs)
    return () => {
      wanted = false
      clearTimeout(timer)
    }
  }, [vfs, path, text, use, changes])
  return page
}

const isSame = (known: FullPage, made: FullPage): boolean =>
  known.html === made.html && known.hasScripts === made.hasScripts && changedIn(known.bundle, made.bundle).length === 0

const shown = 3
const maxName = 80

/** Resources that the page names but does not get; without this it would look broken for no reason. */
export function MissingNeeds({ missing, left, remote }: Pick<PageNeeds, 'missing' | 'left' | 'remote'>) {
  if (missing.length + left.length + remote.length === 0) return null
  const words = [
    ...sentencesOf('missing', missing),
    ...sentencesOf('left', left),
    ...sentencesOf('remote', remote),
  ].join(' ')
  return (
    <FileNotice tone="quiet">
      <SentenceText text={words} />
    </FileNotice>
  )
}

function sentencesOf(what: 'missing' | 'left' | 'remote', all: readonly string[]): readonly string[] {
  if (all.length === 0) return []
  const names = all.slice(0, shown).map((name) => (name.length > maxName ? `${name.slice(0, maxName - 1)}…` : name))
  const count = all.length - names.length
  const { files, bytes } = pageLimits
  if (what === 'left') {
    return [
      count > 0 ? t('artifact.left-more', { names, count, files, bytes }) : t('artifact.left', { names, files, bytes }),
    ]
  }
  return [count > 0 ? t(`artifact.${what}-more`, { names, count }) : t(`artifact.${what}`, { names })]
}

export interface PageViewProps {
  readonly vfs: Pick<Vfs, 'read' | 'tree' | 'watch'>
  readonly path: string
  /** The editor's text, saved or not. */
  readonly text: string
  /** Left out if it can't be run from here. */
  readonly onRun?: (() => void) | undefined
}

/** A page of the workspace with its styles and pictures, but without its scripts. */
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
