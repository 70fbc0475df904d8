import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { AllDeleted, ChatResponse, UseView } from '@/lib/shared/conversation/wire/api-types'
import { createOwnRate } from '@/lib/server/quota/rate'
import type { ChatServicePorts } from '@/lib/server/stored-chats/chat-service-ports'
import { createChatHarness, testLimits, type ChatHarness } from '@/lib/server/chats/testing/chat-harness'
import { decodeSettings } from '@/lib/shared/conversation/settings/settings'
import type { BudgetRule } from '@/lib/shared/models/budget'
import { openTestStore } from '@/lib/server/store/testing/open-test-store'
import type { Store } from '@/lib/server/store/ports/store'
import { createQuotas } from '@/lib/server/wiring/requests/quotas.server'
import { setServer } from '@/lib/server/wiring/server'
import * as chatRoute from './chat/route'
import * as conversationsRoute from './conversations/route'
import * as eventsRoute from './runs/[id]/events/route'
import * as useRoute from './use/route'
import { problem, sendTo, type Handler, type Sent } from './testing/send'
import { cookieOf, testOwners } from './testing/serve-routes'

/* Limits per owner and per address on a busy server, and what users learn about their usage. */

let store: Store
let chat: ChatHarness

beforeAll(async () => {
  store = await openTestStore({ decodeSettings })
})
afterAll(() => store.close())
beforeEach(() => use({}))
afterEach(() => setServer(null))

type Fair = ChatServicePorts['limits']['fair']

/** A server whose proxy sends the address in a header. `bytesPerDay`: per address. */
function use({ bytesPerDay = 1e9, ...changed }: Partial<Fair> & { readonly bytesPerDay?: number }): void {
  const fair = { ...testLimits.fair, ...changed }
  chat = createChatHarness(store, { limits: { ...testLimits, fair } })
  setServer({
    service: chat.service,
    store,
    owners: testOwners,
    rateLimit: createOwnRate({ burst: 1000, perSecond: 1, monotonic: () => 0 }),
    fairUse: createQuotas(
      {
        ...fair,
        requestsPerMinute: 1000,
        requestsPerMinuteOfAddress: 1000,
        newcomersPerHour: 1000,
        bytesPerDayOfAddress: bytesPerDay,
      },
      {
        clientAddress: (request) => request.headers.get('x-from'),
        secret: new Uint8Array(32),
        now: () => chat.clock.now(),
        store,
        after: (ms, task) => void chat.clock.after(ms, task),
      },
    ),
  })
}

async function send(owner: string, from: string, handler: Handler, sent: Sent = {}): Promise<Response> {
  return sendTo(handler, { cookie: await cookieOf(owner), ...sent, headers: { 'x-from': from, ...sent.headers } })
}
async function newChat(owner: string, from: string): Promise<Response> {
  return send(owner, from, conversationsRoute.POST, { method: 'POST', body: { id: crypto.randomUUID() } })
}
async function idOfNewChat(owner: string, from: string): Promise<string> {
  const { conversation } = (await (await newChat(owner, from)).json()) as { conversation: { id: string } }
  return conversation.id
}
function say(owner: string, from: string, conversationId: string, text: string): Promise<Response> {
  const append = { kind: 'user', id: crypto.randomUUID(), parentId: null, text }
  return send(owner, from, chatRoute.POST, { method: 'POST', body: { conversationId, append } })
}

