import { sameImage } from '../log/change-log'
import type { Nodes } from '../node-tree'
import { parentOf } from '../path'
import type { FileChange } from '../vfs'
import type { NodeImage } from '../vfs-history'

/** A path at which two trees differ. */
export interface NodeDifference {
  readonly path: string
  readonly before: NodeImage
  readonly after: NodeImage
}

/** Sorted by path. */
export function differences(before: Nodes, after: Nodes): readonly NodeDifference[] {
  return [...new Set([...before.keys(), ...after.keys()])].toSorted().flatMap((path) => {
    const [old, next] = [before.get(path)?.image ?? null, after.get(path)?.image ?? null]
    return sameImage(old, next) ? [] : [{ path, before: old, after: next }]
  })
}

/** A file whose contents lie elsewhere in the tree before, and go from there. */
interface Carried {
  readonly from: string
  readonly to: string
}

/**
 * The steps from one tree to another: contents that are already there move, the rest is written. Room is made before it is
 * used, so that no step fails for want of it when both trees fit. `ownBytes`: null for contents that only move; those in
 * `copiedVersions` have to be among its own.
 */
export function planSteps(
  before: Nodes,
  after: Nodes,
  ownBytes: (version: string) => Uint8Array | null,
): readonly FileChange[] {
  const changed = differences(before, after)
  const carried = [...sourcesOf(changed, (version) => ownBytes(version) !== null)].map(({ path, from }): Carried => {
    if (from === null) throw new Error(`The contents of ${path} are nowhere`)
    return { from, to: path }
  })
  const isFree = ({ to }: Carried) => {
    const parent = before.get(parentOf(to))?.image
    return !before.has(to) && parent?.kind === 'directory' && after.get(parentOf(to))?.image.kind === 'directory'
  }
  const direct = carried.filter(isFree)
  // Files that change places meet each other on the way: they go through a folder that exists for no moment.
  const detours = carried.filter((one) => !isFree(one))
  const stage = freeFolder(before, after)
  const left = new Set(carried.map(({ from }) => from))

  const removals: FileChange[] = []
  const gone = new Set<string>()
  for (const { path, before: old, after: next } of changed) {
    if (old === null || old.kind === next?.kind) continue
    // A folder takes all along that was in it.
    gone.add(path)
    if (left.has(path) || gone.has(parentOf(path))) continue
    removals.push({ kind: 'remove', path })
  }
  const folders = changed.flatMap(({ path, after: next }): readonly FileChange[] =>
    next?.kind === 'directory' ? [{ kind: 'makeDirectory', path }] : [],
  )
  const writes = changed.flatMap(({ path, before: old, after: next }) => {
    const data = next?.kind === 'file' ? ownBytes(next.version) : null
    if (data === null) return []
    const growth = data.byteLength - (old?.kind === 'file' ? old.size : 0)
    return [{ growth, step: { kind: 'write', path, data } as const }]
  })
  return [
    ...direct.map(({ from, to }) => ({ kind: 'move', from, to }) as const),
    ...detours.map(({ from }, at) => ({ kind: 'move', from, to: `${stage}/${at}` }) as const),
    ...removals,
    ...folders,
    ...detours.map(({ to }, at) => ({ kind: 'move', from: `${stage}/${at}`, to }) as const),
    ...(detours.length > 0 ? [{ kind: 'remove', path: stage } as const] : []),
    ...writes.toSorted((a, b) => a.growth - b.growth).map(({ step }) => step),
  ]
}

/** The path that each changed file's contents come from, where they are not its own; null: none is left to take them from. */
function* sourcesOf(
  changed: readonly NodeDifference[],
  isOwn: (version: string) => boolean,
): Generator<{ readonly path: string; readonly version: string; readonly from: string | null }> {
  const donors = new Map<string, string[]>()
  for (const { path, before } of changed) {
    if (before?.kind !== 'file') continue
    donors.set(before.version, [...(donors.get(before.version) ?? []), path])
  }
  for (const { path, after } of changed) {
    if (after?.kind !== 'file' || isOwn(after.version)) continue
    yield { path, version: after.version, from: donors.get(after.version)?.pop() ?? null }
  }
}

/** Contents of the tree before that are wanted at more paths than they leave: they have to be read and written. */
export const copiedVersions = (before: Nodes, after: Nodes, isOwn: (version: string) => boolean): ReadonlySet<string> =>
  new Set(
    [...sourcesOf(differences(before, after), isOwn)].flatMap(({ version, from }) => (from === null ? [version] : [])),
  )

function freeFolder(before: Nodes, after: Nodes): string {
  for (let number = 0; ; number++) {
    const path = `/.moving-${number}`
    if (!before.has(path) && !after.has(path)) return path
  }
}
