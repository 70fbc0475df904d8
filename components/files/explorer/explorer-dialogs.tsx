'use client'

import { asUntrusted, labelOf } from '@/lib/base/untrusted-text/foreign'
import { Menu, type MenuItem } from '@/components/ui/popups/menu'
import type { Vfs } from '@/lib/vfs/vfs'
import { t } from '@/lib/i18n/t'
import { ZipDialog } from '../zip/zip-dialog'
import { type FileTree, measure, outermost } from '@/lib/client/files/tree/tree-rows'
import { ForeignText, SentenceText } from '@/components/ui/text/foreign-text'
import { Button } from '@/components/ui/controls/button'
import { Dialog, DialogFoot } from '@/components/ui/popups/dialog'
import { useState } from 'react'
import { field } from '@/components/ui/recipes/field'
import { isInside, parentOf } from '@/lib/vfs/path'
import { namedOr } from './name-field'
import { getCommandHandler } from '@/components/context/commands'
import { lazyPart } from '@/components/ui/page/lazy-part'
import type { LinkDialogProps } from '../folder/link-dialog'

interface MoveDialogProps {
  readonly tree: FileTree
  readonly paths: readonly string[]
  readonly onMove: (folder: string) => void
  readonly onClose: () => void
}

/** Asks for the target folder. Folders that are being moved, and their subfolders, are not offered. */
function MoveDialog({ tree, paths, onMove, onClose }: MoveDialogProps) {
  const moving = paths.filter((path) => tree.byPath.get(path)?.kind === 'directory')
  const folders = tree.folders.filter((folder) => !moving.some((path) => isInside(folder, path)))
  const from = parentOf(paths[0] ?? '/')
  const [folder, setFolder] = useState(folders.find((path) => path !== from) ?? '/')
  const title = t('files-explorer.ask-move', { what: namedOr(paths) })
  const move = () => onMove(folder)
  return (
    <Dialog label={labelOf(title)} onClose={onClose}>
      <h2>
        <SentenceText text={title} />
      </h2>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          move()
        }}
      >
        <select
          className={field({ size: 'list' }, 'mt-3')}
          aria-label={t('files-explorer.folder')}
          size={Math.min(10, Math.max(4, folders.length))}
          value={folder}
          onChange={(event) => setFolder(event.target.value)}
          onDoubleClick={move}
          onKeyDown={(event) => {
            if (event.key === 'Enter') {
              event.preventDefault()
              move()
            }
          }}
        >
          {folders.map((path) => (
            <option key={path} value={path}>
              {path === '/' ? t('files-explorer.top') : path}
            </option>
          ))}
        </select>
        <DialogFoot>
          <Button onClick={onClose}>{t('files-explorer.cancel')}</Button>
          <Button type="submit" look="ink">
            {t('files-explorer.move')}
          </Button>
        </DialogFoot>
      </form>
    </Dialog>
  )
}

interface DeleteFilesDialogProps {
  readonly tree: FileTree
  readonly paths: readonly string[]
  /** Files with unsaved text. */
  readonly unsaved: readonly string[]
  readonly onDelete: () => void
  readonly onClose: () => void
}

/**
 * Asks before a folder, several files or unsaved text is deleted; any other single file is deleted immediately and can
 * be restored.
 */
function DeleteFilesDialog({ tree, paths, unsaved, onDelete, onClose }: DeleteFilesDialogProps) {
  const gone = outermost(paths)
  const sizes = gone.map((path) => measure(tree, path))
  const files = sizes.reduce((sum, one) => sum + one.files, 0)
  const bytes = sizes.reduce((sum, one) => sum + one.bytes, 0)
  const question = t('files-explorer.ask-delete', { count: gone.length, path: asUntrusted(gone[0] ?? '') })
  return (
    <Dialog label={labelOf(question)} onClose={onClose}>
      <h2>
        <SentenceText text={question} />
      </h2>
      <p>
        {files === 0 ? t('files-explorer.delete-nothing') : t('files-explorer.delete-files', { files, size: bytes })}
      </p>
      {unsaved.length > 0 ? (
        <p>
          <SentenceText
            text={t('files-explorer.delete-unsaved', {
              count: unsaved.length,
              path: asUntrusted(unsaved[0] ?? ''),
            })}
          />
        </p>
      ) : null}
      {gone.length > 1 ? (
        <ul className="mt-3 text-mono">
          {gone.slice(0, 5).map((path) => (
            <li key={path} className="truncate font-mono">
              <ForeignText text={path} />
            </li>
          ))}
          {gone.length > 5 ? (
            <li className="text-muted">{t('files-explorer.and-more', { count: gone.length - 5 })}</li>
          ) : null}
        </ul>
      ) : null}
      <DialogFoot>
        <Button onClick={onClose}>{t('files-explorer.cancel')}</Button>
        <Button look="danger" onClick={onDelete}>
          {t('files-explorer.delete')}
        </Button>
      </DialogFoot>
    </Dialog>
  )
}

const LinkDialog = lazyPart(() => import('../folder/link-dialog'), {
  what: () => t('files-folder.part'),
  look: 'over',
  close:
    ({ onDone }) =>
    () =>
      onDone([]),
})

