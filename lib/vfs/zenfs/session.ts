import { fs } from '@zenfs/core'
import { lockName } from './database-name'
import { openDatabase, type Database, type Meta, type Mount } from './database'

const disk = fs.promises

/** Ports of a session: the browser's, or a test's. */
export interface SessionPorts {
  readonly indexedDB: IDBFactory
  readonly locks: Pick<LockManager, 'request'>
  readonly newId: () => string
}

/** What one operation works on while it holds the lock. */
export interface Files {
  /** Where the conversation's root lies for ZenFS's promise API. */
  readonly root: string
  /** Where unfinished files lie, out of the conversation's sight. */
  readonly scratch: string
  /** To look and read without the promise API; the root lies at `storeRoot` there. */
  readonly store: Mount['store']
  readonly usage: { readonly bytes: number; readonly files: number }
}

/** Where the conversation's files lie in its database, beside the scratch folder. */
export const storeRoot = '/files'

export interface Session {
  /** Runs `body` while nobody, in any tab, changes the files. */
  reading<T>(body: (files: Files) => Promise<T>): Promise<T>
  /** Runs `body` alone; it gives back what changed, or null when nothing did. */
  changing<T>(body: (files: Files) => Promise<{ value: T; delta: { bytes: number; files: number } | null }>): Promise<T>
  close(): void
}

interface Entered {
  readonly db: Database
  readonly mount: Mount
}

/** Bytes and files in a folder, all the way down. */
export async function measure(folder: string): Promise<{ bytes: number; files: number }> {
  let bytes = 0
  let files = 0
  for (const name of await disk.readdir(folder)) {
    const stats = await disk.lstat(`${folder}/${name}`)
    const inside = stats.isDirectory() ? await measure(`${folder}/${name}`) : { bytes: stats.size, files: 1 }
    bytes += inside.bytes
    files += inside.files
  }
  return { bytes, files }
}

/**
 * Access to one conversation's files, safe with any number of tabs.
 *
 * ZenFS keeps inode numbers and paths in memory, so two mounts of one database corrupt each other. Here every operation
 * runs under the Web Lock of the conversation (shared to read, exclusive to change), and every change first stores a new
 * generation: a mount that was made under another generation is stale and is made again before anything is touched. The
 * mark is stored before the change, so that a tab that dies in between costs the others a mount, never a stale view.
 */
export function createSession(name: string, ports: SessionPorts): Session {
  let database: Database | null = null
  let mounted: (Mount & { readonly generation: string }) | null = null
  let usage: Meta['usage'] = null
  let entering: Promise<unknown> = Promise.resolve()

  const discard = () => {
    mounted?.discard()
    mounted = null
  }

  /** Mounts if needed. One at a time, also when several readers share the lock. */
  const enter = (): Promise<Entered> => {
    const next = entering.then(async () => {
      if (database === null || !database.isOpen) {
        discard()
        database = await openDatabase(name, ports.indexedDB)
      }
      const meta = await database.readMeta()
      const generation = meta?.generation ?? ''
      if (mounted === null || mounted.generation !== generation) {
        discard()
        mounted = { ...(await database.guard(database.mount())), generation }
        usage = meta?.usage ?? null
      }
      return { db: database, mount: mounted }
    })
    entering = next.catch(() => {})
    return next
  }

  /**
   * First use, or a change that was cut off: folders are made, unfinished files go, the others are counted. This changes
   * the files, so it needs the exclusive lock.
   */
  async function settle({ db, mount }: Entered): Promise<void> {
    const generation = ports.newId()
    await db.writeMeta({ generation, usage: null })
    const work = async () => {
      const { root, scratch } = filesAt(mount)
      await disk.mkdir(root, { recursive: true })
      await disk.rm(scratch, { recursive: true, force: true })
      await disk.mkdir(scratch)
      return measure(root)
    }
    const counted = await db.guard(work())
    await db.writeMeta({ generation, usage: counted })
    mounted = { ...mount, generation }
    usage = counted
  }

  const locked = <T>(mode: 'shared' | 'exclusive', body: () => Promise<T>): Promise<T> =>
    ports.locks.request(lockName(name), { mode }, async () => {
      try {
        return await body()
      } catch (thrown) {
        // The tables in memory may not be what is stored: the next operation mounts again.
        discard()
        throw thrown
      }
    })

  const filesAt = ({ at, store }: Mount): Files => ({
    root: at + storeRoot,
    scratch: `${at}/scratch`,
    store,
    usage: usage ?? { bytes: 0, files: 0 },
  })

  return {
    async reading(body) {
      for (;;) {
        const done = await locked('shared', async () => {
          const { db, mount } = await enter()
          return usage === null ? null : { value: await db.guard(body(filesAt(mount))) }
        })
        if (done !== null) return done.value
        await locked('exclusive', async () => {
          const entered = await enter()
          if (usage === null) await settle(entered)
        })
      }
    },
    changing: (body) =>
      locked('exclusive', async () => {
        const entered = await enter()
        if (usage === null) await settle(entered)
        const { db, mount } = entered
        const generation = ports.newId()
        await db.writeMeta({ generation, usage: null })
        const before = usage ?? { bytes: 0, files: 0 }
        const { value, delta } = await db.guard(body(filesAt(mount)))
        usage = { bytes: before.bytes + (delta?.bytes ?? 0), files: before.files + (delta?.files ?? 0) }
        await db.writeMeta({ generation, usage })
        mounted = { ...mount, generation }
        return value
      }),
    close() {
      discard()
      database?.close()
      database = null
    },
  }
}
