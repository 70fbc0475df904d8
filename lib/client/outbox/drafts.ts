import type { OutboxStorage } from './outbox'

export interface DraftPorts {
  /** `localStorage`, or null where the browser keeps nothing. */
  readonly storage:
    | (Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> & Partial<Pick<Storage, 'key' | 'length'>>)
    | null
  readonly schedule: (task: () => void, ms: number) => () => void
  /** Left out: one tab is all there is. */
  readonly tab?: DraftTab
}

/** Two tabs of one chat are two fields: each has drafts of its own, and those of a closed tab are anyone's. */
export interface DraftTab {
  /** The same after a reload, and no other tab's. */
  readonly id: string
  readonly isOpen: (tabId: string) => Promise<boolean>
  /** Null: another tab is at work under this name. */
  readonly exclusively: <T>(name: string, work: () => Promise<T>) => Promise<T | null>
}

/** What was typed and not sent, per tab and conversation. Survives reloads; a chat that was never sent uses `newChatDraft`. */
export interface Drafts {
  readonly get: (conversationId: string) => string
  readonly set: (conversationId: string, text: string) => void
  /** Puts a text in the place of what stands there, from outside the field. */
  readonly put: (conversationId: string, text: string) => void
  /** Gives a text back that could not be sent, unless something else was typed meanwhile. */
  readonly restore: (conversationId: string, text: string) => void
  readonly remove: (conversationId: string) => void
  /** Removes it in every tab: its conversation was deleted. */
  readonly removeEverywhere: (conversationId: string) => void
  /**
   * Takes over what tabs that are closed by now left behind, unless something is here already; `all`: every one of them,
   * one below the other. Resolves with what is here then.
   */
  readonly adopt: (conversationId: string, which: 'all' | 'one') => Promise<string>
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

/** The questions of a model that are answered in part, in a conversation, as JSON. */
export const asksDraft = (conversationId: string): string => `asks:${conversationId}`

const writeAfterMs = 300
const prefix = 'nod:draft:'

/** `nod:draft:<tab>/<conversation>`; without a tab as older versions wrote it, which is then no one's. */
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
      // Refused as a whole: no one left anything.
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
        // Something may have been typed while the other tabs were asked for.
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
/** What is remembered of their models: nothing that the next person here should find. */
const remembered = /^nod(?::own-models|:token-ratios|-lab-best|-recent-models)$/

/**
 * What was typed or sent in this browser before its person signed in goes along, as its chats do. `who`: the mark of the account.
 * Should storage refuse midway, what is not there yet stays where it was.
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
