import { logDelta } from '../log/log-delta'
import type { TreeNode } from '../node-tree'
import type { FileContent, Unsettled, VersionedFiles } from '../versioned-files'
import { type Stores, settled, checkpointKey, type ChangeRecord, type Checkpoint, type StubRecord } from './database'
import { sha256 } from '@noble/hashes/sha2.js'

/** What a tab knows of the files. */
export interface Known {
  readonly files: VersionedFiles
  /** The last change that the files hold; 0 before the first. */
  readonly generation: number
  /** The checkpoint that the changes up to it follow; 0 before the first. */
  readonly checkpoint: number
  /** Bytes that came or went since then: so much may lie there that nothing refers to. */
  readonly shifted: number
  /** The files of a copy that is not stored yet: the first change stores all of it. */
  readonly isNewCopy?: true
}

const checkpointAt = { changes: 256, paths: 1_000, shifted: 32_000_000 } as const

/** A copy where the bytes are a view: the browser would store all of the memory behind it. */
const alone = (bytes: Uint8Array) => (bytes.byteLength === bytes.buffer.byteLength ? bytes : bytes.slice())

const sizeOf = (node: TreeNode | undefined) => (node?.image.kind === 'file' ? node.image.size : 0)

export interface Commit {
  /** What is known once it is stored. */
  readonly next: Known
  /** Sends all of it; when someone else has committed meanwhile, the browser gives the transaction up: `isOvertaken`. */
  put(stores: Stores): Promise<void>
}

/** How to store what the files changed; `contents` are all that may be new. */
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

/** Whether nobody has changed the files since: the last change, or its stub, always stands, and a new one stands beside it. */
export async function isCurrent(stores: Stores, { generation }: Known): Promise<boolean> {
  const keys = await settled(stores('changes').getAllKeys(IDBKeyRange.lowerBound(generation), 2))
  return generation === 0 ? keys.length === 0 : keys.length === 1 && keys[0] === generation
}

/** Up to here a hash on this thread is there sooner than one from the browser's. */
const shortBytes = 8_192

async function hash(bytes: Uint8Array): Promise<Uint8Array> {
  // Missing where a page came over plain HTTP from another machine.
  const { subtle } = crypto as { readonly subtle?: SubtleCrypto }
  if (bytes.byteLength <= shortBytes || subtle === undefined) return sha256(bytes)
  return new Uint8Array(await subtle.digest('SHA-256', bytes as Uint8Array<ArrayBuffer>))
}

/** Bytes by the name that only equal ones have: their SHA-256, as 43 characters. */
export async function nameContent(bytes: Uint8Array): Promise<FileContent> {
  const digest = await hash(bytes)
  const version = btoa(String.fromCharCode(...digest))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace('=', '')
  return { version, size: bytes.byteLength, bytes }
}
