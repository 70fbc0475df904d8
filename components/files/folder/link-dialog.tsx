'use client'

import { asUntrusted } from '@/lib/base/untrusted-text/foreign'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { Button } from '@/components/ui/controls/button'
import { Dialog, DialogFoot } from '@/components/ui/popups/dialog'
import { Progress } from '@/components/ui/page/progress'
import { ForeignText, SentenceText } from '@/components/ui/text/foreign-text'
import type { DiskFolderHandle } from '@/lib/client/folder/disk'
import { scanFolder, type FolderScan } from '@/lib/client/folder/scan'
import { linkFolder } from '@/lib/client/folder/take-in'
import { isTemporaryChat } from '@/lib/client/outbox/temporary-chats'
import { canLinkFolders, folderStore, foldersChanged, pickFolder } from '@/lib/client/wiring/files/folders.browser'
import { t } from '@/lib/i18n/t'
import { vfsLimits, type Vfs } from '@/lib/vfs/vfs'
import { folderProblem, takeInProblem } from './folder-words'

export interface LinkDialogProps {
  readonly vfs: Vfs
  readonly conversationId: string
  readonly messageId: string | null
  /** A folder that was dropped; null: the user has yet to choose one. */
  readonly dropped: Promise<DiskFolderHandle | null> | null
  /** Uploads the dropped folder instead of linking it. */
  readonly onUpload: (() => void) | null
  /** For browsers that can't link a folder. */
  readonly onUnpack: () => void
  readonly onDownload: () => void
  /** The paths that were copied; empty if the user cancelled. */
  readonly onDone: (paths: readonly string[]) => void
}

type Step =
  | { readonly at: 'choose' }
  | { readonly at: 'scan'; readonly name: string; readonly files: number }
  | { readonly at: 'found'; readonly handle: DiskFolderHandle; readonly scan: FolderScan }
  | { readonly at: 'copy'; readonly name: string; readonly bytes: number; readonly of: number }

/** Links a folder on disk. The dialog first lists what will be copied and what will be left out. */
export default function LinkDialog(props: LinkDialogProps) {
  const { dropped, onDone } = props
  return (
    <Dialog label={t('files-folder.link-title')} onClose={() => onDone([])}>
      <h2>{t('files-folder.link-title')}</h2>
      {isTemporaryChat(props.conversationId) ? (
        <Refusal words={t('files-folder.temporary')} {...props} />
      ) : !canLinkFolders() && dropped === null ? (
        <Refusal words={t('files-folder.unsupported')} {...props} />
      ) : (
        <LinkSteps {...props} />
      )}
    </Dialog>
  )
}

function Refusal({ words, onUpload, onUnpack, onDownload, onDone }: LinkDialogProps & { readonly words: string }) {
  return (
    <>
      <p>{words}</p>
      <DialogFoot>
        <Button look="quiet" onClick={() => onDone([])}>
          {t('files-folder.cancel')}
        </Button>
        <Button onClick={onDownload}>{t('files-panel.download-zip')}</Button>
        {onUpload ? (
          <Button onClick={onUpload}>{t('files-folder.upload-copy')}</Button>
        ) : (
          <Button onClick={onUnpack}>{t('files-panel.unpack-zip')}</Button>
        )}
      </DialogFoot>
    </>
  )
}

