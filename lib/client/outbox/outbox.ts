import { withoutTemporaryChats } from './temporary-chats'
import type { AttachmentToSend } from '@/lib/shared/conversation/wire/api-types'
import type { ConversationSettings } from '@/lib/shared/conversation/conversation'

export interface OutboxItem {
  readonly entry: OutboxEntry
  /** False: the browser keeps nothing (storage is full or off), so it lives as long as this page. */
  readonly kept: boolean
}

/** What was sent stays here until the server has it: over reloads, crashes and restarts, seen by every tab. */
export interface Outbox {
  /** Oldest first; what other tabs put in or took out is seen at once. */
  readonly all: () => readonly OutboxItem[]
  readonly get: (id: string) => OutboxEntry | null
  /** Puts it in, or in the place of what stood there under its id. */
  readonly put: (entry: OutboxEntry) => void
  readonly remove: (id: string) => void
  /** Another tab changed the storage. */
  readonly changedElsewhere: () => void
  readonly subscribe: (listener: () => void) => () => void
}

export type OutboxStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'key' | 'length'>

export const outboxPrefix = 'nod:outbox:'

/** `storage`: null where the browser keeps nothing. */
export function createOutbox(storage: OutboxStorage | null): Outbox {
  /** What this page put in, whole; what the storage holds besides is another tab's, or of before a reload. */
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
      // Full or refused. What stood there before stays: after a crash its words are better than none.
      return false
    }
  }
  function erase(id: string): void {
    try {
      storage?.removeItem(outboxPrefix + id)
    } catch {
      // Refused as a whole: nothing was written either.
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
  /** The stored row is the newer one; what this page holds besides are the pictures. */
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

/** A message that was sent and that the server has not accepted yet. Its id makes every try the same request. */
export interface OutboxEntry {
  readonly version: 1
  readonly id: string
  readonly conversationId: string
  /** Where it goes: the end that was seen when it was sent, or where it was aimed again when the chat had gone on. */
  readonly parentId: string | null
  readonly branch?: 'edit' | 'back' | 'leaf'
  readonly text: string
  /** In storage without their pictures, which are made from the files again. */
  readonly attachments?: readonly AttachmentToSend[]
  readonly keepAttachmentsOf?: string
  readonly createdAt: number
  /** Its chat is one that the server does not know yet, and these are its settings. */
  readonly create?: Partial<ConversationSettings>
  /** With `create`: it begins as a temporary chat. Such an entry is in memory only. */
  readonly temporary?: true
  /** With `create`: the project that it begins in. */
  readonly project?: string
  /** The chat had gone on before it was accepted: it is told once it stands. */
  readonly movedOn?: true
  /** The message that it was written again from, which may have arrived all the same. */
  readonly replaces?: string
  /**
   * It was written during a turn and waits for its end; `reply`: for the end of the reply alone, so that calls which wait by
   * then are skipped; `edit`: until its words are edited. It goes to the end that the chat has when it leaves. Left out: it
   * waits for nothing but the server.
   */
  readonly after?: 'turn' | 'reply' | 'edit'
  /** A request with it was made: it may have arrived without an answer. */
  readonly tried?: true
  /** Why the server will not take it as it is; null: it goes by itself. */
  readonly refusal: string | null
}

/** What waits in one chat, in the order in which it goes. */
export const entriesIn = (outbox: Pick<Outbox, 'all'>, conversationId: string): readonly OutboxEntry[] =>
  outbox.all().flatMap(({ entry }) => (entry.conversationId === conversationId ? [entry] : []))

/** What another version wrote under our name, or anyone else, is no entry: it is left where it is. */
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
 * The browser's storage as one account sees it: the same names in a space of its own, so that the next person at this browser
 * finds nothing of what another wrote and did not send. Without an account it is the storage itself.
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
