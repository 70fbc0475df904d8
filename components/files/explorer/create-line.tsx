'use client'

import { Icon } from '@/components/ui/icon'
import { NameField } from './name-field'

export interface CreateLineProps {
  readonly what: 'file' | 'directory'
  readonly folder: string
  /** A sentence comes back when the name can't be had. */
  readonly onDone: (name: string | null, left: boolean) => string | null
}

/** Asks for the name of something new, over the tree. */
export function CreateLine({ what, folder, onDone }: CreateLineProps) {
  const label = `${what === 'file' ? 'New file' : 'New folder'} in ${folder === '/' ? 'the top folder' : folder}`
  return (
    <div className="create-line">
      <span className="muted">{label}</span>
      <span className="create-name">
        <Icon name={what === 'file' ? 'read' : 'folder'} />
        <NameField label={label} value="" placeholder={what === 'file' ? 'notes.md' : 'notes'} onDone={onDone} />
      </span>
    </div>
  )
}
