import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { decodeSettings } from '@/lib/shared/conversation/settings/settings'
import { createModelProviders } from '@/lib/server/models/create-model-providers'
import { createModelRegistry } from '@/lib/server/models/registry'
import {
  servedVendors,
  startVendorServer,
  type ServedVendor,
  type VendorCounts,
  type VendorServer,
} from '@/lib/shared/models/testing/vendor-server'
import type { Store } from '@/lib/server/store/ports/store'
import { openTestStore } from '@/lib/server/store/testing/open-test-store'
import { createChatHarness } from './testing/chat-harness'

// Uses the vendors' own packages over HTTP, against servers that stream like the vendors' APIs.

let store: Store
const servers: VendorServer[] = []

beforeAll(async () => {
  store = await openTestStore({ decodeSettings, now: () => 1_000_000 })
})
afterAll(() => store.close())
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close()
})

async function chatWith(kind: ServedVendor, counts: () => VendorCounts) {
  const server = await startVendorServer(kind, counts)
  servers.push(server)
  const config = {
    kind,
    id: kind,
    label: kind,
    apiKey: 'k',
    baseUrl: server.url,
    models: [{ name: 'm', label: null, contextTokens: null }],
  }
  const demo = { strategies: [], formatCalls: () => '', delay: () => Promise.resolve(), stepMs: 0 }
  const providers = createModelProviders([config], { fetch: globalThis.fetch, monotonic: () => 0, demo })
  const models = createModelRegistry({ providers, defaultModel: null, monotonic: () => 0 })
  const chat = createChatHarness(store, { models })
  const id = await chat.newChat({ model: `${kind}/m` })
  let parent: string | null = null
  return {
    server,
    async ask(text: string) {
      const sent = await chat.send(id, text, parent)
      parent = sent.replyId
      return chat.reply(id, sent.replyId)
    },
  }
}

describe.each(servedVendors)('%s', (kind) => {
  it('reports with each reply how much of its prompt was cached', async () => {
    const replies: readonly VendorCounts[] = [
      { prompt: 1_000, cached: 0, written: 20 },
      { prompt: 1_050, cached: 1_000, written: 21 },
      { prompt: 1_100, cached: 1_050, written: 22 },
    ]
    let at = 0
    const chat = await chatWith(kind, () => replies[at++] ?? { prompt: 0, cached: 0, written: 0 })
    for (const { prompt, cached, written } of replies) {
      const { text, outcome, usage } = await chat.ask('Go on.')
      expect([text, outcome]).toEqual(['One. Two.', 'finished'])
      expect(usage).toEqual({ inputTokens: prompt, outputTokens: written, cachedInputTokens: cached })
    }
    expect(chat.server.asked).toHaveLength(replies.length)
  })

  it('counts the whole prompt even if the vendor reports no cached tokens', async () => {
    const chat = await chatWith(kind, () => ({ prompt: 1_000, cached: null, written: 20 }))
    const { usage } = await chat.ask('Hello.')
    expect(usage).toMatchObject({ inputTokens: 1_000, outputTokens: 20 })
    expect(usage?.cachedInputTokens ?? 0).toBe(0)
  })
})
