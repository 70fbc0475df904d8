import type { VfsResult } from '../vfs'
import { planCommit, type Commit } from './commit'
import { isOvertaken, openDatabase, settled, type Database, type Stores } from './database'
import { catchUp, isCurrent, type Known } from './loading'
import { carryOver } from './old-layout'
import type { State } from './state'

/** What one transaction takes at once: the others wait for the next. */
const maxJoined = 200

/** The files as of one moment, while a transaction holds it. */
export interface View {
  readonly state: State
  /** The bytes of a content, newly made for the caller. */
  bytes(version: string, size: number): Promise<Uint8Array>
}

export interface FileStore {
  /** Runs `body` on the files as they are, whichever tab changed them last. It may run twice: only its last value counts. */
  read<T>(body: (view: View) => Promise<T>): Promise<T>
  /**
   * Runs `body` on the files in memory, once `prepared` is there, and stores what it changed; a failure changes nothing. It
   * may run more than once. Calls are served in their order; those that wait share a transaction, each with its own result.
   */
  change<P, T>(prepared: Promise<P>, body: (state: State, prepared: P) => VfsResult<T>): Promise<VfsResult<T>>
  close(): void
}

export interface StorePorts {
  readonly indexedDB: IDBFactory
  /** Called after each transaction that changed something. */
  readonly announce: () => void
}

interface ReadJob {
  readonly kind: 'read'
  run(view: View): Promise<unknown>
  done(value: unknown): void
  fail(reason: unknown): void
}

interface ChangeJob {
  readonly kind: 'change'
  readonly ready: Promise<unknown>
  isReady: boolean
  run(state: State): VfsResult<unknown>
  done(value: VfsResult<unknown>): void
  fail(reason: unknown): void
}

/**
 * One conversation's files in IndexedDB: the table of all nodes and the log in memory, the bytes in the database. Every
 * change is one transaction that also holds the generation which it goes out from, so any number of tabs may read and
 * write: who finds another generation first loads what it missed.
 */
