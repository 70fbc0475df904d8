import { t } from '@/lib/i18n/t'
import { joinPath, normalizePath, parentOf } from '@/lib/vfs/path'
import type { FileTree } from './tree-rows'

export type Named = { readonly ok: true; readonly path: string } | { readonly ok: false; readonly message: string }

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
