'use client'

import { Markdown } from '@/components/markdown/markdown'
import { Diagram } from '@/components/markdown/diagram/diagram'
import { CodeBlock } from '@/components/ui/code/code-block'
import { lazyPart } from '@/components/ui/page/lazy-part'
import { PlainText } from '@/components/ui/text/plain-text'
import { visibleText } from '@/lib/base/untrusted-text/foreign-text'
import { t } from '@/lib/i18n/t'
import type { ArtifactKind } from '@/lib/client/files/artifact/artifact-kind'
import { Opening } from '../viewer/file-bar'
import PageView from '../viewer/page-view'
import type { ReadableFiles } from './use-version'

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
