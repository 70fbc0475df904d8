import { withoutTemporaryChats } from './temporary-chats'
import type { AttachmentToSend } from '@/lib/shared/conversation/wire/api-types'
import type { ConversationSettings } from '@/lib/shared/conversation/conversation'

export interface OutboxItem {
  readonly entry: OutboxEntry
  /** False: the browser stores nothing (storage is full or off), so the entry lasts as long as this page. */
  readonly kept: boolean
}

/** Keeps sent messages until the server has them: across reloads, crashes and restarts, visible in every tab. */
export interface Outbox {
  /** Oldest first; changes of other tabs are visible at once. */
  readonly all: () => readonly OutboxItem[]
  readonly get: (id: string) => OutboxEntry | null
  /** Adds an entry, or replaces the one with the same id. */
  readonly put: (entry: OutboxEntry) => void
  readonly remove: (id: string) => void
  /** Call it when another tab changed the storage. */
  readonly changedElsewhere: () => void
  readonly subscribe: (listener: () => void) => () => void
}

export type OutboxStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'key' | 'length'>

export const outboxPrefix = 'nod:outbox:'

/** `storage`: null if the browser has no storage. */
export function createOutbox(storage: OutboxStorage | null): Outbox {
  /** The entries of this page, complete. Other stored entries come from other tabs or from before a reload. */
  const mine = new Map<string, OutboxEntry>()
  const stored = new Set<string>()
  const listeners = new Set<() => void>()

  const tell = () => {
    for (const listener of listeners) listener()
  }

  function write(entry: OutboxEntry): boolean {
    try {
      if (!storage) return false
      const attachments = entry.attachments?.map(({ image: _picture, ...file }) => file)
      storage.setItem(outboxPrefix + entry.id, JSON.stringify({ ...entry, ...(attachments && { attachments }) }))
      return true
    } catch {
      // Storage is full or refused. The previous entry stays: after a crash its text is better than none.
      return false
    }
  }
  function erase(id: string): void {
    try {
      storage?.removeItem(outboxPrefix + id)
    } catch {
      // Storage is refused as a whole: nothing was written either.
    }
  }
  function read(id: string): OutboxEntry | null {
    try {
      const text = storage?.getItem(outboxPrefix + id) ?? null
      const value: unknown = text === null ? null : JSON.parse(text)
      return isOutboxEntry(value) ? value : null
    } catch {
      return null
    }
  }
  function storedIds(): readonly string[] {
    try {
      const keys = Array.from({ length: storage?.length ?? 0 }, (_, index) => storage?.key(index) ?? '')
      return keys.flatMap((key) => (key.startsWith(outboxPrefix) ? [key.slice(outboxPrefix.length)] : []))
    } catch {
      return []
    }
  }
  /** The stored row is newer; this page only adds the images. */
  function get(id: string): OutboxEntry | null {
    const own = mine.get(id) ?? null
    if (own && !stored.has(id)) return own
    const row = read(id)
    if (!row) {
      mine.delete(id)
      stored.delete(id)
      return null
    }
    return own?.attachments ? { ...row, attachments: own.attachments } : row
  }

  return {
    get,
    all() {
      const ids = new Set([...storedIds(), ...mine.keys()])
      const items = [...ids].flatMap((id): readonly OutboxItem[] => {
        const entry = get(id)
        return entry ? [{ entry, kept: !mine.has(id) || stored.has(id) }] : []
      })
      return items.toSorted((a, b) => a.entry.createdAt - b.entry.createdAt)
    },
    put(entry) {
      mine.set(entry.id, entry)
      if (write(entry)) stored.add(entry.id)
      else stored.delete(entry.id)
      tell()
    },
    remove(id) {
      mine.delete(id)
      stored.delete(id)
      erase(id)
      tell()
    },
    changedElsewhere: tell,
    subscribe(listener) {
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
      }
    },
  }
}

/** A sent message that the server has not accepted yet. Its id makes every try the same request. */
export interface OutboxEntry {
  readonly version: 1
  readonly id: string
  readonly conversationId: string
  /** Its parent: the end that the user saw when sending, or the later end it was redirected to. */
  readonly parentId: string | null
  readonly branch?: 'edit' | 'back' | 'leaf'
  readonly text: string
  /** Stored without their images, which are made from the files again. */
  readonly attachments?: readonly AttachmentToSend[]
  readonly keepAttachmentsOf?: string
  /** Its task runs on a copy of the files. */
  readonly onCopy?: true
  readonly createdAt: number
  /** The settings of a chat that the server does not know yet. */
  readonly create?: Partial<ConversationSettings>
  /** With `create`: the chat begins as a temporary one. Such an entry is in memory only. */
  readonly temporary?: true
  /** With `create`: the project in which the chat begins. */
  readonly project?: string
  /** The chat changed before the message was accepted: the user is informed once it is stored. */
  readonly movedOn?: true
  /** The id of the message whose text was edited into this one; the first may have arrived anyway. */
  readonly replaces?: string
  /**
   * It was written during a turn and waits for its end. `reply`: only for the end of the reply, so that calls which
   * then wait are skipped. `edit`: until its text is edited. It goes to the chat's end at the time it is sent. Left
   * out: it waits only for the server.
   */
  readonly after?: 'turn' | 'reply' | 'edit'
  /** A request with it was made: it may have arrived although the response was lost. */
  readonly tried?: true
  /** Why the server will not accept it as it is; null: it is sent by itself. */
  readonly refusal: string | null
}

/** The waiting messages of one chat, in sending order. */
export const entriesIn = (outbox: Pick<Outbox, 'all'>, conversationId: string): readonly OutboxEntry[] =>
  outbox.all().flatMap(({ entry }) => (entry.conversationId === conversationId ? [entry] : []))

/** A value that another version or another program wrote under our name is not an entry: it is left alone. */
function isOutboxEntry(value: unknown): value is OutboxEntry {
  if (typeof value !== 'object' || value === null) return false
  const { version, id, conversationId, parentId, text, createdAt, refusal, attachments, after } = value as Record<
    string,
    unknown
  >
  return (
    version === 1 &&
    typeof id === 'string' &&
    typeof conversationId === 'string' &&
    (parentId === null || typeof parentId === 'string') &&
    typeof text === 'string' &&
    typeof createdAt === 'number' &&
    (refusal === null || typeof refusal === 'string') &&
    (attachments === undefined || Array.isArray(attachments)) &&
    (after === undefined || after === 'turn' || after === 'reply' || after === 'edit')
  )
}

/**
 * The browser's storage as one account sees it: the same names with the account's prefix, so that the next person at
 * this browser finds no unsent text of another. Without an account it is the storage itself.
 */
export function storageSpace(storage: OutboxStorage, who: string): OutboxStorage {
  if (who === '') return withoutTemporaryChats(storage)
  const space = `${who}:`
  return withoutTemporaryChats({
    getItem: (key) => storage.getItem(space + key),
    setItem: (key, value) => storage.setItem(space + key, value),
    removeItem: (key) => storage.removeItem(space + key),
    key: (index) => {
      const key = storage.key(index) ?? ''
      return key.startsWith(space) ? key.slice(space.length) : ''
    },
    get length() {
      return storage.length
    },
  })
}