export function createFileStore(name: string, ports: StorePorts): FileStore {
  let database: Database | null = null
  let known: Known | null = null
  const queue: (ReadJob | ChangeJob)[] = []
  let running = false

  async function open(): Promise<Database> {
    if (database?.isOpen === true) return database
    // Another database may stand there now.
    known = null
    database = null
    const opened = await openDatabase(name, ports.indexedDB)
    await carryOver(opened)
    database = opened
    return opened
  }

  async function update(stores: Stores): Promise<Known> {
    const before = known
    // Nothing may take a half loaded state for a whole one.
    known = null
    const caughtUp = await catchUp(stores, before)
    known = caughtUp
    return caughtUp
  }

  async function bytesOf(stores: Stores, state: State, version: string, size: number): Promise<Uint8Array> {
    const refs = state.ledger.blocksOf(version)
    const blocks = await Promise.all(
      refs.map(
        async ({ key }) => state.bytesOf(key)?.slice() ?? settled<Uint8Array | undefined>(stores('blocks').get(key)),
      ),
    )
    const [first] = blocks
    if (blocks.length === 1 && first?.byteLength === size) return first
    const data = new Uint8Array(size)
    let at = 0
    for (const block of blocks) {
      if (block === undefined || at + block.byteLength > size) throw new Error('a part of the file is missing')
      data.set(block, at)
      at += block.byteLength
    }
    if (at !== size) throw new Error('a part of the file is missing')
    return data
  }

  /** Runs reads in one transaction: at once on what is known, and again when that turns out to be old. */
  async function serveReads(jobs: readonly ReadJob[]): Promise<void> {
    const db = await open()
    await db.transact('readonly', async (stores) => {
      const runAll = (state: State) => {
        const view: View = { state, bytes: (version, size) => bytesOf(stores, state, version, size) }
        return Promise.allSettled(jobs.map((job) => job.run(view)))
      }
      let results = null
      if (known !== null) {
        const current = isCurrent(stores, known)
        const early = runAll(known.state)
        if (await current) results = await early
      }
      results ??= await runAll((await update(stores)).state)
      for (const [at, result] of results.entries()) {
        if (result.status === 'fulfilled') jobs[at]?.done(result.value)
        else jobs[at]?.fail(result.reason)
      }
    })
  }

  /** Runs the jobs on the state; one that fails, or throws, leaves nothing of itself. */
  function runChanges(state: State, jobs: readonly ChangeJob[]) {
    return jobs.map((job) => {
      const mark = state.mark()
      try {
        const result = job.run(state)
        if (!result.ok) state.rollback(mark)
        return () => job.done(result)
      } catch (thrown) {
        state.rollback(mark)
        return () => job.fail(thrown)
      }
    })
  }

  const giveUp = (state: State) => {
    state.rollback(0)
    state.settle()
  }

  /** The jobs' changes are stored as `commit`, or there were none. */
  function finish(from: Known, answers: readonly (() => void)[], commit: Commit | null): void {
    if (commit?.folds === true) from.state.settleFolded()
    else from.state.settle()
    if (commit !== null) {
      const { generation } = commit
      known = { ...from, generation, foldedAt: commit.folds ? generation : from.foldedAt }
    }
    for (const answer of answers) answer()
    if (commit !== null) ports.announce()
  }

  /** Goes by what is known. False when that turned out to be old, and nothing was done. */
  async function commitKnown(db: Database, from: Known, jobs: readonly ChangeJob[]): Promise<boolean> {
    const answers = runChanges(from.state, jobs)
    const plan = from.state.hasChanges() ? planCommit(from) : null
    try {
      if (plan !== null) await db.transact('readwrite', async (stores) => plan.put(stores), plan.names)
      else if (!(await db.transact('readonly', (stores) => isCurrent(stores, from), ['commits']))) {
        giveUp(from.state)
        return false
      }
    } catch (thrown) {
      giveUp(from.state)
      if (isOvertaken(thrown)) return false
      throw thrown
    }
    finish(from, answers, plan)
    return true
  }

  /** Brings what is known up to date first, in the same transaction. */
  async function commitStored(db: Database, jobs: readonly ChangeJob[]): Promise<void> {
    let drafted: State | null = null
    try {
      const done = await db.transact('readwrite', async (stores) => {
        const from = await update(stores)
        drafted = from.state
        const answers = runChanges(from.state, jobs)
        const plan = from.state.hasChanges() ? planCommit(from) : null
        plan?.put(stores)
        return { from, answers, plan }
      })
      finish(done.from, done.answers, done.plan)
    } catch (thrown) {
      if (drafted !== null) giveUp(drafted)
      throw thrown
    }
  }

  async function commitAll(jobs: readonly ChangeJob[]): Promise<void> {
    const db = await open()
    if (known !== null && (await commitKnown(db, known, jobs))) return
    await commitStored(db, jobs)
  }

  async function serveChanges(jobs: readonly ChangeJob[]): Promise<void> {
    try {
      await commitAll(jobs)
    } catch (thrown) {
      const [only] = jobs
      if (jobs.length === 1) only?.fail(thrown)
      // One of them may be to blame: each by itself.
      else for (const job of jobs) await serveChanges([job])
    }
  }

  /** The jobs at the head of the queue that one transaction can serve. */
  function takeJobs(): readonly (ReadJob | ChangeJob)[] {
    const kind = queue[0]?.kind
    const end = queue.findIndex(
      (job, at) => at >= maxJoined || job.kind !== kind || (job.kind === 'change' && !job.isReady),
    )
    return queue.splice(0, end === -1 ? queue.length : Math.max(end, 1))
  }

  async function serve(): Promise<void> {
    running = true
    for (let first = queue[0]; first !== undefined; first = queue[0]) {
      if (first.kind === 'change') {
        try {
          await first.ready
        } catch (thrown) {
          queue.shift()
          first.fail(thrown)
          continue
        }
      }
      const jobs = takeJobs()
      try {
        if (first.kind === 'read') await serveReads(jobs as readonly ReadJob[])
        else await serveChanges(jobs as readonly ChangeJob[])
      } catch (thrown) {
        for (const job of jobs) job.fail(thrown)
      }
    }
    running = false
  }

  function enqueue(job: ReadJob | ChangeJob): void {
    queue.push(job)
    if (!running) void serve()
  }

  return {
    read: <T>(body: (view: View) => Promise<T>) =>
      new Promise<T>((resolve, reject) => {
        enqueue({ kind: 'read', run: body, done: (value) => resolve(value as T), fail: reject })
      }),
    change: <P, T>(prepared: Promise<P>, body: (state: State, prepared: P) => VfsResult<T>) =>
      new Promise<VfsResult<T>>((resolve, reject) => {
        let value: P | undefined
        const get = async () => {
          value = await prepared
          job.isReady = true
        }
        const job: ChangeJob = {
          kind: 'change',
          isReady: false,
          ready: get(),
          run: (state) => body(state, value as P),
          done: (result) => resolve(result as VfsResult<T>),
          fail: reject,
        }
        job.ready.catch(() => {})
        enqueue(job)
      }),
    close() {
      database?.close()
      database = null
      known = null
    },
  }
}
