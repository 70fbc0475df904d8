import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import {
  startExactServer,
  type ExactBody,
  type ExactModel,
  type ExactServer,
  type Manner,
} from '@/e2e/support/exact-server'
import type { JsonObject } from '@/lib/base/json'
import { ok } from '@/lib/base/result'
import type { BrowserModelConfig, BrowserModelPorts } from '@/lib/browser-models/browser-model'
import { chromeKind } from '@/lib/browser-models/chrome/kind'
import { lmStudioKind, ollamaKind, openAICompatibleKind } from '@/lib/browser-models/own-server/kinds'
import { createOwnServers } from '@/lib/browser-models/own-server/own-servers'
import { workerHere } from '@/lib/browser-models/own-server/testing/worker-here'
import { configOfWeights } from '@/lib/browser-models/wllama/choice'
import { wllamaKindOn } from '@/lib/browser-models/wllama/kind'
import type { WllamaRunner } from '@/lib/browser-models/wllama/runner'
import { createChatHarness } from '@/lib/chat/testing/chat-harness'
import type { TabApi } from '@/lib/client/tab-writer/tab-api'
import { createTabWriters } from '@/lib/client/tab-writer/tab-writers'
import type { AssistantMessage, ConversationSettings } from '@/lib/conversation/conversation'
import { decodeSettings } from '@/lib/conversation/settings'
import { createExactDesk } from '@/lib/models/exact/exact-desk'
import type { Store } from '@/lib/store/store'
import { openTestStore } from '@/lib/store/testing/open-test-store'
import { testTools } from '@/lib/strategies/testing/tools'
import { toolContextBuilder } from '@/lib/strategies/tool-context-builder'
import { wholeReplies } from '@/lib/strategies/whole-reply'
import { wllamaError } from '@/lib/words/wllama'
import { createExactPort } from './exact.server'

let store: Store
const servers: ExactServer[] = []
beforeAll(async () => {
  toolContextBuilder.learnWhole(wholeReplies)
  store = await openTestStore({ decodeSettings })
})
afterAll(() => store.close())
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close()
})

const key = 'a-key-of-this-tab-0123456789'
const right = 'I look.\n\n<tool_code>\n{"name":"read_file","arguments":{"path":"/a"}}\n</tool_code>'
const mended = "I look.\n\n<tool_code>\n{'name': 'read_file', 'arguments': {'path': '/a',}}\n</tool_code>"
const modelOf = (manner: Manner, field: ExactModel['field'] = 'grammar'): ExactModel => ({
  manner,
  field,
  bound: right,
  free: mended,
})

