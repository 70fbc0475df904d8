import { createConversationActions } from '../conversation-actions'
import { createDeliverer } from '../deliver'
import { readRun } from '../../api/run-reader'
import { vi } from 'vitest'
import { loadedMessagesOf } from '@/lib/shared/conversation/message-tree'
import { ok } from '@/lib/base/result'
import { createChatController, type ChatController } from '../controller'
import { createDrafts } from '../../outbox/drafts'
import { createOutbox, type Outbox } from '../../outbox/outbox'
import { createClientStore } from '../../state/store'
import { createFakeServer, unreachable } from './fake-server'
import { viewOf } from '../../state/open-conversations'
import { turnOf } from '../../state/turn'
import { builtIn } from '@/lib/shared/tools/testing/built-in'
import type { NodApi } from '../../api/nod-api'

/**
 * Pages of one browser: they share its storage and locks, and each has its own store. `hearing`: each is notified of
 * the others' changes, as in a browser.
 */
export function openPages({ hearing = false }: { readonly hearing?: boolean } = {}) {
  const server = createFakeServer()
  const saved = new Map<string, string>()
  const held = new Set<string>()
  let ids = 0
  const closed = new Set<string>()
  const browser = { canSetCookies: true, locks: true, loads: 0, failingLoads: 0 }
  const pages = new Map<object, { readonly chat: ChatController; readonly outbox: Outbox }>()
  const open = (path = '/', tabId?: string) => {
    const self = {}
    const tell = (what: (other: { readonly chat: ChatController; readonly outbox: Outbox }) => void) => {
      if (hearing) for (const [one, other] of pages) if (one !== self) queueMicrotask(() => what(other))
    }
    const storage = {
      get length() {
        return saved.size
      },
      key: (index: number) => [...saved.keys()][index] ?? null,
      getItem: (key: string) => saved.get(key) ?? null,
      setItem(key: string, value: string) {
        saved.set(key, value)
        tell(({ outbox: theirs }) => theirs.changedElsewhere())
      },
      removeItem(key: string) {
        saved.delete(key)
        tell(({ outbox: theirs }) => theirs.changedElsewhere())
      },
    }
    const store = createClientStore()
    const outbox = createOutbox(storage)
    const tab = tabId !== undefined && {
      id: tabId,
      isOpen: (other: string) => Promise.resolve(!closed.has(other)),
      exclusively: <T>(_: string, work: () => Promise<T>) => work(),
    }
    const drafts = createDrafts({ storage, schedule: () => () => {}, ...(tab && { tab }) })
    const clock = { now: 5 }
    const timers: { readonly ms: number; readonly go: () => void }[] = []
    const address = { path }
    const chat = createChatController({
      store,
      api: server.api,
      drafts,
      outbox,
      canSetCookies: () => browser.canSetCookies,
      async exclusively(name, work) {
        if (!browser.locks) throw new DOMException('The request was denied.', 'InvalidStateError')
        if (held.has(name)) return null
        held.add(name)
        return work().finally(() => held.delete(name))
      },
      pictures: (_, files) => Promise.resolve(ok(files)),
      turnOf: (view) => Promise.resolve(turnOf(view, builtIn)),
      newId: () => `id-${++ids}`,
      now: () => clock.now,
      monotonic: () => clock.now,
      wait: (ms) => (ms < 2_000 ? Promise.resolve() : new Promise((go) => void timers.push({ ms, go }))),
      schedule(task, ms) {
        if (ms < 1_000) queueMicrotask(task)
        return () => {}
      },
      navigate: (to) => void (address.path = to),
      announce: (id) => tell((other) => other.chat.changedElsewhere(id)),
      deleteFiles: () => Promise.resolve(),
      storeFiles: () => Promise.resolve(null),
      openPage: () => {},
      deleted: () => {},
      createConversationActions,
      loadDeliverer() {
        browser.loads += 1
        return browser.loads > browser.failingLoads
          ? Promise.resolve({ createDeliverer })
          : Promise.reject(new Error('offline'))
      },
      readRun,
    })
    pages.set(self, { chat, outbox })
    chat.start()
    chat.actions.open(path === '/' ? null : path.slice('/c/'.length))
    const view = () => viewOf(store.getState())
    return {
      chat,
      actions: chat.actions,
      store,
      drafts,
      outbox,
      address,
      view,
      clock,
      timers,
      words: () => loadedMessagesOf(view().path).map((row) => row.text),
      waiting: () => store.getState().outbox.map(({ entry }) => entry.text),
    }
  }
  const offline = (name: keyof NodApi, times = 4) =>
    server.failNext(name, ...Array.from({ length: times }, unreachable))
  return { server, saved, open, offline, closed, browser }
}

export const until = (assertion: () => void) => vi.waitFor(assertion, { interval: 1, timeout: 2_000 })
