import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { startExactServer, type ExactModel, type ExactServer, type Manner } from '@/e2e/support/exact-server'
import type { AssistantMessage, ConversationSettings } from '@/lib/shared/conversation/conversation'
import { decodeSettings } from '@/lib/shared/conversation/settings/settings'
import { createOpenAICompatibleProvider } from '@/lib/shared/models/openai-compatible/index'
import type { ExactServerName } from '@/lib/shared/models/exact/exact-forms'
import { createModelRegistry } from '@/lib/server/models/registry'
import type { Store } from '@/lib/server/store/ports/store'
import { openTestStore } from '@/lib/server/store/testing/open-test-store'
import { testTools } from '@/lib/protocols/testing/tools'
import { toolContextBuilder } from '@/lib/protocols/tool-context-builder'
import { createChatHarness } from '@/lib/server/chats/testing/chat-harness'

let store: Store
const servers: ExactServer[] = []

beforeAll(async () => {
  store = await openTestStore({ decodeSettings, now: () => 1_000_000 })
})
afterAll(() => store.close())
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close()
})

const right = '<tool_code>\n{"name":"read_file","arguments":{"path":"/a"}}\n</tool_code>'
const mended = "<tool_code>\n{'name': 'read_file', 'arguments': {'path': '/a',}}\n</tool_code>"
const gbnf = 'root ::= prose\nprose ::= [^<]*'

const modelOf = (manner: Manner, field: ExactModel['field'] = 'grammar'): ExactModel => ({
  manner,
  field,
  bound: `I look.\n\n${right}`,
  free: `I look.\n\n${mended}`,
})

/** A chat over HTTP with a server that has one model, `it`. */
async function chatWith(
  model: ExactModel,
  how: { readonly server?: ExactServerName; readonly ownedBy?: string; readonly apiKey?: string } = {},
) {
  const server = await startExactServer({ models: { it: model }, ...(how.ownedBy && { ownedBy: how.ownedBy }) })
  servers.push(server)
  const provider = createOpenAICompatibleProvider(
    {
      kind: 'openai-compatible',
      id: 'own.server',
      label: 'Own',
      baseUrl: server.url,
      apiKey: how.apiKey ?? null,
      models: null,
      ...(how.server && { server: how.server }),
    },
    { fetch: globalThis.fetch, monotonic: () => 0 },
  )
  const time = { now: 0 }
  const models = createModelRegistry({ providers: [provider], defaultModel: null, monotonic: () => time.now })
  const chat = createChatHarness(store, {
    models,
    builder: toolContextBuilder,
    discoverTools: () => testTools,
    exact: { constrainedDecoding: models.exact, askOf: () => ({ gbnf, jsonSchema: null }) },
  })
  const list = () => models.list(AbortSignal.timeout(5_000))
  await list()
  return {
    ...chat,
    server,
    time,
    /** What the list says about the model. */
    listed: async () => (await list()).models[0]?.exact,
    async chat(settings: Partial<ConversationSettings> = {}) {
      return chat.newChat({ model: 'own.server/it', strategy: 'XML_Tag', ...settings })
    },
    async ask(id: string, text = 'Read /a.', parentId: string | null = null): Promise<AssistantMessage> {
      const sent = await chat.send(id, text, parentId)
      return chat.reply(id, sent.replyId)
    },
    /** The requests for replies, without those that tested the server. */
    asked: () => server.bodies.filter(({ messages }) => messages.length > 1),
    tries: () => server.bodies.filter(({ messages }) => messages.length === 1),
  }
}

