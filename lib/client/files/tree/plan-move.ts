import { t } from '@/lib/i18n/t'
import { isInside, joinPath, nameOf, parentOf } from '@/lib/vfs/path'
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
