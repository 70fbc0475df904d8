import { typeAhead } from '@/lib/base/text/type-ahead'
import { parentOf } from '@/lib/vfs/path'
import type { TreeRow } from './tree-rows'

/*
 * Which rows of the tree are selected, and on which the keys act. As in other file managers: arrows move and select one
 * row, Shift extends from the anchor, Ctrl/Cmd moves only, Space toggles a row.
 */

export interface TreeSelection {
  /** The row that the keys act on; null at first. */
  readonly active: string | null
  /** Where a range begins. */
  readonly anchor: string | null
  readonly selected: ReadonlySet<string>
}

export const nothingSelected: TreeSelection = { active: null, anchor: null, selected: new Set() }

export const selectOne = (path: string): TreeSelection => ({ active: path, anchor: path, selected: new Set([path]) })

export const selectAll = (rows: readonly TreeRow[], selection: TreeSelection): TreeSelection => ({
  ...selection,
  active: selection.active ?? rows[0]?.path ?? null,
  selected: new Set(rows.map(({ path }) => path)),
})

/** Adds a row to the selection, or removes it. */
export function toggleOne(selection: TreeSelection, path: string): TreeSelection {
  const selected = new Set(selection.selected)
  if (!selected.delete(path)) selected.add(path)
  return { active: path, anchor: path, selected }
}

/** Selects all rows from the anchor to this one. */
export function selectTo(rows: readonly TreeRow[], selection: TreeSelection, path: string): TreeSelection {
  const from = rows.findIndex((row) => row.path === (selection.anchor ?? selection.active))
  const to = rows.findIndex((row) => row.path === path)
  if (from < 0 || to < 0) return selectOne(path)
  const range = rows.slice(Math.min(from, to), Math.max(from, to) + 1)
  return { active: path, anchor: rows[from]?.path ?? path, selected: new Set(range.map((row) => row.path)) }
}

export type TreeMove = 'up' | 'down' | 'first' | 'last' | 'page-up' | 'page-down'

/** The row that a key moves to; null in an empty tree. */
export function target(rows: readonly TreeRow[], active: string | null, move: TreeMove, page = 10): string | null {
  const last = rows.length - 1
  if (last < 0) return null
  const at = rows.findIndex(({ path }) => path === active)
  const wanted = {
    first: 0,
    last,
    up: at < 0 ? last : at - 1,
    down: at + 1,
    'page-up': at - page,
    'page-down': Math.max(at, 0) + page,
  }[move]
  return rows[Math.min(last, Math.max(0, wanted))]?.path ?? null
}

/** Where Left goes from a closed folder or a file, and Right from an open one; null: nowhere. */
export function sideways(rows: readonly TreeRow[], row: TreeRow, side: 'out' | 'in'): string | null {
  if (side === 'out') return row.level > 1 ? parentOf(row.path) : null
  const next = rows[rows.indexOf(row) + 1]
  return row.expanded && next !== undefined && next.level > row.level ? next.path : null
}

/** The path of the next row whose name begins with the typed text. */
export function typeahead(rows: readonly TreeRow[], active: string | null, typed: string): string | null {
  const names = rows.map(({ name }) => name)
  const at = rows.findIndex(({ path }) => path === active)
  return rows[typeAhead(names, at, typed)]?.path ?? null
}

/** Removes deleted rows; the keys continue at the row in the same place. */
export function afterChange(
  before: readonly TreeRow[],
  rows: readonly TreeRow[],
  selection: TreeSelection,
): TreeSelection {
  const here = new Set(rows.map(({ path }) => path))
  const isHere = (path: string | null) => path !== null && here.has(path)
  if (isHere(selection.active) && [...selection.selected].every(isHere)) return selection
  const at = before.findIndex(({ path }) => path === selection.active)
  const next =
    before.slice(at).find(({ path }) => here.has(path)) ?? before.slice(0, at).findLast(({ path }) => here.has(path))
  const active = isHere(selection.active) || at < 0 ? selection.active : (next?.path ?? rows[0]?.path ?? null)
  return {
    active: isHere(active) ? active : null,
    anchor: isHere(selection.anchor) ? selection.anchor : active,
    selected: new Set([...selection.selected].filter(isHere)),
  }
}
