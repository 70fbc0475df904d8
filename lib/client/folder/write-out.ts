import { sha256HexOfBytes } from '@/lib/base/sha256-hex'
import { joinPath } from '@/lib/vfs/path'
import type { ReadableVfs } from '@/lib/vfs/vfs'
import { baseOf, type FileDifference, type MyFile } from './compare'
import { isNamed, readDisk, type Disk, type DiskContent, type DiskFileHandle, type DiskFolderHandle } from './disk'
import type { FolderLink, FolderStore, Journal, JournalRow } from './folder-store'
import { trashName } from './scan'

/*
 * Writes changes of the copy to the disk. The journal is stored first, so that after a crash the written files are
 * known. Each file is checked right before its new bytes replace it. A file that has changed since the comparison is
 * left alone. The API has no "replace if unchanged", so a write between that check and the browser's swap is not
 * detected. A file is deleted only after its bytes were copied to the trash folder and read back from there.
 */

/**
 * `changed`: differs from the comparison; `busy`: another writer has locked it; `denied`: no permission; `full`: no
 * space; `other`: a link, a folder, or a name that differs in case; `untried`: an earlier error ended the writing.
 */
export type WriteOutcome =
  | 'written'
  | 'deleted'
  | 'changed'
  | 'busy'
  | 'denied'
  | 'full'
  | 'other'
  | 'failed'
  | 'untried'

export interface WrittenRow {
  readonly path: string
  readonly outcome: WriteOutcome
}

export interface WriteOutWork {
  readonly vfs: Pick<ReadableVfs, 'read' | 'tree'>
  readonly store: FolderStore
  readonly disk: Disk
  readonly link: Pick<FolderLink, 'id' | 'root'>
  /** Epoch milliseconds. */
  readonly now: () => number
  readonly onProgress?: (done: number) => void
}

/** Errors that end all writing. */
const endings = new Set<WriteOutcome>(['denied', 'full'])

function outcomeOf(error: unknown): WriteOutcome {
  if (isNamed(error, 'NoModificationAllowedError', 'InvalidStateError')) return 'busy'
  if (isNamed(error, 'NotAllowedError', 'SecurityError')) return 'denied'
  if (isNamed(error, 'QuotaExceededError')) return 'full'
  if (isNamed(error, 'TypeMismatchError')) return 'other'
  return isNamed(error, 'NotFoundError', 'NotReadableError') ? 'changed' : 'failed'
}

const journalRow = ({ path, disk, mine, theirs }: FileDifference): JournalRow => ({
  path,
  disk,
  before: theirs?.hash ?? null,
  after: mine?.hash ?? null,
  version: mine?.version ?? '',
  done: false,
})

/** Writes these files, deletions first. Rejects, without writing anything, if the browser can't store the journal. */
export async function writeOut(rows: readonly FileDifference[], work: WriteOutWork): Promise<readonly WrittenRow[]> {
  const { store, link, now, onProgress } = work
  const inOrder = rows.toSorted((one, other) => Number(one.mine !== null) - Number(other.mine !== null))
  const at = now()
  let journal: Journal = { link: link.id, at, rows: inOrder.map(journalRow) }
  await store.update(link.id, { journal })
  const results: WrittenRow[] = []
  let ended = false
  for (const [index, row] of inOrder.entries()) {
    let outcome: WriteOutcome = 'untried'
    if (!ended) {
      try {
        const done = row.mine === null ? await deleteOne(row, at, work) : await writeOne(row, row.mine, work)
        if (typeof done === 'string') outcome = done
        else {
          outcome = row.mine === null ? 'deleted' : 'written'
          journal = {
            ...journal,
            rows: journal.rows.map((one, place) => (place === index ? { ...one, done: true } : one)),
          }
          await store.update(link.id, {
            journal,
            ...(row.mine ? { put: [baseOf(row.path, row.disk, done, row.mine.version)] } : { remove: [row.path] }),
          })
        }
      } catch (error) {
        if (outcome !== 'untried') throw error
        outcome = outcomeOf(error)
      }
    }
    ended ||= endings.has(outcome)
    results.push({ path: row.path, outcome })
    onProgress?.(results.length)
  }
  // An empty file may remain where the writing ended. The journal records it.
  if (!ended) await store.update(link.id, { journal: null })
  return results
}

