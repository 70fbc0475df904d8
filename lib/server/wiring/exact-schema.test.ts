import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { startExactServer, type ExactModel, type ExactServer, type Manner } from '@/e2e/support/exact-server'
import { createChatHarness } from '@/lib/server/chats/testing/chat-harness'
import type { ConversationExport } from '@/lib/shared/conversation/wire/api-types'
import type { AssistantMessage, ConversationSettings } from '@/lib/shared/conversation/conversation'
import type { TrialLine, TrialRequest } from '@/lib/shared/conversation/wire/trial'
import { decodeSettings } from '@/lib/shared/conversation/settings/settings'
import { createOpenAICompatibleProvider } from '@/lib/shared/models/openai-compatible/index'
import { createModelRegistry } from '@/lib/server/models/registry'
import type { Store } from '@/lib/server/store/ports/store'
import { openTestStore } from '@/lib/server/store/testing/open-test-store'
import { formOf } from '@/lib/protocols/types/tool-context-def'
import { testTools } from '@/lib/protocols/testing/tools'
import { toolContextBuilder } from '@/lib/protocols/tool-context-builder'
import { envelopeReplies } from '@/lib/protocols/envelope-reply'
import { createExactPort } from './models.server'

let store: Store
const servers: ExactServer[] = []

beforeAll(async () => {
  toolContextBuilder.learnWhole(envelopeReplies)
  store = await openTestStore({ decodeSettings, now: () => 1_000_000 })
})
afterAll(() => store.close())
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close()
})

const call = '{"action":"tool_call","name":"read_file","arguments":{"path":"/a"}}'
const whole = `[{"action":"text","text":"I look."},${call}]`
const plain = `I look.\n\n\`\`\`json\n${call}\n\`\`\``
const modelOf = (manner: Manner, field: ExactModel['field'] = 'response_format'): ExactModel => ({
  manner,
  field,
  bound: whole,
  free: plain,
})

async function chatWith(model: ExactModel, kind: 'lm-studio' | 'unknown' = 'lm-studio') {
  const server = await startExactServer({ models: { it: model } })
  servers.push(server)
  const ports = { fetch: globalThis.fetch, monotonic: () => 0 }
  const provider = createOpenAICompatibleProvider(
    {
      kind: 'openai-compatible',
      id: 'own',
      label: 'Own',
      baseUrl: server.url,
      apiKey: null,
      models: null,
      ...(kind !== 'unknown' && { server: kind }),
    },
    ports,
  )
  const models = createModelRegistry({ providers: [provider], defaultModel: null, monotonic: () => 0 })
  const chat = createChatHarness(store, {
    models,
    builder: toolContextBuilder,
    discoverTools: () => testTools,
    exact: createExactPort(models.exact),
  })
  return {
    service: chat.service,
    newChat: (settings: Partial<ConversationSettings> = {}) =>
      chat.newChat({ model: 'own/it', strategy: 'JSON_Action', exact: true, ...settings }),
    async ask(id: string, text = 'Read /a.', parentId: string | null = null): Promise<AssistantMessage> {
      const sent = await chat.send(id, text, parentId)
      return chat.reply(id, sent.replyId)
    },
    change: async (id: string, change: Partial<ConversationSettings>) => {
      const { settings } = (await chat.service.view(chat.owner, id)).conversation
      await chat.service.patch(chat.owner, id, { settings: { ...settings, ...change } })
    },
    found: () => models.exact.of('own/it')?.found,
    asked: () => server.bodies.filter(({ messages }) => messages.at(-1)?.content !== 'Hello'),
    tries: () => server.bodies.filter(({ messages }) => messages.at(-1)?.content === 'Hello'),
  }
}

/** What a user sees of a reply: its text, and its calls. */
function shownOf(reply: AssistantMessage) {
  const { segments } = toolContextBuilder.parseResponse(formOf(reply), reply.text, testTools)
  return segments.flatMap((one) => {
    if (one.kind === 'text') return (one.said ?? reply.text.slice(one.start, one.end)).trim() || []
    return one.kind === 'call' && one.standing === 'live' ? { name: one.name, repairs: one.repairs } : one.kind
  })
}

const systemOf = (body: { readonly messages: readonly { readonly role: string; readonly content: string }[] }) =>
  body.messages.find(({ role }) => role === 'system')?.content ?? ''

