'use client'

import { ForeignName, ForeignText } from '@/components/ui/text/foreign-text'
import { useEffect, useState, type ReactNode } from 'react'
import { TextButton } from '@/components/ui/controls/button'
import { formatBytes } from '@/lib/base/text/locale'
import type { FileChanges } from '@/lib/shared/conversation/call-record'
import type { ChangedPath } from '@/lib/vfs/path'
import type { FileReview } from '@/lib/shared/tools/tool'
import { TextDiff } from './evidence/text-diff'
import { cx } from '@/components/ui/recipes/recipe'
import { note } from '@/components/ui/recipes/surface'
import { t } from '@/lib/i18n/t'

export interface ChangedFilesProps {
  readonly files: Pick<FileChanges, 'changes' | 'total'>
  /** Left out if differences can't be opened. */
  readonly texts?: FileReview['texts']
  /** The end of a row, e.g. a link to the file in the workspace. */
  readonly end?: (changed: ChangedPath) => ReactNode
}

/** Paths that code changed, each with the kind of change; a text file opens to its difference. */
export function ChangedFiles({ files: { changes, total }, texts, end }: ChangedFilesProps) {
  return (
    <ul className="grid gap-1 px-3.5 py-2 text-sm" aria-label={t('card-files.list')}>
      {changes.map((one) => (
        <ChangedFile key={one.path} changed={one} texts={one.kind === 'file' ? texts : undefined} end={end?.(one)} />
      ))}
      {total > changes.length ? (
        <li className="text-muted">{t('card-files.more', { count: total - changes.length })}</li>
      ) : null}
    </ul>
  )
}

const changeTones: Readonly<Record<ChangedPath['change'], string>> = {
  created: 'text-ok',
  changed: 'text-muted',
  deleted: 'text-danger',
}

function ChangedFile({
  changed,
  texts,
  end,
}: {
  changed: ChangedPath
  texts: FileReview['texts'] | undefined
  end: ReactNode
}) {
  const { path, change, kind, size } = changed
  const [open, setOpen] = useState(false)
  const name = kind === 'directory' ? `${path}/` : path
  return (
    <li className="min-w-0">
      <div className="flex min-h-6 min-w-0 items-baseline gap-3">
        <span className={cx('w-18 flex-none', changeTones[change])}>{t(`card-files.change.${change}`)}</span>
        {texts ? (
          <TextButton className="min-w-0 flex-initial truncate" aria-expanded={open} onClick={() => setOpen(!open)}>
            <ForeignName text={name} />
          </TextButton>
        ) : (
          <code className="min-w-0 flex-initial truncate">
            <ForeignText text={name} />
          </code>
        )}
        {kind === 'file' && change !== 'deleted' ? (
          <span className="ms-auto flex-none text-muted tabular-nums">{formatBytes(size)}</span>
        ) : null}
        {end}
      </div>
      {open && texts ? <FileDiff path={path} texts={texts} /> : null}
    </li>
  )
}

type Texts = Awaited<ReturnType<FileReview['texts']>>

function FileDiff({ path, texts }: { path: string; texts: FileReview['texts'] }) {
  const [found, setFound] = useState<Texts | 'failed' | null>(null)
  useEffect(() => {
    let wanted = true
    texts(path).then(
      (both) => wanted && setFound(both),
      () => wanted && setFound('failed'),
    )
    return () => {
      wanted = false
    }
  }, [path, texts])
  if (found === null) return <p className={note()}>{t('card-files.loading')}</p>
  if (found === 'failed' || (found.before === null && found.after === null)) {
    return <p className={note()}>{t('card-files.no-text')}</p>
  }
  const label = t('card-files.diff', { path })
  return <TextDiff label={label} before={found.before ?? ''} after={found.after ?? ''} />
}

/** "3 files", "1 file and 2 folders" */
export function countText({ changes, total }: Pick<FileChanges, 'changes' | 'total'>): string {
  // Beyond the listed paths, it is unknown which are folders.
  if (total > changes.length) return t('card-files.paths', { count: total })
  const files = changes.filter(({ kind }) => kind === 'file').length
  const folders = changes.length - files
  return t('card-files.count', { files, folders, both: files > 0 && folders > 0 })
}

/** The change to the files as a sentence; '' if unknown. */
export function filesSentence(files: FileChanges | undefined): string {
  if (!files || files.total === 0) return ''
  return t(files.kept ? 'card-files.kept' : 'card-files.not-kept', { what: countText(files) })
}
