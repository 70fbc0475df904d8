import type { Vfs } from '@/lib/vfs/vfs'
import type { HistoryMove, ChangeSet } from '@/lib/vfs/vfs-history'
import { copyFromBranch } from './copy-from-branch'

/** A conversation's messages, as far as a branch is concerned. */
interface BranchView {
  readonly conversationId: string
  /** Ids, root → head of the branch that is shown. */
  readonly path: readonly string[]
  /** Whether this page knows a message at all, on whichever branch. */
  readonly knows: (messageId: string) => boolean
}

/**
 * The messages whose calls count on this branch. A set of a message that this page has not heard of yet (another tab is
 * ahead) stays as it is.
 */
function followIds(sets: readonly ChangeSet[], { path, knows }: BranchView): readonly string[] {
  const ahead = sets.flatMap(({ origin, offBranch }) =>
    origin.kind === 'call' && !offBranch && !knows(origin.messageId) ? [origin.messageId] : [],
  )
  return [...new Set([...path, ...ahead])]
}

/** Whether any set would be counted differently. */
function wouldFollow(sets: readonly ChangeSet[], messageIds: readonly string[]): boolean {
  const on = new Set(messageIds)
  return sets.some(({ origin, offBranch }) => origin.kind === 'call' && offBranch === on.has(origin.messageId))
}

/** The messages whose calls count now: what `follow` was told last. */
export const countedIds = (sets: readonly ChangeSet[]): readonly string[] => [
  ...new Set(sets.flatMap(({ origin, offBranch }) => (origin.kind === 'call' && !offBranch ? [origin.messageId] : []))),
]

/** The branch that is shown, and whether it can be followed now. */
export interface ShownBranch extends BranchView {
  /** Calls ran in this conversation, so that there may be files of theirs. */
  readonly hasRun: boolean
  /** Nothing is on its way that will change the branch in a moment. */
  readonly settled: boolean
}

export interface BranchPorts {
  /** Null while no conversation is loaded. */
  readonly shown: () => ShownBranch | null
  /** Root → the message, in the conversation that is shown; null when it is not known. */
  readonly pathTo: (conversationId: string, messageId: string) => readonly string[] | null
  readonly isVisible: () => boolean
  readonly files: (conversationId: string) => Promise<Vfs>
  /** A lock of a call of this conversation that runs now, in whichever tab; null: none runs. */
  readonly runningCall: (branch: ShownBranch) => Promise<string | null>
  readonly whenFree: (lock: string) => Promise<void>
}

/** Files that moved because the branch did. */
export interface BranchMove {
  readonly conversationId: string
  readonly changed: HistoryMove['changed']
  /** Why the files could not be taken along; null while no one asked, or when it worked. */
  readonly problem: string | null
}

export interface BranchFollower {
  /** Something may have changed: the branch, the tab's visibility. Files move when they have to, later. */
  readonly look: () => void
  /** Resolves when what was asked for is done. */
  readonly settled: () => Promise<void>
  /** Before a call runs: its branch's files are the ones that stand. Resolves to what must be called when it ended. */
  readonly beforeRun: (conversationId: string, messageId: string) => Promise<() => void>
  /** What moved last, until the user has seen to it. */
  readonly moved: () => BranchMove | null
  readonly subscribe: (listener: () => void) => () => void
  readonly dismiss: () => void
  /** Takes the files that moved along to this branch, as they were on the other one. */
  readonly bringAlong: () => Promise<void>
}

interface Remembered {
  readonly move: BranchMove
  /** Which messages counted before. */
  readonly before: readonly string[]
}

