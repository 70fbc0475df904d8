import { type Vfs, failures } from '@/lib/vfs/vfs'
import type { VfsResult } from '@/lib/vfs/vfs-result'
import type { ChangeSet, HistoryMove, HistoryUsage } from '@/lib/vfs/vfs-history'
import { groupChanges, type ChangeGroup } from './change-groups'

export interface HistoryState {
  readonly phase: 'loading' | 'ready' | 'failed'
  /** A sentence, if the history could not be read. */
  readonly problem: string | null
  /** Newest first. */
  readonly sets: readonly ChangeSet[]
  readonly groups: readonly ChangeGroup[]
  readonly usage: HistoryUsage | null
  /** Older sets were pruned: ids count from 1 and the oldest remaining one is not the first. */
  readonly droppedOlder: boolean
}

/** The history of one conversation's files, followed while anyone subscribes. */
export interface HistoryWatch {
  readonly vfs: Vfs
  readonly state: () => HistoryState
  readonly subscribe: (listener: () => void) => () => void
  /** Undoes sets, or redoes them. */
  readonly setUndone: (ids: readonly number[], undone: boolean) => Promise<VfsResult<HistoryMove>>
  readonly forget: () => Promise<VfsResult<null>>
}

export const loadingHistory: HistoryState = {
  phase: 'loading',
  problem: null,
  sets: [],
  groups: [],
  usage: null,
  droppedOlder: false,
}

export function createHistoryWatch(vfs: Vfs): HistoryWatch {
  const listeners = new Set<() => void>()
  let state = loadingHistory
  let loading: Promise<void> | null = null
  let again = false
  let unwatch = () => {}

  const set = (next: HistoryState) => {
    state = next
    for (const listener of listeners) listener()
  }
  async function read(): Promise<void> {
    const [listed, usage] = await Promise.all([vfs.history.list(), vfs.history.usage()])
    if (!listed.ok) return set({ ...state, phase: 'failed', problem: listed.error.message })
    const sets = listed.value
    set({
      phase: 'ready',
      problem: null,
      sets,
      groups: groupChanges(sets),
      usage,
      droppedOlder: (sets.at(-1)?.id ?? 1) > 1,
    })
  }
  /** Many changes in a row cause one more read, not one each. */
  function load(): Promise<void> {
    again = loading !== null
    loading ??= read()
      .catch(() => set({ ...state, phase: 'failed', problem: failures.unreadable().error.message }))
      .then(() => {
        loading = null
        return again ? load() : undefined
      })
    return loading
  }
  async function changing<T>(work: () => Promise<T>): Promise<T> {
    const done = await work()
    await load()
    return done
  }

  return {
    vfs,
    state: () => state,
    subscribe(listener) {
      if (listeners.size === 0) {
        unwatch = vfs.watch(() => void load())
        void load()
      }
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
        if (listeners.size === 0) unwatch()
      }
    },
    setUndone: (ids, undone) => changing(() => vfs.history.setUndone(ids, undone)),
    forget: () => changing(() => vfs.history.forget()),
  }
}
