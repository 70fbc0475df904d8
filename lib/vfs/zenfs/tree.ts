import { joinPath } from '../path'
import type { NodeRecord } from './records'

/** Takes one step back; run in reverse order. */
export type Undo = () => void

const root: NodeRecord = { id: 0, parent: 0, name: '', kind: 'directory', size: 0, modifiedAt: 0, version: '' }

export const rootId = root.id

/** The table of all files and folders, in memory. `onUndo` hears how to take each change back. */
export function createTree(onUndo: (undo: Undo) => void) {
  const nodes = new Map<number, NodeRecord>([[rootId, root]])
  const children = new Map<number, Map<string, number>>()
  let bytes = 0
  let files = 0

  const count = (node: NodeRecord, by: 1 | -1) => {
    if (node.kind !== 'file') return
    bytes += by * node.size
    files += by
  }

  function unlink(node: NodeRecord): void {
    nodes.delete(node.id)
    const siblings = children.get(node.parent)
    if (siblings?.get(node.name) === node.id) siblings.delete(node.name)
    if (siblings?.size === 0) children.delete(node.parent)
    count(node, -1)
  }

  function link(node: NodeRecord): void {
    nodes.set(node.id, node)
    const siblings = children.get(node.parent)
    if (siblings === undefined) children.set(node.parent, new Map([[node.name, node.id]]))
    else siblings.set(node.name, node.id)
    count(node, 1)
  }

  function swap(old: NodeRecord | undefined, next: NodeRecord | undefined): void {
    if (old !== undefined) unlink(old)
    if (next !== undefined) link(next)
  }

  const tree = {
    get: (id: number) => nodes.get(id),
    child(folder: NodeRecord, name: string): NodeRecord | undefined {
      const id = children.get(folder.id)?.get(name)
      return id === undefined ? undefined : nodes.get(id)
    },
    childrenOf(folder: NodeRecord): readonly NodeRecord[] {
      return [...(children.get(folder.id)?.values() ?? [])].flatMap((id) => nodes.get(id) ?? [])
    },
    /** The deepest node on the way to a normalised path, and the names that are missing below it. */
    walk(path: string): { readonly node: NodeRecord; readonly missing: readonly string[] } {
      const names = path === '/' ? [] : path.slice(1).split('/')
      let node = root
      for (const [at, name] of names.entries()) {
        const next = tree.child(node, name)
        if (next === undefined) return { node, missing: names.slice(at) }
        node = next
      }
      return { node, missing: [] }
    },
    at(path: string): NodeRecord | undefined {
      const { node, missing } = tree.walk(path)
      return missing.length === 0 ? node : undefined
    },
    pathOf(node: NodeRecord): string {
      const names: string[] = []
      for (let at: NodeRecord | undefined = node; at !== undefined && at.id !== rootId; at = nodes.get(at.parent)) {
        names.push(at.name)
      }
      return `/${names.toReversed().join('/')}`
    },
    /** A node and all below it with their paths, each folder before what it holds. */
    *below(node: NodeRecord, path: string): Generator<{ readonly node: NodeRecord; readonly path: string }> {
      yield { node, path }
      for (const child of tree.childrenOf(node)) yield* tree.below(child, joinPath(path, child.name))
    },
    all: () => nodes.values(),
    set(id: number, next: NodeRecord | undefined): void {
      const old = nodes.get(id)
      swap(old, next)
      onUndo(() => swap(next, old))
    },
    get usage() {
      return { bytes, files }
    },
  }
  return tree
}