// The behavior of each server: exact-matrix.test.ts.
describe('a server that accepts only a JSON schema', () => {
  it('constrains a whole reply, which is then read as JSON everywhere', async () => {
    const nod = await chatWith(modelOf('honours'))
    const id = await nod.newChat()
    const reply = await nod.ask(id)
    expect(reply).toMatchObject({
      text: whole,
      outcome: 'finished',
      reading: 'whole',
      exact: { is: 'honoured', form: 'json-schema' },
    })
    expect(shownOf(reply)).toEqual(['I look.', { name: 'read_file', repairs: [] }])
    const [body] = nod.asked()
    expect(body).toMatchObject({ response_format: { type: 'json_schema', json_schema: { strict: true } } })
    expect(JSON.stringify(body?.['response_format'])).toContain('"const":"read_file"')
    expect(body && systemOf(body)).toContain('Your whole reply is one JSON object')
    expect(nod.tries()).toHaveLength(1)
    expect(nod.found()).toBe('honoured')
    // It is read as JSON everywhere.
    const { pieces } = await nod.service.export('ada', id)
    const exported = JSON.parse((await Array.fromAsync(pieces)).join('')) as ConversationExport
    const copy = await nod.service.import('ada', { id: crypto.randomUUID(), export: exported })
    const taken = (await nod.service.view('ada', copy.id)).messages.at(-1)
    // A file can't prove what a server did: only the request is reported, nothing more.
    expect(taken).toMatchObject({ text: whole, reading: 'whole', exact: { is: 'asked' } })
  })

  it('gets no schema without the chat’s setting, under another strategy, or without tools', async () => {
    const nod = await chatWith(modelOf('honours'))
    const { exact: _, ...unsaid } = { exact: true }
    const off = { ...decodeSettings('{}').settings.tools, enabled: false }
    for (const over of [{ exact: false }, { strategy: 'XML_Tag' }, { tools: off }] as const) {
      const reply = await nod.ask(await nod.newChat({ ...unsaid, ...over }))
      expect(reply).not.toHaveProperty('reading')
      expect(reply).not.toHaveProperty('exact')
      expect(nod.asked().at(-1)).not.toHaveProperty('response_format')
    }
    expect(nod.tries()).toEqual([])
  })

  it('that ignores it has its replies read as usual, which is reported once', async () => {
    const nod = await chatWith(modelOf('ignores'))
    const id = await nod.newChat()
    const reply = await nod.ask(id)
    expect(reply).toMatchObject({ text: plain, reading: 'whole', exact: { is: 'ignored' } })
    expect(shownOf(reply)).toEqual(['I look.', { name: 'read_file', repairs: [] }])
    expect(nod.asked()[0]).not.toHaveProperty('response_format')
    expect(await nod.ask(id, 'Again.', reply.id)).not.toHaveProperty('exact')
    const [first, second] = nod.asked()
    expect(first && systemOf(first)).toBe(second && systemOf(second))
    // Its earlier replies are sent in the requested form.
    expect(JSON.parse(second?.messages[2]?.content ?? '')).toMatchObject([
      { action: 'text', text: 'I look.' },
      { action: 'tool_call', name: 'read_file' },
    ])
  })

  it('that runs out of space keeps the reply’s text, but no truncated call', async () => {
    const nod = await chatWith(modelOf('runs-out'))
    const reply = await nod.ask(await nod.newChat())
    expect(reply).toMatchObject({ outcome: 'length', exact: { is: 'honoured' } })
    expect(shownOf(reply)).toEqual(['I look.'])
  })

  it('that is unknown is detected by one short request per field, and used from the next reply on', async () => {
    const nod = await chatWith(modelOf('honours'), 'unknown')
    const id = await nod.newChat()
    const first = await nod.ask(id)
    expect(first).toMatchObject({ text: plain, outcome: 'finished' })
    expect(first).not.toHaveProperty('exact')
    expect(nod.tries()).toHaveLength(4)
    const second = await nod.ask(id, 'Again.', first.id)
    expect(second).toMatchObject({ text: whole, reading: 'whole', exact: { is: 'honoured', form: 'json-schema' } })
    expect(nod.tries()).toHaveLength(4)
  })

  it.each(['honours', 'ignores'] as const)('is used in lab trials like in chats, as it %s', async (manner) => {
    const nod = await chatWith(modelOf(manner))
    const tools = testTools.slice(0, 3).map(({ name, description, parameters }) => ({ name, description, parameters }))
    const request = { model: 'own/it', strategy: 'JSON_Action', systemPrompt: '', tools } as const
    const trial = async (over: Partial<TrialRequest>) => {
      const asked = { ...request, turns: [{ role: 'user', text: 'Read /a.' }], ...over } as const
      const lines: TrialLine[] = []
      for await (const some of await nod.service.trial('ada', asked, new AbortController().signal)) lines.push(...some)
      return lines.at(-1)
    }
    expect(await trial({})).not.toHaveProperty('exact')
    const is = manner === 'honours' ? 'honoured' : 'ignored'
    expect(await trial({ exact: true, reading: 'whole' })).toMatchObject({ outcome: 'finished', exact: { is } })
    const [plainly, bound] = nod.asked()
    expect(plainly).not.toHaveProperty('response_format')
    expect(bound && 'response_format' in bound).toBe(manner === 'honours')
    expect(bound && systemOf(bound)).toContain('Your whole reply is one JSON object')
  })

  it('gets an unchanged prompt prefix; only a switch changes it', async () => {
    const nod = await chatWith(modelOf('honours'))
    const id = await nod.newChat()
    let parent: string | null = null
    for (const text of ['Read /a.', 'Again.', 'And again.']) parent = (await nod.ask(id, text, parent)).id
    const sent = nod.asked().map(({ messages }) => messages.map((message) => JSON.stringify(message)))
    expect(sent.map(({ length }) => length)).toEqual([2, 4, 6])
    for (const [at, messages] of sent.entries()) expect(sent.at(-1)?.slice(0, messages.length)).toEqual(sent[at])
    await nod.change(id, { exact: false })
    const reply = await nod.ask(id, 'As ever.', parent)
    expect(reply).not.toHaveProperty('reading')
    const [last] = nod.asked().slice(-1)
    expect(last && systemOf(last)).not.toContain('Your whole reply')
    // Earlier replies are sent in the current form.
    expect(last?.messages[2]?.content).toMatch(/^I look\.\n\n```json\n/)
  })
})
