import { decodeText } from '@/lib/base/text/text-encoding'
import { joinPath } from '@/lib/vfs/path'
import type { Vfs } from '@/lib/vfs/vfs'
import { compareFolder, type FileDifference, type FolderComparison } from './compare'
import { createDisk } from './disk'
import type { FolderLink, FolderStore } from './folder-store'
import type { ScanWork } from './scan'
import { takeIn, type Resolution, type TakenIn } from './take-in'
import { inspectJournal, settleJournal, writeOut, type JournalState, type WrittenRow } from './write-out'

/** The user's actions on one linked folder. */
export interface SyncPorts {
  /** Records its changes as the user's. */
  readonly vfs: Vfs
  readonly store: FolderStore
  readonly link: FolderLink
  /** Epoch milliseconds. */
  readonly now: () => number
}

type Choices = readonly (readonly [FileDifference, Resolution])[]

export function createSync({ vfs, store, link, now }: SyncPorts) {
  const work = () => ({ vfs, store, link, now, disk: createDisk(link.handle) })

  async function compare(scan: ScanWork = {}): Promise<FolderComparison> {
    const { disk } = work()
    const found = await compareFolder({ vfs, root: link.root, disk, base: await store.base(link.id) }, scan)
    const { put, remove } = found.agreed
    if (put.length + remove.length > 0) await store.update(link.id, found.agreed)
    return found
  }

  return {
    compare,
    /** A journal from an interrupted write, compared with the disk; null: the last write finished. */
    async interrupted(): Promise<(JournalState & { readonly at: number }) | null> {
      const journal = await store.journal(link.id)
      return journal && { at: journal.at, ...(await inspectJournal(journal, work().disk)) }
    },
    settle: (state: JournalState): Promise<void> => settleJournal(state, work()),
    takeIn: (incoming: readonly FileDifference[], settled: Choices): Promise<TakenIn> =>
      takeIn(incoming, settled, work()),
    /**
     * Settles conflicts, then writes. A file is written only in the state that the user saw. A file that the copy or
     * the disk has changed since is reported as `changed`.
     */
    async write(
      rows: readonly FileDifference[],
      settled: Choices,
      onProgress: (done: number, of: number) => void,
    ): Promise<readonly WrittenRow[] | (TakenIn & { readonly ok: false })> {
      const seen = new Map(rows.map((row) => [row.path, row]))
      const made = new Set<string>()
      if (settled.length > 0) {
        const taken = await takeIn([], settled, work())
        if (!taken.ok) return taken
        for (const [row, resolution] of settled) if (resolution === 'mine') seen.set(row.path, row)
        for (const path of taken.made) made.add(path)
      }
      const { outgoing } = await compare()
      const ready = outgoing.filter((row) => {
        if (made.has(row.path)) return true
        const then = seen.get(row.path)
        return then && then.mine?.version === row.mine?.version && then.theirs?.hash === row.theirs?.hash
      })
      const missed = [...seen.keys()].filter((path) => !ready.some((row) => row.path === path))
      const written = await writeOut(ready, { ...work(), onProgress: (done) => onProgress(done, ready.length) })
      return [...written, ...missed.map((path) => ({ path, outcome: 'changed' as const }))]
    },
    /** The texts of a file in its three states. */
    async sides(row: FileDifference): Promise<Readonly<Record<'base' | 'mine' | 'theirs', SideText>>> {
      const path = joinPath(link.root, row.path)
      const mine = row.mine === null ? null : await vfs.read(path)
      const theirs = row.theirs === null ? null : await work().disk.read(row.disk)
      return {
        base: row.base === null ? '' : textOf(await bytesOfVersion(vfs, path, row.base.version)),
        mine: mine === null ? '' : textOf(mine.ok ? mine.value : null),
        theirs: theirs === null ? '' : textOf(theirs === 'other' ? null : theirs.bytes),
      }
    },
  }
}

export type FolderSync = ReturnType<typeof createSync>

/** Empty if there is no file; null: not text, or too long to compare. */
type SideText = string | null

const maxTextBytes = 1_000_000

function textOf(bytes: Uint8Array | null): SideText {
  return bytes === null || bytes.byteLength > maxTextBytes ? null : (decodeText(bytes)?.text ?? null)
}

/** The content of the base, from the current file or from the history. Null: neither has it any longer. */
async function bytesOfVersion(vfs: Vfs, path: string, version: string): Promise<Uint8Array | null> {
  const now = await vfs.stat(path)
  if (now.ok && now.value.version === version) {
    const read = await vfs.read(path)
    return read.ok ? read.value : null
  }
  const sets = await vfs.history.list()
  for (const { id, changes } of sets.ok ? sets.value : []) {
    const change = changes.find((one) => one.path === path)
    for (const side of ['after', 'before'] as const) {
      const image = change?.[side]
      if (image?.kind !== 'file' || image.version !== version) continue
      const read = await vfs.history.read(id, path, side)
      if (read.ok) return read.value
    }
  }
  return null
}
