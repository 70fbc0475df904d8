import { Button } from '@/components/ui/button'
import { SentenceText } from '@/components/ui/foreign-text'
import { IconButton } from '@/components/ui/icon-button'
import { row } from '@/components/ui/recipes/surface'
import { t } from '@/lib/i18n/t'
import type { ArtifactVersion } from '@/lib/client/files/artifact/versions'

export interface VersionBarProps {
  readonly versions: readonly ArtifactVersion[]
  /** Of the version that is shown. */
  readonly index: number
  readonly onShow: (index: number) => void
  readonly onRestore: () => void
}

/** Which version is seen, the way to the others, and the way back to this one. */
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
