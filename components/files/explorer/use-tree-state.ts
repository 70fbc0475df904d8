'use client'

import {
  type TreeMove,
  afterChange,
  nothingSelected,
  selectOne,
  type TreeSelection,
  sideways,
  toggleOne,
  buildTree,
  foldersAbove,
  openFolders,
  visibleRows,
  type FileTree,
  type TreeRow,
} from '@/lib/client/files/tree/tree-rows'
import { useCallback, useMemo, useState, type RefObject } from 'react'
import type { VfsTreeEntry } from '@/lib/vfs/vfs'
import { parentOf } from '@/lib/vfs/path'

/** What a key does in the tree. */
export type TreeIntent =
  | { readonly kind: 'go'; readonly move: TreeMove; readonly extend: boolean; readonly alone: boolean }
  | { readonly kind: 'type'; readonly letter: string }
  | {
      readonly kind: 'in' | 'out' | 'open' | 'toggle' | 'select-all' | 'rename' | 'delete' | 'copy-path' | 'menu'
    }

interface Pressed {
  readonly key: string
  readonly shiftKey: boolean
  readonly ctrlKey: boolean
  readonly metaKey: boolean
  readonly altKey: boolean
}

const moves: Readonly<Record<string, TreeMove>> = {
  ArrowUp: 'up',
  ArrowDown: 'down',
  Home: 'first',
  End: 'last',
  PageUp: 'page-up',
  PageDown: 'page-down',
}

/** Other keys have longer names: `Escape`, `F5`. */
const isCharacter = (key: string): boolean => key.length === 1 || (key.codePointAt(0) ?? 0) > 0xff_ff

/** Null if the tree does not use the key. */
export function treeIntent(event: Pressed): TreeIntent | null {
  const { key, shiftKey, altKey } = event
  const command = event.ctrlKey || event.metaKey
  if (altKey) return null
  const move = Object.hasOwn(moves, key) ? moves[key] : undefined
  if (move !== undefined) return { kind: 'go', move, extend: shiftKey, alone: command }
  if (command) {
    if (shiftKey) return null
    if (key === ' ') return { kind: 'toggle' }
    if (key === 'Backspace') return { kind: 'delete' }
    if (key.toLowerCase() === 'a') return { kind: 'select-all' }
    if (key.toLowerCase() === 'c') return { kind: 'copy-path' }
    return null
  }
  switch (key) {
    case 'ArrowRight':
      return { kind: 'in' }
    case 'ArrowLeft':
      return { kind: 'out' }
    case 'Enter':
      return { kind: 'open' }
    case ' ':
      return { kind: 'toggle' }
    case 'F2':
      return { kind: 'rename' }
    case 'Delete':
      return { kind: 'delete' }
    case 'ContextMenu':
      return { kind: 'menu' }
    case 'F10':
      return shiftKey ? { kind: 'menu' } : null
    default:
      return isCharacter(key) ? { kind: 'type', letter: key } : null
  }
}

export interface TreeState {
  readonly tree: FileTree
  readonly rows: readonly TreeRow[]
  readonly selection: TreeSelection
  readonly select: (selection: TreeSelection) => void
  readonly setOpen: (folder: string, open: boolean) => void
  /** Expands the parents of these paths and selects them, once they exist. */
  readonly reveal: (paths: readonly string[]) => void
  /** The folder for new entries: the selected folder, or that of the selected file. */
  readonly folder: string
  readonly showOwn: boolean
  readonly setShowOwn: (show: boolean) => void
}

const none: readonly string[] = []

/** The tree's visible rows and selection; follows file changes. */
export function useTreeState(entries: readonly VfsTreeEntry[]): TreeState {
  const [showOwn, setShowOwn] = useState(false)
  const [toggled, setToggled] = useState<ReadonlyMap<string, boolean>>(new Map())
  const [selection, select] = useState<TreeSelection>(nothingSelected)
  const [wanted, setWanted] = useState(none)
  const tree = useMemo(() => buildTree(entries, { showOwn }), [entries, showOwn])
  const rows = useMemo(() => visibleRows(tree, openFolders(tree, toggled)), [tree, toggled])

  // Derived during rendering, so that a deleted row is never shown as selected.
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

/** Events that the tree sends to the explorer. */
export interface TreeEvents {
  /** `by` says whether the focus should follow. */
  readonly open: (path: string, by: 'key' | 'pointer') => void
  readonly menu: (paths: readonly string[], at: { readonly x: number; readonly y: number }) => void
  readonly rename: (path: string) => void
  /** Null cancels. Returns a sentence if the name can't be used. */
  readonly renamed: (path: string, name: string | null) => string | null
  readonly remove: (paths: readonly string[]) => void
  readonly copyPath: (paths: readonly string[]) => void
}

interface UseTreeActsProps {
  readonly state: TreeState
  readonly element: RefObject<HTMLDivElement | null>
  readonly on: TreeEvents
}

type Act = 'in' | 'out' | 'open' | 'toggle' | 'rename' | 'delete' | 'copy-path' | 'menu'

/** Actions of keys and menus on the active row, or on all selected rows. */
export function useTreeActs(props: UseTreeActsProps) {
  const { state, element, on } = props
  const { rows, selection } = state
  return (act: Act, row: TreeRow, at?: { readonly x: number; readonly y: number }): void => {
    const together = selection.selected.has(row.path) ? [...selection.selected] : [row.path]
    const go = (path: string | null) => {
      if (path !== null) state.select(selectOne(path))
    }
    switch (act) {
      case 'in':
        if (row.kind === 'directory' && !row.expanded) state.setOpen(row.path, true)
        else go(sideways(rows, row, 'in'))
        break
      case 'out':
        if (row.expanded) state.setOpen(row.path, false)
        else go(sideways(rows, row, 'out'))
        break
      case 'open':
        if (row.kind === 'directory') state.setOpen(row.path, !row.expanded)
        else on.open(row.path, 'key')
        break
      case 'toggle':
        state.select(toggleOne(selection, row.path))
        break
      case 'rename':
        state.select(selectOne(row.path))
        on.rename(row.path)
        break
      case 'delete':
        on.remove(together)
        break
      case 'copy-path':
        on.copyPath(together)
        break
      case 'menu': {
        if (!selection.selected.has(row.path)) state.select(selectOne(row.path))
        element.current?.focus()
        const lines = [...(element.current?.querySelectorAll<HTMLElement>('[data-path]') ?? [])]
        const box = lines.find((line) => line.dataset['path'] === row.path)?.getBoundingClientRect()
        on.menu(together, at ?? { x: (box?.left ?? 0) + 24, y: box?.bottom ?? 0 })
        break
      }
    }
  }
}
