'use client'

import { asForeign, labelOf } from '@/lib/base/foreign-text/foreign'
import { Menu } from '@/components/ui/menu'
import type { Vfs } from '@/lib/vfs/vfs'
import { t } from '@/lib/i18n/t'
import { ZipDialog } from '../zip/zip-dialog'
import type { FileTree } from '@/lib/workspace/tree/tree-rows'
import { DeleteFilesDialog } from './delete-files-dialog'
import { MoveDialog } from './move-dialog'
import { treeMenu, type TreeMenuActs } from './tree-menu'

/** What the reader is asked before something is done. */
export type Asked =
  | { readonly kind: 'move'; readonly paths: readonly string[] }
  /** `unsaved`: those files whose typed text would go too. */
  | { readonly kind: 'delete'; readonly paths: readonly string[]; readonly unsaved: readonly string[] }
  | { readonly kind: 'zip'; readonly zip: File; readonly folder: string; readonly canKeep: boolean }
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
  readonly acts: TreeMenuActs
  readonly onDelete: (paths: readonly string[]) => void
  readonly onMove: (paths: readonly string[], folder: string) => void
  readonly onUnpacked: (folder: string, paths: readonly string[]) => void
  /** Closes it; the focus goes back to the tree. */
  readonly onDone: () => void
  readonly onCloseMenu: () => void
}

/** The menu of a line, and the questions over the panel. */
export function ExplorerDialogs({ asked, tree, vfs, messageId, onDone, ...on }: ExplorerDialogsProps) {
  switch (asked.kind) {
    case 'menu':
      return (
        <Menu
          label={labelOf(
            t('files-explorer.menu', {
              count: asked.paths.length,
              path: asForeign(asked.paths[0] ?? ''),
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
