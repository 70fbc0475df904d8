'use client'

import { SaidText } from '@/components/ui/foreign-text'
import { useMemo, useState } from 'react'
import { Button } from '@/components/ui/button'
import { lazyPart } from '@/components/ui/lazy-part'
import { downloadFile } from '@/components/files/zip/download-files'
import { ZipDialog } from '@/components/files/zip/zip-dialog'
import { parentOf } from '@/lib/vfs/path'
import { t } from '@/lib/i18n/t'
import { kindOfFile, type FileKind } from '@/lib/workspace/kind-of-file'
import type { FileViewProps } from './file-view-props'
import { ChangeStrip } from './change-strip'
import { FileBar } from './file-bar'
import { FileHead } from './file-head'
import { fileBody, fileFrame } from './file-frame'
import { FileSay, Opening } from './file-say'
import { SentenceWith } from '../sentence-with'
import { PartView } from './part-view'
import { TextView } from './text-view'
import { useStoredFile, type StoredFile } from './use-stored-file'

const ImageView = lazyPart(() => import('./image-view'), {
  what: () => t('files-viewer.part-picture'),
  loading: <Opening />,
})
const BinaryView = lazyPart(() => import('./binary-view'), {
  what: () => t('files-viewer.part-bytes'),
  loading: <Opening />,
})

/** Texts above it are only looked at, and only their first part. */
const maxTextBytes = 2_000_000

/** One file: seen as what it is, or edited as text. */
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
        <FileSay role="alert" tone="failed">
          {failure}
        </FileSay>
      )}
      {file.status === 'ready' && kind !== null ? (
        <Ready {...props} file={file} kind={kind} onDownload={download} />
      ) : (
        <>
          <FileHead path={path} facts={null} onClose={onClose} onDownload={download} />
          {file.status === 'failed' ? (
            <FileSay role="alert">
              <SaidText text={file.message} />
            </FileSay>
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
  const { path, onClose } = props
  const { data } = file
  const facts = { bytes: data.byteLength, words: kind.words, ...(kind.encoding && { encoding: kind.encoding }) }
  if (kind.view !== 'image' && kind.view !== 'binary' && data.byteLength <= maxTextBytes) {
    return <TextView {...props} file={file} kind={kind} facts={facts} onDownload={onDownload} />
  }
  return (
    <>
      <FileHead path={path} facts={facts} onClose={onClose} onDownload={onDownload} />
      {file.isGone ? <Gone /> : null}
      <div className={fileBody}>
        {kind.view === 'image' ? (
          <ImageView path={path} data={data} mimeType={kind.mimeType} />
        ) : kind.view === 'binary' ? (
          <>
            {kind.mimeType === 'application/zip' ? <Unpack {...props} data={data} /> : null}
            <BinaryView path={path} data={data} words={kind.words} modifiedAt={file.modifiedAt} />
          </>
        ) : (
          <PartView path={path} data={data} language={kind.language} maxBytes={maxTextBytes} />
        )}
      </div>
    </>
  )
}

/** A zip among the files is unpacked beside itself. */
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

const Gone = () => <FileSay role="alert">{t('files-viewer.gone')}</FileSay>
