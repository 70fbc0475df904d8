import type { Vfs } from '@/lib/vfs/vfs'
import type { HistoryMove, ChangeSet } from '@/lib/vfs/vfs-history'
import { copyFromBranch } from './copy-from-branch'

/** A conversation's messages, as far as branches are concerned. */
interface BranchView {
  readonly conversationId: string
  /** Ids, from the root to the head of the shown branch. */
  readonly path: readonly string[]
  /** Whether this page knows a message at all, on any branch. */
  readonly knows: (messageId: string) => boolean
}

/**
 * The messages whose calls count on this branch. A set of a message that this page does not know yet (another tab is
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

/** The messages whose calls count now: the last argument of `follow`. */
export const countedIds = (sets: readonly ChangeSet[]): readonly string[] => [
  ...new Set(sets.flatMap(({ origin, offBranch }) => (origin.kind === 'call' && !offBranch ? [origin.messageId] : []))),
]

/** The shown branch, and whether it can be followed now. */
export interface ShownBranch extends BranchView {
  /** Calls ran in this conversation, so they may have changed files. */
  readonly hasRun: boolean
  /** Nothing is pending that will change the branch in a moment. */
  readonly settled: boolean
}

export interface BranchPorts {
  /** Null while no conversation is loaded. */
  readonly shown: () => ShownBranch | null
  /** The path from the root to the message in the shown conversation; null if the message is unknown. */
  readonly pathTo: (conversationId: string, messageId: string) => readonly string[] | null
  readonly isVisible: () => boolean
  readonly files: (conversationId: string) => Promise<Vfs>
  /** The lock of a call of this conversation that runs now, in any tab; null: none runs. */
  readonly runningCall: (branch: ShownBranch) => Promise<string | null>
  readonly whenFree: (lock: string) => Promise<void>
}

/** Files that changed because the branch did. */
export interface BranchMove {
  readonly conversationId: string
  readonly changed: HistoryMove['changed']
  /** Why the files could not be brought along; null if nobody asked, or if it worked. */
  readonly problem: string | null
}

export interface BranchFollower {
  /** Call it when the branch or the tab's visibility may have changed. If needed, files are moved later. */
  readonly look: () => void
  /** Resolves when everything requested is done. */
  readonly settled: () => Promise<void>
  /**
   * Call it before a call runs: it switches to the files of the call's branch. Resolves to a function to call when the
   * call ended.
   */
  readonly beforeRun: (conversationId: string, messageId: string) => Promise<() => void>
  /** The last move, until the user has handled it. */
  readonly moved: () => BranchMove | null
  readonly subscribe: (listener: () => void) => () => void
  readonly dismiss: () => void
  /** Copies the moved files to this branch, as they were on the other one. */
  readonly bringAlong: () => Promise<void>
}

interface Remembered {
  readonly move: BranchMove
  /** Which messages counted before. */
  readonly before: readonly string[]
}

/** Keeps a conversation's files on the shown branch. One step at a time; never while one of its calls runs. */
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
    // The shown branch may have changed meanwhile; then it is checked again.
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

/** The calls that run in this tab, by conversation: their messages, each as often as its calls run. */
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
    /** Resolves when no call of another branch runs. */
    async othersEnded(conversationId: string, path: readonly string[]): Promise<void> {
      while (of(conversationId).some((messageId) => !path.includes(messageId))) {
        await new Promise<void>((resolve) => waiting.add(resolve))
      }
    },
  }
}
