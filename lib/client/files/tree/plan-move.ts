import { t } from '@/lib/i18n/t'
import { isInside, joinPath, nameOf, parentOf, normalizePath } from '@/lib/vfs/path'
import type { FileChange } from '@/lib/vfs/vfs'
import { outermost, type FileTree } from './tree-rows'

export type MovePlan =
  | { readonly ok: true; readonly moves: readonly (FileChange & { readonly kind: 'move' })[] }
  | { readonly ok: false; readonly message: string }

/**
 * What must move so that these files and folders come to stand in `folder`; nothing for those that are there already. Refused as
 * a whole: a folder into itself, a name that is taken, two of one name.
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
 * The path that a typed name means. `b.md` and `a/b.md` count from `folder`. Refused with a sentence: an empty name, one that
 * the files can't hold, one that is taken (`except`: the path that is being renamed).
 */
export function nameEntry(tree: FileTree, folder: string, typed: string, except?: string): Named {
  const name = typed.trim()
  if (name === '') return { ok: false, message: t('workspace.name-missing') }
  const normal = normalizePath(joinPath(folder, name))
  if (!normal.ok) return { ok: false, message: normal.error.message }
  const path = normal.value
  if (path === folder || path === '/') return { ok: false, message: t('workspace.no-name', { name }) }
  if (path === except) return { ok: true, path }
  const standing = tree.byPath.get(path)
  if (standing !== undefined) {
    const reason = standing.kind === 'directory' ? 'workspace.folder-there' : 'workspace.file-there'
    return { ok: false, message: t(reason, { path }) }
  }
  for (let at = parentOf(path); at !== '/'; at = parentOf(at)) {
    if (tree.byPath.get(at)?.kind === 'file') return { ok: false, message: t('workspace.is-file', { path: at }) }
  }
  return { ok: true, path }
}
