import { sha256HexOfBytes } from '@/lib/base/sha256-hex'
import { isInside } from '@/lib/vfs/path'
import type { ReadableVfs } from '@/lib/vfs/vfs'
import { isNamed, type Disk, type DiskContent } from './disk'
import type { BaseFile } from './folder-store'
import { leadsToNeverTaken, scanFolder, type FolderScan, type ScanWork } from './scan'

/** Why a new name would fail on another system. `twin`: another name differs in case only. */
export type NameRisk = 'reserved' | 'ending' | 'character' | 'twin'

const reserved = /^(?:con|prn|aux|nul|com[1-9¹²³]|lpt[1-9¹²³])(?:\.|$)/i

function riskOfName(name: string): NameRisk | null {
  if (reserved.test(name)) return 'reserved'
  if (/[. ]$/.test(name)) return 'ending'
  return /[<>:"|?*]/.test(name) ? 'character' : null
}

/** Compares names as a disk does that ignores case. */
const foldCase = (path: string): string => path.normalize('NFC').toLowerCase()

/** `paths`: all files of the folder, of the copy and of the disk. */
export function createNameCheck(paths: Iterable<string>): (path: string) => NameRisk | null {
  const spellings = new Map<string, Set<string>>()
  for (const path of paths) {
    const parts = path.split('/')
    for (const at of parts.keys()) {
      const upTo = parts.slice(0, at + 1).join('/')
      const known = spellings.get(foldCase(upTo))
      if (known) known.add(upTo)
      else spellings.set(foldCase(upTo), new Set([upTo]))
    }
  }
  return (path) => {
    const parts = path.split('/')
    for (const [at, part] of parts.entries()) {
      const risk = riskOfName(part)
      if (risk !== null) return risk
      if ((spellings.get(foldCase(parts.slice(0, at + 1).join('/')))?.size ?? 0) > 1) return 'twin'
    }
    return null
  }
}

/*
 * Three states of each file: base (the last state on which copy and disk agreed), mine (the copy now), theirs (the disk
 * now).
 *   mine = theirs            nothing to do; the base is updated
 *   theirs = base ≠ mine     write to the disk
 *   mine = base ≠ theirs     copy from the disk
 *   all three differ         conflict
 * "No file" is a state too: a new file has no base, a deleted one has no `mine` or no `theirs`.
 */

export interface MyFile {
  readonly size: number
  readonly version: string
  readonly hash: string
}

export type TheirFile = Pick<DiskContent, 'size' | 'modifiedAt' | 'hash'>

export interface FileDifference {
  /** Relative path in the workspace. */
  readonly path: string
  /** Relative path on disk. */
  readonly disk: string
  readonly base: BaseFile | null
  readonly mine: MyFile | null
  readonly theirs: TheirFile | null
}

export interface OutgoingFile extends FileDifference {
  /** Why the name of a new file fails on some systems. */
  readonly risk: NameRisk | null
}

/**
 * `other`: a link, a name that differs in case, or a folder; `never`: Nod does not write there; `unreadable`: the disk
 * refuses.
 */
export type BlockedWhy = 'other' | 'never' | 'unreadable'

export interface FolderComparison {
  readonly outgoing: readonly OutgoingFile[]
  readonly incoming: readonly FileDifference[]
  readonly conflicts: readonly FileDifference[]
  readonly blocked: readonly { readonly path: string; readonly why: BlockedWhy }[]
  readonly scan: FolderScan
  /** The whole copy is missing, so nothing should be deleted on disk. */
  readonly isCopyGone: boolean
  /** Both sides agree, but the base differs. */
  readonly agreed: { readonly put: readonly BaseFile[]; readonly remove: readonly string[] }
}

export interface CompareInput {
  readonly vfs: Pick<ReadableVfs, 'tree' | 'read'>
  /** The folder of the copy in the workspace. */
  readonly root: string
  readonly disk: Disk
  readonly base: readonly BaseFile[]
}

/** The change from one state to the next. */
export const kindOf = (before: unknown, after: unknown): 'new' | 'changed' | 'deleted' =>
  before === null ? 'new' : after === null ? 'deleted' : 'changed'

const sameHash = (one: { readonly hash: string } | null, other: { readonly hash: string } | null): boolean =>
  one?.hash === other?.hash

/** Compares a copy with the disk as it is now. Rejects with the browser's error if the folder can't be read. */
export async function compareFolder(
  { vfs, root, disk, base }: CompareInput,
  work: ScanWork = {},
): Promise<FolderComparison> {
  const scan = await scanFolder(disk.root, work)
  const tree = await vfs.tree(root)
  const [outgoing, incoming, conflicts]: [OutgoingFile[], FileDifference[], FileDifference[]] = [[], [], []]
  const blocked: { path: string; why: BlockedWhy }[] = []
  const agreed: { put: BaseFile[]; remove: string[] } = { put: [], remove: [] }
  const result = { outgoing, incoming, conflicts, blocked, scan, agreed }
  if (!tree.ok) return { ...result, isCopyGone: true }

  const bases = new Map(base.map((file) => [file.path, file]))
  const listed = new Map(scan.files.map((file) => [file.path, file]))
  const copies = new Map(
    tree.value.flatMap((entry) =>
      entry.kind === 'file' && isInside(entry.path, root) ? [[entry.path.slice(root.length + 1), entry] as const] : [],
    ),
  )
  const riskOf = createNameCheck([...copies.keys(), ...bases.keys(), ...listed.keys()])

  async function mineAt(path: string, known: BaseFile | null): Promise<MyFile | null> {
    const entry = copies.get(path)
    if (!entry) return null
    const { size, version } = entry
    if (version === known?.version) return { size, version, hash: known.hash }
    const read = await vfs.read(entry.path)
    return read.ok ? { size, version, hash: await sha256HexOfBytes(read.value) } : null
  }

  /** If the copy did not change a file, its size and time are enough to recognize it. Other files are read. */
  async function theirsAt(path: string, name: string, known: BaseFile | null, isMineChanged: boolean) {
    const found = listed.get(path)
    if (found && known && !isMineChanged && found.size === known.size && found.modifiedAt === known.modifiedAt) {
      return known
    }
    return disk.read(name)
  }

  for (const path of new Set([...bases.keys(), ...copies.keys(), ...listed.keys()])) {
    work.signal?.throwIfAborted()
    const known = bases.get(path) ?? null
    const name = known?.disk ?? listed.get(path)?.disk ?? path
    const mine = await mineAt(path, known)
    const isMineChanged = !sameHash(mine, known)
    if (leadsToNeverTaken(path)) {
      if (isMineChanged) blocked.push({ path, why: 'never' })
      continue
    }
    let theirs: TheirFile | null | 'other'
    try {
      theirs = await theirsAt(path, name, known, isMineChanged)
    } catch (error) {
      if (!isNamed(error, 'NotReadableError', 'NotAllowedError', 'NotFoundError')) throw error
      blocked.push({ path, why: 'unreadable' })
      continue
    }
    if (theirs === 'other') {
      blocked.push({ path, why: 'other' })
      continue
    }
    const row: FileDifference = { path, disk: name, base: known, mine, theirs: theirs && theirsOf(theirs) }
    if (sameHash(mine, theirs)) agree(row, agreed)
    else if (sameHash(theirs, known)) outgoing.push({ ...row, risk: theirs === null ? riskOf(path) : null })
    else if (!isMineChanged) incoming.push(row)
    else conflicts.push(row)
  }
  for (const rows of [outgoing, incoming, conflicts, blocked])
    rows.sort((one, other) => (one.path < other.path ? -1 : 1))
  return { ...result, isCopyGone: false }
}

const theirsOf = ({ size, modifiedAt, hash }: TheirFile): TheirFile => ({ size, modifiedAt, hash })

/** The new base after copy and disk agree. */
export const baseOf = (path: string, disk: string, theirs: TheirFile, version: string): BaseFile => ({
  path,
  disk,
  ...theirsOf(theirs),
  version,
})

function agree(
  { path, disk, base, mine, theirs }: FileDifference,
  agreed: { put: BaseFile[]; remove: string[] },
): void {
  if (mine === null || theirs === null) return void (base && agreed.remove.push(path))
  const isKnown = base?.hash === theirs.hash && base.version === mine.version && base.modifiedAt === theirs.modifiedAt
  if (!isKnown) agreed.put.push(baseOf(path, disk, theirs, mine.version))
}
