import type { VfsResult } from '../vfs'
import { openDatabase, settled, type Database, type Stores } from './database'
import { catchUp } from './loading'
import { carryOver } from './old-layout'
import { headKey, type Delta, type MetaRecord } from './records'
import { createState, type State } from './state'

/** How many of the latest changes are told with the newest, and how many records they may name in all. */
const recentDeltas = 24
const recentKeys = 600

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

type Known = { readonly state: State; readonly generation: number }

/** Puts all that differs from the database into it. */
function putChanges(stores: Stores, state: State, generation: number, recent: readonly Delta[]): Delta {
  const delta = state.delta(generation)
  const { newBlocks, oldBlocks, newContents, oldContents } = state.ledger.pending()
  const blocks = stores('blocks')
  for (const key of newBlocks) blocks.put(state.bytesOf(key), key)
  for (const key of oldBlocks) blocks.delete(key)
  const contents = stores('contents')
  for (const version of newContents) {
    const refs = state.ledger.blocksOf(version)
    // Of one block: its version says it all.
    if (refs.length !== 1 || refs[0]?.key !== version) {
      contents.put({ version, blocks: refs.map(({ key, size }) => ({ key, size })) })
    }
  }
  for (const version of oldContents) contents.delete(version)
  const nodes = stores('nodes')
  for (const id of delta.nodes) {
    const node = state.tree.get(id)
    if (node === undefined) nodes.delete(id)
    else nodes.put(node)
  }
  if (delta.sets.length > 0) {
    const sets = new Map(state.log.sets.map((set) => [set.id, set]))
    for (const id of delta.sets) {
      const set = sets.get(id)
      if (set === undefined) stores('sets').delete(id)
      else stores('sets').put(set)
    }
  }
  for (const path of delta.base) {
    const image = state.log.base.get(path)
    if (image === undefined) stores('base').delete(path)
    else stores('base').put({ path, image })
  }
  const meta: MetaRecord = {
    generation,
    nextNodeId: state.nextNodeId,
    nextSetId: state.log.nextId,
    recent: withDelta(recent, delta),
  }
  stores('meta').put(meta, headKey)
  return delta
}

const keysIn = ({ nodes, sets, base }: Delta) => nodes.length + sets.length + base.length

function withDelta(recent: readonly Delta[], delta: Delta): readonly Delta[] {
  const kept: Delta[] = []
  let keys = 0
  for (const one of [...recent, delta].toReversed()) {
    keys += keysIn(one)
    if (keys > recentKeys || kept.length === recentDeltas) break
    kept.push(one)
  }
  return kept.toReversed()
}

/**
 * One conversation's files in IndexedDB: the table of all nodes and the log in memory, the bytes in the database. Every
 * change is one transaction that also holds the generation which it goes out from, so any number of tabs may read and
 * write: who finds another generation first loads what it missed.
 */
export function createFileStore(name: string, ports: StorePorts): FileStore {
  let database: Database | null = null
  let known: Known | null = null
  let recent: readonly Delta[] = []
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

  const readHead = (stores: Stores) => {
    const head = settled<MetaRecord | undefined>(stores('meta').get(headKey))
    // Nobody may be waiting for it when the transaction fails.
    head.catch(() => {})
    return head
  }

  async function update(stores: Stores, meta: MetaRecord | undefined): Promise<State> {
    const before = known
    // Nothing may take a half loaded state for a whole one.
    known = null
    const head = meta ?? { generation: 0, nextNodeId: 1, nextSetId: 1, recent: [] }
    const state = meta === undefined ? createState() : await catchUp(stores, head, before)
    known = { state, generation: head.generation }
    recent = head.recent
    return state
  }

  const isCurrent = (meta: MetaRecord | undefined): boolean => known?.generation === (meta?.generation ?? 0)

  async function bytesOf(stores: Stores, state: State, version: string, size: number): Promise<Uint8Array> {
    const refs = state.ledger.blocksOf(version)
    const blocks = await Promise.all(refs.map(({ key }) => settled<Uint8Array | undefined>(stores('blocks').get(key))))
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
      const head = readHead(stores)
      const early = known === null ? null : runAll(known.state)
      const meta = await head
      const results = early !== null && isCurrent(meta) ? await early : await runAll(await update(stores, meta))
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

  /** One transaction for all jobs. False when what was known turned out to be old, and nothing was done. */
  async function commit(jobs: readonly ChangeJob[], goingBy: 'known' | 'stored'): Promise<boolean> {
    const db = await open()
    let drafted: State | null = null
    const stale = new Error('stale')
    try {
      const { answers, delta } = await db.transact('readwrite', async (stores) => {
        const head = readHead(stores)
        const run = (state: State) => {
          drafted = state
          const given = runChanges(state, jobs)
          const generation = (known?.generation ?? 0) + 1
          return { answers: given, delta: state.hasChanges() ? putChanges(stores, state, generation, recent) : null }
        }
        if (goingBy === 'known' && known !== null) {
          const early = run(known.state)
          if (!isCurrent(await head)) throw stale
          return early
        }
        const meta = await head
        return run(known !== null && isCurrent(meta) ? known.state : await update(stores, meta))
      })
      if (known !== null) {
        known.state.settle()
        if (delta !== null) {
          known = { state: known.state, generation: delta.generation }
          recent = withDelta(recent, delta)
        }
      }
      for (const answer of answers) answer()
      if (delta !== null) ports.announce()
      return true
    } catch (thrown) {
      if (drafted !== null) giveUp(drafted)
      if (thrown === stale) return false
      throw thrown
    }
  }

  async function serveChanges(jobs: readonly ChangeJob[]): Promise<void> {
    try {
      if (!(await commit(jobs, 'known'))) await commit(jobs, 'stored')
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
