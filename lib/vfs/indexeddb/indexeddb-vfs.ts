import type { TreeNode } from '../node-tree'
import { copyLimits, type Vfs, vfsLimits, type VfsLimits } from '../vfs'
import { createVfsOnStore, type VfsOptions, type FileStore, type View } from '../vfs-on-store'
import { createVersionedFiles, type FileContent, type FileStep, type VersionedFiles } from '../versioned-files'
import { type VfsResult, vfsFailure, type VfsFailure } from '@/lib/vfs/vfs-result'
import { isCurrent, planCommit, type Known, nameContent } from './commit'
import {
  isOvertaken,
  openDatabase,
  type Database,
  type Stores,
  settled,
  checkpointKey,
  type ChangeRecord,
  type Checkpoint,
  type StubRecord,
  EarlierFilesError,
  databaseName,
} from './database'
import { emptyLog } from '../log/change-log'
import { withDelta } from '../log/log-delta'
import { makeRefusal } from '@/lib/i18n/t'

const notAllowed = new Set(['SecurityError', 'InvalidStateError', 'NotAllowedError', 'UnknownError'])

/** Turns an IndexedDB error into a message that says what to do. Data that was stored before is safe. */
export function describeStorageFailure(thrown: unknown, path: string): VfsFailure {
  if (thrown instanceof EarlierFilesError) return vfsFailure('EIO', path, makeRefusal('vfs.earlier-version'))
  const { name, message } = (thrown ?? {}) as { readonly name?: unknown; readonly message?: unknown }
  if (name === 'QuotaExceededError') return vfsFailure('ENOSPC', path, makeRefusal('vfs.browser-full'))
  const details = typeof message === 'string' ? message : ''
  return typeof name === 'string' && notAllowed.has(name)
    ? vfsFailure('EIO', path, makeRefusal('vfs.browser-refused', { details }))
    : vfsFailure('EIO', path, makeRefusal('vfs.unreachable', { details }))
}

/** The maximum number of jobs in one transaction; the others wait for the next. */
const maxJoined = 200

interface ReadJob {
  readonly kind: 'read'
  run(view: View): Promise<unknown>
  done(value: unknown): void
  fail(reason: unknown): void
}

interface ChangeJob {
  readonly kind: 'change'
  readonly steps: Promise<readonly FileStep[]>
  /** The steps, once they are ready. */
  ready: readonly FileStep[] | null
  run(files: VersionedFiles, steps: readonly FileStep[]): VfsResult<unknown>
  done(value: unknown): void
  fail(reason: unknown): void
}

type Job = ReadJob | ChangeJob

interface JobServer {
  readonly serveReads: (jobs: readonly ReadJob[]) => Promise<void>
  readonly serveChanges: (jobs: readonly ChangeJob[]) => Promise<void>
}

