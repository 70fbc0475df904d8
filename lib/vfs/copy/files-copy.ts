import { ok } from '@/lib/base/result'
import { sameImage } from '../log/change-log'
import { isInside, parentOf } from '../path'
import type { FileChange, Vfs, VfsTreeEntry } from '../vfs'
import type { VfsResult } from '../vfs-result'
import type { ChangeOrigin, ChangeSet, NodeImage } from '../vfs-history'

/*
 * A copy of a chat's files, on which calls run before their changes are kept. The copy is a separate `Vfs`: it stores only
 * what was written to it, shares the other contents with the files, and its history has one set for each call. So:
 *
 *   - nothing on the copy touches the files before Keep
 *   - Keep hands the recorded sets to the files' history in one step (`VfsHistory.adopt`); nothing runs again
 *   - Discard drops the copy
 *
 * Changes that a user makes in the files meanwhile are copied (`catchUp`) if no call on the copy has touched their paths.
 * They are listed, because a call may have read the older content. Until something is read or written on it, a copy has
 * no files of its own: opening one takes the same time for any number of files.
 */

type CallOrigin = Extract<ChangeOrigin, { kind: 'call' }>

/** One row of the changes that keeping the copy would make in the current files. */
export interface CopyChange {
  readonly path: string
  readonly change: 'created' | 'changed' | 'deleted' | 'moved'
  /** The previous path of a file that was moved; '' for other changes. */
  readonly from: string
  readonly kind: 'file' | 'directory'
  /** Size in bytes after the change; for deleted files, before it. */
  readonly size: number
  /** The call that changed it last. */
  readonly by: CallOrigin
  /** A user changed it in the files after the copy was made: keeping the row would overwrite that edit. */
  readonly isStale: boolean
  /** Rows with the same number are kept together or not at all. */
  readonly group: number
}

export interface CopyChanges {
  /** Sorted by path. */
  readonly rows: readonly CopyChange[]
  /** Files that a user changed or deleted after the copy was made, whether or not the copy changes them too. */
  readonly editedBeside: readonly string[]
  /**
   * How many changes are already in the files because Keep was interrupted after its single step; 0 if it never began.
   */
  readonly inFiles: number
}

export interface FilesCopy {
  /** The files that tools see and change. */
  readonly files: Vfs
  /**
   * Updates the copy to the branch and to changes made in the files meanwhile. Call it before a call runs and before
   * the changes are shown.
   */
  catchUp(messageIds: readonly string[]): Promise<VfsResult<null>>
  changes(): Promise<VfsResult<CopyChanges>>
  /** The contents of a row before and after; null if there is no file. */
  readonly sides: (
    row: CopyChange,
  ) => Promise<{ readonly before: Uint8Array | null; readonly after: Uint8Array | null }>
  /**
   * Applies these changes to the files, all or none; `null` means all of them. EBUSY: a user changed one of the paths
   * after the copy was made; with `overEdits`, the copy's change overwrites it.
   */
  keep(paths: ReadonlySet<string> | null, overEdits?: boolean): Promise<VfsResult<null>>
  /** Repeats the changes of this branch's calls on another copy of the same files, for storage with other content names. */
  moveTo(other: Vfs): Promise<VfsResult<null>>
}

const isOwn = (path: string): boolean => path === '/.nod' || isInside(path, '/.nod')

/**
 * Long results that were stored in files, and their folders. They are kept with the other changes, but are not listed
 * as changes. An older one that is changed or deleted is listed.
 */
const isResult = (path: string, before: NodeImage, after: NodeImage): boolean =>
  before === null && (after?.kind === 'file' ? isInside(path, '/.nod/results') : isOwn(path))

type Images = ReadonlyMap<string, NodeImage>

const imagesOf = (entries: readonly VfsTreeEntry[]): Images =>
  new Map(entries.map(({ path, kind, size, version }) => [path, kind === 'file' ? { kind, size, version } : { kind }]))

const isMade = (set: ChangeSet): set is ChangeSet & { readonly origin: CallOrigin } => set.origin.kind === 'call'
const keyOf = ({ messageId, slot, attempt }: CallOrigin) => JSON.stringify([messageId, slot, attempt])

/** The combined effect of all sets on each path, oldest first. */
interface Net {
  readonly before: NodeImage
  readonly after: NodeImage
  readonly first: number
  readonly last: number
  readonly by: ChangeOrigin
}

function netOf(sets: readonly ChangeSet[]): ReadonlyMap<string, Net> {
  const found = new Map<string, Net>()
  for (const { id, origin, changes } of sets) {
    for (const { path, before, after } of changes) {
      const known = found.get(path)
      found.set(path, { before: known ? known.before : before, after, first: known?.first ?? id, last: id, by: origin })
    }
  }
  return found
}

