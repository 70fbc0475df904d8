import { parentOf, isInside, joinPath, nameOf, normalizePath } from '@/lib/vfs/path'
import type { VfsTreeEntry, FileChange } from '@/lib/vfs/vfs'
import type { ChatRow } from '@/lib/shared/conversation/message-tree'
import { lastTextAt } from '@/lib/shared/conversation/outline'
import type { ChangeSet } from '@/lib/vfs/vfs-history'
import { t } from '@/lib/i18n/t'
import { typeAhead } from '@/lib/base/text/type-ahead'

/** Nod's own folder among the files; hidden unless requested. */
export const ownFolder = '/.nod'

/** One visible line of the tree. */
export interface TreeRow {
  readonly path: string
  readonly name: string
  readonly kind: 'file' | 'directory'
  /** Bytes; 0 for folders. */
  readonly size: number
  /** 1 at the top. */
  readonly level: number
  /** 1 for the first of its folder. */
  readonly position: number
  /** The number of entries in its folder. */
  readonly siblings: number
  readonly expanded: boolean
  /** A file of Nod's own: shown dimmed. */
  readonly own: boolean
}

export interface FileTree {
  /** Folder → its entries, folders first. `/` is always included. */
  readonly children: ReadonlyMap<string, readonly VfsTreeEntry[]>
  readonly byPath: ReadonlyMap<string, VfsTreeEntry>
  /** All folders, the root included, in the order of the tree. */
  readonly folders: readonly string[]
}

const isOwn = (path: string): boolean => path === ownFolder || path.startsWith(`${ownFolder}/`)

/** Built from the result of `vfs.tree('/')`: each folder comes before its entries, and siblings are sorted. */
export function buildTree(entries: readonly VfsTreeEntry[], { showOwn = false } = {}): FileTree {
  const children = new Map<string, VfsTreeEntry[]>([['/', []]])
  const byPath = new Map<string, VfsTreeEntry>()
  const folders = ['/']
  for (const entry of entries) {
    if (!showOwn && isOwn(entry.path)) continue
    byPath.set(entry.path, entry)
    children.get(parentOf(entry.path))?.push(entry)
    if (entry.kind !== 'directory') continue
    children.set(entry.path, [])
    folders.push(entry.path)
  }
  return { children, byPath, folders }
}

/** The visible rows while these folders are open. Linear in the visible rows, whatever closed folders contain. */
export function visibleRows(tree: FileTree, expanded: ReadonlySet<string>): readonly TreeRow[] {
  const rows: TreeRow[] = []
  const add = (folder: string, level: number): void => {
    const inside = tree.children.get(folder) ?? []
    for (const [index, { path, name, kind, size }] of inside.entries()) {
      const open = kind === 'directory' && expanded.has(path)
      rows.push({
        path,
        name,
        kind,
        size,
        level,
        position: index + 1,
        siblings: inside.length,
        expanded: open,
        own: isOwn(path),
      })
      if (open) add(path, level + 1)
    }
  }
  add('/', 1)
  return rows
}

/** Up to this many entries all folders are open at first; beyond it only the top level is shown. */
const openAtFirst = 200

/** Which folders are open: as the reader left them, else by the size of the tree. */
export function openFolders(tree: FileTree, toggled: ReadonlyMap<string, boolean>): ReadonlySet<string> {
  const byDefault = tree.byPath.size <= openAtFirst
  return new Set(tree.folders.filter((path) => toggled.get(path) ?? byDefault))
}

/** The folders that must be open for a path to be visible. */
export function foldersAbove(path: string): readonly string[] {
  const above: string[] = []
  for (let at = parentOf(path); at !== '/'; at = parentOf(at)) above.push(at)
  return above
}

/** Removes paths that lie in another one of the list: a folder includes its contents. */
export function outermost(paths: Iterable<string>): readonly string[] {
  const all = new Set(paths)
  return [...all].filter((path) => !foldersAbove(path).some((folder) => all.has(folder)))
}

