'use client'

import { useEffect, useState, type ReactNode } from 'react'
import { useConversation } from '@/components/context/chat-context'
import { useToolRuntime } from '@/components/context/tool-runtime-context'
import { SegmentedControl } from '@/components/ui/forms/segmented-control'
import { Button } from '@/components/ui/controls/button'
import { cx } from '@/components/ui/recipes/recipe'
import { ForeignText, SentenceText } from '@/components/ui/text/foreign-text'
import { asUntrusted, labelOf } from '@/lib/base/untrusted-text/foreign'
import { refusalText, t } from '@/lib/i18n/t'
import type { DocumentFormat } from '@/lib/base/text/document-formats'
import { piecesOf, type DocumentPart, type DocumentText } from '@/lib/sandbox/document'
import type { AttachedDocument } from '@/lib/shared/conversation/conversation'
import { hiddenIn, isWithoutText, tokensOfDocument } from '@/lib/shared/documents/document-text'
import { FileBar, FileNotice, Opening } from './file-bar'

export interface DocumentViewProps {
  readonly conversationId: string
  readonly path: string
  readonly format: DocumentFormat
  readonly version: string
  readonly data: Uint8Array
  /** Opens the file's bytes. */
  readonly original: ReactNode
}

type Read =
  | { readonly status: 'reading' }
  | { readonly status: 'failed'; readonly message: string }
  | { readonly status: 'ready'; readonly document: DocumentText }

type DocumentFile = Pick<DocumentViewProps, 'conversationId' | 'format' | 'version' | 'data'>

function useDocument({ conversationId, format, version, data }: DocumentFile): Read {
  const runtimeOf = useToolRuntime()
  const [read, setRead] = useState<{ readonly version: string; readonly is: Read } | null>(null)
  useEffect(() => {
    const stop = new AbortController()
    const tell = (is: Read) => {
      if (!stop.signal.aborted) setRead({ version, is })
    }
    const look = async () => {
      const { documents } = await runtimeOf(conversationId)
      const text = await documents?.read({ format, version, data: async () => data }, stop.signal)
      if (text?.ok) tell({ status: 'ready', document: text.value })
      else tell({ status: 'failed', message: text ? refusalText(text.error) : t('files-viewer.document-not-here') })
    }
    look().catch(() => tell({ status: 'failed', message: t('files-viewer.document-not-here') }))
    return () => stop.abort()
  }, [runtimeOf, conversationId, format, version, data])
  return read?.version === version ? read.is : { status: 'reading' }
}

/** What was sent of the file with a message; null if none of its text was. */
const useSent = (path: string): AttachedDocument | null =>
  useConversation(
    (view) =>
      view.path
        .flatMap((message) => (message.role === 'user' && 'attachments' in message ? (message.attachments ?? []) : []))
        .findLast((file) => file.path === path && file.head !== null)?.document ?? null,
  )

/** A document as the model reads it, or its bytes. */
export default function DocumentView({ original, path, ...file }: DocumentViewProps) {
  const [mode, setMode] = useState<'text' | 'original'>('text')
  const read = useDocument(file)
  const facts = read.status === 'ready' ? <Facts document={read.document} /> : null
  return (
    <>
      <FileBar facts={facts}>
        <SegmentedControl
          label={t('files-viewer.document-or-original')}
          value={mode}
          options={[
            { value: 'text', label: t('files-viewer.document-text') },
            { value: 'original', label: t('files-viewer.document-original') },
          ]}
          onChange={setMode}
        />
      </FileBar>
      {mode === 'original' ? (
        original
      ) : read.status === 'ready' ? (
        <Parts path={path} document={read.document} />
      ) : read.status === 'failed' ? (
        <FileNotice role="alert">
          <SentenceText text={read.message} />
        </FileNotice>
      ) : (
        <Opening what={t('files-viewer.document-reading')} />
      )}
    </>
  )
}

const Facts = ({ document }: { readonly document: DocumentText }) =>
  t('files-viewer.document-facts', {
    unit: document.unit,
    total: document.total,
    tokens: tokensOfDocument(document),
  })