describe('a reply with a requested constraint', () => {
  it('is constrained once a test has shown that its server enforces it, and the test is repeated after hours', async () => {
    const nod = await chatWith(modelOf('honours'), { server: 'llama.cpp' })
    const id = await nod.chat()
    expect(await nod.listed()).toEqual({ takes: 'grammar', byDefault: true })
    const reply = await nod.ask(id)
    expect(reply).toMatchObject({ text: `I look.\n\n${right}`, outcome: 'finished', exact: { is: 'honoured' } })
    expect(nod.asked()).toHaveLength(1)
    expect(nod.asked()[0]).toMatchObject({ grammar: gbnf })
    expect(nod.tries()).toHaveLength(1)
    expect(await nod.listed()).toEqual({ takes: 'grammar', byDefault: true, found: 'honoured' })
    await nod.ask(id, 'Again.', reply.id)
    expect(nod.tries()).toHaveLength(1)
    nod.time.now += 7 * 3_600_000
    expect(await nod.listed()).toEqual({ takes: 'grammar', byDefault: true })
    await nod.ask(await nod.chat())
    expect(nod.tries()).toHaveLength(2)
  })

  it.each([
    ['llama.cpp', 400, '{"error":{"code":400,"message":"Failed to parse grammar","type":"invalid_request_error"}}'],
    ['llama.cpp', 500, '{"error":{"code":500,"message":"failed to parse grammar","type":"server_error"}}'],
    ['vllm', 400, '{"error":{"message":"Grammar error: Unknown format: uri","type":"BadRequestError","code":400}}'],
    ['sglang', 400, '{"object":"error","message":"Invalid grammar request: EBNF is not supported","code":400}'],
    ['lm-studio', 400, `{"error":"'response_format.type' must be 'json_schema' or 'text'"}`],
    ['another', 422, '{"detail":[{"type":"extra_forbidden","loc":["body","grammar"]}]}'],
    ['a proxy', 501, '<html>Not Implemented</html>'],
  ])('refused by %s with %i, is retried without it, and that is said once', async (_who, status, body) => {
    const nod = await chatWith(modelOf({ status, body, grammarOf: 'replies' }), { server: 'llama.cpp' })
    const id = await nod.chat()
    const reply = await nod.ask(id)
    expect(reply).toMatchObject({ outcome: 'finished', text: `I look.\n\n${mended}`, exact: { is: 'refused' } })
    expect(nod.asked().map((one) => 'grammar' in one)).toEqual([true, false])
    expect(await nod.ask(id, 'Again.', reply.id)).not.toHaveProperty('exact')
    expect(nod.asked().map((one) => 'grammar' in one)).toEqual([true, false, false])
    expect(await nod.listed()).toMatchObject({ found: 'refused' })
  })

  it('keeps the text before an error in the stream, and fails with a sentence', async () => {
    const midway = '{"error":{"code":500,"message":"failed to parse grammar"}}'
    const nod = await chatWith(modelOf({ midway }), { server: 'llama.cpp' })
    const reply = await nod.ask(await nod.chat())
    expect(reply).toMatchObject({ outcome: 'failed', text: `I look.\n\n${right}` })
    expect(reply.failure?.detail).toContain('failed to parse grammar')
    expect(nod.asked()).toHaveLength(1)
    // A retry by the user is sent without.
    expect(await nod.ask(await nod.chat())).toMatchObject({ outcome: 'finished', exact: { is: 'refused' } })
    expect(nod.asked()[1]).not.toHaveProperty('grammar')
  })

  it('is not tested by default on an unknown server or one with a key; the chat may request it', async () => {
    for (const how of [{}, { server: 'llama.cpp', apiKey: 'k' }, { ownedBy: 'somebody' }] as const) {
      const nod = await chatWith(modelOf('honours'), how)
      expect(await nod.ask(await nod.chat())).not.toHaveProperty('exact')
      expect(nod.server.bodies).toHaveLength(1)
      expect(await nod.ask(await nod.chat({ exact: true }))).toMatchObject({ exact: { is: 'honoured' } })
      expect(nod.tries()).toHaveLength(1)
    }
  })

  it('finds the one field that an unnamed server supports', async () => {
    const nod = await chatWith(modelOf('honours', 'ebnf'))
    const reply = await nod.ask(await nod.chat({ exact: true }))
    expect(reply).toMatchObject({ exact: { is: 'honoured', form: 'ebnf' } })
    expect(nod.tries().map(Object.keys)).toEqual([
      expect.arrayContaining(['grammar']),
      expect.arrayContaining(['structured_outputs']),
      expect.arrayContaining(['ebnf']),
    ])
  })

  it('identifies a server by its list, and leaves a chat alone that does not want it, or has no tools', async () => {
    const nod = await chatWith(modelOf('honours'), { ownedBy: 'llamacpp' })
    expect(await nod.ask(await nod.chat({ exact: false }))).not.toHaveProperty('exact')
    expect(nod.tries()).toHaveLength(0)
    expect(await nod.ask(await nod.chat())).toMatchObject({ exact: { is: 'honoured' } })
  })

  it('is tested once for all parallel requests', async () => {
    const nod = await chatWith(modelOf('honours'), { server: 'llama.cpp' })
    const chats = await Promise.all(Array.from({ length: 5 }, () => nod.chat()))
    const replies = await Promise.all(chats.map((id) => nod.ask(id)))
    expect(replies.map(({ exact }) => exact?.is)).toEqual(Array.from({ length: 5 }, () => 'honoured'))
    expect(nod.tries()).toHaveLength(1)
  })

  it('leaves the prompt so far unchanged in the request', async () => {
    const nod = await chatWith(modelOf('honours'), { server: 'llama.cpp' })
    const id = await nod.chat()
    let parent: string | null = null
    for (const text of ['Read /a.', 'Again.', 'And again.']) parent = (await nod.ask(id, text, parent)).id
    const sent = nod.asked().map(({ messages }) => messages.map((message) => JSON.stringify(message)))
    expect(sent.map(({ length }) => length)).toEqual([2, 4, 6])
    for (const [at, messages] of sent.entries()) expect(sent.at(-1)?.slice(0, messages.length)).toEqual(sent[at])
  })

  it('reports the cached part of the prompt', async () => {
    for (const as of ['cached_tokens', 'timings'] as const) {
      const nod = await chatWith({ ...modelOf('honours'), cached: { as, tokens: 900 } }, { server: 'llama.cpp' })
      const { usage } = await nod.ask(await nod.chat())
      expect(usage).toEqual({ inputTokens: 1_000, outputTokens: 20, cachedInputTokens: 900 })
    }
    const silent = await chatWith(modelOf('honours'), { server: 'llama.cpp' })
    expect((await silent.ask(await silent.chat())).usage).toEqual({ inputTokens: 1_000, outputTokens: 20 })
  })
})
