'use client'

import { labelOf, foreignOrEmpty } from '@/lib/base/foreign-text/foreign'
import { SaidText } from '@/components/ui/foreign-text'
import { Icon } from '@/components/ui/icon'
import { t } from '@/lib/i18n/t'
import { NameField } from './name-field'

export interface CreateLineProps {
  readonly what: 'file' | 'directory'
  readonly folder: string
  /** A sentence comes back when the name can't be had. */
  readonly onDone: (name: string | null, left: boolean) => string | null
}

/** Asks for the name of something new, over the tree. */
export function CreateLine({ what, folder, onDone }: CreateLineProps) {
  const label = t('files-explorer.create', { what, folder: foreignOrEmpty(folder) })
  return (
    <div className="grid gap-1 border-b border-line px-4 py-2 text-sm">
      <span className="text-muted">
        <SaidText text={label} />
      </span>
      <span className="flex items-center gap-1.5">
        <Icon name={what === 'file' ? 'read' : 'folder'} />
        <NameField
          label={labelOf(label)}
          value=""
          placeholder={t(what === 'file' ? 'files-explorer.file-hint' : 'files-explorer.folder-hint')}
          onDone={onDone}
        />
      </span>
    </div>
  )
}
