'use client'

import { type ReactNode, useRef, useEffect, useState } from 'react'
import { useWorkspaceCommands, type WorkspaceAct } from '@/components/context/commands'
import { IconButton, Button, TextButton } from '@/components/ui/controls/button'
import { FileField } from '@/components/ui/forms/file-field'
import { MenuButton } from '@/components/ui/popups/menu'
import { chosenFiles, type ChosenFile } from '../upload/read-drop'
import { storageManagerOrNull } from '@/lib/base/features.browser'
import { t } from '@/lib/i18n/t'
import { SentenceText } from '@/components/ui/text/foreign-text'
import { Dialog, DialogFoot } from '@/components/ui/popups/dialog'
import { cx } from '@/components/ui/recipes/recipe'
import type { VfsUsage } from '@/lib/vfs/vfs'
import type { HistoryUsage } from '@/lib/vfs/vfs-history'

/** A message in place of the files. */
export const PanelState = ({ children }: { readonly children: ReactNode }) => (
  <div className="grid justify-items-start gap-3 p-4 text-sm">{children}</div>
)

export interface PanelHeadProps {
  /** Null until the files are loaded; only closing works then. */
  readonly files: {
    readonly onCreate: (kind: 'file' | 'directory') => void
    readonly onUpload: (chosen: readonly ChosenFile[]) => void
    readonly onImportZip: (zip: File) => void
    readonly onLinkFolder: () => void
    readonly onDownload: () => void
    readonly showOwn: boolean
    readonly onShowOwn: (show: boolean) => void
  } | null
  readonly onClose: () => void
}

const iconLook = cx('disabled:opacity-50 narrow:size-touch')

/** The title, and actions on all files. */
export function PanelHead({ files, onClose }: PanelHeadProps) {
  const fileField = useRef<HTMLInputElement>(null)
  const folderField = useRef<HTMLInputElement>(null)
  const zipField = useRef<HTMLInputElement>(null)
  const upload = (picked: readonly File[]) => files?.onUpload(chosenFiles(picked))
  const acts = {
    'new-file': () => files?.onCreate('file'),
    'new-folder': () => files?.onCreate('directory'),
    'upload-files': () => fileField.current?.click(),
    'upload-folder': () => folderField.current?.click(),
    'unpack-zip': () => zipField.current?.click(),
    'download-zip': () => files?.onDownload(),
  } as const satisfies Readonly<Record<WorkspaceAct, () => void>>
  useWorkspaceCommands((command) => acts[command](), files !== null)
  return (
    <header className="flex min-h-bar items-center gap-0.5 border-b border-line ps-4 pe-2">
      <h2 className="me-auto font-strong">{t('files-panel.label')}</h2>
      <MenuButton
        icon="plus"
        label={t('files-panel.new-file')}
        menuLabel={t('files-panel.new')}
        className={iconLook}
        disabled={!files}
        items={[
          { label: t('files-panel.new-file'), run: acts['new-file'] },
          { label: t('files-panel.new-folder'), run: acts['new-folder'] },
        ]}
      />
      <MenuButton
        icon="upload"
        label={t('files-panel.upload')}
        menuLabel={t('files-panel.upload')}
        className={iconLook}
        disabled={!files}
        items={[
          { label: t('files-panel.upload-files'), run: acts['upload-files'] },
          { label: t('files-panel.upload-folder'), run: acts['upload-folder'] },
          { label: t('files-panel.unpack-zip'), run: acts['unpack-zip'] },
          { label: t('files-panel.link-folder'), run: () => files?.onLinkFolder() },
        ]}
      />
      <IconButton
        icon="save"
        label={t('files-panel.download-zip')}
        className={iconLook}
        disabled={!files}
        onClick={acts['download-zip']}
      />
      <MenuButton
        icon="more"
        label={t('files-panel.more-label')}
        menuLabel={t('files-panel.more')}
        className={iconLook}
        disabled={!files}
        items={[
          {
            label: t(files?.showOwn ? 'files-panel.hide-own' : 'files-panel.show-own'),
            run: () => files?.onShowOwn(!files.showOwn),
          },
        ]}
      />
      <IconButton icon="cross" label={t('files-panel.close')} className={iconLook} onClick={onClose} />
      {files ? (
        <>
          <FileField field={fileField} label={t('files-panel.pick-files')} multiple onPick={upload} />
          <FileField field={folderField} label={t('files-panel.pick-folder')} folder onPick={upload} />
          <FileField
            field={zipField}
            label={t('files-panel.pick-zip')}
            accept=".zip,application/zip"
            onPick={([zip]) => {
              if (zip) files.onImportZip(zip)
            }}
          />
        </>
      ) : null}
    </header>
  )
}

export type StoragePort = Partial<Pick<StorageManager, 'estimate' | 'persisted' | 'persist'>>

interface Facts {
  readonly usedBytes: number | null
  readonly quotaBytes: number | null
  /** Null if the browser does not say. */
  readonly kept: boolean | null
}

export interface StorageFactsProps {
  readonly onDownload: () => void
  readonly storage?: StoragePort
}

const pageStorage = (): StoragePort => storageManagerOrNull() ?? {}