/** Outline entries shown before the pages. */
const outlineShown = 6

/** Parts shown first, and with each further press. */
const partsAtOnce = 20

function Parts({ path, document }: { readonly path: string; readonly document: DocumentText }) {
  const [shown, setShown] = useState(partsAtOnce)
  const sent = useSent(path)
  const { unit, parts, outline, total, cut, macros } = document
  const hidden = hiddenIn(document)
  if (isWithoutText(document))
    return <FileNotice role="status">{t('files-viewer.document-empty', { unit })}</FileNotice>
  const deliveryOf = (first: boolean) => (sent === null ? 'none' : sent.whole || first ? 'sent' : 'left')
  return (
    <div
      className="grid gap-8 px-5 pt-4 pb-8"
      role="group"
      tabIndex={0}
      aria-label={labelOf(t('files-viewer.document-of', { path: asUntrusted(path) }))}
    >
      {hidden > 0 ? (
        <p className="text-sm text-warn" role="status">
          {t('files-viewer.document-hidden', { count: hidden })}
        </p>
      ) : null}
      {macros ? (
        <p className="text-sm text-muted" role="status">
          {t('files-viewer.document-macros')}
        </p>
      ) : null}
      {outline.length > 1 ? (
        <section className="grid gap-3">
          <PartHead words={t('files-viewer.document-outline', { standing: deliveryOf(true) })} />
          <ul className="grid gap-1 text-muted">
            {outline.slice(0, outlineShown).map(({ title, part }, index) => (
              <li key={`${index} ${part}`} className="truncate">
                <ForeignText text={title} />
              </li>
            ))}
            {outline.length > outlineShown ? (
              <li>{t('files-viewer.document-more', { count: outline.length - outlineShown })}</li>
            ) : null}
          </ul>
        </section>
      ) : null}
      {parts.slice(0, shown).map((part, index) => (
        <section key={index} className="grid grid-cols-[minmax(0,1fr)] gap-3">
          <PartHead
            words={t('files-viewer.document-part', {
              unit,
              number: index + 1,
              label: part.label || 'empty',
              standing: deliveryOf(index === 0),
            })}
          />
          <PartText part={part} isSheet={unit === 'sheet'} />
        </section>
      ))}
      {parts.length > shown ? (
        <Button onClick={() => setShown(shown + partsAtOnce)}>
          {t('files-viewer.document-show-more', { count: Math.min(partsAtOnce, parts.length - shown) })}
        </Button>
      ) : null}
      {cut === null ? null : (
        <p className="text-sm text-muted">{t('files-viewer.document-cut', { cut, read: parts.length, total })}</p>
      )}
    </div>
  )
}

const PartHead = ({ words }: { readonly words: string }) => (
  <h4 className="flex items-center gap-3 text-sm font-normal text-muted after:h-px after:flex-1 after:bg-line after:content-['']">
    <SentenceText text={words} />
  </h4>
)

/** Every character that the model receives; invisible ones are in boxes. */
function PartText({ part, isSheet }: { readonly part: DocumentPart; readonly isSheet: boolean }) {
  if (part.text.trim() === '') return <p className="text-muted">{t('files-viewer.document-no-text')}</p>
  return (
    <div className={cx('grid grid-cols-[minmax(0,1fr)] gap-3', isSheet && 'font-mono text-mono')}>
      {piecesOf(part.text).map(({ hidden, text }, index) =>
        hidden ? (
          <div key={index} className="rounded-md bg-warn-soft px-3 py-2">
            <p className="font-sans text-sm text-warn">{t('files-viewer.document-unseen', { count: text.length })}</p>
            <Words text={text} />
          </div>
        ) : text.trim() === '' ? null : (
          <Words key={index} text={text.trim()} />
        ),
      )}
    </div>
  )
}

const Words = ({ text }: { readonly text: string }) => (
  <p className="whitespace-pre-wrap wrap-anywhere">
    <ForeignText text={text} reading="prose" />
  </p>
)