/** The open question. */
export type Asked =
  | { readonly kind: 'move'; readonly paths: readonly string[] }
  /** `unsaved`: those files whose unsaved text would be lost. */
  | { readonly kind: 'delete'; readonly paths: readonly string[]; readonly unsaved: readonly string[] }
  | { readonly kind: 'zip'; readonly zip: File; readonly folder: string; readonly canKeep: boolean }
  | ({ readonly kind: 'folder' } & Pick<LinkDialogProps, 'dropped' | 'onUpload'>)
  | {
      readonly kind: 'menu'
      readonly paths: readonly string[]
      readonly at: { readonly x: number; readonly y: number }
    }

export interface ExplorerDialogsProps {
  readonly asked: Asked
  readonly tree: FileTree
  readonly vfs: Vfs
  readonly messageId: string | null
  readonly conversationId: string
  readonly acts: TreeMenuActs
  readonly onDelete: (paths: readonly string[]) => void
  readonly onMove: (paths: readonly string[], folder: string) => void
  readonly onUnpacked: (folder: string, paths: readonly string[]) => void
  readonly onLinked: (paths: readonly string[]) => void
  readonly onDownload: () => void
  /** Closes it and returns the focus to the tree. */
  readonly onDone: () => void
  readonly onCloseMenu: () => void
}

/** A row's menu, and the dialogs over the panel. */
export function ExplorerDialogs({ asked, tree, vfs, messageId, conversationId, onDone, ...on }: ExplorerDialogsProps) {
  switch (asked.kind) {
    case 'menu':
      return (
        <Menu
          label={labelOf(
            t('files-explorer.menu', {
              count: asked.paths.length,
              path: asUntrusted(asked.paths[0] ?? ''),
            }),
          )}
          at={asked.at}
          onClose={on.onCloseMenu}
          items={treeMenu(tree, asked.paths, on.acts)}
        />
      )
    case 'zip':
      return (
        <ZipDialog
          vfs={vfs}
          folder={asked.folder}
          blob={asked.zip}
          messageId={messageId}
          canKeep={asked.canKeep}
          onDone={(paths) => {
            onDone()
            on.onUnpacked(asked.folder, paths)
          }}
        />
      )
    case 'folder': {
      const instead = (act: () => void) => () => {
        onDone()
        act()
      }
      return (
        <LinkDialog
          vfs={vfs}
          conversationId={conversationId}
          messageId={messageId}
          dropped={asked.dropped}
          onUpload={asked.onUpload && instead(asked.onUpload)}
          onUnpack={instead(() => getCommandHandler('unpack-zip')?.())}
          onDownload={instead(on.onDownload)}
          onDone={(paths) => {
            onDone()
            on.onLinked(paths)
          }}
        />
      )
    }
    case 'delete':
      return (
        <DeleteFilesDialog
          tree={tree}
          paths={asked.paths}
          unsaved={asked.unsaved}
          onClose={onDone}
          onDelete={() => {
            onDone()
            on.onDelete(asked.paths)
          }}
        />
      )
    case 'move':
      return (
        <MoveDialog
          tree={tree}
          paths={asked.paths}
          onClose={onDone}
          onMove={(folder) => {
            onDone()
            on.onMove(asked.paths, folder)
          }}
        />
      )
  }
}

interface TreeMenuActs {
  readonly open: (path: string) => void
  readonly rename: (path: string) => void
  readonly move: (paths: readonly string[]) => void
  readonly duplicate: (paths: readonly string[]) => void
  readonly unpack: (path: string) => void
  readonly download: (paths: readonly string[]) => void
  readonly copyPath: (paths: readonly string[]) => void
  readonly remove: (paths: readonly string[]) => void
}

/** The actions on one row of the tree, or on all selected rows. */
function treeMenu(tree: FileTree, paths: readonly string[], acts: TreeMenuActs): readonly MenuItem[] {
  const [only] = paths
  const one = paths.length === 1 && only !== undefined ? tree.byPath.get(only) : undefined
  const items: MenuItem[] = []
  if (one?.kind === 'file')
    items.push({ label: t('files-explorer.open'), keys: 'Enter', run: () => acts.open(one.path) })
  if (one) items.push({ label: t('files-explorer.rename'), keys: 'F2', run: () => acts.rename(one.path) })
  items.push({ label: t('files-explorer.move-to'), run: () => acts.move(paths) })
  items.push({ label: t('files-explorer.duplicate'), run: () => acts.duplicate(paths) })
  if (one?.kind === 'file' && /\.zip$/i.test(one.name)) {
    items.push({ label: t('files-explorer.unpack'), run: () => acts.unpack(one.path) })
  }
  const download = t(one?.kind === 'file' ? 'files-explorer.download' : 'files-explorer.download-zip')
  items.push({ label: download, run: () => acts.download(paths) })
  items.push({ label: t('files-explorer.copy-path', { count: paths.length }), run: () => acts.copyPath(paths) })
  items.push({ label: t('files-explorer.delete'), keys: 'Del', run: () => acts.remove(paths) })
  return items
}
