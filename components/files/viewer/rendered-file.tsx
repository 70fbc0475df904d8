'use client'

import { asUntrusted, labelOf } from '@/lib/base/untrusted-text/foreign'
import { Markdown } from '@/components/markdown/markdown'
import { Diagram } from '@/components/markdown/diagram/diagram'
import { lazyPart } from '@/components/ui/lazy-part'
import { PlainText } from '@/components/ui/plain-text'
import type { Vfs } from '@/lib/vfs/vfs'
import type { FileKind } from '@/lib/client/files/kind-of-file'
import { t } from '@/lib/i18n/t'
import { Opening } from './file-notice'

const SvgView = lazyPart(() => import('./svg-view'), {
  what: () => t('files-viewer.part-picture'),
  loading: <Opening />,
  plain: ({ text }) => <PlainText text={text} />,
})
const TableView = lazyPart(() => import('./table-view'), {
  what: () => t('files-viewer.part-table'),
  loading: <Opening />,
  plain: ({ text }) => <PlainText text={text} />,
})
const JsonView = lazyPart(() => import('./json-view'), {
  what: () => t('files-viewer.part-tree'),
  loading: <Opening />,
  plain: ({ text }) => <PlainText text={text} />,
})
const PageView = lazyPart(() => import('./page-view'), {
  what: () => t('files-viewer.part-page'),
  loading: <Opening />,
  plain: ({ text }) => <PlainText text={text} />,
})

interface RenderedFileProps {
  readonly vfs: Vfs
  readonly path: string
  readonly kind: FileKind
  readonly text: string
  /** Runs a page, beside the chat. Left out: it is only shown. */
  readonly onRun?: (() => void) | undefined
}

/** A text as what it means; nothing where it means no more than itself. */
export function RenderedFile({ vfs, path, kind, text, onRun }: RenderedFileProps) {
  switch (kind.view) {
    case 'markdown':
      return (
        <div
          className="px-4 pt-4 pb-8"
          tabIndex={0}
          role="group"
          aria-label={labelOf(t('files-viewer.markdown', { path: asUntrusted(path) }))}
        >
          <Markdown text={text} streaming={false} />
        </div>
      )
    case 'table':
      return <TableView path={path} text={text} />
    case 'json':
      return <JsonView path={path} text={text} />
    case 'html':
      return <PageView vfs={vfs} path={path} text={text} onRun={onRun} />
    case 'diagram':
      return (
        <div className="overflow-auto p-4">
          <Diagram key={text} source={text} />
        </div>
      )
    case 'svg':
      return <SvgView path={path} text={text} />
    case 'text':
    case 'image':
    case 'binary':
      return null
  }
}
