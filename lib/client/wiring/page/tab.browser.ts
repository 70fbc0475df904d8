import { isDenied } from '@/lib/base/features.browser'
import type { DraftTab } from '@/lib/client/outbox/drafts'
import { withBase } from '@/lib/base/base-path'
import { temporaryPulseMs } from '@/lib/shared/conversation/wire/api-types'
import type { NodApi } from '@/lib/client/api/nod-api'
import type { ClientStore } from '@/lib/client/state/store'
import { viewOf } from '@/lib/client/state/open-conversations'
import { fetchNoting } from '../nod-api.browser'

const idKey = 'nod:tab'
/** Set while no page of the tab is open: a duplicated page copies the tab's storage, but never this. */
const leftKey = 'nod:tab-left'

export interface TabPorts {
  /** `sessionStorage`, or null if the browser has no storage. */
  readonly session: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> | null
  /** Null: plain http. */
  readonly locks: Pick<LockManager, 'request' | 'query'> | null
  readonly newId: () => string
  readonly page: Pick<Window, 'addEventListener'>
}

/**
 * This tab: the same id after a reload, a new one if it was duplicated or opened from a link. Its lock shows that it is
 * open. After a crash it is a new tab, and another tab may take over the old one's drafts.
 */
export function openTab({ session, locks, newId, page }: TabPorts): DraftTab {
  const before = read(session, idKey)
  const id = before !== null && read(session, leftKey) === before ? before : newId()
  const mark = (left: boolean) => {
    try {
      session?.setItem(idKey, id)
      if (left) session?.setItem(leftKey, id)
      else session?.removeItem(leftKey)
    } catch {
      // The next page of this tab is then a new one, and adopts what this one leaves.
    }
  }
  mark(false)
  page.addEventListener('pagehide', () => mark(true))
  page.addEventListener('pageshow', () => mark(false))
  const lockOf = (tabId: string) => `nod:tab:${tabId}`
  // Held until the page ends.
  locks?.request(lockOf(id), () => new Promise<never>(() => {})).catch(() => undefined)
  const openTabs = async (): Promise<readonly LockInfo[]> => {
    try {
      return (await locks?.query())?.held ?? []
    } catch {
      return []
    }
  }

  return {
    id,
    async isOpen(tabId) {
      // Without locks, or if they are denied, this is unknown: drafts then count as left.
      return (await openTabs()).some(({ name }) => name === lockOf(tabId))
    },
    exclusively: (name, work) => exclusively(locks, name, work),
  }
}

/**
 * Web Locks end with the tab that holds them. If there are none (plain http), or the browser denies them (blocked site
 * data), every tab works.
 */
export async function exclusively<T>(
  locks: Pick<LockManager, 'request'> | null,
  name: string,
  work: () => Promise<T>,
): Promise<T | null> {
  if (!locks) return work()
  let asked = false
  try {
    return await locks.request(name, { ifAvailable: true }, (lock) => {
      asked = true
      return lock ? work() : null
    })
  } catch (error) {
    if (asked || !isDenied(error)) throw error
    return work()
  }
}

function read(session: TabPorts['session'], key: string): string | null {
  try {
    return session?.getItem(key) ?? null
  } catch {
    return null
  }
}

interface TemporaryPage {
  readonly store: Pick<ClientStore, 'getState'>
  readonly api: Pick<NodApi, 'patchConversation'>
  readonly newChat: () => void
}

/** Tells the server that the page of a temporary chat is open, and deletes the chat when the page closes. */
export function followTemporaryChat({ store, api, newChat }: TemporaryPage): void {
  /** The shown temporary chat, if the server may have it. */
  const sentId = (): string | null => {
    const { id, conversation, path } = viewOf(store.getState())
    return conversation?.temporary && path.length > 0 ? id : null
  }
  window.addEventListener('pagehide', () => {
    const id = sentId()
    if (id === null) return
    // The request outlives the page; if it is lost, the server's cleanup deletes the chat.
    const address = withBase(`/api/conversations/${id}`)
    fetchNoting(address, { method: 'DELETE', keepalive: true }).catch(() => undefined)
  })
  window.addEventListener('pageshow', ({ persisted }) => {
    if (persisted && sentId() !== null) newChat()
  })
  setInterval(() => {
    const id = sentId()
    if (id !== null) void api.patchConversation(id, { temporary: 'open' })
  }, temporaryPulseMs)
}
