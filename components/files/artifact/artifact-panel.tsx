'use client'

import { useMemo, useState } from 'react'
import { requestOpenFile, type OpenFileRequest } from '@/components/context/show-in-page'
import { SentenceText } from '@/components/ui/text/foreign-text'
import type { Vfs } from '@/lib/vfs/vfs'
import { t } from '@/lib/i18n/t'
import type { PageScroll } from '@/lib/client/files/page/page-messages'
import { artifactKind } from '@/lib/client/files/artifact/artifact-kind'
import { readText } from '@/lib/client/files/edit/text-file'
import { kindOfFile } from '@/lib/client/files/kind-of-file'
import { useHistory } from '../use-history'
import { FileNotice, Opening } from '../viewer/file-bar'
import { useStoredFile } from '../viewer/use-stored-file'
import { Artifact, type ArtifactProps } from './artifact'
import { ArtifactHead } from './artifact-body'
import { usePageTrail } from './use-page-frame'

export interface ArtifactPanelProps extends Pick<ArtifactProps, 'onFiles' | 'onClose' | 'onAsk'> {
  readonly conversationId: string
  readonly request: OpenFileRequest
}

/** A file or a code block beside the chat. */
export default function ArtifactPanel({ conversationId, request, ...on }: ArtifactPanelProps) {
  const { watch, sets, phase, problem } = useHistory(conversationId)
  const { beside } = request
  const trail = usePageTrail(request.path)
  const { path } = trail.at
  const [mayRun, setMayRun] = useState(beside?.run ?? false)
  const [mayHang, setMayHang] = useState(false)
  const [scrolls] = useState(() => new Map<string, PageScroll>())
  const run = {
    mayRun,
    mayHang,
    allow: () => setMayRun(true),
    allowHang: () => setMayHang(true),
    trail,
    scrolls,
    onOpen: (file: string) => requestOpenFile({ conversationId, path: file }),
  }
  const shared = { ...on, path, kind: artifactKind(path) ?? 'page', run } as const
  if (phase === 'failed') return <Unreadable {...shared} why={problem ?? ''} />
  if (watch === null || phase === 'loading') return <Waiting {...shared} />
  if (beside?.text !== undefined && path === request.path) {
    const status = t('artifact.from-reply')
    return <Artifact {...shared} vfs={watch.vfs} sets={none} text={beside.text} status={status} />
  }
  return <FileArtifact key={path} {...shared} vfs={watch.vfs} sets={sets} />
}

const none: readonly never[] = []

function FileArtifact({ vfs, ...props }: Omit<ArtifactProps, 'text' | 'status'> & { readonly vfs: Vfs }) {
  const file = useStoredFile(vfs, props.path)
  const data = file.status === 'ready' ? file.data : null
  const text = useMemo(() => (data === null ? null : textOf(props.path, data)), [props.path, data])
  if (file.status === 'failed') return <Unreadable {...props} why={file.message} />
  if (file.status === 'loading') return <Waiting {...props} />
  if (text === null) {
    return (
      <>
        <ArtifactHead {...props} on={null} />
        <FileNotice role="alert">{t('artifact.not-text')}</FileNotice>
      </>
    )
  }
  const status = file.isGone ? t('artifact.gone') : null
  return <Artifact {...props} vfs={vfs} text={text} status={status} />
}

/** Null if it is not text. */
function textOf(path: string, data: Uint8Array): string | null {
  const { view } = kindOfFile(path, data)
  return view === 'binary' || view === 'image' ? null : readText(data).text
}

type HeadOnly = Pick<ArtifactProps, 'path' | 'onFiles' | 'onClose'>

const Waiting = ({ path, onFiles, onClose }: HeadOnly) => (
  <>
    <ArtifactHead {...{ path, onFiles, onClose }} on={null} />
    <Opening what={t('artifact.loading')} />
  </>
)

const Unreadable = ({ path, onFiles, onClose, why }: HeadOnly & { readonly why: string }) => (
  <>
    <ArtifactHead {...{ path, onFiles, onClose }} on={null} />
    <FileNotice role="alert">
      <SentenceText text={t('artifact.unreadable', { why })} />
    </FileNotice>
  </>
)
