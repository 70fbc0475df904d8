import {
  playedBy,
  startExactServer,
  type ExactBody,
  type ExactModel,
  type ExactServer,
} from '@/e2e/support/exact-server'
import type { JsonObject } from '@/lib/base/json'
import type { BrowserModelKind, BrowserModelPorts } from '@/lib/client/browser-models/browser-model'
import { chromeKind } from '@/lib/client/browser-models/chrome/kind'
import { lmStudioKind, ollamaKind, openAICompatibleKind } from '@/lib/client/browser-models/own-server/kinds'
import { createOwnServers } from '@/lib/client/browser-models/own-server/own-servers'
import { workerHere } from '@/lib/client/browser-models/own-server/testing/worker-here'
import { configOfWeights } from '@/lib/client/browser-models/wllama/choice'
import { wllamaKindOn } from '@/lib/client/browser-models/wllama/kind'
import type { WllamaRunner } from '@/lib/client/browser-models/wllama/client'
import { createChatHarness } from '@/lib/server/chats/testing/chat-harness'
import type { AssistantMessage, ConversationSettings } from '@/lib/shared/conversation/conversation'
import type { ExactServerName } from '@/lib/shared/models/exact/exact-forms'
import type { ExactOfModel, ModelProvider } from '@/lib/shared/models/model'
import { createOllamaProvider } from '@/lib/server/models/ollama/index'
import { createOpenAICompatibleProvider } from '@/lib/shared/models/openai-compatible/index'
import { createModelRegistry } from '@/lib/server/models/registry'
import type { Store } from '@/lib/server/store/ports/store'
import { testTools } from '@/lib/protocols/testing/tools'
import { toolContextBuilder } from '@/lib/protocols/tool-context-builder'
import { makeError } from '@/lib/i18n/t'
import { createExactPort } from '../models.server'
import { configNamed, openTabChats } from './tab-chats'

/* The ways to constrain a model: by Nod's server, by a tab over HTTP, by a tab in its own browser. */

type Models = Readonly<Record<string, ExactModel>>
type Request = Readonly<Record<string, unknown>>

/** Chats with the models of one way, by name. */
export interface ExactChats {
  newChat(name: string, settings: Partial<ConversationSettings>): Promise<string>
  ask(name: string, chat: string, parentId: string | null): Promise<AssistantMessage>
  /** The requests to a model, oldest first, for replies and for tests of its behavior. */
  asked(name: string): readonly Request[]
  tries(name: string): readonly Request[]
  exactOf(name: string): ExactOfModel | null
  close(): Promise<void>
}

const isReply = ({ messages }: Pick<ExactBody, 'messages'>) => messages.at(-1)?.content !== 'Hello'

const bodiesOf = (server: ExactServer, name: string) => server.bodies.filter(({ model }) => model === name)

/** `ollama itself`: as detected without configuration; null: an unnamed server. */
export async function byServer(
  store: Store,
  models: Models,
  kind: ExactServerName | 'ollama itself' | null,
): Promise<ExactChats> {
  const server = await startExactServer({ models })
  const ports = { fetch: globalThis.fetch, monotonic: () => 0 }
  const address = { id: 'own', label: 'Own', baseUrl: server.url }
  const provider: ModelProvider =
    kind === 'ollama itself'
      ? createOllamaProvider(
          { ...address, kind: 'ollama', baseUrl: server.url.replace(/\/v1$/, ''), silent: false },
          ports,
        )
      : createOpenAICompatibleProvider(
          { ...address, kind: 'openai-compatible', apiKey: null, models: null, ...(kind && { server: kind }) },
          ports,
        )
  const registry = createModelRegistry({ providers: [provider], defaultModel: null, monotonic: () => 0 })
  const chat = createChatHarness(store, {
    models: registry,
    builder: toolContextBuilder,
    discoverTools: () => testTools,
    exact: createExactPort(registry.exact),
  })
  return {
    newChat: (name, settings) => chat.newChat({ model: `own/${name}`, ...settings }),
    async ask(_name, id, parentId) {
      const sent = await chat.send(id, 'Read /a.', parentId)
      return chat.reply(id, sent.replyId)
    },
    asked: (name) => bodiesOf(server, name).filter(isReply),
    tries: (name) => bodiesOf(server, name).filter((body) => !isReply(body)),
    exactOf: (name) => registry.exact.of(`own/${name}`),
    close: () => server.close(),
  }
}

const ownKinds = { 'openai-compatible': openAICompatibleKind, ollama: ollamaKind, 'lm-studio': lmStudioKind } as const

/** The user's own server, which the tab reaches. */
export async function byTab(store: Store, models: Models, kind: keyof typeof ownKinds): Promise<ExactChats> {
  const server = await startExactServer({ models })
  const address = kind === 'openai-compatible' ? server.url : server.url.replace(/\/v1$/, '')
  const ports = { servers: createOwnServers(() => workerHere()) } as BrowserModelPorts
  const configs = Object.keys(models).map((name) => configNamed(kind, name, address))
  const tab = openTabChats(store, configs, (config) => ownKinds[kind].open(config, ports))
  return {
    ...chatsOf(tab, (name) => `browser/${kind}:${name}`),
    asked: (name) => bodiesOf(server, name).filter(isReply),
    tries: (name) => bodiesOf(server, name).filter((body) => !isReply(body)),
    close: () => server.close(),
  }
}

