import { isOver, msUntil } from '@/lib/base/clocks'
import { undoDeletionMs, maxBulkChats, type ChatsChange } from '@/lib/shared/conversation/search/list-filter'
import type { ApiAnswer, ApiFailure } from './api-failure'
import type { NodApi } from './nod-api'

/** Chats, or messages of one chat, that were deleted by one action. */
export interface Deletion {
  readonly ids: readonly string[]
  /** The chat of the messages; left out if `ids` are chats. */
  readonly messageIn?: string
  /** Epoch milliseconds; the deletion can be undone until then. */
  readonly until: number
}

/**
 * The deletions in this browser that can be undone. The server hides such chats at once and deletes them later by
 * itself. This part decides who is offered the undo, in every tab and after a reload, and when the browser's data of
 * the chats is deleted.
 */
export interface Deletions {
  /** The deletions that can be undone, the latest last. Returns the same array while nothing changes. */
  readonly open: () => readonly Deletion[]
  readonly subscribe: (listener: () => void) => () => void
  readonly add: (ids: readonly string[], messageIn?: string) => void
  /** Returns null, or a sentence that says why the undo failed. */
  readonly undo: (deletion: Deletion) => Promise<string | null>
  /** Removes the offer; the deletion remains. */
  readonly dismiss: (deletion: Deletion) => void
  /** Call it when another tab changed the stored list. */
  readonly changedElsewhere: () => void
}

export interface DeletionsPorts {
  /** Null: nothing can be stored, so a reload loses the offer. */
  readonly storage: Pick<Storage, 'getItem' | 'setItem'> | null
  readonly now: () => number
  readonly schedule: (task: () => void, ms: number) => () => void
  readonly restore: (deletion: Deletion) => Promise<ApiAnswer<readonly string[]>>
  /** Called when the chats or messages are restored. */
  readonly restored: (ids: readonly string[], deletion: Deletion) => void
  /** Called when these chats can no longer be restored. */
  readonly forget: (ids: readonly string[]) => void
  /** The message for a deletion that can no longer be undone. */
  readonly gone: () => string
}

export const deletionsKey = 'nod:deleted'

interface Kept extends Deletion {
  readonly dismissed?: true
}

export function createDeletions(ports: DeletionsPorts): Deletions {
  const listeners = new Set<() => void>()
  let kept: readonly Kept[] = read()
  let open: readonly Deletion[] = []
  let cancel = (): void => {}

  function read(): readonly Kept[] {
    try {
      const value: unknown = JSON.parse(ports.storage?.getItem(deletionsKey) ?? '[]')
      return Array.isArray(value) ? value.filter(isKept) : []
    } catch {
      return []
    }
  }
  function write(next: readonly Kept[]): void {
    kept = next
    try {
      ports.storage?.setItem(deletionsKey, JSON.stringify(kept))
    } catch {
      // Storage is full: the offer lasts as long as this page.
    }
    changed()
  }
  function changed(): void {
    cancel()
    const now = ports.now()
    const over = kept.filter(({ until }) => isOver(until, now))
    if (over.length > 0) {
      const chats = over.flatMap(({ ids, messageIn }) => (messageIn === undefined ? ids : []))
      if (chats.length > 0) ports.forget(chats)
      return write(kept.filter(({ until }) => !isOver(until, now)))
    }
    open = kept.filter(({ dismissed }) => !dismissed)
    const next = Math.min(...kept.map(({ until }) => until))
    if (kept.length > 0) cancel = ports.schedule(changed, msUntil(next, now))
    for (const listener of listeners) listener()
  }
  const others = (deletion: Deletion) =>
    kept.filter(({ ids, until }) => until !== deletion.until || ids[0] !== deletion.ids[0])

  changed()
  return {
    open: () => open,
    subscribe(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    add: (ids, messageIn) =>
      write([...kept, { ids, until: ports.now() + undoDeletionMs, ...(messageIn !== undefined && { messageIn }) }]),
    async undo(deletion) {
      const answer = await ports.restore(deletion)
      if (!answer.ok) return answer.error.message
      write(others(deletion))
      if (answer.value.length === 0) return ports.gone()
      ports.restored(answer.value, deletion)
      return null
    },
    dismiss: (deletion) => write([...others(deletion), { ...deletion, dismissed: true }]),
    changedElsewhere() {
      kept = read()
      changed()
    },
  }
}

const isKept = (value: unknown): value is Kept =>
  typeof value === 'object' &&
  value !== null &&
  'until' in value &&
  typeof value.until === 'number' &&
  (!('messageIn' in value) || typeof value.messageIn === 'string') &&
  'ids' in value &&
  Array.isArray(value.ids) &&
  value.ids.every((id) => typeof id === 'string')

/** Changes any number of chats, in batches as large as the server accepts. Stops at the first batch that it refuses. */
export async function sortInParts(
  api: Pick<NodApi, 'sortChats'>,
  ids: readonly string[],
  change: ChatsChange,
): Promise<{ readonly done: readonly string[]; readonly problem: ApiFailure | null }> {
  const done: string[] = []
  for (let at = 0; at < ids.length; at += maxBulkChats) {
    const answer = await api.sortChats(ids.slice(at, at + maxBulkChats), change)
    if (!answer.ok) return { done, problem: answer.error }
    done.push(...answer.value)
  }
  return { done, problem: null }
}
