'use client'

import { ForeignText } from '@/components/ui/text/foreign-text'
import { encodingLabels, type TextEncodingName } from '@/lib/base/text/encoding-names'
import { visibleText } from '@/lib/base/untrusted-text/foreign-text'
import type { ReactNode } from 'react'
import { IconButton } from '@/components/ui/controls/button'
import { row } from '@/components/ui/recipes/surface'
import { fileKindLabel } from '@/lib/i18n/labels'
import { t } from '@/lib/i18n/t'
import { asUntrusted, labelOf } from '@/lib/base/untrusted-text/foreign'
import { Markdown } from '@/components/markdown/markdown'
import { Diagram } from '@/components/markdown/drawings'
import { lazyPart } from '@/components/ui/page/lazy-part'
import { PlainText } from '@/components/ui/text/plain-text'
import type { Vfs } from '@/lib/vfs/vfs'
import type { FileKind } from '@/lib/client/files/kind-of-file'
import { Opening } from './file-bar'

export interface FileHeadProps {
  readonly path: string
  /** Null until the file is read. */
  readonly facts: { readonly bytes: number; readonly words: string; readonly encoding?: TextEncodingName } | null
  readonly isUnsaved?: boolean
  readonly onClose: () => void
  readonly onDownload: () => void
  /** Copy, and other actions beside Download. */
  readonly actions?: ReactNode
  /** The end of the second row: View or Edit, Save. */
  readonly controls?: ReactNode
}

/** Names the file and offers actions on it. */
export function FileHead({ path, facts, isUnsaved = false, onClose, onDownload, actions, controls }: FileHeadProps) {
  return (
    <header className="flex-none border-b border-line px-3 pt-1 pb-2">
      <div className="flex min-h-control min-w-0 items-center gap-1">
        <IconButton icon="left" label={t('files-viewer.back')} className="narrow:size-touch" onClick={onClose} />
        {/* The end of a path is more useful than its start. */}
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
                kind: fileKindLabel(facts.words),
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
  /** Runs a page beside the chat. Left out: it is only shown. */
  readonly onRun?: (() => void) | undefined
}

/** A rendered text; nothing if the text has no rendered form. */
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
    case 'document':
    case 'binary':
      return null
  }
}