const chatsOf = (tab: ReturnType<typeof openTabChats>, idOf: (name: string) => string) => ({
  newChat: (name: string, settings: Partial<ConversationSettings>) => tab.newChat(idOf(name), settings),
  ask: (name: string, chat: string, parentId: string | null) => tab.ask(idOf(name), chat, parentId),
  exactOf: (name: string) => tab.exactOf(idOf(name)),
})

/** The model built into a browser. */
export function byChrome(store: Store, models: Models): Promise<ExactChats> {
  const noted = noteRequests()
  const configs = Object.keys(models).map((name) => configNamed('chrome', name))
  const tab = openTabChats(store, configs, ({ id, name }) => {
    const kind = chromeKind({ LanguageModel: chromeOf(modelNamed(models, name), noted.of(name)) })
    return kind.open({ ...configNamed('chrome', name), id }, {} as BrowserModelPorts)
  })
  return Promise.resolve({ ...chatsOf(tab, (name) => `browser/chrome:${name}`), ...noted, close: async () => {} })
}

function chromeOf(model: ExactModel, note: (request: Request, isTry: boolean) => void) {
  return {
    availability: () => Promise.resolve('available' as const),
    create: () =>
      Promise.resolve({
        destroy() {},
        promptStreaming(
          asked: readonly { readonly content: string }[],
          { responseConstraint }: { readonly responseConstraint?: JsonObject } = {},
        ) {
          const request = responseConstraint === undefined ? {} : { responseConstraint }
          note(request, asked.at(-1)?.content === 'Hello')
          const { refusal, text, midway } = playedBy(model, request)
          if (refusal) throw new DOMException(refusal.body, 'NotSupportedError')
          return new ReadableStream<string>({
            start(out) {
              for (const piece of piecesOf(text)) out.enqueue(piece)
              if (midway === null) out.close()
              // The client reads the received pieces before the failure.
              else setTimeout(() => out.error(new DOMException(midway, 'NotSupportedError')), 5)
            },
          })
        },
      }),
  }
}

/** llama.cpp in the page, simulated. */
export function byEngine(store: Store, models: Models): Promise<ExactChats> {
  const noted = noteRequests()
  const names = Object.keys(models)
  const configs = names.map((name) =>
    configOfWeights({ source: { kind: 'kept', id: name, name }, contextTokens: null }, 7),
  )
  const nameOf = new Map(configs.map(({ id }, at) => [id, names[at] ?? '']))
  const idOf = (name: string) => configs[names.indexOf(name)]?.id ?? ''
  const tab = openTabChats(store, configs, (config) => {
    const name = nameOf.get(config.id) ?? ''
    return engineKind(modelNamed(models, name), noted.of(name)).open(config, {} as BrowserModelPorts)
  })
  return Promise.resolve({ ...chatsOf(tab, idOf), ...noted, close: async () => {} })
}

function engineKind(model: ExactModel, note: (request: Request, isTry: boolean) => void): BrowserModelKind {
  const runner: WllamaRunner = {
    load: () => Promise.reject(new Error('not asked')),
    isLoaded: () => true,
    isLoadedFrom: () => true,
    hasten: () => {},
    unload: () => {},
    write(_choice, turns, { grammar }, onTold) {
      const request = grammar === undefined ? {} : { grammar }
      note(request, turns.at(-1)?.content === 'Hello')
      const { refusal, text, midway, runsOut } = playedBy(model, request)
      if (refusal) return Promise.reject(makeError('bad-request', 'wllama.grammar', { details: refusal.body }))
      for (const piece of piecesOf(text)) onTold({ kind: 'text', text: piece })
      if (midway !== null) return Promise.reject(makeError('bad-request', 'wllama.grammar', { details: midway }))
      return Promise.resolve({ reason: runsOut ? 'length' : 'stop', read: 1, reused: 0, written: 1 })
    },
  }
  return wllamaKindOn(() => ({ file: () => Promise.resolve(new File([], 'x')), threads: 1, runner }))
}

const piecesOf = (text: string): readonly string[] => text.match(/[^]{1,7}/g) ?? []

function modelNamed(models: Models, name: string): ExactModel {
  const model = models[name]
  if (!model) throw new Error(`no model ${name}`)
  return model
}

function noteRequests() {
  const all: { readonly name: string; readonly request: Request; readonly isTry: boolean }[] = []
  const those = (name: string, isTry: boolean) =>
    all.filter((one) => one.name === name && one.isTry === isTry).map(({ request }) => request)
  return {
    of: (name: string) => (request: Request, isTry: boolean) => void all.push({ name, request, isTry }),
    asked: (name: string) => those(name, false),
    tries: (name: string) => those(name, true),
  }
}