function LinkSteps({ vfs, conversationId, messageId, dropped, onUpload, onDone }: LinkDialogProps) {
  const [step, setStep] = useState<Step>({ at: 'choose' })
  const [problem, setProblem] = useState<string | null>(null)
  const stop = useRef(new AbortController())
  useEffect(() => {
    const work = new AbortController()
    stop.current = work
    return () => work.abort()
  }, [])

  const look = async (handle: DiskFolderHandle) => {
    const { signal } = stop.current
    const { name } = handle
    setProblem(null)
    setStep({ at: 'scan', name, files: 0 })
    try {
      const scan = await scanFolder(handle, { signal, onProgress: (files) => setStep({ at: 'scan', name, files }) })
      setStep({ at: 'found', handle, scan })
    } catch (error) {
      if (signal.aborted) return
      setStep({ at: 'choose' })
      setProblem(folderProblem(error, name))
    }
  }
  const choose = async () => {
    try {
      const handle = await pickFolder()
      if (handle) await look(handle)
    } catch (error) {
      setProblem(folderProblem(error, t('files-folder.the-folder')))
    }
  }
  const lookAtDropped = useEffectEvent(async () => {
    const handle = await dropped?.catch(() => null)
    if (handle && !stop.current.signal.aborted) await look(handle)
  })
  useEffect(() => void lookAtDropped(), [])

  const link = async (handle: DiskFolderHandle, scan: FolderScan) => {
    const { signal } = stop.current
    const { name } = handle
    const copy = (bytes: number) => setStep({ at: 'copy', name, bytes, of: scan.bytes })
    copy(0)
    try {
      const done = await linkFolder(handle, scan, {
        vfs: vfs.recording({ kind: 'user', action: 'linked', messageId }),
        store: folderStore(),
        conversationId,
        newId: () => crypto.randomUUID(),
        onProgress: copy,
        signal,
      })
      if (done.ok) {
        foldersChanged()
        return onDone(done.link ? [done.link.root] : [])
      }
      setProblem(takeInProblem(done))
    } catch (error) {
      if (signal.aborted) return
      setProblem(folderProblem(error, name))
    }
    setStep({ at: 'found', handle, scan })
  }

  const found = step.at === 'found' ? step : null
  return (
    <>
      <p>{t('files-folder.about')}</p>
      {step.at === 'scan' ? (
        <Progress
          className="mt-3"
          what={t('files-folder.scanning', { name: asUntrusted(step.name), files: step.files })}
          done={0}
          of={null}
        />
      ) : null}
      {step.at === 'copy' ? (
        <Progress
          className="mt-3"
          what={t('files-folder.copying', { name: asUntrusted(step.name), done: step.bytes, all: step.of })}
          done={step.bytes}
          of={step.of}
        />
      ) : null}
      {found ? <Found name={found.handle.name} scan={found.scan} /> : null}
      {problem === null ? null : (
        <p role="alert" className="text-danger">
          <SentenceText text={problem} />
        </p>
      )}
      <DialogFoot>
        <Button look="quiet" onClick={() => onDone([])}>
          {t('files-folder.cancel')}
        </Button>
        {onUpload && step.at !== 'copy' ? <Button onClick={onUpload}>{t('files-folder.upload-copy')}</Button> : null}
        {step.at === 'choose' || found?.scan.over ? (
          <Button look={found ? 'plain' : 'ink'} onClick={() => void choose()}>
            {t(found ? 'files-folder.choose-other' : 'files-folder.choose')}
          </Button>
        ) : null}
        {found && found.scan.over === null ? (
          <Button look="ink" onClick={() => void link(found.handle, found.scan)}>
            {t('files-folder.link')}
          </Button>
        ) : null}
      </DialogFoot>
    </>
  )
}

const SHOWN = 50

function Found({ name, scan }: { readonly name: string; readonly scan: FolderScan }) {
  const { files, bytes, skipped, ignored, over } = scan
  if (over !== null) {
    const words =
      over === 'files'
        ? t('files-folder.over-files', { name: asUntrusted(name), most: vfsLimits.maxFiles })
        : t('files-folder.over-bytes', { name: asUntrusted(name), most: vfsLimits.maxTotalBytes })
    return (
      <p role="alert">
        <SentenceText text={words} />
      </p>
    )
  }
  return (
    <>
      <p role="status">
        <SentenceText
          text={t('files-folder.found', { name: asUntrusted(name), files: files.length, size: bytes, ignored })}
        />
      </p>
      {skipped.length > 0 ? (
        <details className="mt-2">
          <summary className="pointer-coarse:py-3">{t('files-folder.left-out', { count: skipped.length })}</summary>
          <ul className="mt-1 max-h-40 overflow-y-auto rounded-lg border border-line text-sm" tabIndex={0}>
            {skipped.slice(0, SHOWN).map(({ path, why }) => (
              <li key={path} className="grid px-3 py-1">
                <span className="truncate font-mono text-mono">
                  <ForeignText text={path} />
                </span>
                <span className="text-muted">{t(`files-folder.skipped.${why}`)}</span>
              </li>
            ))}
            {skipped.length > SHOWN ? (
              <li className="px-3 py-1 text-muted">{t('files-folder.and-more', { count: skipped.length - SHOWN })}</li>
            ) : null}
          </ul>
        </details>
      ) : null}
    </>
  )
}
