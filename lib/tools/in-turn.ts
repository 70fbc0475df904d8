import type { Vfs } from '@/lib/vfs/vfs'

const queues = new WeakMap<Vfs, Promise<unknown>>()

/**
 * Runs `task` when every task given before for the same files has ended, so that calls side by side never work on what
 * another one is about to change (read, then write; look, then move). Holds within this page; a failed task holds nobody up.
 */
export function inTurn<T>(vfs: Vfs, task: () => Promise<T>): Promise<T> {
  const turn = (queues.get(vfs) ?? Promise.resolve()).then(task, task)
  queues.set(
    vfs,
    turn.catch(() => {}),
  )
  return turn
}
