import { ForeignText } from '@/components/ui/foreign-text'
import { visibleText } from '@/lib/base/foreign-text/foreign-text'
import type { ReactNode } from 'react'
import { IconButton } from '@/components/ui/icon-button'
import { formatBytes } from '@/lib/base/format-bytes'

export interface FileHeadProps {
  readonly path: string
  /** Null until the file is read. */
  readonly facts: { readonly bytes: number; readonly words: string } | null
  readonly isUnsaved?: boolean
  readonly onClose: () => void
  readonly onDownload: () => void
  /** Copy, and what else belongs beside Download. */
  readonly actions?: ReactNode
  /** The second line's end: View or Edit, Save. */
  readonly controls?: ReactNode
}

/** Which file this is, and what can be done with it. */
export function FileHead({ path, facts, isUnsaved = false, onClose, onDownload, actions, controls }: FileHeadProps) {
  return (
    <header className="file-head">
      <div className="file-head-line">
        <IconButton icon="left" label="Back to files" onClick={onClose} />
        <h3 className="mono" title={visibleText(path, 'name')}>
          <bdi>
            <ForeignText text={path} />
          </bdi>
        </h3>
        {actions}
        <IconButton icon="save" label="Download" onClick={onDownload} />
      </div>
      <div className="file-head-line second">
        <span className="muted small num cut">
          {facts === null ? '' : `${formatBytes(facts.bytes)} · ${facts.words}`}
          {isUnsaved ? <b> · unsaved</b> : null}
        </span>
        <span className="end file-controls">{controls}</span>
      </div>
    </header>
  )
}
