'use client'

import { labelOf } from '@/lib/base/foreign-text/foreign'
import { SaidText } from '@/components/ui/foreign-text'
import { useState } from 'react'
import { Button } from '@/components/ui/button'
import { Dialog, DialogFoot } from '@/components/ui/dialog'
import { field } from '@/components/ui/recipes/field'
import { isInside, parentOf } from '@/lib/vfs/path'
import { t } from '@/lib/i18n/t'
import type { FileTree } from '@/lib/workspace/tree/tree-rows'
import { namedOr } from './name-words'

export interface MoveDialogProps {
  readonly tree: FileTree
  readonly paths: readonly string[]
  readonly onMove: (folder: string) => void
  readonly onClose: () => void
}

/** Which folder these go to. Folders that move, and what is in them, are not offered. */
export function MoveDialog({ tree, paths, onMove, onClose }: MoveDialogProps) {
  const moving = paths.filter((path) => tree.byPath.get(path)?.kind === 'directory')
  const folders = tree.folders.filter((folder) => !moving.some((path) => isInside(folder, path)))
  const from = parentOf(paths[0] ?? '/')
  const [folder, setFolder] = useState(folders.find((path) => path !== from) ?? '/')
  const title = t('files-explorer.ask-move', { what: namedOr(paths) })
  const move = () => onMove(folder)
  return (
    <Dialog label={labelOf(title)} onClose={onClose}>
      <h2>
        <SaidText text={title} />
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
