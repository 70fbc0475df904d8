import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'
import { createOwners } from '@/lib/server/quota/owner'
import { createOwnRate } from '@/lib/server/quota/rate'
import { createChatHarness, type ChatHarness } from '@/lib/server/chats/testing/chat-harness'
import { decodeSettings } from '@/lib/shared/conversation/settings/settings'
import type { Store } from '@/lib/server/store/ports/store'
import { openTestStore } from '@/lib/server/store/testing/open-test-store'
import { setServer } from '@/lib/server/wiring/server'
import type { Server } from '@/lib/server/wiring/server-parts'
import { sendTo, type Handler, type Sent } from './send'

export const testOwners = createOwners({
  secret: new Uint8Array(32).fill(7),
  newId: () => crypto.randomUUID(),
  now: () => 1_700_000_000_000,
})

/** The cookie of this owner's browser. */
export const cookieOf = (owner: string): Promise<string> =>
  Promise.resolve(testOwners.cookie(owner, { secure: false }).split(';')[0] ?? '')

export interface ServedRoutes {
  /** One for all tests of the file. */
  readonly store: Store
  /** New for each test. */
  readonly chat: ChatHarness
  /** The routes' server; replace it with `setServer({ ...server, … })`. */
  readonly server: Server
  /** Calls a route as a browser of this owner; `sent` may name other cookies. */
  readonly sendAs: (owner: string, handler: Handler, sent?: Sent) => Promise<Response>
}

/** For a whole test file: replaces this process's server, with one store, and a chat service for each test. */
export function serveRoutes(harness: Parameters<typeof createChatHarness>[1] = {}): ServedRoutes {
  let store: Store | undefined
  let current: { readonly chat: ChatHarness; readonly server: Server } | undefined
  const made = <T>(part: T | undefined): T => {
    if (part === undefined) throw new Error('asked for before the tests began')
    return part
  }
  beforeAll(async () => {
    store = await openTestStore({ decodeSettings })
  })
  afterAll(() => store?.close())
  beforeEach(() => {
    const chat = createChatHarness(made(store), harness)
    const rateLimit = createOwnRate({ burst: 1_000, perSecond: 1, monotonic: () => 0 })
    const server = { service: chat.service, store: made(store), owners: testOwners, rateLimit }
    current = { chat, server }
    setServer(server)
  })
  afterEach(() => setServer(null))
  return {
    get store() {
      return made(store)
    },
    get chat() {
      return made(current).chat
    },
    get server() {
      return made(current).server
    },
    sendAs: async (owner, handler, sent = {}) => sendTo(handler, { cookie: await cookieOf(owner), ...sent }),
  }
}
