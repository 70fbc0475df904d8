import { createConversationActions } from '../conversation-actions'
import { createDeliverer } from '../deliver'
import { readRun } from '../../api/run-reader'
import { vi } from 'vitest'
import { loadedMessagesOf } from '@/lib/shared/conversation/message-tree'
import { ok } from '@/lib/base/result'
import { createChatController } from '../controller'
import { createDrafts } from '../../outbox/drafts'
import { viewOf } from '../../state/open-conversations'
import { createOutbox } from '../../outbox/outbox'
import { createClientStore } from '../../state/store'
import { createFakeServer } from './fake-server'
import { turnOf } from '../../state/turn'
import { builtIn } from '@/lib/shared/tools/testing/built-in'

/** The chat client as a page has it, with a fake server. `pass` triggers the delayed retries. */
export function openClientPage(server = createFakeServer()) {
  const store = createClientStore()
  const saved = new Map<string, string>()
  const storage = {
    getItem: (key: string) => saved.get(key) ?? null,
    setItem: (key: string, value: string) => void saved.set(key, value),
    removeItem: (key: string) => void saved.delete(key),
  }
  let ids = 0
  const announced: (string | null)[] = []
  const address = { path: '/' }
  const drafts = createDrafts({ storage, schedule: () => () => {} })
  const outbox = createOutbox(null)
  const held = new Set<string>()
  const timers: (() => void)[] = []
  const deleteFiles = vi.fn<(conversationId: string) => Promise<void>>(() => Promise.resolve())
  const storeFiles = vi.fn<(conversationId: string) => Promise<string | null>>(() => Promise.resolve(null))
  const loaded: string[] = []
  const deleted = vi.fn<(ids: readonly string[]) => void>()
  const chat = createChatController({
    store,
    api: server.api,
    drafts,
    outbox,
    canSetCookies: () => true,
    async exclusively(name, work) {
      if (held.has(name)) return null
      held.add(name)
      return work().finally(() => held.delete(name))
    },
    pictures: (_, files) => Promise.resolve(ok(files)),
    turnOf: (view) => Promise.resolve(turnOf(view, builtIn)),
    newId: () => `id-${++ids}`,
    now: () => 5,
    monotonic: () => 5,
    // Delayed retries happen when the test says so.
    wait: (ms) => (ms !== 2_000 ? Promise.resolve() : new Promise((resolve) => void timers.push(resolve))),
    schedule(task, ms) {
      if (ms < 1_000) queueMicrotask(task)
      return () => {}
    },
    navigate: (path) => void (address.path = path),
    announce: (id) => announced.push(id),
    deleteFiles,
    storeFiles,
    openPage: (path) => void loaded.push(path),
    deleted,
    createConversationActions,
    loadDeliverer: () => Promise.resolve({ createDeliverer }),
    readRun,
  })
  const view = () => viewOf(store.getState())
  const words = () => loadedMessagesOf(view().path).map((row) => row.text)
  const pass = () => {
    for (const timer of timers.splice(0)) timer()
  }
  return {
    server,
    store,
    drafts,
    outbox,
    pass,
    chat,
    actions: chat.actions,
    view,
    words,
    announced,
    address,
    deleteFiles,
    storeFiles,
    loaded,
    deleted,
    saved,
  }
}

export const until = (assertion: () => void) => vi.waitFor(assertion, { interval: 1, timeout: 2_000 })
