import LightningFs from '@isomorphic-git/lightning-fs'
import { type FileChange, type Vfs, vfsLimits } from '@/lib/vfs/vfs'
import type { VfsResult } from '@/lib/vfs/vfs-result'
import { createWorkerVfs, type VfsWorkerPort } from '@/lib/vfs/indexeddb/worker-vfs'

export const ourScript = '/workers/vfs.js'
export const otherScript = '/workers/other.js'

/** The operations measured for each: everything under one folder, which `open` creates. */
export interface Contestant {
  readonly name: string
  /** When a resolved write is durable, and what else it guarantees. */
  readonly promise: string
  /** A new, empty folder. */
  open(id: string): Promise<BenchFolder>
}

export interface BenchFolder {
  write(name: string, data: Uint8Array): Promise<unknown>
  read(name: string): Promise<Uint8Array>
  list(): Promise<number>
  /** Waits for writes that finish later than promised; not measured. */
  rest?(): Promise<void>
  /** Creates many files at once, if there is a faster way; not measured. */
  fill?(names: readonly string[], data: Uint8Array): Promise<void>
}

function valueOf<T>(result: VfsResult<T>): T {
  if (!result.ok) throw new Error(result.error.message)
  return result.value
}

export const openWorker = (id: string, script = ourScript): Vfs =>
  createWorkerVfs({
    conversationId: id,
    limits: vfsLimits,
    startWorker: () => new Worker(script, { type: 'module' }) as VfsWorkerPort,
    openChannel: (name) => new BroadcastChannel(name),
  })

const fromWorker = (name: string, script: string): Contestant => ({
  name,
  promise: 'stored, whole, seen by other tabs',
  async open(id) {
    const vfs = openWorker(id, script)
    valueOf(await vfs.makeDirectory('/d'))
    return {
      write: async (file, data) => valueOf(await vfs.write(`/d/${file}`, data)),
      read: async (file) => valueOf(await vfs.read(`/d/${file}`)),
      list: async () => valueOf(await vfs.list('/d')).length,
      async fill(names, data) {
        valueOf(await vfs.apply(names.map((file): FileChange => ({ kind: 'write', path: `/d/${file}`, data }))))
      },
    }
  },
})

const lightning: Contestant = {
  name: 'lightning-fs 4.10.3',
  promise: 'bytes stored; names and sizes only up to 500 ms later, in one record; one tab only',
  async open(id) {
    const files = new LightningFs(id).promises
    await files.mkdir('/d')
    return {
      write: (name, data) => files.writeFile(`/d/${name}`, data),
      read: (name) => files.readFile(`/d/${name}`),
      list: async () => (await files.readdir('/d')).length,
    }
  },
}

const settled = <T>(request: IDBRequest<T>) =>
  new Promise<T>((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error ?? new Error('failed'))
  })

const bareDatabase: Contestant = {
  name: 'bare IndexedDB, one transaction a file',
  promise: 'stored, whole; no folders, sizes or times',
  async open(id) {
    const request = indexedDB.open(id, 1)
    request.onupgradeneeded = () => request.result.createObjectStore('files')
    const db = await settled(request)
    const put = (entries: readonly (readonly [string, Uint8Array])[]) =>
      new Promise<void>((resolve, reject) => {
        const change = db.transaction('files', 'readwrite')
        for (const [name, data] of entries) change.objectStore('files').put(data, name)
        change.oncomplete = () => resolve()
        change.onabort = () => reject(change.error ?? new Error('aborted'))
      })
    return {
      write: (name, data) => put([[name, data]]),
      read: (name) => settled<Uint8Array>(db.transaction('files').objectStore('files').get(name)),
      list: async () => (await settled(db.transaction('files').objectStore('files').getAllKeys())).length,
      fill: (names, data) => put(names.map((name) => [name, data])),
    }
  },
}

const bareOpfs: Contestant = {
  name: 'bare OPFS, createWritable',
  promise: 'stored, whole a file; a list knows no sizes',
  async open(id) {
    const root = await navigator.storage.getDirectory()
    const folder = await root.getDirectoryHandle(id, { create: true })
    return {
      async write(name, data) {
        const handle = await folder.getFileHandle(name, { create: true })
        const stream = await handle.createWritable()
        await stream.write(data as Uint8Array<ArrayBuffer>)
        await stream.close()
      },
      async read(name) {
        const file = await (await folder.getFileHandle(name)).getFile()
        return new Uint8Array(await file.arrayBuffer())
      },
      async list() {
        const names = await Array.fromAsync((folder as unknown as { keys(): AsyncIterable<string> }).keys())
        return names.length
      },
    }
  },
}

/** The other checkout's name. */
const { beside } = globalThis as { readonly beside?: string }

export const contestants: readonly Contestant[] = [
  fromWorker('Nod, as the app has it', ourScript),
  lightning,
  // Served only if the bench was given another checkout to compare.
  ...(beside === undefined ? [] : [fromWorker(beside, otherScript)]),
  bareDatabase,
  bareOpfs,
]
