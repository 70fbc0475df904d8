import type { RefObject } from 'react'
import type { TreeRow } from '@/lib/client/files/tree/tree-rows'
import { selectOne, sideways, toggleOne } from '@/lib/client/files/tree/tree-selection'
import type { TreeState } from './use-tree-state'

/** What the tree asks of the explorer. */
export interface TreeEvents {
  /** `by` tells whether the focus should follow. */
  readonly open: (path: string, by: 'key' | 'pointer') => void
  readonly menu: (paths: readonly string[], at: { readonly x: number; readonly y: number }) => void
  readonly rename: (path: string) => void
  /** Null: the name was left as it is. A sentence comes back when the name can’t be had. */
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

/** What keys and menus do to the active line, or to all that are selected with it. */
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
