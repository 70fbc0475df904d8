export interface DraftPorts {
  /** `localStorage`, or null where the browser keeps nothing. */
  readonly storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> | null
  readonly schedule: (task: () => void, ms: number) => () => void
}

/** What was typed and not sent, per conversation. Survives reloads; a chat that was never sent uses `newChatDraft`. */
export interface Drafts {
  readonly get: (conversationId: string) => string
  readonly set: (conversationId: string, text: string) => void
  /** Gives a text back that could not be sent, unless something else was typed meanwhile. */
  readonly restore: (conversationId: string, text: string) => void
  readonly remove: (conversationId: string) => void
  /** Called when a draft changed by anything but `set`. */
  readonly subscribe: (listener: (conversationId: string) => void) => () => void
  /** Writes what is still waiting to be written. */
  readonly flush: () => void
}

export const newChatDraft = 'new'
/** The id that a new chat has already, while files wait in it: a reload must find them again. */
export const newChatIdDraft = 'new-id'
/** The files that wait to be sent in a conversation, as JSON. */
export const filesDraft = (conversationId: string): string => `files:${conversationId}`

const writeAfterMs = 300
const keyOf = (conversationId: string) => `nod:draft:${conversationId}`

export function createDrafts(ports: DraftPorts): Drafts {
  const unwritten = new Map<string, string>()
  const listeners = new Set<(conversationId: string) => void>()
  let cancel: (() => void) | null = null

  const write = (id: string, text: string) => {
    try {
      if (text === '') ports.storage?.removeItem(keyOf(id))
      else ports.storage?.setItem(keyOf(id), text)
    } catch {
      // Storage is full or refused: the draft lives as long as the page.
      unwritten.set(id, text)
    }
  }
  const flush = () => {
    cancel?.()
    cancel = null
    const entries = [...unwritten]
    unwritten.clear()
    for (const [id, text] of entries) write(id, text)
  }
  const get = (id: string): string => {
    const waiting = unwritten.get(id)
    if (waiting !== undefined) return waiting
    try {
      return ports.storage?.getItem(keyOf(id)) ?? ''
    } catch {
      return ''
    }
  }
  const change = (id: string, text: string) => {
    unwritten.set(id, text)
    flush()
    for (const listener of listeners) listener(id)
  }

  return {
    get,
    set(id, text) {
      unwritten.set(id, text)
      cancel ??= ports.schedule(flush, writeAfterMs)
    },
    restore(id, text) {
      if (get(id).trim() === '') change(id, text)
    },
    remove: (id) => change(id, ''),
    subscribe(listener) {
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
      }
    },
    flush,
  }
}
