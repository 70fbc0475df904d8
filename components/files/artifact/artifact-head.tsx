import type { ReactNode } from 'react'
import { ForeignText } from '@/components/ui/text/foreign-text'
import { IconButton } from '@/components/ui/controls/button'
import { row } from '@/components/ui/recipes/surface'
import { visibleText } from '@/lib/base/untrusted-text/foreign-text'
import { t } from '@/lib/i18n/t'

export interface ArtifactHeadProps {
  readonly path: string
  readonly onFiles: () => void
  readonly onClose: () => void
  /** Null while there is nothing to do it with. */
  readonly on: {
    readonly reload: () => void
    readonly full: () => void
    readonly download: () => void
  } | null
  /** The second line: how it is shown, and what can be asked of it. */
  readonly children?: ReactNode
}

/** Which file stands beside the chat, and what can be done with it. */
export function ArtifactHead({ path, onFiles, onClose, on, children }: ArtifactHeadProps) {
  return (
    <header className="flex-none border-b border-line pb-2">
      <div className="flex min-h-bar min-w-0 items-center gap-0.5 ps-1.5 pe-2">
        <IconButton icon="left" label={t('artifact.files')} className="narrow:size-touch" onClick={onFiles} />
        {/* The end of a path says more than its beginning. */}
        <h2
          className="me-auto min-w-0 flex-1 truncate text-left font-mono text-mono font-strong [direction:rtl]"
          data-tip={visibleText(path, 'name')}
          tabIndex={-1}
        >
          <bdi>
            <ForeignText text={path} />
          </bdi>
        </h2>
        {on ? (
          <>
            <IconButton icon="again" label={t('artifact.reload')} className="narrow:size-touch" onClick={on.reload} />
            <IconButton icon="expand" label={t('artifact.full')} className="narrow:size-touch" onClick={on.full} />
            <IconButton
              icon="save"
              label={t('artifact.download')}
              className="narrow:size-touch"
              onClick={on.download}
            />
          </>
        ) : null}
        <IconButton icon="cross" label={t('artifact.close')} className="narrow:size-touch" onClick={onClose} />
      </div>
      {children === undefined ? null : <div className={row({}, 'px-3')}>{children}</div>}
    </header>
  )
}
