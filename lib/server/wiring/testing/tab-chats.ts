import { ok } from '@/lib/base/result'
import type { BrowserModel, BrowserModelConfig } from '@/lib/client/browser-models/browser-model'
import { createChatHarness } from '@/lib/server/chats/testing/chat-harness'
import type { TabApi } from '@/lib/client/chats/tab-writer/reply-pieces'
import { createTabWriters } from '@/lib/client/chats/tab-writer/tab-writers'
import type { AssistantMessage, ConversationSettings } from '@/lib/shared/conversation/conversation'
import { createConstrainedDecoding } from '@/lib/shared/models/exact/constrained-decoding'
import type { Store } from '@/lib/server/store/ports/store'
import { testTools } from '@/lib/protocols/testing/tools'
import { toolContextBuilder } from '@/lib/protocols/tool-context-builder'
import { createExactPort } from '../models.server'

const key = 'a-key-of-this-tab-0123456789'

/** A tab with these models, and the server that stores its replies: everything except the network between them. */
export function openTabChats(
  store: Store,
  configs: readonly BrowserModelConfig[],
  open: (config: BrowserModelConfig) => Promise<BrowserModel>,
) {
  const exact = createExactPort(
    createConstrainedDecoding({
      offerOf: () => null,
      modelWith: () => {
        throw new Error('the server tries no model of a browser')
      },
      monotonic: () => 0,
    }),
  )
  const chat = createChatHarness(store, { builder: toolContextBuilder, discoverTools: () => testTools, exact })
  const { service, owner } = chat
  const said = async <T>(work: Promise<T>) => ({ ok: true, value: await work }) as const
  const api: TabApi = {
    prompt: (runId) => said(service.tabPrompt(owner, runId, key)),
    pieces: (runId, body) => said(service.tabPieces(owner, runId, key, body)),
    end: (runId, body) => said(service.tabEnd(owner, runId, key, body)),
  }
  const writers = createTabWriters({
    api,
    key,
    configOf: (id) => Promise.resolve(configs.find((config) => config.id === id) ?? null),
    labelOf: () => 'Test',
    open,
    wait: (_ms, signal) =>
      new Promise((resolve) => {
        if (signal?.aborted) resolve()
        signal?.addEventListener('abort', () => resolve(), { once: true })
      }),
    monotonic: () => 0,
    stayAwake: () => () => {},
  })
  let asked = 0
  return {
    exactOf: (id: string) => writers.exactOf(id),
    newChat: (model: string, settings: Partial<ConversationSettings> = {}) =>
      chat.newChat({ model, strategy: 'XML_Tag', ...settings }),
    async ask(model: string, conversationId: string, parentId: string | null): Promise<AssistantMessage> {
      const append = { kind: 'user', id: `${conversationId}-${(asked += 1)}`, parentId, text: 'Read /a.' } as const
      const answer = await writers.chat({ conversationId, append }, model, async (body) =>
        ok(await service.append(owner, body)),
      )
      if (!answer.ok) throw new Error('refused')
      await writers.settled(answer.value.runId)
      return chat.reply(conversationId, answer.value.replyId)
    },
  }
}

/** A browser model as stored; `server`: where it is requested, null if it needs no server. */
export const configNamed = (
  kind: BrowserModelConfig['kind'],
  name: string,
  address: string | null = null,
): BrowserModelConfig => ({
  version: 1,
  id: `browser/${kind}:${name}`,
  kind,
  name,
  label: name,
  contextTokens: null,
  seesImages: false,
  server: address === null ? null : { address, key: null },
  options: {},
  addedAt: 1,
})
