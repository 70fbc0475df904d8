'use client'

import { useRef, useState, type InputHTMLAttributes, type RefObject } from 'react'
import { IconButton } from '@/components/ui/icon-button'
import { cx } from '@/components/ui/recipes/recipe'
import { chosenFiles, type ChosenFile } from '../upload/read-drop'
import { Menu, type MenuItem } from './menu'

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

interface OpenMenu {
  readonly label: string
  readonly at: { readonly x: number; readonly y: number }
  readonly items: readonly MenuItem[]
}

const iconLook = cx('disabled:opacity-50 narrow:size-touch')

/** React’s types don’t know it; every browser does. */
const wholeFolder = { webkitdirectory: '' }

/** The title and what can be done with the files as a whole. */
export function PanelHead({ files, onClose }: PanelHeadProps) {
  const [menu, setMenu] = useState<OpenMenu | null>(null)
  const fileField = useRef<HTMLInputElement>(null)
  const folderField = useRef<HTMLInputElement>(null)
  const zipField = useRef<HTMLInputElement>(null)
  const open = (label: string, button: HTMLElement, items: readonly MenuItem[]) => {
    const { left, bottom } = button.getBoundingClientRect()
    setMenu({ label, at: { x: left, y: bottom + 2 }, items })
  }
  const upload = (picked: readonly File[]) => files?.onUpload(chosenFiles(picked))
  const pick = (field: RefObject<HTMLInputElement | null>) => () => field.current?.click()
  return (
    <header className="flex min-h-bar items-center gap-0.5 border-b border-line ps-4 pe-2">
      <h2 className="me-auto font-strong">Workspace</h2>
      <IconButton
        icon="plus"
        label="New file"
        className={iconLook}
        aria-haspopup="menu"
        disabled={!files}
        onClick={({ currentTarget }) =>
          open('New', currentTarget, [
            { label: 'New file', run: () => files?.onCreate('file') },
            { label: 'New folder', run: () => files?.onCreate('directory') },
          ])
        }
      />
      <IconButton
        icon="upload"
        label="Upload"
        className={iconLook}
        aria-haspopup="menu"
        disabled={!files}
        onClick={({ currentTarget }) =>
          open('Upload', currentTarget, [
            { label: 'Upload files', run: pick(fileField) },
            { label: 'Upload a folder', run: pick(folderField) },
            { label: 'Unpack a zip', run: pick(zipField) },
          ])
        }
      />
      <IconButton
        icon="save"
        label="Download as zip"
        className={iconLook}
        disabled={!files}
        onClick={files?.onDownload}
      />
      <IconButton
        icon="more"
        label="More for the workspace"
        className={iconLook}
        aria-haspopup="menu"
        disabled={!files}
        onClick={({ currentTarget }) =>
          open('More', currentTarget, [
            {
              label: files?.showOwn ? 'Hide Nod’s own files' : 'Show Nod’s own files',
              run: () => files?.onShowOwn(!files.showOwn),
            },
          ])
        }
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
      {menu ? <Menu {...menu} onClose={() => setMenu(null)} /> : null}
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
