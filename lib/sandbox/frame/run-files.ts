import { parentOf } from '@/lib/vfs/path'
import type { Answer, RunSnapshot, CallHost } from './protocol'
import { nearestPath } from '@/lib/base/text/nearest-path'

/*
 * The changes of a run to its files, as one list: the difference between its snapshot and its files at the end.
 * JavaScript's layer and Python's copy both use this, so the page reads only one format.
 */

export type RunChange =
  | { readonly kind: 'remove'; readonly path: string }
  | { readonly kind: 'makeDirectory'; readonly path: string }
  | { readonly kind: 'write'; readonly path: string; readonly data: Uint8Array }
  /** The contents at `from` when the run began. */
  | { readonly kind: 'copyOf'; readonly path: string; readonly from: string }

/** An entry of the snapshot. */
export interface EntryBefore {
  readonly path: string
  readonly kind: 'file' | 'directory'
}

/** The state of a path at the end: a folder, the contents of an entry of the snapshot, or new contents. */
export type NodeAfterRun = 'folder' | { readonly source: number } | { readonly data: Uint8Array }

/**
 * The changes that turn the snapshot into the state at the end of the run: removals first, a folder as one; then
 * folders from the top, then files; each sorted by path. `isLeftAlone`: an entry that the run never saw, so that its
 * absence means nothing.
 */
export function listChanges(
  before: readonly EntryBefore[],
  after: ReadonlyMap<string, NodeAfterRun>,
  isLeftAlone: (path: string) => boolean = () => false,
): readonly RunChange[] {
  const base = new Map(before.map(({ path, kind }, index) => [path, { index, isFolder: kind === 'directory' }]))
  const removals: RunChange[] = []
  const gone = new Set<string>()
  for (const [path, { isFolder }] of base) {
    const there = after.get(path)
    if ((there !== undefined && (there === 'folder') === isFolder) || isLeftAlone(path)) continue
    gone.add(path)
    if (!gone.has(parentOf(path))) removals.push({ kind: 'remove', path })
  }
  const folders: RunChange[] = []
  const files: RunChange[] = []
  for (const [path, node] of [...after].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    const there = base.get(path)
    if (node === 'folder') {
      if (there?.isFolder !== true) folders.push({ kind: 'makeDirectory', path })
    } else if ('data' in node) files.push({ kind: 'write', path, data: node.data })
    else if (there?.index !== node.source) {
      files.push({ kind: 'copyOf', path, from: before[node.source]?.path ?? '' })
    }
  }
  return [...removals, ...folders, ...files]
}

/* The two requests of a run to the page about files: it receives a snapshot of all of them, and submits its changes. */

// TypeScript's DOM library does not declare it.
declare const FileReaderSync: new () => { readAsArrayBuffer(blob: Blob): ArrayBuffer }

/** How many bytes of opened Blobs are cached: code that reads all files of a large chat must not keep all of them. */
const openedBytes = 64_000_000

/** All files as of now. Rejects with a message. */
export async function takeSnapshot(callHost: CallHost): Promise<RunSnapshot> {
  const answer = await callHost('snapshot', [])
  if (!answer.ok) throw new Error(`The files of this chat could not be read: ${answer.message}`)
  return answer.value as RunSnapshot
}

/**
 * Reads contents from the snapshot's Blobs synchronously: `FileReaderSync` exists only in workers. The result must not
 * be modified.
 */
export function createBlobReader(
  { entries, places, blobs }: Pick<RunSnapshot, 'entries' | 'places' | 'blobs'>,
  open: (blob: Blob) => ArrayBuffer = (blob) => new FileReaderSync().readAsArrayBuffer(blob),
): (index: number) => Uint8Array {
  const opened = new Map<number, Uint8Array>()
  let bytes = 0

  function openBundle(bundle: number): Uint8Array {
    const blob = blobs[bundle]
    if (blob === undefined) throw new Error('The files did not come whole.')
    const whole = opened.get(bundle) ?? new Uint8Array(open(blob))
    if (!opened.delete(bundle)) bytes += whole.byteLength
    opened.set(bundle, whole)
    // The least recently used one is removed first.
    for (const [oldest, { byteLength }] of opened) {
      if (bytes <= openedBytes || oldest === bundle) break
      opened.delete(oldest)
      bytes -= byteLength
    }
    return whole
  }

  return (index) => {
    const [bundle, from] = places[index] ?? [-1, 0]
    const size = entries[index]?.size ?? 0
    return size === 0 ? new Uint8Array() : openBundle(bundle).subarray(from, from + size)
  }
}

/** Submits the changes to the files: the steps as text, all bytes as one Blob. Null: there is nothing to submit. */
export async function handIn(changes: readonly RunChange[], callHost: CallHost): Promise<Answer | null> {
  if (changes.length === 0) return null
  const parts: Uint8Array<ArrayBuffer>[] = []
  let at = 0
  const steps = changes.map((change) => {
    if (change.kind !== 'write') return change
    const { kind, path, data } = change
    const step = { kind, path, at, size: data.byteLength }
    parts.push(data as Uint8Array<ArrayBuffer>)
    at += data.byteLength
    return step
  })
  return callHost('commit', [JSON.stringify(steps), new Blob(parts)])
}

/** Why nothing was kept, appended to the code's own result; null: everything was kept. */
export const notKept = (answer: Answer | null): string | null =>
  answer === null || answer.ok ? null : `None of its changes to files were kept: ${answer.message}`

/** Files in which a run can search by itself. */
interface AvailableFiles {
  /** -1: there is no such file. */
  size(path: string): number
  read(path: string): Uint8Array
  /** The paths of all files and folders. */
  paths(): Iterable<string>
}

/**
 * The end of a sentence about a path that does not exist, with the most similar names, so that a model needs no extra
 * call to search for it.
 */
export function nearestNames(files: AvailableFiles, path: string): string {
  const nearest = nearestPath(path, files.paths())
  return nearest === null ? '' : `The nearest name is ${nearest}.`
}

/** An absolute path, resolving relative paths like the code does; an invalid path matches none of the chat's files. */
export function absolute(given: string): string {
  const names: string[] = []
  for (const name of given.split('/')) {
    if (name === '..') names.pop()
    else if (name !== '' && name !== '.') names.push(name)
  }
  return `/${names.join('/')}`
}

/** The text of a file that is not named by a program but by a chart. Throws an error with a message. */
export function readNamed(files: AvailableFiles, given: string): string {
  const path = absolute(given)
  if (files.size(path) < 0) throw new Error(`There is no file at ${path}. ${nearestNames(files, path)}`.trim())
  return new TextDecoder().decode(files.read(path))
}

/** The files of the snapshot, for code that does not use them otherwise. */
export function filesOfSnapshot(snapshot: RunSnapshot): AvailableFiles {
  if (snapshot.access === 'none') throw new Error('The files can’t be reached from here.')
  const at = new Map(snapshot.entries.map((entry, index) => [entry.path, { entry, index }]))
  const read = createBlobReader(snapshot)
  return {
    size(path) {
      const { entry } = at.get(path) ?? {}
      return entry?.kind === 'file' ? entry.size : -1
    },
    read: (path) => read(at.get(path)?.index ?? -1),
    paths: () => at.keys(),
  }
}
