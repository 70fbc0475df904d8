import { parentOf } from '@/lib/vfs/path'
import type { FileTree } from '@/lib/client/files/tree/tree-rows'

/** What a drag within the tree carries: a JSON list of paths. */
export const pathsType = 'application/x-nod-paths'

interface DragData {
  readonly types: readonly string[]
}

/** What is dragged, as far as a page may know before it is dropped. */
export const dragKind = ({ types }: DragData): 'paths' | 'files' | null =>
  types.includes(pathsType) ? 'paths' : types.includes('Files') ? 'files' : null

/** The folder that is meant by the line under the pointer: itself, or the one it lies in; the top folder beside the lines. */
export function dropFolderAt(tree: FileTree, element: EventTarget | null): string {
  const line = element instanceof Element ? element.closest<HTMLElement>('[data-path]') : null
  const path = line?.dataset['path']
  if (path === undefined) return '/'
  return tree.byPath.get(path)?.kind === 'directory' ? path : parentOf(path)
}

/** The paths of a drop from the tree. Anything else on the same type counts as none. */
export function droppedPaths(text: string): readonly string[] {
  try {
    const paths: unknown = JSON.parse(text)
    return Array.isArray(paths) ? paths.filter((path): path is string => typeof path === 'string') : []
  } catch {
    return []
  }
}