/** The number and bytes of the files at or under a path. */
export function measure(tree: FileTree, path: string): { readonly files: number; readonly bytes: number } {
  const entry = tree.byPath.get(path)
  if (entry?.kind === 'file') return { files: 1, bytes: entry.size }
  let [files, bytes] = [0, 0]
  for (const child of tree.children.get(path) ?? []) {
    const inside = measure(tree, child.path)
    files += inside.files
    bytes += inside.bytes
  }
  return { files, bytes }
}

export type ChangeMark = 'new' | 'changed'

/** The messages of the last turn: from the user's last message on. */
export const lastTurn = (path: readonly ChatRow[]): ReadonlySet<string> =>
  new Set(path.slice(Math.max(0, lastTextAt(path))).map(({ id }) => id))

/**
 * Files to mark in the tree: changed by a call of these messages, or by anyone since `since` (epoch milliseconds).
 * Undone changes are not marked.
 */
export function changeMarks(
  sets: readonly ChangeSet[],
  { messageIds, since }: { readonly messageIds: ReadonlySet<string>; readonly since: number },
): ReadonlyMap<string, ChangeMark> {
  const marks = new Map<string, ChangeMark>()
  for (const set of sets.toSorted((a, b) => a.id - b.id)) {
    const recent = set.at >= since || (set.origin.kind === 'call' && messageIds.has(set.origin.messageId))
    if (!recent || set.undone || set.offBranch) continue
    for (const { path, before, after } of set.changes) {
      if (after?.kind !== 'file') marks.delete(path)
      else if (!marks.has(path)) marks.set(path, before === null ? 'new' : 'changed')
    }
  }
  return marks
}

type MovePlan =
  | { readonly ok: true; readonly moves: readonly (FileChange & { readonly kind: 'move' })[] }
  | { readonly ok: false; readonly message: string }

/**
 * The moves that bring these files and folders into `folder`; none for those already there. Refused as a whole: a
 * folder into itself, a name that is taken, two of one name.
 */
export function planMove(tree: FileTree, paths: Iterable<string>, folder: string): MovePlan {
  if (folder !== '/' && tree.byPath.get(folder)?.kind !== 'directory') {
    return { ok: false, message: t('workspace.move-no-folder', { folder }) }
  }
  const moves: (FileChange & { kind: 'move' })[] = []
  const taken = new Set((tree.children.get(folder) ?? []).map(({ name }) => name))
  for (const from of outermost(paths)) {
    if (tree.byPath.get(from)?.kind === 'directory' && isInside(folder, from)) {
      return { ok: false, message: t('workspace.move-into-itself', { path: from }) }
    }
    if (parentOf(from) === folder) continue
    const name = nameOf(from)
    if (taken.has(name)) {
      return { ok: false, message: t('workspace.move-taken', { folder, name }) }
    }
    taken.add(name)
    moves.push({ kind: 'move', from, to: joinPath(folder, name) })
  }
  return { ok: true, moves }
}

type Named = { readonly ok: true; readonly path: string } | { readonly ok: false; readonly message: string }

/**
 * The path of a typed name. `b.md` and `a/b.md` are relative to `folder`. Refused with a sentence: an empty name, an
 * invalid one, one that is taken (`except`: the path that is being renamed).
 */
export function nameEntry(tree: FileTree, folder: string, typed: string, except?: string): Named {
  const name = typed.trim()
  if (name === '') return { ok: false, message: t('workspace.name-missing') }
  const normal = normalizePath(joinPath(folder, name))
  if (!normal.ok) return { ok: false, message: normal.error.message }
  const path = normal.value
  if (path === folder || path === '/') return { ok: false, message: t('workspace.no-name', { name }) }
  if (path === except) return { ok: true, path }
  const node = tree.byPath.get(path)
  if (node !== undefined) {
    const reason = node.kind === 'directory' ? 'workspace.folder-there' : 'workspace.file-there'
    return { ok: false, message: t(reason, { path }) }
  }
  for (let at = parentOf(path); at !== '/'; at = parentOf(at)) {
    if (tree.byPath.get(at)?.kind === 'file') return { ok: false, message: t('workspace.is-file', { path: at }) }
  }
  return { ok: true, path }
}

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
