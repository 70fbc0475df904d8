import type { OutboxStorage } from './outbox'

export interface DraftPorts {
  /** `localStorage`, or null if the browser has no storage. */
  readonly storage:
    | (Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> & Partial<Pick<Storage, 'key' | 'length'>>)
    | null
  readonly schedule: (task: () => void, ms: number) => () => void
  /** Left out: there is only one tab. */
  readonly tab?: DraftTab
}

/** Two tabs of one chat have separate drafts; any tab may take over those of a closed tab. */
export interface DraftTab {
  /** Unique to this tab, and the same after a reload. */
  readonly id: string
  readonly isOpen: (tabId: string) => Promise<boolean>
  /** Null: another tab works under this name. */
  readonly exclusively: <T>(name: string, work: () => Promise<T>) => Promise<T | null>
}

/** Unsent text, per tab and conversation. Survives reloads; a chat that was never sent uses `newChatDraft`. */
export interface Drafts {
  readonly get: (conversationId: string) => string
  readonly set: (conversationId: string, text: string) => void
  /** Replaces the text from outside the field. */
  readonly put: (conversationId: string, text: string) => void
  /** Restores a text that could not be sent, unless the user typed something else meanwhile. */
  readonly restore: (conversationId: string, text: string) => void
  readonly remove: (conversationId: string) => void
  /** Removes the draft in every tab: its conversation was deleted. */
  readonly removeEverywhere: (conversationId: string) => void
  /**
   * Takes over drafts of closed tabs, unless this tab has one already; `all`: all of them, one below the other.
   * Resolves with the resulting draft.
   */
  readonly adopt: (conversationId: string, which: 'all' | 'one') => Promise<string>
  /** Calls the listener when a draft was changed by anything but `set`. */
  readonly subscribe: (listener: (conversationId: string) => void) => () => void
  /** Writes pending changes to the storage. */
  readonly flush: () => void
}

export const newChatDraft = 'new'
/** The id of a new chat while files wait in it: a reload must find them again. */
export const newChatIdDraft = 'new-id'
/** The id, settings and project of a new chat that differs from the usual one, as JSON. */
export const newChatSetupDraft = 'new-setup'
/** The files that wait to be sent in a conversation, as JSON. */
export const filesDraft = (conversationId: string): string => `files:${conversationId}`

/** Not empty: the next message of a conversation asks for a copy of the files. */
export const copyDraft = (conversationId: string): string => `copy:${conversationId}`

/** The partly answered questions of a model in a conversation, as JSON. */
export const questionDraft = (conversationId: string): string => `asks:${conversationId}`

const writeAfterMs = 300
const prefix = 'nod:draft:'

/** `nod:draft:<tab>/<conversation>`; older versions wrote it without a tab, so it belongs to no tab. */
const keyOf = (tab: string, conversationId: string) => `${prefix}${tab === '' ? '' : `${tab}/`}${conversationId}`

export function createDrafts(ports: DraftPorts): Drafts {
  const { storage, tab } = ports
  const unwritten = new Map<string, string>()
  const listeners = new Set<(conversationId: string) => void>()
  const key = (id: string) => keyOf(tab?.id ?? '', id)
  let cancel: (() => void) | null = null

  const write = (id: string, text: string) => {
    try {
      if (text === '') storage?.removeItem(key(id))
      else storage?.setItem(key(id), text)
      if (!storage && text !== '') unwritten.set(id, text)
    } catch {
      // Storage is full or refused: the draft lasts as long as the page.
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
  const read = (storageKey: string): string => {
    try {
      return storage?.getItem(storageKey) ?? ''
    } catch {
      return ''
    }
  }
  const get = (id: string): string => unwritten.get(id) ?? read(key(id))
  const change = (id: string, text: string) => {
    unwritten.set(id, text)
    flush()
    for (const listener of listeners) listener(id)
  }

  /** Keys of this conversation's drafts that other tabs wrote, by tab. */
  function others(id: string): ReadonlyMap<string, string> {
    const found = new Map<string, string>()
    try {
      for (let index = 0; index < (storage?.length ?? 0); index += 1) {
        const one = storage?.key?.(index) ?? ''
        if (!one.startsWith(prefix) || one === key(id)) continue
        const [owner = '', name] = one.slice(prefix.length).split('/')
        if (name === id) found.set(owner, one)
        else if (name === undefined && owner === id) found.set('', one)
      }
    } catch {
      // Storage is refused as a whole: there are no other drafts.
    }
    return found
  }

  return {
    get,
    set(id, text) {
      unwritten.set(id, text)
      cancel ??= ports.schedule(flush, writeAfterMs)
    },
    put: change,
    restore(id, text) {
      if (get(id).trim() === '') change(id, text)
    },
    remove: (id) => change(id, ''),
    removeEverywhere(id) {
      change(id, '')
      for (const one of others(id).values()) storage?.removeItem(one)
    },
    async adopt(id, which) {
      if (!tab || get(id).trim() !== '') return get(id)
      await tab.exclusively(`nod:adopt:${id}`, async () => {
        const left: string[] = []
        for (const [owner, one] of others(id)) if (owner === '' || !(await tab.isOpen(owner))) left.push(one)
        const taken = which === 'all' ? left : left.slice(0, 1)
        const texts = taken.map(read).filter((text) => text.trim() !== '')
        // The user may have typed while the other tabs were checked.
        if (texts.length === 0 || get(id).trim() !== '') return
        change(id, texts.join('\n\n'))
        if (!unwritten.has(id)) for (const one of taken) storage?.removeItem(one)
      })
      return get(id)
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
      }
    },
    flush,
  }
}

const words = /^nod:(?:draft|outbox|unsent):/
/** Data about the previous user's models, which the next person at this browser should not find. */
const remembered = /^nod(?::own-models|:token-ratios|-lab-best|-recent-models)$/

/**
 * Moves drafts and messages written before sign-in to the account, as its chats are moved. `who`: the account's mark.
 * If storage refuses midway, the remaining ones stay where they were.
 */
export function migrateDrafts(storage: OutboxStorage, who: string): void {
  if (who === '') return
  const keys = Array.from({ length: storage.length }, (_, index) => storage.key(index) ?? '')
  for (const key of keys) {
    const text = words.test(key) || remembered.test(key) ? storage.getItem(key) : null
    if (text === null) continue
    const isThere = storage.getItem(`${who}:${key}`) !== null
    if (isThere && words.test(key)) continue
    if (!isThere) storage.setItem(`${who}:${key}`, text)
    storage.removeItem(key)
  }
}
