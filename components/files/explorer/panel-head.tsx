'use client'

import { type ReactNode, useRef, type InputHTMLAttributes, type RefObject } from 'react'
import { useWorkspaceCommands, type WorkspaceAct } from '@/components/context/commands'
import { IconButton } from '@/components/ui/controls/button'
import { MenuButton } from '@/components/ui/popups/menu'
import { cx } from '@/components/ui/recipes/recipe'
import { t } from '@/lib/i18n/t'
import { chosenFiles, type ChosenFile } from '../upload/read-drop'

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

/** Missing in React's types, but every browser supports it. */
const wholeFolder = { webkitdirectory: '' }

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
          <HiddenField field={fileField} label={t('files-panel.pick-files')} multiple onPicked={upload} />
          <HiddenField field={folderField} label={t('files-panel.pick-folder')} {...wholeFolder} onPicked={upload} />
          <HiddenField
            field={zipField}
            label={t('files-panel.pick-zip')}
            accept=".zip,application/zip"
            onPicked={([zip]) => {
              if (zip) files.onImportZip(zip)
            }}
          />
        </>
      ) : null}
    </header>
  )
}

interface HiddenFieldProps extends Pick<InputHTMLAttributes<HTMLInputElement>, 'accept' | 'multiple'> {
  readonly field: RefObject<HTMLInputElement | null>
  readonly label: string
  readonly onPicked: (files: readonly File[]) => void
}

/** A hidden file field that opens the browser's file dialog; the same file can be picked twice in a row. */
function HiddenField({ field, label, onPicked, ...kind }: HiddenFieldProps) {
  return (
    <input
      ref={field}
      type="file"
      {...kind}
      hidden
      aria-label={label}
      onChange={({ currentTarget }) => {
        onPicked([...(currentTarget.files ?? [])])
        currentTarget.value = ''
      }}
    />
  )
}