/** Keeps a conversation's files on the branch that is shown. One step at a time; never while a call of it runs. */
export function createBranchFollower(ports: BranchPorts): BranchFollower {
  let queue: Promise<void> = Promise.resolve()
  let asked = false
  /** The branch that the files are known to be on. */
  let followed: string | null = null
  let last: Remembered | null = null
  const running = createRunningCalls()
  const listeners = new Set<() => void>()

  const keyOf = (conversationId: string, path: readonly string[]) => [conversationId, ...path].join(' ')
  const enqueue = (work: () => Promise<void>): Promise<void> => {
    const done = queue.then(work)
    queue = done.catch((error: unknown) => console.error('The files could not follow the branch.', error))
    return done
  }
  const remember = (next: Remembered | null) => {
    if (last === next) return
    last = next
    for (const listener of listeners) listener()
  }

  function look(): void {
    if (asked) return
    asked = true
    void enqueue(async () => {
      asked = false
      await follow()
    }).catch(() => undefined)
  }

  async function follow(): Promise<void> {
    const branch = ports.shown()
    if (last && branch && last.move.conversationId !== branch.conversationId) remember(null)
    if (!branch?.hasRun || !branch.settled || !ports.isVisible()) return
    const { conversationId, path } = branch
    const key = keyOf(conversationId, path)
    if (key === followed) return
    const lock = await ports.runningCall(branch)
    if (lock !== null) {
      void ports.whenFree(lock).then(look, () => undefined)
      return
    }
    const vfs = await ports.files(conversationId)
    // What is shown may have changed meanwhile; then there is another look.
    const now = ports.shown()
    if (!now || keyOf(now.conversationId, now.path) !== key) return look()
    await moveTo(vfs, branch)
    followed = key
  }

  async function moveTo(vfs: Vfs, branch: BranchView): Promise<void> {
    const listed = await vfs.history.list()
    if (!listed.ok) return
    const ids = followIds(listed.value, branch)
    if (!wouldFollow(listed.value, ids)) return
    const before = countedIds(listed.value)
    const moved = await vfs.history.follow(ids)
    if (!moved.ok) throw new Error(moved.error.message)
    const { changed } = moved.value
    if (changed.length === 0) return
    remember({ move: { conversationId: branch.conversationId, changed, problem: null }, before })
  }

  return {
    look,
    settled: () => queue,
    moved: () => last?.move ?? null,
    dismiss: () => remember(null),
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    async beforeRun(conversationId, messageId) {
      await enqueue(async () => {
        const path = ports.pathTo(conversationId, messageId)
        const branch = ports.shown()
        if (path !== null && branch?.conversationId === conversationId) {
          await running.othersEnded(conversationId, path)
          const key = keyOf(conversationId, path)
          if (key !== followed) await moveTo(await ports.files(conversationId), { ...branch, path })
          followed = key
        }
        running.add(conversationId, messageId)
      })
      let ended = false
      return () => {
        if (ended) return
        ended = true
        running.remove(conversationId, messageId)
        look()
      }
    },
    bringAlong: () =>
      enqueue(async () => {
        const branch = ports.shown()
        if (!last || !branch || branch.conversationId !== last.move.conversationId) return
        const { move, before } = last
        const vfs = await ports.files(branch.conversationId)
        const listed = await vfs.history.list()
        if (!listed.ok) return remember({ before, move: { ...move, problem: listed.error.message } })
        const done = await copyFromBranch(vfs, {
          here: countedIds(listed.value),
          there: before,
          paths: move.changed,
          messageId: branch.path.at(-1) ?? null,
        })
        remember(done.ok ? null : { before, move: { ...move, problem: done.error.message } })
      }),
  }
}

/** Calls that run in this tab, by conversation: the messages that they stand in, one as often as calls of it run. */
function createRunningCalls() {
  const running = new Map<string, readonly string[]>()
  const waiting = new Set<() => void>()
  const of = (conversationId: string) => running.get(conversationId) ?? []

  return {
    add(conversationId: string, messageId: string): void {
      running.set(conversationId, [...of(conversationId), messageId])
    },
    remove(conversationId: string, messageId: string): void {
      const left = of(conversationId)
      running.set(conversationId, left.toSpliced(left.indexOf(messageId), 1))
      for (const wake of waiting) wake()
      waiting.clear()
    },
    /** Until no call of another branch than this one runs. */
    async othersEnded(conversationId: string, path: readonly string[]): Promise<void> {
      while (of(conversationId).some((messageId) => !path.includes(messageId))) {
        await new Promise<void>((resolve) => waiting.add(resolve))
      }
    },
  }
}