/** Jobs in order of arrival; consecutive jobs of one kind are served together. */
function createJobQueue({ serveReads, serveChanges }: JobServer): (job: Job) => void {
  const queue: Job[] = []
  let running = false

  /** The jobs at the head of the queue that one transaction can serve. */
  function takeJobs(): readonly Job[] {
    const kind = queue[0]?.kind
    const end = queue.findIndex(
      (job, at) => at >= maxJoined || job.kind !== kind || (job.kind === 'change' && job.ready === null),
    )
    return queue.splice(0, end === -1 ? queue.length : Math.max(end, 1))
  }

  async function serve(): Promise<void> {
    running = true
    for (let first = queue[0]; first !== undefined; first = queue[0]) {
      if (first.kind === 'change') {
        try {
          first.ready = await first.steps
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

  return (job) => {
    queue.push(job)
    if (!running) void serve()
  }
}

interface StorePorts {
  readonly indexedDB: IDBFactory
  /** Epoch milliseconds. */
  readonly now: () => number
  /** Called after each transaction that changed something; notifies the other tabs. */
  readonly announce: () => void
  readonly watch: (listener: () => void) => () => void
  /** The caller never changes bytes after passing them to `name`, so no copy is made. */
  readonly ownsBytes?: boolean
}

/** The conversation's own database, the base of a copy of its files. */
interface Below {
  /** All current nodes; another map after each change. */
  nodes(): Promise<ReadonlyMap<string, TreeNode>>
  readonly contents: Contents
  close(): void
}

interface Contents {
  readonly get: (version: string, size: number) => Promise<Uint8Array>
}

function createBelow(name: string, ports: StorePorts): Below {
  let database: Database | null = null
  let known: NodesAt = { generation: 0, nodes: new Map() }
  const open = async () =>
    database?.isOpen === true ? database : (database = await openDatabase(name, ports.indexedDB))
  return {
    async nodes() {
      const db = await open()
      const later = await db.transact('readonly', (stores) => readLater(stores, known))
      known = later.generation === known.generation ? known : later
      return known.nodes
    },
    contents: createContents(open, null),
    close() {
      database?.close()
      database = null
    },
  }
}

interface NodesAt {
  /** The last change that the nodes include. */
  readonly generation: number
  readonly nodes: ReadonlyMap<string, TreeNode>
}

/** Reads only the changes since `known`, unless a checkpoint was made meanwhile. */
async function readLater(stores: Stores, known: NodesAt): Promise<NodesAt> {
  const since = (generation: number) =>
    settled<(ChangeRecord | StubRecord)[]>(stores('changes').getAll(IDBKeyRange.lowerBound(generation, true)))
  let from = known
  let changes = await since(known.generation)
  if (changes.some((change) => !('nodes' in change))) {
    const state = await settled<Checkpoint | undefined>(stores('state').get(checkpointKey))
    from = { generation: state?.generation ?? 0, nodes: new Map(state?.nodes) }
    changes = changes.filter(({ generation }) => generation > from.generation)
  }
  const nodes = new Map(from.nodes)
  for (const change of changes) {
    for (const [path, node] of 'nodes' in change ? change.nodes : []) {
      if (node === null) nodes.delete(path)
      else nodes.set(path, node)
    }
  }
  return { generation: changes.at(-1)?.generation ?? from.generation, nodes }
}

/**
 * Reads contents of a copy from its own database, and unchanged contents from the base. A transaction ends while
 * another database is queried, so these reads have their own transactions: all concurrent requests share one.
 * Contents never change, so this is safe.
 */
function createContents(open: () => Promise<Database>, below: Contents | null): Contents {
  type Wanted = { readonly version: string; readonly size: number; readonly done: (bytes: Promise<Uint8Array>) => void }
  let waiting: Wanted[] = []

  async function serve(): Promise<void> {
    const batch = waiting
    waiting = []
    try {
      const db = await open()
      const found = await db.transact('readonly', (stores) =>
        Promise.all(batch.map(({ version }) => settled<Uint8Array | undefined>(stores('contents').get(version)))),
      )
      for (const [at, { version, size, done }] of batch.entries()) {
        const bytes = found[at]
        if (bytes?.byteLength === size) done(Promise.resolve(bytes))
        else done(below ? below.get(version, size) : Promise.reject(missingContents()))
      }
    } catch (thrown) {
      for (const { done } of batch) done(Promise.reject(thrown))
    }
  }

  return {
    get: (version, size) =>
      new Promise((done) => {
        if (waiting.length === 0) queueMicrotask(() => void serve())
        waiting.push({ version, size, done })
      }),
  }
}

const missingContents = () => new Error('the contents of a file are missing')

const contentsOf = (steps: readonly FileStep[]): readonly FileContent[] =>
  steps.flatMap((step) => (step.kind === 'write' ? [step.content] : []))

async function bytesOf(stores: Stores, version: string, size: number): Promise<Uint8Array> {
  const bytes = await settled<Uint8Array | undefined>(stores('contents').get(version))
  if (bytes?.byteLength !== size) throw missingContents()
  return bytes
}

/** Runs the jobs on the files; returns how to answer them, and the contents that they may have added. */
function runChanges(files: VersionedFiles, jobs: readonly ChangeJob[]) {
  const contents = new Map<string, FileContent>()
  const answers = jobs.map((job) => {
    const steps = job.ready ?? []
    try {
      const result = job.run(files, steps)
      if (result.ok) for (const content of contentsOf(steps)) contents.set(content.version, content)
      return () => job.done(result)
    } catch (thrown) {
      return () => job.fail(thrown)
    }
  })
  return { answers, contents: [...contents.values()] }
}

/**
 * One conversation's files in IndexedDB: the tree and the log in memory, the bytes in the database. Any number of tabs
 * may read and write: a tab that finds another was first loads what it missed. A copy begins with the files of its
 * base.
 */
function createIndexedDbStore(name: string, limits: VfsLimits, ports: StorePorts, below: Below | null): FileStore {
  let database: Database | null = null
  let known: Known | null = null
  let seed: CopySeed | null = null
  const contents = below && createContents(open, below.contents)

  async function open(): Promise<Database> {
    if (database?.isOpen === true) return database
    // There may be a different database by now.
    known = null
    database = null
    database = await openDatabase(name, ports.indexedDB)
    return database
  }

  /** The same, with what a new copy begins with. */
  async function openForUse(): Promise<Database> {
    const opened = open()
    if (below === null || known !== null) return opened
    // Before the transaction: it would end while another database is queried.
    const [db, nodes] = await Promise.all([opened, below.nodes()])
    seed = nodes
    return db
  }

  async function isUnused(): Promise<boolean> {
    const db = await open()
    return known === null && (await db.transact('readonly', (stores) => settled(stores('changes').count()))) === 0
  }

  async function update(stores: Stores): Promise<Known> {
    const before = known
    // A half-loaded state must not be mistaken for a complete one.
    known = null
    known = await catchUp(stores, before, () => createVersionedFiles(limits, ports.now), seed)
    return known
  }

  /** Runs reads in one transaction: first on the known state, and again if it turns out to be outdated. */
  async function serveReads(jobs: readonly ReadJob[]): Promise<void> {
    const db = await openForUse()
    const results = await db.transact('readonly', async (stores) => {
      const runAll = ({ files }: Known) => {
        const bytes: View['bytes'] = contents ? contents.get : (version, size) => bytesOf(stores, version, size)
        const view: View = { files, bytes }
        return Promise.allSettled(jobs.map((job) => job.run(view)))
      }
      if (known !== null) {
        const current = isCurrent(stores, known)
        const early = runAll(known)
        if (await current) return early
      }
      return runAll(await update(stores))
    })
    for (const [at, result] of results.entries()) {
      if (result.status === 'fulfilled') jobs[at]?.done(result.value)
      else jobs[at]?.fail(result.reason)
    }
  }

  /**
   * One transaction for all jobs. The first attempt uses the known state without reading; if it is outdated, the jobs
   * run again on the state that the same transaction loads.
   */
  async function commitAll(jobs: readonly ChangeJob[], isFresh = false): Promise<void> {
    const db = await openForUse()
    const loads = isFresh || known === null
    let files: VersionedFiles | null = null
    let isOld = false
    try {
      const { answers, commit } = await db.transact('readwrite', async (stores) => {
        const from = loads || known === null ? await update(stores) : known
        files = from.files
        const done = runChanges(files, jobs)
        const changed = files.unsettled()
        const plan = changed === null ? null : planCommit(from, changed, done.contents)
        if (plan !== null) await plan.put(stores)
        else isOld = !loads && !(await isCurrent(stores, from))
        return { answers: done.answers, commit: plan }
      })
      if (!isOld) {
        if (commit !== null) {
          commit.next.files.settle()
          known = commit.next
        }
        for (const answer of answers) answer()
        if (commit !== null) ports.announce()
        return
      }
    } catch (thrown) {
      ;(files as VersionedFiles | null)?.giveUp()
      if (loads || !isOvertaken(thrown)) throw thrown
    }
    await commitAll(jobs, true)
  }

  async function serveChanges(jobs: readonly ChangeJob[]): Promise<void> {
    try {
      await commitAll(jobs)
    } catch (thrown) {
      const [only] = jobs
      if (jobs.length === 1) only?.fail(thrown)
      // One of them may be the cause: run each separately.
      else for (const job of jobs) await serveChanges([job])
    }
  }

  const enqueue = createJobQueue({ serveReads, serveChanges })

  return {
    name: (data) => nameContent(ports.ownsBytes === true ? data : data.slice()),
    read: <T>(body: (view: View) => Promise<VfsResult<T>>) =>
      new Promise<VfsResult<T>>((resolve, reject) => {
        enqueue({ kind: 'read', run: body, done: (value) => resolve(value as VfsResult<T>), fail: reject })
      }),
    change: <T>(
      steps: Promise<readonly FileStep[]>,
      run: (files: VersionedFiles, steps: readonly FileStep[]) => VfsResult<T>,
    ) =>
      new Promise<VfsResult<T>>((resolve, reject) => {
        const done = (value: unknown) => resolve(value as VfsResult<T>)
        const job: ChangeJob = { kind: 'change', steps, ready: null, run, done, fail: reject }
        steps.then(
          (ready) => (job.ready = ready),
          () => {},
        )
        enqueue(job)
      }),
    base: below && { nodes: () => below.nodes(), isUnused },
    describe: describeStorageFailure,
    watch: ports.watch,
    close() {
      database?.close()
      below?.close()
      database = null
      known = null
    },
  }
}

type CopySeed = ReadonlyMap<string, TreeNode>

/** Updates the known state, or reloads it if a checkpoint was made since. */
async function catchUp(
  stores: Stores,
  known: Known | null,
  create: () => VersionedFiles,
  seed: CopySeed | null = null,
): Promise<Known> {
  const state = await settled<Checkpoint | undefined>(stores('state').get(checkpointKey))
  let from = known
  if (from === null || (state?.generation ?? 0) > from.generation) {
    const files = create()
    if (state !== undefined) files.learn(state.nodes, state.log)
    else if (seed !== null) files.learn(seed, emptyLog)
    const isNewCopy = state === undefined && seed !== null
    const generation = state?.generation ?? 0
    from = { files, generation, checkpoint: generation, shifted: 0, ...(isNewCopy && { isNewCopy }) }
  }
  const changes = await settled<ChangeRecord[]>(stores('changes').getAll(IDBKeyRange.lowerBound(from.generation, true)))
  const { files } = from
  let { log } = files
  for (const change of changes) {
    if (change.log !== null) log = withDelta(log, change.log)
    files.learn(change.nodes, log)
  }
  return { ...from, generation: changes.at(-1)?.generation ?? from.generation }
}

export interface IndexedDbVfsOptions extends StorePorts, Pick<VfsOptions, 'whenUnused'> {
  readonly conversationId: string
  /** Set for a copy of the conversation's files. */
  readonly copyId?: string
  readonly limits?: VfsLimits
}

/** A conversation's files in IndexedDB, or a copy of them, for use inside a worker of the app's origin. */
export function createIndexedDbVfs(options: IndexedDbVfsOptions): Vfs {
  const { conversationId, copyId, limits = copyId === undefined ? vfsLimits : copyLimits, ...ports } = options
  const below = copyId === undefined ? null : createBelow(databaseName(conversationId), ports)
  return createVfsOnStore(createIndexedDbStore(databaseName(conversationId, copyId), limits, ports, below), {
    limits,
    whenUnused: ports.whenUnused,
  })
}