/** `copy` is the copy of `base`: it began with the files of `base` and shares their contents. */
export function createFilesCopy(base: Vfs, copy: Vfs): FilesCopy {
  /** The files, and the active sets of the copy's history, as of now. */
  async function look() {
    const [there, listed] = await Promise.all([base.tree('/'), copy.history.list()])
    if (!there.ok) return there
    if (!listed.ok) return listed
    const active = listed.value.toReversed().filter((set) => !set.undone && !set.offBranch)
    return ok({ base: imagesOf(there.value), active })
  }

  return {
    files: copy,
    async catchUp(messageIds) {
      const followed = await copy.history.follow(messageIds)
      return followed.ok ? ok(null) : followed
    },

    async changes() {
      const listed = await copy.history.list()
      if (!listed.ok) return listed
      const active = listed.value.toReversed().filter((set) => !set.undone && !set.offBranch)
      const made = active.filter(isMade)
      const edited = [...netOf(active.filter((set) => !isMade(set)))]
        .filter(([path, { before, after }]) => before?.kind === 'file' && !sameImage(before, after) && !isOwn(path))
        .map(([path]) => path)
      // Most looks are at a copy that just began; the files and their history may be large.
      if (made.length === 0) return ok({ rows: [], editedBeside: edited.toSorted(), inFiles: 0 })
      const [tree, kept] = await Promise.all([base.tree('/'), base.history.list()])
      if (!tree.ok) return tree
      if (!kept.ok) return kept
      const there = imagesOf(tree.value)
      const known = new Set(kept.value.flatMap((set) => (isMade(set) ? [keyOf(set.origin)] : [])))
      const rows = rowsOf(netOf(made), there)
      const overwritten = rows.filter((row) => row.isStale).map(({ path }) => path)
      return ok({
        rows,
        editedBeside: [...new Set([...edited, ...overwritten])].toSorted(),
        inFiles: made.some(({ origin }) => known.has(keyOf(origin)))
          ? Math.max(1, rowsOf(netOf(made), null).length - rows.length)
          : 0,
      })
    },

    async sides({ path, from, change }) {
      const listed = await copy.history.list()
      if (!listed.ok) return { before: null, after: null }
      const net = netOf(listed.value.toReversed().filter((set) => isMade(set) && !set.undone && !set.offBranch))
      const read = async (at: string, side: 'before' | 'after') => {
        const one = net.get(at)
        const got = one && (await copy.history.read(side === 'before' ? one.first : one.last, at, side))
        return got?.ok ? got.value : null
      }
      return { before: await read(change === 'moved' ? from : path, 'before'), after: await read(path, 'after') }
    },

    async keep(paths, overEdits = false) {
      const seen = await look()
      if (!seen.ok) return seen
      const { base: there, active } = seen.value
      const made = active.filter(isMade)
      const net = netOf(made)
      const chosen = paths === null && !overEdits ? null : chosenOf(net, there, paths)
      const sets = made
        .map(({ id, origin, changes }) => ({
          id,
          origin,
          changes: changes.filter(({ path }) => chosen?.has(path) ?? true),
        }))
        .filter(({ changes }) => changes.length > 0)
      const contents = await contentsOf(sets, there, copy)
      if (!contents.ok) return contents
      const touched = new Set(sets.flatMap(({ changes }) => changes.map(({ path }) => path)))
      const expected = [...touched].map((path) => ({ path, image: net.get(path)?.before ?? null }))
      const adopted = await base.history.adopt({
        sets: sets.map(({ origin, changes }) => ({
          origin,
          changes: changes.map(({ path, after }) => ({ path, after })),
        })),
        contents: contents.value,
        expected: overEdits ? [] : expected,
      })
      return adopted.ok ? ok(null) : adopted
    },

    async moveTo(other) {
      const seen = await look()
      if (!seen.ok) return seen
      for (const set of seen.value.active.filter(isMade)) {
        const steps = await stepsOf(set, copy)
        if (!steps.ok) return steps
        const done = await other.recording(set.origin).apply(steps.value)
        if (!done.ok) return done
      }
      return ok(null)
    },
  }
}

/** Contents that the sets bring and that the files do not have yet. */
async function contentsOf(
  sets: readonly Pick<ChangeSet, 'id' | 'changes'>[],
  there: Images,
  copy: Vfs,
): Promise<VfsResult<readonly Uint8Array[]>> {
  const known = new Set([...there.values()].map((image) => (image?.kind === 'file' ? image.version : '')))
  const contents: Uint8Array[] = []
  for (const { id, changes } of sets) {
    for (const { path, after } of changes) {
      if (after?.kind !== 'file' || known.has(after.version)) continue
      known.add(after.version)
      const read = await copy.history.read(id, path, 'after')
      if (!read.ok) return read
      contents.push(read.value)
    }
  }
  return ok(contents)
}