async function readFacts(storage: StoragePort): Promise<Facts> {
  const [estimate, kept] = await Promise.all([
    storage.estimate?.().catch(() => null) ?? null,
    storage.persisted?.().catch(() => null) ?? null,
  ])
  return { usedBytes: estimate?.usage ?? null, quotaBytes: estimate?.quota ?? null, kept }
}

/** Where the files are stored, how safe that is, and what the user can do. */
export function StorageFacts({ onDownload, storage }: StorageFactsProps) {
  const [port] = useState(() => storage ?? pageStorage())
  const [facts, setFacts] = useState<Facts | null>(null)
  const [answer, setAnswer] = useState<'agreed' | 'not-agreed' | null>(null)
  useEffect(() => {
    let wanted = true
    void readFacts(port).then((read) => wanted && setFacts(read))
    return () => {
      wanted = false
    }
  }, [port])
  const ask = async () => {
    const granted = (await port.persist?.().catch(() => false)) ?? false
    setAnswer(granted ? 'agreed' : 'not-agreed')
    setFacts(await readFacts(port))
  }
  if (facts === null) return null
  return (
    <div className="grid justify-items-start gap-2 text-pretty text-muted">
      <p>
        {t('files-panel.only-here')} <TextButton onClick={onDownload}>{t('files-panel.download-link')}</TextButton>
      </p>
      <p>
        {facts.usedBytes === null || facts.quotaBytes === null
          ? t('files-panel.room-unknown')
          : t('files-panel.room-of', { used: facts.usedBytes, quota: facts.quotaBytes })}
      </p>
      {facts.kept === true ? (
        answer === null ? (
          <p>{t('files-panel.kept')}</p>
        ) : null
      ) : (
        <>
          <p>{t('files-panel.may-clear')}</p>
          {port.persist ? <Button onClick={() => void ask()}>{t('files-panel.ask-keep')}</Button> : null}
        </>
      )}
      <p role="status">{answer === null ? null : t(`files-panel.${answer}`)}</p>
    </div>
  )
}

export interface PanelFootProps {
  readonly usage: VfsUsage
  readonly history: HistoryUsage
  /** Clears the history. */
  readonly onForget: () => void
  readonly onDownload: () => void
  /** Further entries beside the usage, such as "Restore to a message". */
  readonly children?: ReactNode
}

const line = cx('flex items-center justify-between gap-3')

/** A history of this size is mentioned. */
const MUCH_HISTORY_BYTES = 10_000_000

/** How much space the files use, and where they are stored. */
export function PanelFoot({ usage, history, onForget, onDownload, children }: PanelFootProps) {
  const [facts, setFacts] = useState(false)
  const [asking, setAsking] = useState(false)
  const bar = useRef<HTMLSpanElement>(null)
  const share = Math.min(1, usage.usedBytes / Math.max(1, usage.limitBytes))
  useEffect(() => {
    if (bar.current) bar.current.style.width = `${share * 100}%`
  }, [share])
  const words = t('files-panel.used', { used: usage.usedBytes, limit: usage.limitBytes })
  return (
    <footer className="grid max-h-3/5 gap-2 overflow-y-auto border-t border-line px-4 pt-3 pb-[max(--spacing(3),env(safe-area-inset-bottom))] text-sm narrow:pb-3">
      <div className={line}>
        <TextButton
          className="tabular-nums"
          aria-expanded={facts}
          data-tip={t('files-panel.where')}
          onClick={() => setFacts(!facts)}
        >
          <SentenceText text={words} />
        </TextButton>
        {children}
      </div>
      <div
        data-full={share > 0.9 || undefined}
        className="group/meter h-1 overflow-hidden rounded-full bg-hover"
        role="meter"
        aria-label={t('files-panel.room')}
        aria-valuemin={0}
        aria-valuemax={usage.limitBytes}
        aria-valuenow={Math.min(usage.usedBytes, usage.limitBytes)}
        aria-valuetext={words}
      >
        <span ref={bar} className="block h-full min-w-[3px] rounded-[inherit] bg-muted group-data-full/meter:bg-warn" />
      </div>
      {history.usedBytes >= MUCH_HISTORY_BYTES || (facts && history.sets > 0) ? (
        <p className={line}>
          <span className="text-muted tabular-nums">{t('files-panel.history', { used: history.usedBytes })}</span>
          <TextButton onClick={() => setAsking(true)}>{t('files-panel.forget-link')}</TextButton>
        </p>
      ) : null}
      {facts ? <StorageFacts onDownload={onDownload} /> : null}
      {asking ? (
        <Dialog label={t('files-panel.forget-ask')} onClose={() => setAsking(false)}>
          <h2>{t('files-panel.forget-ask')}</h2>
          <p>{t('files-panel.forget-about', { changes: history.sets, used: history.usedBytes })}</p>
          <DialogFoot>
            <Button onClick={() => setAsking(false)}>{t('files-panel.cancel')}</Button>
            <Button
              look="danger"
              onClick={() => {
                setAsking(false)
                onForget()
              }}
            >
              {t('files-panel.forget')}
            </Button>
          </DialogFoot>
        </Dialog>
      ) : null}
    </footer>
  )
}
