'use client'

import { asUntrusted, labelOf } from '@/lib/base/untrusted-text/foreign'
import { useEffect, useState } from 'react'
import { diffLines, DiffView, type DiffLine } from '@/components/ui/code/diff-view'
import { SentenceText } from '@/components/ui/text/foreign-text'
import type { Vfs } from '@/lib/vfs/vfs'
import { changedSinceVersion, type PathAtVersion } from '@/lib/client/files/artifact/versions'
import { FileNotice, Opening } from '../viewer/file-bar'
import { Markdown } from '@/components/markdown/markdown'
import { Diagram } from '@/components/markdown/diagram/diagram'
import { CodeBlock } from '@/components/ui/code/code-block'
import { lazyPart } from '@/components/ui/page/lazy-part'
import { PlainText } from '@/components/ui/text/plain-text'
import { visibleText } from '@/lib/base/untrusted-text/foreign-text'
import { t } from '@/lib/i18n/t'
import type { ArtifactKind } from '@/lib/client/files/artifact/artifact-kind'
import PageView from '../viewer/page-view'
import type { ReadableFiles } from './use-version'

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
