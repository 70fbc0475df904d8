'use client'

import { SentenceText } from '@/components/ui/text/foreign-text'
import { useMemo, useState } from 'react'
import { attachToMessage } from '@/components/context/attach-to-message'
import { Button, IconButton, TextButton } from '@/components/ui/controls/button'
import { lazyPart } from '@/components/ui/page/lazy-part'
import { downloadFile } from '@/components/files/zip/download-files'
import { ZipDialog } from '@/components/files/zip/zip-dialog'
import { nameOf, parentOf } from '@/lib/vfs/path'
import { t } from '@/lib/i18n/t'
import { documentFormatOf } from '@/lib/base/text/document-formats'
import { kindOfFile, type FileKind, type CodeLanguage } from '@/lib/client/files/kind-of-file'
import { FileBar, FileNotice, Opening } from './file-bar'
import { FileHead } from './file-head'
import { fileBody, fileFrame, useStoredFile, type StoredFile } from './use-stored-file'
import { SentenceWith } from '../sentence-with'
import { TextView, type FileViewProps } from './text-view'
import { PlainText } from '@/components/ui/text/plain-text'
import { firstPart, readText } from '@/lib/client/files/edit/text-file'
import { msSince } from '@/lib/base/clocks'
import { useCommand } from '@/components/context/commands'
import { Icon } from '@/components/ui/controls/icon'
import { formatAge } from '@/lib/i18n/labels'
import { Wait } from '@/components/ui/page/wait'
import { useNow } from '@/components/ui/page/use-now'
import type { Vfs } from '@/lib/vfs/vfs'
import { lastCallOn } from '@/lib/client/files/history/change-groups'
import { ChangeDetails } from '../changes/change-details'
import { useHistoryOf, useMoves } from '../use-history'
import { MoveNotes } from '../changes/move-notes'

/** Above an open file that a call changed last: which call, when, what it did, and the undo. */
function ChangeStrip({ vfs, path }: { vfs: Vfs; path: string }) {
  const { groups, watch } = useHistoryOf(vfs)
  const moves = useMoves(watch)
  const now = useNow()
  const [seen, setSeen] = useState<string | null>(null)
  const group = lastCallOn(groups, path)
  const move = (undone: boolean) => void (group && moves.move(group.ids, undone))
  useCommand('undo-file', () => move(true), group?.origin.kind === 'call' && group.undone !== 'yes' && !moves.busy)
  if (group?.origin.kind !== 'call') return null
  const { tool } = group.origin
  const change = group.changes.find((one) => one.path === path)
  const isUndone = group.undone === 'yes'
  const isOpen = seen === group.key && !isUndone
  const others = group.changes.filter(
    (one) => one.path !== path && (one.before?.kind === 'file' || one.after?.kind === 'file'),
  ).length
  const age = formatAge(msSince(group.at, now))
  return (
    <section className="flex-none border-b border-line text-sm" aria-label={t('file-changes.part')}>
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1 bg-sunken px-3 py-1.5">
        <Icon name="again" className="size-3.5 flex-none text-muted" />
        <span className="me-auto min-w-0 wrap-anywhere" role="status">
          <SentenceText
            text={
              isUndone
                ? t('file-changes.undone-by-you', { tool })
                : t(change?.before === null ? 'file-changes.made' : 'file-changes.by', { tool, age })
            }
          />
        </span>
        {isUndone ? null : (
          <TextButton aria-expanded={isOpen} onClick={() => setSeen(isOpen ? null : group.key)}>
            {t(isOpen ? 'file-changes.hide' : 'file-changes.see')}
          </TextButton>
        )}
        <TextButton disabled={moves.busy} onClick={() => move(!isUndone)}>
          {isUndone
            ? t('file-changes.redo')
            : others > 0
              ? t('file-changes.undo-with-others', { count: others })
              : t('file-changes.undo')}
        </TextButton>
      </p>
      {moves.busy ? <Wait className="px-3 pb-1.5" what={t('wait.files-change')} /> : null}
      <MoveNotes moves={moves} className="px-3 pb-1.5" />
      {isOpen ? (
        <div className="max-h-64 overflow-auto" role="group" aria-label={t('file-changes.details')}>
          <ChangeDetails watch={watch} group={group} file={path} onOpen={() => setSeen(null)} />
        </div>
      ) : null}
    </section>
  )
}

const CodeEditor = lazyPart(() => import('./code-editor'), {
  what: () => t('files-viewer.part-editor'),
  plain: ({ text }) => <PlainText text={text} />,
})

interface PartViewProps {
  readonly path: string
  readonly data: Uint8Array
  readonly language: CodeLanguage | null
  readonly maxBytes: number
}

/** The first part of a text that is too large to edit here. */
function PartView({ path, data, language, maxBytes }: PartViewProps) {
  const { text, form } = useMemo(() => readText(firstPart(data, maxBytes), true), [data, maxBytes])
  return (
    <>
      <FileNotice>{t('files-viewer.part-of', { size: data.byteLength, shown: maxBytes })}</FileNotice>
      <CodeEditor
        path={path}
        text={text}
        lineEnd={form.lineEnd}
        language={language}
        readOnly
        onEdit={() => {}}
        onSave={() => {}}
      />
    </>
  )
}

