'use client'

import { asForeign, labelOf } from '@/lib/base/foreign-text/foreign'
import { useEffect, useRef } from 'react'
import { lazyPart } from '@/components/ui/lazy-part'
import type { FileViewProps } from '@/components/files/viewer/file-view-props'
import { t } from '@/lib/i18n/t'
import { PanelState } from './panel-state'

const FileView = lazyPart(() => import('../viewer/file-view'), {
  what: () => t('files-explorer.part-file'),
  loading: () => (
    <PanelState>
      <span className="text-muted">{t('files-explorer.opening')}</span>
    </PanelState>
  ),
  close: ({ onClose }) => onClose,
})

/** The open file, under the tree; on a phone in its place. `focus`: it was opened by key, so reading goes on here. */
export function OpenFile({ focus, ...file }: FileViewProps & { readonly focus: boolean }) {
  const section = useRef<HTMLElement>(null)
  useEffect(() => {
    // What was pressed may be hidden now: then the focus would be lost.
    if (focus || document.activeElement === document.body) section.current?.focus()
  }, [focus])
  return (
    <section
      ref={section}
      className="flex min-h-0 flex-[1_0_60%] flex-col overflow-hidden border-t border-line narrow:flex-1 narrow:border-0"
      aria-label={labelOf(t('files-explorer.file', { path: asForeign(file.path) }))}
      tabIndex={-1}
    >
      <FileView {...file} />
    </section>
  )
}
