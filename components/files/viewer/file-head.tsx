import { ForeignText } from '@/components/ui/foreign-text'
import { encodingLabels, type TextEncodingName } from '@/lib/base/text/text-encoding'
import { visibleText } from '@/lib/base/untrusted-text/foreign-text'
import type { ReactNode } from 'react'
import { IconButton } from '@/components/ui/icon-button'
import { row } from '@/components/ui/recipes/surface'
import { fileKindWords } from '@/lib/i18n/file-kinds'
import { t } from '@/lib/i18n/t'

export interface FileHeadProps {
  readonly path: string
  /** Null until the file is read. */
  readonly facts: { readonly bytes: number; readonly words: string; readonly encoding?: TextEncodingName } | null
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
    <header className="flex-none border-b border-line px-3 pt-1 pb-2">
      <div className="flex min-h-control min-w-0 items-center gap-1">
        <IconButton icon="left" label={t('files-viewer.back')} className="narrow:size-touch" onClick={onClose} />
        {/* The end of a path says more than its beginning. */}
        <h3
          className="min-w-0 flex-1 truncate text-left font-mono text-mono font-strong [direction:rtl]"
          data-tip={visibleText(path, 'name')}
        >
          <bdi>
            <ForeignText text={path} />
          </bdi>
        </h3>
        {actions}
        <IconButton icon="save" label={t('files-viewer.download')} className="narrow:size-touch" onClick={onDownload} />
      </div>
      <div className="flex min-h-control min-w-0 items-center gap-2 ps-2">
        <span className="truncate text-sm text-muted tabular-nums">
          {facts === null
            ? ''
            : t('files-viewer.facts', {
                size: facts.bytes,
                kind: fileKindWords(facts.words),
                in: facts.encoding ? 'other' : 'utf8',
                encoding: facts.encoding ? encodingLabels[facts.encoding] : '',
              })}
          {isUnsaved ? <b className="font-medium text-text">{` · ${t('files-viewer.unsaved')}`}</b> : null}
        </span>
        <span className={row({}, 'ms-auto')}>{controls}</span>
      </div>
    </header>
  )
}