/** A tab, and the server that it tells what its model writes: all but the wire between them. */
function tabWith(config: BrowserModelConfig, open: Parameters<typeof createTabWriters>[0]['open']) {
  const exact = createExactPort(
    createExactDesk({
      offerOf: () => null,
      modelWith: () => {
        throw new Error('the server tries no model of a browser')
      },
      now: () => 0,
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
    configOf: () => Promise.resolve(config),
    labelOf: () => 'Test',
    open,
    wait: (_ms, signal) =>
      new Promise((resolve) => {
        if (signal?.aborted) resolve()
        signal?.addEventListener('abort', () => resolve(), { once: true })
      }),
    now: () => 0,
    stayAwake: () => () => {},
  })
  let asked = 0
  return {
    exactOf: () => writers.exactOf(config.id),
    newChat: (settings: Partial<ConversationSettings> = {}) =>
      chat.newChat({ model: config.id, strategy: 'XML_Tag', ...settings }),
    async ask(conversationId: string, parentId: string | null = null): Promise<AssistantMessage> {
      const append = { kind: 'user', id: `${conversationId}-${(asked += 1)}`, parentId, text: 'Read /a.' } as const
      const answer = await writers.chat({ conversationId, append }, config.id, async (body) =>
        ok(await service.append(owner, body)),
      )
      if (!answer.ok) throw new Error('refused')
      await writers.settled(answer.value.runId)
      return chat.reply(conversationId, answer.value.replyId)
    },
  }
}

const configAt = (address: string | null): BrowserModelConfig => ({
  version: 1,
  id: 'browser/openai-compatible:it',
  kind: 'openai-compatible',
  name: 'it',
  label: 'It',
  contextTokens: null,
  seesImages: false,
  server: address === null ? null : { address, key: null },
  options: {},
  addedAt: 1,
})

async function ownServer(
  model: ExactModel,
  kind: 'openai-compatible' | 'ollama' | 'lm-studio' = 'openai-compatible',
  open = openAICompatibleKind.open,
) {
  const server = await startExactServer({ models: { it: model } })
  servers.push(server)
  const address = kind === 'openai-compatible' ? server.url : server.url.replace(/\/v1$/, '')
  const config: BrowserModelConfig = { ...configAt(address), id: `browser/${kind}:it`, kind }
  const ports = { servers: createOwnServers(() => workerHere()) } as BrowserModelPorts
  const opened = await open(config, ports)
  const tab = tabWith(config, () => Promise.resolve(opened))
  const isReply = ({ messages }: ExactBody) => messages.at(-1)?.content !== 'Hello'
  return {
    ...tab,
    asked: () => server.bodies.filter(isReply),
    tries: () => server.bodies.filter((body) => !isReply(body)),
  }
}

describe('a reply that a tab writes by a server of the person’s own', () => {
  it.each(['grammar', 'structured_outputs', 'ebnf'] as const)(
    'is bound by %s where the chat wants it',
    async (field) => {
      const tab = await ownServer(modelOf('honours', field))
      const id = await tab.newChat({ exact: true })
      const reply = await tab.ask(id)
      expect(reply).toMatchObject({ text: right, outcome: 'finished', exact: { is: 'honoured' } })
      expect(JSON.stringify(tab.asked()[0]?.[field])).toContain('read_file')
      expect(tab.exactOf()).toMatchObject({ takes: 'grammar', found: 'honoured' })
      const tries = tab.tries().length
      expect(await tab.ask(id, reply.id)).toMatchObject({ exact: { is: 'honoured' } })
      expect(tab.tries()).toHaveLength(tries)
    },
  )

  it.each([{}, { exact: false }, { exact: true, strategy: 'Native' }, { exact: true, tools: 'off' }] as const)(
    'is asked as ever in a chat with %o',
    async (how) => {
      const tab = await ownServer(modelOf('honours'))
      const plain = decodeSettings('{}').settings.tools
      const { tools, ...rest } = { tools: 'on', ...how }
      const reply = await tab.ask(await tab.newChat({ ...rest, tools: { ...plain, enabled: tools === 'on' } }))
      expect(reply).toMatchObject({ outcome: 'finished', text: mended })
      expect(reply).not.toHaveProperty('exact')
      expect(tab.tries()).toEqual([])
      for (const field of ['grammar', 'structured_outputs', 'ebnf', 'response_format']) {
        expect(tab.asked()[0]).not.toHaveProperty(field)
      }
    },
  )

  it('is written without it where the server does nothing with it, which is said once', async () => {
    const tab = await ownServer(modelOf('ignores'))
    const id = await tab.newChat({ exact: true })
    const reply = await tab.ask(id)
    expect(reply).toMatchObject({ text: mended, exact: { is: 'ignored' } })
    expect(await tab.ask(id, reply.id)).not.toHaveProperty('exact')
    expect(tab.tries()).toHaveLength(3)
  })

  it.each([400, 422, 500])(
    'turned down with %i before its first word, is asked again without, once',
    async (status) => {
      const body = '{"error":{"message":"Failed to parse grammar"}}'
      const tab = await ownServer(modelOf({ status, body, grammarOf: 'replies' }))
      const id = await tab.newChat({ exact: true })
      const reply = await tab.ask(id)
      expect(reply).toMatchObject({ outcome: 'finished', text: mended, exact: { is: 'refused' } })
      expect(tab.asked().map((one) => 'grammar' in one)).toEqual([true, false])
      expect(await tab.ask(id, reply.id)).not.toHaveProperty('exact')
    },
  )

  it.each(['fails-open', 'overruns'] as const)('that only half binds (%s) is said to', async (manner) => {
    const tab = await ownServer(modelOf(manner))
    const id = await tab.newChat({ exact: true })
    const reply = await tab.ask(id)
    expect(reply).toMatchObject({ outcome: 'finished', exact: { is: 'broken' } })
    expect(tab.exactOf()).toMatchObject({ found: 'half' })
    expect((await tab.ask(id, reply.id)).exact?.is).toBe('broken')
  })
})

describe('a reply of a model that this browser runs', () => {
  const source = { kind: 'kept', id: 'abc', name: 'tiny.gguf' } as const
  async function engine(write: (grammar: string | undefined) => string) {
    const grammars: (string | undefined)[] = []
    const runner: WllamaRunner = {
      load: () => Promise.reject(new Error('not asked')),
      isLoaded: () => true,
      isLoadedFrom: () => true,
      hasten: () => {},
      unload: () => {},
      write(_choice, _turns, { grammar }, onTold) {
        grammars.push(grammar)
        onTold({ told: 'text', text: write(grammar) })
        return Promise.resolve({ reason: 'stop', read: 1, reused: 0, written: 1 })
      },
    }
    const config = configOfWeights({ source, contextTokens: null }, 7)
    const kind = wllamaKindOn(() => ({ file: () => Promise.resolve(new File([], 'x')), threads: 1, runner }))
    const model = await kind.open(config, {} as BrowserModelPorts)
    return { ...tabWith(config, () => Promise.resolve(model)), grammars }
  }
  const binds = (grammar: string | undefined) => (grammar === undefined ? mended : right)

  it('is bound unless the chat does not want it, and nothing is tried first', async () => {
    const tab = await engine(binds)
    expect(tab.exactOf()).toEqual({ takes: 'grammar', byDefault: true, found: 'honoured' })
    expect(await tab.ask(await tab.newChat())).toMatchObject({
      text: right,
      exact: { is: 'honoured', form: 'grammar' },
    })
    const free = await tab.ask(await tab.newChat({ exact: false }))
    expect(free).toMatchObject({ text: mended })
    expect(free).not.toHaveProperty('exact')
    expect(tab.grammars).toEqual([expect.stringMatching(/^root ::= [^]*read_file/), undefined])
  })

  it('whose grammar the engine can’t read is asked again without, and that is said once', async () => {
    const tab = await engine((grammar) => {
      if (grammar !== undefined) throw wllamaError('bad-request', 'wllama.grammar', { details: 'x' })
      return mended
    })
    const id = await tab.newChat()
    const reply = await tab.ask(id)
    expect(reply).toMatchObject({ outcome: 'finished', text: mended, exact: { is: 'refused' } })
    expect(tab.grammars.map((one) => one !== undefined)).toEqual([true, false])
    expect(await tab.ask(id, reply.id)).not.toHaveProperty('exact')
    expect(tab.grammars).toHaveLength(3)
  })

  it('that fails with the grammar and without did not fail for it', async () => {
    const tab = await engine(() => {
      throw new Error('the device is gone')
    })
    const reply = await tab.ask(await tab.newChat())
    expect(reply).toMatchObject({ outcome: 'failed', text: '' })
    expect(reply).not.toHaveProperty('exact')
    expect(tab.exactOf()).toMatchObject({ found: 'honoured' })
  })
})

describe('a reply of a model of the browser that takes a JSON schema alone', () => {
  const call = '{"action":"tool_call","name":"read_file","arguments":{"path":"/a"}}'
  const whole = `[{"action":"text","text":"I look."},${call}]`
  const texts = { bound: whole, free: `I look.\n\n\`\`\`json\n${call}\n\`\`\`` }
  const chat = { strategy: 'JSON_Action', exact: true } as const

  it.each([
    ['ollama', ollamaKind],
    ['lm-studio', lmStudioKind],
  ] as const)('is bound whole by a server of the person’s own: %s', async (kind, { open }) => {
    const tab = await ownServer({ ...modelOf('honours', 'response_format'), ...texts }, kind, open)
    const reply = await tab.ask(await tab.newChat(chat))
    expect(reply).toMatchObject({ text: whole, reading: 'whole', exact: { is: 'honoured', form: 'json-schema' } })
    expect(JSON.stringify(tab.asked()[0]?.['response_format'])).toContain('read_file')
    expect(tab.tries()).toHaveLength(1)
    expect(await tab.ask(await tab.newChat({ ...chat, exact: false }))).not.toHaveProperty('reading')
  })

  it('is found at a server that nobody knows, and asked so from the next reply on', async () => {
    const tab = await ownServer({ ...modelOf('honours', 'response_format'), ...texts })
    const id = await tab.newChat(chat)
    const first = await tab.ask(id)
    expect(first).toMatchObject({ text: texts.free })
    expect(first).not.toHaveProperty('reading')
    expect(tab.exactOf()).toMatchObject({ takes: 'json-schema', found: 'honoured' })
    expect(await tab.ask(id, first.id)).toMatchObject({ reading: 'whole', exact: { is: 'honoured' } })
  })

  it.each([
    ['honours', { text: whole, exact: { is: 'honoured', form: 'response-constraint' } }],
    ['ignores', { text: texts.free, exact: { is: 'ignored' } }],
    ['refuses', { text: texts.free, exact: { is: 'refused' } }],
  ] as const)('is bound whole by the model that is built into a browser, as it %s', async (manner, expected) => {
    const constraints: unknown[] = []
    const LanguageModel = {
      availability: () => Promise.resolve('available' as const),
      create: () =>
        Promise.resolve({
          destroy() {},
          promptStreaming(_asked: unknown, { responseConstraint }: { readonly responseConstraint?: JsonObject } = {}) {
            constraints.push(responseConstraint)
            const isWord = JSON.stringify(responseConstraint ?? '').includes('"word"')
            if (responseConstraint && manner === 'refuses' && !isWord)
              throw new DOMException('no such schema', 'NotSupportedError')
            const only = /"enum":\["([^"]+)"/.exec(JSON.stringify(responseConstraint ?? ''))?.[1]
            const binds = responseConstraint !== undefined && manner !== 'ignores'
            const text = !binds ? texts.free : isWord ? JSON.stringify({ word: only }) : whole
            return new ReadableStream<string>({
              start(out) {
                out.enqueue(text)
                out.close()
              },
            })
          },
        }),
    }
    const config: BrowserModelConfig = { ...configAt(null), id: 'browser/chrome:built-in', kind: 'chrome' }
    const model = await chromeKind({ LanguageModel }).open(config, {} as BrowserModelPorts)
    const tab = tabWith(config, () => Promise.resolve(model))
    const id = await tab.newChat(chat)
    const reply = await tab.ask(id)
    expect(reply).toMatchObject({ outcome: 'finished', reading: 'whole', ...expected })
    expect(constraints.length).toBe(manner === 'refuses' ? 3 : 2)
    if (manner !== 'honours') expect(await tab.ask(id, reply.id)).not.toHaveProperty('exact')
  })
})