const ImageView = lazyPart(() => import('./image-view'), {
  what: () => t('files-viewer.part-picture'),
  loading: <Opening />,
})
const BinaryView = lazyPart(() => import('./binary-view'), {
  what: () => t('files-viewer.part-bytes'),
  loading: <Opening />,
})

const DocumentView = lazyPart(() => import('./document-view'), {
  what: () => t('files-viewer.part-document'),
  loading: <Opening />,
})

/** Larger texts are read-only, and only their first part is shown. */
const maxTextBytes = 2_000_000

/** One file: viewed by its type, or edited as text. */
export default function FileView(props: FileViewProps) {
  return <OneFile key={props.path} {...props} />
}

function OneFile(props: FileViewProps) {
  const { vfs, path, onClose } = props
  const file = useStoredFile(vfs, path)
  const [failure, setFailure] = useState<string | null>(null)
  const kind = useMemo(() => (file.status === 'ready' ? kindOfFile(path, file.data) : null), [path, file])
  const download = () => {
    void downloadFile(vfs, path).then((done) => setFailure(done.ok ? null : done.message))
  }
  return (
    <div className={fileFrame}>
      <ChangeStrip vfs={vfs} path={path} />
      {failure === null ? null : (
        <FileNotice role="alert" tone="failed">
          {failure}
        </FileNotice>
      )}
      {file.status === 'ready' && kind !== null ? (
        <Ready {...props} file={file} kind={kind} onDownload={download} />
      ) : (
        <>
          <FileHead path={path} facts={null} onClose={onClose} onDownload={download} />
          {file.status === 'failed' ? (
            <FileNotice role="alert">
              <SentenceText text={file.message} />
            </FileNotice>
          ) : (
            <Opening />
          )}
        </>
      )}
    </div>
  )
}

interface ReadyProps extends FileViewProps {
  readonly file: StoredFile & { readonly status: 'ready' }
  readonly kind: FileKind
  readonly onDownload: () => void
}

function Ready({ file, kind, onDownload, ...props }: ReadyProps) {
  const { path, onClose, conversationId } = props
  const { data } = file
  const facts = { bytes: data.byteLength, words: kind.words, ...(kind.encoding && { encoding: kind.encoding }) }
  const isText = kind.view !== 'image' && kind.view !== 'binary' && kind.view !== 'document'
  const bytes = <BinaryView path={path} data={data} words={kind.words} modifiedAt={file.modifiedAt} />
  const format = kind.view === 'document' ? documentFormatOf(path, data) : null
  if (isText && data.byteLength <= maxTextBytes) {
    return <TextView {...props} file={file} kind={kind} facts={facts} onDownload={onDownload} />
  }
  return (
    <>
      <FileHead
        path={path}
        facts={facts}
        onClose={onClose}
        onDownload={onDownload}
        actions={kind.view === 'image' ? <AttachPicture path={path} data={data} type={kind.mimeType} /> : null}
      />
      {file.isGone ? <Gone /> : null}
      <div className={fileBody}>
        {kind.view === 'image' ? (
          <ImageView path={path} data={data} mimeType={kind.mimeType} />
        ) : format !== null && conversationId !== undefined ? (
          <DocumentView
            conversationId={conversationId}
            path={path}
            format={format}
            version={file.version}
            data={data}
            original={bytes}
          />
        ) : isText ? (
          <PartView path={path} data={data} language={kind.language} maxBytes={maxTextBytes} />
        ) : (
          <>
            {kind.mimeType === 'application/zip' ? <Unpack {...props} data={data} /> : null}
            {bytes}
          </>
        )}
      </div>
    </>
  )
}

/** Attaches a copy of the picture to the next message, if the model can see. */
function AttachPicture({ path, data, type }: { path: string; data: Uint8Array; type: string }) {
  return (
    <IconButton
      icon="clip"
      label={t('view.attach')}
      className="narrow:size-touch"
      onClick={() =>
        void attachToMessage(Promise.resolve([new File([data as Uint8Array<ArrayBuffer>], nameOf(path), { type })]))
      }
    />
  )
}

/** Unpacks a zip file into its own folder. */
function Unpack({ vfs, path, messageId, data }: FileViewProps & { data: Uint8Array }) {
  const [asked, setAsked] = useState<Blob | null>(null)
  const name = path.slice(path.lastIndexOf('/') + 1)
  return (
    <FileBar facts={<SentenceWith name={parentOf(path)} say={(folder) => t('files-viewer.unpack-into', { folder })} />}>
      <Button onClick={() => setAsked(new File([data as Uint8Array<ArrayBuffer>], name))}>
        {t('files-viewer.unpack')}
      </Button>
      {asked === null ? null : (
        <ZipDialog
          vfs={vfs}
          folder={parentOf(path)}
          blob={asked}
          messageId={messageId}
          canKeep={false}
          onDone={() => setAsked(null)}
        />
      )}
    </FileBar>
  )
}

const Gone = () => <FileNotice role="alert">{t('files-viewer.gone')}</FileNotice>
