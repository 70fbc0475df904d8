'use client'

import { ForeignName, ForeignText } from '@/components/ui/foreign-text'
import { useEffect, useState, type ReactNode } from 'react'
import { TextButton } from '@/components/ui/text-button'
import { formatBytes } from '@/lib/base/format-bytes'
import type { ChangedPath, FileChanges } from '@/lib/chat/conversation'
import type { FileReview } from '@/lib/tools/tool-runtime'
import { TextDiff } from './evidence/text-diff'
import './changed-files.css'

export interface ChangedFilesProps {
  readonly files: Pick<FileChanges, 'changes' | 'total'>
  /** Left out: what changed in a file can't be opened. */
  readonly texts?: FileReview['texts']
  /** What stands at the end of a line, as a link to the file in the workspace. */
  readonly end?: (changed: ChangedPath) => ReactNode
}

/** Paths that code changed, each with what became of it; a text file opens to its difference. */
export function ChangedFiles({ files: { changes, total }, texts, end }: ChangedFilesProps) {
  return (
    <ul className="changed-files" aria-label="Changed files">
      {changes.map((one) => (
        <ChangedFile key={one.path} changed={one} texts={one.kind === 'file' ? texts : undefined} end={end?.(one)} />
      ))}
      {total > changes.length ? <li className="muted">and {total - changes.length} more</li> : null}
    </ul>
  )
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
    <li>
      <div className="changed-file">
        <span className={`change ${change}`}>{change}</span>
        {texts ? (
          <TextButton className="path cut" aria-expanded={open} onClick={() => setOpen(!open)}>
            <ForeignName text={name} />
          </TextButton>
        ) : (
          <code className="path cut">
            <ForeignText text={name} />
          </code>
        )}
        {kind === 'file' && change !== 'deleted' ? <span className="num muted">{formatBytes(size)}</span> : null}
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
  if (found === null) return <p className="note-line">Loading the file …</p>
  if (found === 'failed' || (found.before === null && found.after === null)) {
    return <p className="note-line">It is no text, or too large to be compared here.</p>
  }
  return <TextDiff label={`Change to ${path}`} before={found.before ?? ''} after={found.after ?? ''} />
}

/** "3 files", "1 file and 2 folders" */
export function countWords({ changes, total }: Pick<FileChanges, 'changes' | 'total'>): string {
  const counted = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`
  // Beyond what is named, nobody knows which are folders.
  if (total > changes.length) return counted(total, 'path')
  const files = changes.filter(({ kind }) => kind === 'file').length
  const folders = changes.length - files
  return [...(files > 0 ? [counted(files, 'file')] : []), ...(folders > 0 ? [counted(folders, 'folder')] : [])].join(
    ' and ',
  )
}

/** What became of the files, as a sentence; '' when nothing is known. */
export function filesSentence(files: FileChanges | undefined): string {
  if (!files || files.total === 0) return ''
  return files.kept
    ? `It changed ${countWords(files)}.`
    : `What it changed (${countWords(files)}) was not kept: the files are as they were before.`
}
