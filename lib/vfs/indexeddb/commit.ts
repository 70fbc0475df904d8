import { logDelta } from '../log/log-delta'
import type { TreeNode } from '../node-tree'
import type { FileContent, Unsettled, VersionedFiles } from '../versioned-files'
import { type Stores, settled, checkpointKey, type ChangeRecord, type Checkpoint, type StubRecord } from './database'
import { sha256 } from '@noble/hashes/sha2.js'

/** A tab's knowledge of the stored files. */
export interface Known {
  readonly files: VersionedFiles
  /** The last change that the files include; 0 before the first. */
  readonly generation: number
  /** The checkpoint that the changes build on; 0 before the first. */
  readonly checkpoint: number
  /** Bytes added or removed since the checkpoint: at most this many may be unreferenced. */
  readonly shifted: number
  /** The files of a copy that is not stored yet: the first change stores all of them. */
  readonly isNewCopy?: true
}

const checkpointAt = { changes: 256, paths: 1_000, shifted: 32_000_000 } as const

/** Copies the bytes if they are a view: the browser would store the whole buffer. */
const alone = (bytes: Uint8Array) => (bytes.byteLength === bytes.buffer.byteLength ? bytes : bytes.slice())

const sizeOf = (node: TreeNode | undefined) => (node?.image.kind === 'file' ? node.image.size : 0)

export interface Commit {
  /** The tab's knowledge once the change is stored. */
  readonly next: Known
  /**
   * Sends the whole change. If another tab has committed meanwhile, the browser aborts the transaction: `isOvertaken`.
   */
  put(stores: Stores): Promise<void>
}

/** Plans how to store a change to the files; `contents` includes everything that may be new. */
export function planCommit(known: Known, { nodes, logBefore }: Unsettled, contents: readonly FileContent[]): Commit {
  const { files, generation: before, checkpoint } = known
  const generation = before + 1
  let { shifted } = known
  for (const { before: old, now } of nodes.values()) shifted += sizeOf(old) + sizeOf(now)
  const isCheckpoint =
    known.isNewCopy === true ||
    generation - checkpoint >= checkpointAt.changes ||
    nodes.size > checkpointAt.paths ||
    shifted > checkpointAt.shifted ||
    (files.log.sets.length === 0 && logBefore.sets.length > 0)

  const putContents = (stores: Stores) => {
    for (const { version, bytes } of contents) stores('contents').put(alone(bytes), version)
  }

  async function putChange(stores: Stores): Promise<void> {
    const record: ChangeRecord = {
      generation,
      nodes: [...nodes].map(([path, { now }]) => [path, now ?? null]),
      log: logDelta(logBefore, files.log),
    }
    stores('changes').add(record)
    putContents(stores)
  }

  async function putCheckpoint(stores: Stores): Promise<void> {
    const stub = (past: number): StubRecord => ({ generation: past })
    stores('changes').add(stub(generation))
    for (let past = checkpoint + 1; past <= before; past++) stores('changes').put(stub(past))
    putContents(stores)
    const state: Checkpoint = { generation, nodes: [...files.nodes], log: files.log }
    stores('state').put(state, checkpointKey)
    const needed = files.versions()
    for (const key of await settled(stores('contents').getAllKeys())) {
      if (!needed.has(key as string)) stores('contents').delete(key)
    }
  }

  return isCheckpoint
    ? { next: { files, generation, checkpoint: generation, shifted: 0 }, put: putCheckpoint }
    : { next: { files, generation, checkpoint, shifted }, put: putChange }
}

/**
 * Whether nothing has changed the files since: the record or stub of the last change is always there, and a newer one
 * would follow it.
 */
export async function isCurrent(stores: Stores, { generation }: Known): Promise<boolean> {
  const keys = await settled(stores('changes').getAllKeys(IDBKeyRange.lowerBound(generation), 2))
  return generation === 0 ? keys.length === 0 : keys.length === 1 && keys[0] === generation
}

/** Up to this size, hashing on this thread is faster than the browser's own hash. */
const shortBytes = 8_192

async function hash(bytes: Uint8Array): Promise<Uint8Array> {
  // Missing if the page was loaded over plain HTTP from another machine.
  const { subtle } = crypto as { readonly subtle?: SubtleCrypto }
  if (bytes.byteLength <= shortBytes || subtle === undefined) return sha256(bytes)
  return new Uint8Array(await subtle.digest('SHA-256', bytes as Uint8Array<ArrayBuffer>))
}

/** Names bytes by their SHA-256, as 43 characters: only equal bytes have the same name. */
export async function nameContent(bytes: Uint8Array): Promise<FileContent> {
  const digest = await hash(bytes)
  const version = btoa(String.fromCharCode(...digest))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace('=', '')
  return { version, size: bytes.byteLength, bytes }
}