describe('all visitors from one address', () => {
  it('have a limit on open views of replies together, and each closed view frees one', async () => {
    use({ maxStreamsPerAddress: 2 })
    const open = async (owner: string, from: string, runId: string) =>
      send(owner, from, eventsRoute.GET, { path: '/x?after=0', params: { id: runId } })
    const runs: Record<string, string> = {}
    for (const owner of ['ada', 'bob', 'eve']) {
      const id = await idOfNewChat(owner, 'office')
      chat.script([{ text: 'a' }, { hang: 'listening' }])
      runs[owner] = ((await (await say(owner, 'office', id, 'hi')).json()) as ChatResponse).runId
    }
    const [ada = '', bob = '', eve = ''] = [runs['ada'], runs['bob'], runs['eve']]
    const first = await open('ada', 'office', ada)
    expect((await open('bob', 'office', bob)).status).toBe(200)
    // Soon enough for a closed view, and rare enough for the server.
    expect((await open('eve', 'office', eve)).headers.get('retry-after')).toBe('2')
    expect(await problem(open('eve', 'office', eve))).toMatchObject({
      status: 429,
      message: expect.stringContaining('from your network') as string,
    })
    // A request refused for its address uses nothing of the owner's own limit.
    expect((await open('eve', 'home', eve)).status).toBe(200)
    await first.body?.cancel()
    expect((await open('eve', 'office', eve)).status).toBe(200)
    const drained = chat.service.drain(0)
    await chat.clock.pass(1)
    await drained
  })

  it('have a limit on stored bytes per day; a request beyond it is refused before anything is stored', async () => {
    use({ bytesPerDay: 100_000 })
    const large = 'x'.repeat(40_000)
    const [mine, other] = [await idOfNewChat('mia', 'cafe'), await idOfNewChat('noa', 'cafe')]
    expect((await say('mia', 'cafe', mine, large)).status).toBe(200)
    expect((await say('noa', 'cafe', other, large)).status).toBe(200)
    const third = await idOfNewChat('ida', 'cafe')
    const refused = await say('ida', 'cafe', third, large)
    expect(refused.status).toBe(429)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(((await refused.json()) as { error: { message: string } }).error.message).toMatch(/Nothing was stored/)
    expect((await store.loadConversation('ida', third))?.messages).toEqual([])
    // Small requests still fit, and so do all from other addresses.
    expect((await say('ida', 'cafe', third, 'hi')).status).toBe(200)
    const elsewhere = await idOfNewChat('ida', 'home')
    expect((await say('ida', 'home', elsewhere, large)).status).toBe(200)
    await chat.clock.pass(86_400_000)
    const next = await idOfNewChat('noa', 'cafe')
    expect((await say('noa', 'cafe', next, large)).status).toBe(200)
  })
})

describe('a user’s usage and stored data', () => {
  const rule = (models: string, tokensPerDay: number, whose: BudgetRule['for'] = 'each'): BudgetRule => ({
    models,
    for: whose,
    tokensPerDay,
  })
  const viewOf = async (owner: string) => (await (await send(owner, 'home', useRoute.GET)).json()) as UseView

  it('are shown with the rest of each limit that applies, by model', async () => {
    use({
      budgets: [rule('*', 1_000_000), rule('scripted/*', 50_000, 'everybody'), rule('*', 9, 'each-admin')],
      maxBytesPerOwner: 5_000_000,
      retentionDays: 30,
    })
    const before = await viewOf('uma')
    expect(before).toMatchObject({ chats: 0, messages: 0, bytes: 0, maxBytes: 5_000_000, retentionDays: 30 })
    expect(before.budgets).toEqual([
      { models: '*', mine: true, limit: 1_000_000, left: 1_000_000 },
      { models: 'scripted/*', mine: false, limit: 50_000, left: 50_000 },
    ])
    const id = await idOfNewChat('uma', 'home')
    const { runId } = (await (await say('uma', 'home', id, 'hello there')).json()) as ChatResponse
    await chat.service.settled(runId)
    const after = await viewOf('uma')
    expect(after).toMatchObject({ chats: 1, messages: 2 })
    expect(after.bytes).toBeGreaterThan(0)
    expect(after.budgets[0]?.left).toBeLessThan(1_000_000)
    expect(after.resetsAt).toBeGreaterThan(chat.clock.now())
    // Another owner has used nothing.
    expect((await viewOf('una')).budgets[0]?.left).toBe(1_000_000)
  })

  it('are all deleted at once, with the cookie; other owners keep theirs', async () => {
    const [mine, theirs] = [await idOfNewChat('del', 'home'), await idOfNewChat('keep', 'home')]
    const { runId } = (await (await say('del', 'home', mine, 'hi')).json()) as ChatResponse
    await chat.service.settled(runId)
    const answer = await send('del', 'home', useRoute.DELETE, { method: 'DELETE' })
    expect((await answer.json()) as AllDeleted).toEqual({ chats: 1 })
    expect(await store.loadConversation('del', mine)).toBeNull()
    expect(answer.headers.getSetCookie().some((one) => one.includes('Max-Age=0'))).toBe(true)
    expect(await viewOf('del')).toMatchObject({ chats: 0, messages: 0, bytes: 0 })
    expect(await store.loadConversation('keep', theirs)).not.toBeNull()
  })

  it('are empty for new visitors, and are not deleted by another site', async () => {
    const nobody = (await (await sendTo(useRoute.GET, { cookie: null })).json()) as UseView
    expect(nobody).toMatchObject({ chats: 0, bytes: 0 })
    const headers = { origin: 'https://evil.example' }
    expect((await send('ada', 'home', useRoute.DELETE, { method: 'DELETE', headers })).status).toBe(403)
  })
})
