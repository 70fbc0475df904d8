'use client'

import { useCallback, useMemo, useState } from 'react'
import type { VfsTreeEntry } from '@/lib/vfs/vfs'
import { parentOf } from '@/lib/vfs/path'
import {
  buildTree,
  foldersAbove,
  openFolders,
  visibleRows,
  type FileTree,
  type TreeRow,
} from '@/lib/client/files/tree/tree-rows'
import { afterChange, nothingSelected, selectOne, type TreeSelection } from '@/lib/client/files/tree/tree-selection'

export interface TreeState {
  readonly tree: FileTree
  readonly rows: readonly TreeRow[]
  readonly selection: TreeSelection
  readonly select: (selection: TreeSelection) => void
  readonly setOpen: (folder: string, open: boolean) => void
  /** Opens the folders above these and selects them, as soon as they are there. */
  readonly reveal: (paths: readonly string[]) => void
  /** Where something new goes: the selected folder, or that of the selected file. */
  readonly folder: string
  readonly showOwn: boolean
  readonly setShowOwn: (show: boolean) => void
}

const none: readonly string[] = []

/** What the reader sees of the tree, and what is selected; follows the files while they change. */
export function useTreeState(entries: readonly VfsTreeEntry[]): TreeState {
  const [showOwn, setShowOwn] = useState(false)
  const [toggled, setToggled] = useState<ReadonlyMap<string, boolean>>(new Map())
  const [selection, select] = useState<TreeSelection>(nothingSelected)
  const [wanted, setWanted] = useState(none)
  const tree = useMemo(() => buildTree(entries, { showOwn }), [entries, showOwn])
  const rows = useMemo(() => visibleRows(tree, openFolders(tree, toggled)), [tree, toggled])

  // Derived while rendering, so that no line is ever shown selected that is gone.
  const [known, setKnown] = useState(rows)
  if (known !== rows || wanted.length > 0) {
    const here = new Set(rows.map(({ path }) => path))
    const [first] = wanted
    if (first !== undefined && wanted.every((path) => here.has(path))) {
      setWanted(none)
      select({ ...selectOne(first), selected: new Set(wanted) })
      setKnown(rows)
    } else if (known !== rows) {
      setKnown(rows)
      select(afterChange(known, rows, selection))
    }
  }

  const setOpen = useCallback((folder: string, open: boolean) => {
    setToggled((before) => new Map(before).set(folder, open))
  }, [])
  const reveal = useCallback((paths: readonly string[]) => {
    setToggled((before) => {
      const next = new Map(before)
      for (const path of paths) for (const folder of foldersAbove(path)) next.set(folder, true)
      return next
    })
    setWanted(paths)
  }, [])
  const { active } = selection
  const folder = active === null ? '/' : tree.byPath.get(active)?.kind === 'directory' ? active : parentOf(active)
  return { tree, rows, selection, select, setOpen, reveal, folder, showOwn, setShowOwn }
}
