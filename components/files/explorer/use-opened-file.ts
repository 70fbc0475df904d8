'use client'

import { useState } from 'react'
import { isInside } from '@/lib/vfs/path'
import type { Vfs } from '@/lib/vfs/vfs'
import type { FileTree } from '@/lib/workspace/tree/tree-rows'
import { fileDraftOf, draftsUnder, keepDraft, moveDrafts } from '../viewer/file-drafts'

export interface OpenedFile {
  readonly path: string
  /** A key brings the focus along. */
  readonly by: 'key' | 'pointer'
}

/** The one file that is open beside the tree, wherever it goes. */
export function useOpenedFile(vfs: Vfs, tree: FileTree) {
  const [opened, setOpened] = useState<OpenedFile | null>(null)
  // A file that went while something was typed in it stays open: what was typed is all that is left.
  const isThere =
    opened !== null && (tree.byPath.get(opened.path)?.kind === 'file' || fileDraftOf(vfs, opened.path) !== null)
  return {
    opened: isThere ? opened : null,
    open: (path: string, by: OpenedFile['by']) => setOpened({ path, by }),
    close: () => setOpened(null),
    /** A file or folder stands somewhere else now; what was typed goes along. */
    onMoved: (from: string, to: string) => {
      moveDrafts(vfs, from, to)
      setOpened((before) =>
        before !== null && isInside(before.path, from)
          ? { ...before, path: to + before.path.slice(from.length) }
          : before,
      )
    },
    /** What was typed in them and not saved goes, too. */
    forget: (paths: readonly string[]) => {
      const unsaved = draftsUnder(vfs, paths)
      for (const file of unsaved) keepDraft(vfs, file, null)
      setOpened((before) => (before !== null && unsaved.includes(before.path) ? null : before))
    },
  }
}
