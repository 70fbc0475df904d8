'use client'

import { useRef, type InputHTMLAttributes, type RefObject } from 'react'
import { IconButton } from '@/components/ui/icon-button'
import { MenuButton } from '@/components/ui/menu'
import { cx } from '@/components/ui/recipes/recipe'
import { chosenFiles, type ChosenFile } from '../upload/read-drop'

export interface PanelHeadProps {
  /** Null while the files are not known: only closing works then. */
  readonly files: {
    readonly onCreate: (kind: 'file' | 'directory') => void
    readonly onUpload: (chosen: readonly ChosenFile[]) => void
    readonly onImportZip: (zip: File) => void
    readonly onDownload: () => void
    readonly showOwn: boolean
    readonly onShowOwn: (show: boolean) => void
  } | null
  readonly onClose: () => void
}

const iconLook = cx('disabled:opacity-50 narrow:size-touch')

/** React’s types don’t know it; every browser does. */
const wholeFolder = { webkitdirectory: '' }

/** The title and what can be done with the files as a whole. */
export function PanelHead({ files, onClose }: PanelHeadProps) {
  const fileField = useRef<HTMLInputElement>(null)
  const folderField = useRef<HTMLInputElement>(null)
  const zipField = useRef<HTMLInputElement>(null)
  const upload = (picked: readonly File[]) => files?.onUpload(chosenFiles(picked))
  return (
    <header className="flex min-h-bar items-center gap-0.5 border-b border-line ps-4 pe-2">
      <h2 className="me-auto font-strong">Workspace</h2>
      <MenuButton
        icon="plus"
        label="New file"
        menuLabel="New"
        className={iconLook}
        disabled={!files}
        items={[
          { label: 'New file', run: () => files?.onCreate('file') },
          { label: 'New folder', run: () => files?.onCreate('directory') },
        ]}
      />
      <MenuButton
        icon="upload"
        label="Upload"
        menuLabel="Upload"
        className={iconLook}
        disabled={!files}
        items={[
          { label: 'Upload files', run: () => fileField.current?.click() },
          { label: 'Upload a folder', run: () => folderField.current?.click() },
          { label: 'Unpack a zip', run: () => zipField.current?.click() },
        ]}
      />
      <IconButton
        icon="save"
        label="Download as zip"
        className={iconLook}
        disabled={!files}
        onClick={files?.onDownload}
      />
      <MenuButton
        icon="more"
        label="More for the workspace"
        menuLabel="More"
        className={iconLook}
        disabled={!files}
        items={[
          {
            label: files?.showOwn ? 'Hide Nod’s own files' : 'Show Nod’s own files',
            run: () => files?.onShowOwn(!files.showOwn),
          },
        ]}
      />
      <IconButton icon="cross" label="Close workspace" className={iconLook} onClick={onClose} />
      {files ? (
        <>
          <HiddenField field={fileField} label="Files to upload" multiple onPicked={upload} />
          <HiddenField field={folderField} label="Folder to upload" {...wholeFolder} onPicked={upload} />
          <HiddenField
            field={zipField}
            label="Zip to unpack"
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

/** The browser's own question for files; the same file may be picked twice in a row. */
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
