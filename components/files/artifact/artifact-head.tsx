import type { ReactNode } from 'react'
import { ForeignText, SentenceText } from '@/components/ui/text/foreign-text'
import { IconButton, Button } from '@/components/ui/controls/button'
import { row } from '@/components/ui/recipes/surface'
import { visibleText } from '@/lib/base/untrusted-text/foreign-text'
import { t } from '@/lib/i18n/t'
import type { ArtifactVersion } from '@/lib/client/files/artifact/versions'

export interface ArtifactHeadProps {
  readonly path: string
  readonly onFiles: () => void
  readonly onClose: () => void
  /** Null while no action is possible. */
  readonly on: {
    readonly reload: () => void
    readonly full: () => void
    readonly download: () => void
  } | null
  /** The second row: the view and its actions. */
  readonly children?: ReactNode
}

/** Names the file beside the chat and offers actions on it. */
export function ArtifactHead({ path, onFiles, onClose, on, children }: ArtifactHeadProps) {
  return (
    <header className="flex-none border-b border-line pb-2">
      <div className="flex min-h-bar min-w-0 items-center gap-0.5 ps-1.5 pe-2">
        <IconButton icon="left" label={t('artifact.files')} className="narrow:size-touch" onClick={onFiles} />
        {/* The end of a path is more useful than its start. */}
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

interface VersionBarProps {
  readonly versions: readonly ArtifactVersion[]
  /** The index of the shown version. */
  readonly index: number
  readonly onShow: (index: number) => void
  readonly onRestore: () => void
}

/** Shows the current version, moves to others, and restores this one. */
export function VersionBar({ versions, index, onShow, onRestore }: VersionBarProps) {
  const version = versions[index]
  if (versions.length < 2 || !version) return null
  const isNow = index === versions.length - 1
  return (
    <div className={row({}, 'flex-none border-b border-line px-3 py-1 text-sm')}>
      <IconButton
        icon="left"
        size="sm"
        label={t('artifact.version.older')}
        disabled={index === 0}
        className="disabled:opacity-50 narrow:size-touch"
        onClick={() => onShow(index - 1)}
      />
      <IconButton
        icon="right"
        size="sm"
        label={t('artifact.version.newer')}
        disabled={isNow}
        className="disabled:opacity-50 narrow:size-touch"
        onClick={() => onShow(index + 1)}
      />
      <p className="me-auto tabular-nums" role="status">
        {t('artifact.version', { number: index + 1, count: versions.length })}{' '}
        <span className="text-muted">
          <SentenceText text={byWords(version)} />
        </span>
      </p>
      {isNow ? null : <Button onClick={onRestore}>{t('artifact.restore')}</Button>}
    </div>
  )
}

function byWords({ origin, at }: ArtifactVersion): string {
  if (origin === null || at === null) return t('artifact.version.before')
  return origin.kind === 'call'
    ? t('artifact.version.by-call', { tool: origin.tool, at })
    : t('artifact.version.by-you', { at })
}
