import { readBytes, type BlobPart } from './file-bytes'
import { parentOf } from './path'
import type { VfsSnapshot, VfsTreeEntry } from './vfs'

/*
 * All files in few Blobs. A Blob crosses workers and frames as a handle, so fewer Blobs arrive sooner, and Blobs with
 * unchanged contents are not read again. A new file must therefore not change how other files are grouped: files are
 * split by the bits of a hash, the folder's first, until each group is small enough.
 */
export const bundleLimits = { bytes: 4_000_000, files: 1_000 } as const

/** Larger files get their own Blob: they would split the group around them. */
const aloneAbove = bundleLimits.bytes / 2

interface Placed {
  readonly entry: VfsTreeEntry
  readonly index: number
  readonly hash: number
}

/** FNV-1a, folded to 16 bits. */
function hash16(text: string): number {
  let sum = 0x811c9dc5
  for (let at = 0; at < text.length; at++) sum = Math.imul(sum ^ text.charCodeAt(at), 0x01000193)
  return ((sum >>> 16) ^ sum) & 0xffff
}

const fits = (files: readonly Placed[]) =>
  files.length <= bundleLimits.files && files.reduce((sum, { entry }) => sum + entry.size, 0) <= bundleLimits.bytes

function split(files: readonly Placed[], bit = 31): readonly (readonly Placed[])[] {
  if (files.length === 0) return []
  if (fits(files)) return [files]
  // No bits left: names with the same hash. Half of them is smaller in any case.
  const isLow = ({ hash }: Placed, at: number) => (bit < 0 ? at < files.length / 2 : ((hash >>> bit) & 1) === 0)
  const low = files.filter(isLow)
  const high = files.filter((file, at) => !isLow(file, at))
  return [...split(low, bit - 1), ...split(high, bit - 1)]
}

/** The groups of files, one group per Blob, in the order of their contents. */
export function bundlesOf(entries: readonly VfsTreeEntry[]): readonly (readonly Placed[])[] {
  const folders = new Map<string, number>()
  const folderHash = (path: string) => {
    const known = folders.get(path) ?? hash16(path)
    folders.set(path, known)
    return known
  }
  const alone: (readonly Placed[])[] = []
  const small: Placed[] = []
  for (const [index, entry] of entries.entries()) {
    if (entry.kind === 'directory') continue
    const file = { entry, index, hash: ((folderHash(parentOf(entry.path)) << 16) | hash16(entry.name)) >>> 0 }
    if (entry.size > aloneAbove) alone.push([file])
    else small.push(file)
  }
  return [...split(small), ...alone]
}

/** Makes snapshots, and keeps the Blobs of the last one: unchanged files are not read again. */
export function createSnapshots() {
  let kept: ReadonlyMap<string, Blob> = new Map()
  return {
    /**
     * `entries` as returned by `tree('/')`; `read` returns the contents of one of its files, which must not be
     * modified.
     */
    async take(
      entries: readonly VfsTreeEntry[],
      read: (entry: VfsTreeEntry) => Uint8Array | Promise<Uint8Array>,
    ): Promise<VfsSnapshot> {
      const places: (readonly [number, number])[] = entries.map(() => [-1, 0])
      const numbers = new Map<string, number>()
      const blobs: Blob[] = []
      for (const files of bundlesOf(entries)) {
        const key = files.map(({ entry }) => entry.version).join(',')
        const number = numbers.get(key) ?? blobs.length
        let offset = 0
        for (const { index, entry } of files) {
          places[index] = [number, offset]
          offset += entry.size
        }
        if (number < blobs.length) continue
        numbers.set(key, number)
        const parts = async () =>
          (await Promise.all(files.map(async ({ entry }) => read(entry)))) as Uint8Array<ArrayBuffer>[]
        blobs.push(kept.get(key) ?? new Blob(await parts()))
      }
      kept = new Map([...numbers].flatMap(([key, number]) => (blobs[number] ? [[key, blobs[number]] as const] : [])))
      return { entries, places, blobs }
    },
    /** Releases all Blobs. */
    forget(): void {
      kept = new Map()
    },
  }
}

/** The location of an entry's contents by its index in a snapshot; null for a folder. */
export function partOf({ entries, places, blobs }: VfsSnapshot, index: number): BlobPart | null {
  const [bundle, at] = places[index] ?? [-1, 0]
  const blob = blobs[bundle]
  return blob === undefined ? null : { blob, at, size: entries[index]?.size ?? 0 }
}

/** The contents of one file in a snapshot; null for a folder or an unknown path. */
export async function readFromSnapshot(snapshot: VfsSnapshot, path: string): Promise<Uint8Array | null> {
  const part = partOf(
    snapshot,
    snapshot.entries.findIndex((entry) => entry.path === path),
  )
  return part && readBytes(part)
}
