import { prepareContent } from './content'
import { settled, type Database, type Stores } from './database'
import { foldedKey, type CommitRecord, type ContentRecord, type FoldedRecord, type NodeRecord } from './records'
import { rootId } from './tree'

/*
 * Databases of version 1, as ZenFS's StoreFS wrote them: numbers → bytes in an object store named like the database. Number 0
 * is the root's inode. Of an inode: the number of its data (32 bits at 0), size (32 bits at 8), mode (16 bits at 12), mtime
 * (a double at 42), all little-endian. A folder's data is JSON, names → inode numbers. The files lay in `files`, beside
 * `scratch`, where unfinished ones may be left over.
 */
const at = { data: 0, size: 8, mode: 12, modifiedAt: 42 } as const
const kindBits = 0o170_000
const fileBits = 0o100_000
const folderBits = 0o040_000
const filesFolder = 'files'

interface OldInode {
  readonly data: number
  readonly size: number
  readonly kind: 'file' | 'directory' | 'other'
  readonly modifiedAt: number
}

function decodeInode(bytes: Uint8Array): OldInode {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const bits = view.getUint16(at.mode, true) & kindBits
  return {
    data: view.getUint32(at.data, true),
    size: view.getUint32(at.size, true),
    kind: bits === fileBits ? 'file' : bits === folderBits ? 'directory' : 'other',
    modifiedAt: Math.round(view.getFloat64(at.modifiedAt, true)),
  }
}

function oldReader(db: IDBDatabase, store: string) {
  const get = (id: number) =>
    settled<Uint8Array | undefined>(db.transaction(store, 'readonly').objectStore(store).get(id))
  return {
    get,
    async inode(id: number): Promise<OldInode | null> {
      const bytes = await get(id)
      return bytes === undefined ? null : decodeInode(bytes)
    },
    async listing({ data }: OldInode): Promise<readonly (readonly [string, number])[]> {
      const bytes = await get(data)
      return bytes === undefined
        ? []
        : Object.entries(JSON.parse(new TextDecoder().decode(bytes)) as Record<string, number>)
    },
  }
}

/**
 * Brings the files of a version 1 database over, once. Blocks go first, a file at a time; tree, head and the end of the old
 * records are one transaction. Cut off anywhere before it, all is done again; nothing that was stored is lost.
 */
export async function carryOver(database: Database): Promise<void> {
  const { oldStore, connection } = database
  if (oldStore === null) return
  const old = oldReader(connection, oldStore)
  const unlessDone = (body: (stores: Stores) => void) =>
    database.transact('readwrite', async (stores) => {
      if ((await settled(stores('commits').count())) === 0) body(stores)
    })
  const isDone = await database.transact('readonly', async (stores) => (await settled(stores('commits').count())) > 0)
  if (isDone) return

  const nodes: NodeRecord[] = []
  const contents: ContentRecord[] = []

  async function carry(id: number, parent: number, name: string): Promise<void> {
    const inode = await old.inode(id)
    if (inode === null || inode.kind === 'other') return
    const { kind, modifiedAt } = inode
    const node = { id: rootId + 1 + nodes.length, parent, name, kind, size: 0, modifiedAt, version: '' }
    if (kind === 'directory') {
      nodes.push(node)
      for (const [inner, innerId] of await old.listing(inode)) await carry(innerId, node.id, inner)
      return
    }
    const bytes = ((await old.get(inode.data)) ?? new Uint8Array()).subarray(0, inode.size)
    const { version, size, blocks } = await prepareContent(bytes)
    nodes.push({ ...node, size, version })
    if (blocks.length > 1)
      contents.push({ version, blocks: blocks.map(({ key, size: length }) => ({ key, size: length })) })
    await unlessDone((stores) => {
      for (const block of blocks) stores('blocks').put(block.bytes, block.key)
    })
  }

  const top = await old.inode(0)
  const root = top === null ? undefined : (await old.listing(top)).find(([name]) => name === filesFolder)
  const files = root === undefined ? null : await old.inode(root[1])
  for (const [name, id] of files === null ? [] : await old.listing(files)) await carry(id, rootId, name)

  const ids = { generation: 1, nextNodeId: rootId + 1 + nodes.length, nextSetId: 1 }
  const folded: FoldedRecord = ids
  const empty = { nodes: [], goneNodes: [], sets: [], goneSets: [], base: [], goneBase: [], contents: [], blocks: [] }
  const commit: CommitRecord = { ...ids, ...empty }
  await unlessDone((stores) => {
    for (const node of nodes) stores('nodes').put(node)
    for (const content of contents) stores('contents').put(content)
    stores('meta').put(folded, foldedKey)
    stores('commits').add(commit)
  })
  // What follows from it alone: nobody reads the old records any more.
  const clearing = connection.transaction(oldStore, 'readwrite')
  clearing.objectStore(oldStore).clear()
}