/** The changes of a set as steps: removals first, deepest first; then folders from the top down, and files. */
async function stepsOf({ id, changes }: ChangeSet, copy: Vfs): Promise<VfsResult<readonly FileChange[]>> {
  const byPath = changes.toSorted((a, b) => (a.path < b.path ? -1 : 1))
  const goes = byPath.filter(({ before, after }) => before !== null && before.kind !== after?.kind).toReversed()
  const steps: FileChange[] = goes.map(({ path }) => ({ kind: 'remove', path }))
  for (const { path, after } of byPath) {
    if (after?.kind === 'directory') steps.push({ kind: 'makeDirectory', path })
    if (after?.kind !== 'file') continue
    const read = await copy.history.read(id, path, 'after')
    if (!read.ok) return read
    steps.push({ kind: 'write', path, data: read.value })
  }
  return ok(steps)
}

/** The paths of the chosen rows, with results and the folders that they need. `null`: every row. */
function chosenOf(
  net: ReadonlyMap<string, Net>,
  there: Images,
  paths: ReadonlySet<string> | null,
): ReadonlySet<string> {
  const rows = rowsOf(net, there).filter(({ path }) => paths?.has(path) ?? true)
  const chosen = new Set(rows.flatMap(({ path, from }) => (from === '' ? [path] : [path, from])))
  for (const [path, { before, after }] of net) {
    if (isResult(path, before, after)) chosen.add(path)
    const goes = before?.kind === 'directory' && after?.kind !== 'directory'
    if (goes && [...chosen].some((one) => isInside(one, path))) chosen.add(path)
  }
  return chosen
}

/**
 * Folders have rows only if nothing else shows them: empty folders that are added or removed. `there`: the current
 * files; null: the files when the copy was made.
 */
function rowsOf(net: ReadonlyMap<string, Net>, there: Images | null): readonly CopyChange[] {
  const real = [...net]
    .map(([path, one]) => ({ path, ...one, now: there ? (there.get(path) ?? null) : one.before }))
    .filter(({ path, before, after }) => !isResult(path, before, after) && !sameImage(before, after))
    .filter(({ after, now }) => !sameImage(now, after))
  const isImplied = ({ path, before, after }: (typeof real)[number]) =>
    (after ?? before)?.kind === 'directory' &&
    before?.kind !== 'file' &&
    (real.some((other) => other.path !== path && isInside(other.path, path)) ||
      [...(there?.keys() ?? [])].some((other) => other !== path && isInside(other, path)))
  const shown = real.filter((one) => !isImplied(one)).toSorted((a, b) => (a.path < b.path ? -1 : 1))
  const movedFrom = movesIn(shown)
  const gone = new Set(movedFrom.values())
  const rows = shown
    .filter(({ path }) => !gone.has(path))
    .map(({ path, before, after, by, now }): Omit<CopyChange, 'group'> => {
      const from = movedFrom.get(path) ?? ''
      const source = shown.find((one) => one.path === from)
      // A file that replaces a folder is new, and a folder that replaces a file removes that file.
      const comes = before === null || (before.kind !== 'file' && after?.kind === 'file')
      const goes = after === null || (before?.kind === 'file' && after.kind !== 'file')
      const last = goes ? before : after
      return {
        path,
        from,
        change: from !== '' ? 'moved' : comes ? 'created' : goes ? 'deleted' : 'changed',
        kind: last?.kind ?? 'file',
        size: last?.kind === 'file' ? last.size : 0,
        by: by as CallOrigin,
        isStale: !sameImage(now, before) || (source !== undefined && !sameImage(source.now, source.before)),
      }
    })
  return grouped(rows)
}

/**
 * Maps a path to the one its content moved from: a removed and an added file with the same content are one moved file.
 */
function movesIn(
  changes: readonly { readonly path: string; readonly before: NodeImage; readonly after: NodeImage }[],
): ReadonlyMap<string, string> {
  const gone = new Map<string, string[]>()
  for (const { path, before, after } of changes) {
    if (before?.kind === 'file' && after === null) gone.set(before.version, [...(gone.get(before.version) ?? []), path])
  }
  const from = new Map<string, string>()
  for (const { path, before, after } of changes) {
    if (before !== null || after?.kind !== 'file') continue
    const source = gone.get(after.version)?.shift()
    if (source !== undefined) from.set(path, source)
  }
  return from
}

/** Groups rows: a file that became a folder, or vice versa, cannot be kept without the paths below it. */
function grouped(rows: readonly Omit<CopyChange, 'group'>[]): readonly CopyChange[] {
  const group = rows.map((_, at) => at)
  const rowAt = new Map<string, number>()
  for (const [at, { path, from }] of rows.entries()) {
    rowAt.set(path, at)
    if (from !== '') rowAt.set(from, at)
  }
  const join = (one: number, other: number) => {
    const [low, high] = [Math.min(one, other), Math.max(one, other)]
    for (const [at, number] of group.entries()) if (number === high) group[at] = low
  }
  for (const [path, at] of rowAt) {
    for (let folder = parentOf(path); folder !== '/'; folder = parentOf(folder)) {
      const above = rowAt.get(folder)
      if (above !== undefined && group[above] !== group[at]) join(group[above] ?? above, group[at] ?? at)
    }
  }
  return rows.map((row, at) => ({ ...row, group: group[at] ?? at }))
}
