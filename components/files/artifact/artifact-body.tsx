'use client'

import { asUntrusted, labelOf } from '@/lib/base/untrusted-text/foreign'
import { useEffect, useState, type ReactNode } from 'react'
import { diffLines, DiffView, type DiffLine } from '@/components/ui/code/diff-view'
import { SentenceText, ForeignText } from '@/components/ui/text/foreign-text'
import type { Vfs } from '@/lib/vfs/vfs'
import { changedSinceVersion, type PathAtVersion, type ArtifactVersion } from '@/lib/client/files/artifact/versions'
import { FileNotice, Opening } from '../viewer/file-bar'
import { Markdown } from '@/components/markdown/markdown'
import { Diagram } from '@/components/markdown/drawings'
import { CodeBlock } from '@/components/ui/code/code-block'
import { lazyPart } from '@/components/ui/page/lazy-part'
import { PlainText } from '@/components/ui/text/plain-text'
import type { ArtifactKind } from '@/lib/client/files/artifact/artifact-kind'
import PageView from '../viewer/page-view'
import type { ReadableFiles } from './use-version'
import { IconButton, Button } from '@/components/ui/controls/button'
import { row } from '@/components/ui/recipes/surface'
import { visibleText } from '@/lib/base/untrusted-text/foreign-text'
import { t } from '@/lib/i18n/t'

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

export interface CompareVersionsProps {
  readonly before: Pick<Vfs, 'read'>
  readonly now: Pick<Vfs, 'read'>
  readonly paths: readonly string[]
  /** The number of the version that is compared. */
  readonly number: number
}

interface Compared {
  readonly path: string
  /** Null if they can't be compared. */
  readonly lines: readonly DiffLine[] | null
}

const maxFiles = 20

/** The differences between now and a version, file by file. */
export function CompareVersions({ before, now, paths, number }: CompareVersionsProps) {
  const [found, setFound] = useState<readonly Compared[] | null>(null)
  useEffect(() => {
    let wanted = true
    const compare = async () => {
      const changed = await changedSinceVersion(before, now, paths)
      return Promise.all(changed.slice(0, maxFiles).map(compareOne))
    }
    compare().then(
      (compared) => wanted && setFound(compared),
      () => wanted && setFound(paths.map((path) => ({ path, lines: null }))),
    )
    return () => {
      wanted = false
    }
  }, [before, now, paths])
  if (found === null) return <Opening what={t('artifact.loading')} />
  if (found.length === 0) return <FileNotice tone="quiet">{t('artifact.same')}</FileNotice>
  return found.map(({ path, lines }) => {
    const title = t('artifact.differs', { number, path: asUntrusted(path) })
    return (
      <section key={path} aria-label={labelOf(title)}>
        <FileNotice tone="quiet">
          <SentenceText text={lines === null ? t('artifact.differs-bytes', { path: asUntrusted(path) }) : title} />
        </FileNotice>
        {lines === null ? null : <DiffView dense label={labelOf(title)} lines={lines} path={path} />}
      </section>
    )
  })
}

async function compareOne({ path, before, now }: PathAtVersion): Promise<Compared> {
  const [old, current] = [textOf(before), textOf(now)]
  return { path, lines: old === null || current === null ? null : await diffLines(old, current, false) }
}

/** '' if there is no file; null if it is not text. */
function textOf(data: Uint8Array | null): string | null {
  if (data === null) return ''
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(data)
  } catch {
    return null
  }
}

const SvgView = lazyPart(() => import('../viewer/svg-view'), {
  what: () => t('artifact.part'),
  loading: () => <Opening what={t('artifact.loading')} />,
  plain: ({ text }) => <PlainText text={text} />,
})

export interface ArtifactBodyProps {
  readonly path: string
  readonly kind: ArtifactKind
  readonly files: ReadableFiles
  readonly text: string
}

/** An artifact without scripts: a picture, rendered text, or a page without its scripts. */
export function ArtifactBody({ path, kind, files, text }: ArtifactBodyProps) {
  switch (kind) {
    case 'page':
      return <PageView vfs={files} path={path} text={text} />
    case 'svg':
      return <SvgView path={path} text={text} />
    case 'diagram':
      return (
        <div className="overflow-auto p-4">
          <Diagram key={text} source={text} />
        </div>
      )
    case 'markdown':
      return (
        <div
          className="min-h-0 flex-1 overflow-auto px-4 pt-4 pb-8"
          tabIndex={0}
          role="group"
          aria-label={visibleText(path, 'name')}
        >
          <Markdown text={text} streaming={false} />
        </div>
      )
  }
}

/** The source text with line numbers. */
export const ArtifactSource = ({ path, text }: { readonly path: string; readonly text: string }) => (
  <div className="min-h-0 flex-1 overflow-auto">
    <CodeBlock
      label={path}
      text={text}
      language={/\.([a-z]+)$/i.exec(path)?.[1]?.toLowerCase() ?? ''}
      maxLines={2_000}
    />
  </div>
)
