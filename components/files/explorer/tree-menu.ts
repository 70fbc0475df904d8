import type { FileTree } from '@/lib/workspace/tree/tree-rows'
import { t } from '@/lib/i18n/t'
import type { MenuItem } from '@/components/ui/menu'

export interface TreeMenuActs {
  readonly open: (path: string) => void
  readonly rename: (path: string) => void
  readonly move: (paths: readonly string[]) => void
  readonly duplicate: (paths: readonly string[]) => void
  readonly unpack: (path: string) => void
  readonly download: (paths: readonly string[]) => void
  readonly copyPath: (paths: readonly string[]) => void
  readonly remove: (paths: readonly string[]) => void
}

/** What can be done with one line of the tree, or with all that are selected. */
export function treeMenu(tree: FileTree, paths: readonly string[], acts: TreeMenuActs): readonly MenuItem[] {
  const [only] = paths
  const one = paths.length === 1 && only !== undefined ? tree.byPath.get(only) : undefined
  const items: MenuItem[] = []
  if (one?.kind === 'file')
    items.push({ label: t('files-explorer.open'), keys: 'Enter', run: () => acts.open(one.path) })
  if (one) items.push({ label: t('files-explorer.rename'), keys: 'F2', run: () => acts.rename(one.path) })
  items.push({ label: t('files-explorer.move-to'), run: () => acts.move(paths) })
  items.push({ label: t('files-explorer.duplicate'), run: () => acts.duplicate(paths) })
  if (one?.kind === 'file' && /\.zip$/i.test(one.name)) {
    items.push({ label: t('files-explorer.unpack'), run: () => acts.unpack(one.path) })
  }
  const download = t(one?.kind === 'file' ? 'files-explorer.download' : 'files-explorer.download-zip')
  items.push({ label: download, run: () => acts.download(paths) })
  items.push({ label: t('files-explorer.copy-path', { count: paths.length }), run: () => acts.copyPath(paths) })
  items.push({ label: t('files-explorer.delete'), keys: 'Del', run: () => acts.remove(paths) })
  return items
}
