import type { Vfs } from '@/lib/vfs/vfs'

/** By history: all views of the same files share it. */
const queues = new WeakMap<Vfs['history'], Promise<unknown>>()

/**
 * Runs `task` when every task given before for the same files has ended, so that calls side by side never work on what
 * another one is about to change (read, then write; look, then move). Holds within this page; a failed task holds nobody up.
 */
export function inTurn<T>({ history }: Pick<Vfs, 'history'>, task: () => Promise<T>): Promise<T> {
  const turn = (queues.get(history) ?? Promise.resolve()).then(task, task)
  queues.set(
    history,
    turn.catch(() => {}),
  )
  return turn
}