async function writeOne(
  { path, disk: name, theirs }: FileDifference,
  mine: MyFile,
  { vfs, disk, link }: WriteOutWork,
): Promise<DiskContent | WriteOutcome> {
  const read = await vfs.read(joinPath(link.root, path))
  if (!read.ok || (await sha256HexOfBytes(read.value)) !== mine.hash) return 'changed'
  const before = await disk.read(name)
  if (before === 'other') return 'other'
  if (before?.hash !== theirs?.hash) return 'changed'
  const found = before === null ? await disk.make(name) : await disk.locate(name)
  if (found.kind !== 'there') return found.kind === 'other' ? 'other' : 'changed'
  const { handle, parent } = found
  try {
    const isDone = await replace(handle, read.value, before?.hash ?? (await sha256HexOfBytes(new Uint8Array())))
    if (!isDone) return 'changed'
  } catch (error) {
    if (before === null) await removeIfEmpty(handle, parent, disk)
    throw error
  }
  const after = await readDisk(handle)
  return after.hash === mine.hash ? after : 'changed'
}

/** False, with nothing changed, if the file does not hold `expected` right before the swap. */
async function replace(handle: DiskFileHandle, bytes: Uint8Array, expected: string): Promise<boolean> {
  const writable = await handle.createWritable({ mode: 'exclusive' })
  let isClosed = false
  try {
    await writable.write(bytes as Uint8Array<ArrayBuffer>)
    if ((await readDisk(handle)).hash !== expected) return false
    isClosed = true
    await writable.close()
    return true
  } catch (error) {
    isClosed = false
    throw error
  } finally {
    if (!isClosed) await writable.abort().catch(() => undefined)
  }
}

/** Removes the empty file made for one that could not be written. The journal records what fails here. */
async function removeIfEmpty(handle: DiskFileHandle, parent: DiskFolderHandle, disk: Disk): Promise<void> {
  try {
    if ((await handle.getFile()).size === 0) await disk.remove(parent, handle.name)
  } catch {
    // The file stays, empty.
  }
}

async function deleteOne(
  { disk: name, theirs }: FileDifference,
  at: number,
  { vfs, disk, link }: WriteOutWork,
): Promise<DiskContent | WriteOutcome> {
  const before = await disk.read(name)
  if (before === 'other') return 'other'
  if (before === null || before.hash !== theirs?.hash) return 'changed'
  const kept = await disk.make(`${trashName}/${trashTime(at)}/${name}`)
  if (kept.kind !== 'there') return 'other'
  await replace(kept.handle, before.bytes, await sha256HexOfBytes(new Uint8Array()))
  if ((await readDisk(kept.handle)).hash !== before.hash) return 'failed'
  const found = await disk.locate(name)
  if (found.kind !== 'there' || (await readDisk(found.handle)).hash !== before.hash) return 'changed'
  await disk.remove(found.parent, found.handle.name)
  const tree = await vfs.tree(link.root)
  const inCopy = new Set(tree.ok ? tree.value.map((entry) => entry.path.slice(link.root.length + 1)) : [])
  await disk.prune(name, (folder) => tree.ok && !inCopy.has(folder.normalize('NFC'))).catch(() => undefined)
  return (await disk.read(name)) === null ? before : 'changed'
}

/** A new folder name each time, valid on every system. */
export const trashTime = (at: number): string => new Date(at).toISOString().slice(0, 19).replaceAll(':', '-')

/** A journal of an interrupted write, compared with the disk. */
export interface JournalState {
  readonly written: readonly JournalRow[]
  /** Unchanged. */
  readonly unwritten: readonly JournalRow[]
  /** Neither state: another program has changed the file since. */
  readonly unclear: readonly JournalRow[]
}

/** Returns which files of a journal were written. Rejects with the browser's error if the folder can't be read. */
export async function inspectJournal({ rows }: Journal, disk: Disk): Promise<JournalState> {
  const written: JournalRow[] = []
  const unwritten: JournalRow[] = []
  const unclear: JournalRow[] = []
  for (const row of rows) {
    const found = await disk.read(row.disk)
    const hash = found === 'other' ? 'other' : (found?.hash ?? null)
    const isPlaceholder = row.before === null && found !== null && found !== 'other' && found.size === 0
    if (row.done || hash === row.after) written.push(row)
    else if (hash === row.before || isPlaceholder) unwritten.push(row)
    else unclear.push(row)
  }
  return { written, unwritten, unclear }
}

/**
 * Closes the journal of an interrupted write. Written files become the new base; the rest can be compared and written
 * again.
 */
export async function settleJournal(
  state: JournalState,
  { store, disk, link }: Pick<WriteOutWork, 'store' | 'disk' | 'link'>,
): Promise<void> {
  const put = []
  const remove: string[] = []
  for (const row of [...state.written, ...state.unwritten]) {
    const found = await disk.read(row.disk)
    if (found === null) {
      if (row.after === null) remove.push(row.path)
    } else if (found !== 'other') {
      // An empty file that did not exist before is ours; its bytes were never written.
      const isPlaceholder = row.before === null && found.size === 0
      if (found.hash === row.after || isPlaceholder) {
        put.push(baseOf(row.path, row.disk, found, found.hash === row.after ? row.version : ''))
      }
    }
  }
  await store.update(link.id, { put, remove, journal: null })
}
