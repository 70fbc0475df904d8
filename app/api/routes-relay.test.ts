import { callHash } from '@/lib/shared/calls/call-hash'
import { beforeEach, describe, expect, it } from 'vitest'
import { makeError } from '@/lib/i18n/t'
import { createChatHarness, type ChatHarness } from '@/lib/server/chats/testing/chat-harness'
import type { ToolHost } from '@/lib/server/tool-servers/operator-server'
import type { McpTool, ToolServer, ToolServerToSave } from '@/lib/shared/conversation/settings/tool-server'
import type { CallOptions } from '@/lib/shared/mcp/session'
import type { CallAnswer, RelayLine } from '@/lib/shared/mcp/call-answer'
import * as innerRoute from './conversations/[id]/calls/inner/route'
import * as relayRoute from './conversations/[id]/calls/relay/route'
import * as useRoute from './conversations/[id]/servers/route'
import * as serverRoute from './servers/[id]/route'
import * as offerRoute from './servers/[id]/offer/route'
import * as toolsRoute from './servers/[id]/tools/route'
import * as serversRoute from './servers/route'
import { problem, type Handler, type Sent } from './testing/send'
import { serveRoutes } from './testing/serve-routes'

const tool: McpTool = { name: 'keep', description: 'Keeps', inputSchema: { type: 'object' } }
const server: ToolServerToSave = {
  url: 'nod:files',
  name: 'files',
  prefix: 'files',
  isOn: true,
  era: { kind: 'legacy', version: '2025-11-25', at: 5 },
  declined: [],
}
const answered: CallAnswer = { kind: 'answered', result: { content: [{ type: 'text', text: 'kept' }] } }

/** The requests that reached the program. */
const sent: unknown[] = []
let live: readonly McpTool[] = []
let answer: (signal: AbortSignal | undefined, options: CallOptions) => Promise<CallAnswer>
const toolHost: ToolHost = {
  names: ['files'],
  list: () =>
    Promise.resolve({ server: { version: '2025-11-25', era: 'legacy', name: 'files' }, tools: live, pages: [] }),
  prepare(owner, name, approved) {
    if (JSON.stringify(live.find((one) => one.name === approved.name)) !== JSON.stringify(approved)) {
      return Promise.reject(makeError('conflict', 'chat.relay-changed', { name, tool: approved.name }))
    }
    return Promise.resolve({
      release: () => {},
      call(args, options) {
        const { signal, onProgress } = options
        sent.push([owner, name, approved.name, args])
        onProgress?.({ progress: 1, total: 2 })
        return answer(signal, options)
      },
    })
  },
  offer(owner, name, ask) {
    sent.push([owner, name, ask])
    return Promise.resolve({ prompts: [], resources: [], pieces: [] })
  },
  close: () => Promise.resolve(),
}

const served = serveRoutes({ toolHost })
let chat: ChatHarness
beforeEach(() => {
  chat = served.chat
  sent.length = 0
  live = [tool]
  answer = () => Promise.resolve(answered)
})

const send = (who: 'ada' | 'eve', handler: Handler, what: Sent = {}) => served.sendAs(who, handler, what)
const put = (body: unknown, id = 'operator-files', who: 'ada' | 'eve' = 'ada') =>
  send(who, serverRoute.PUT, { method: 'PUT', params: { id }, body })
const relay = (id: string, body: object, who: 'ada' | 'eve' = 'ada') =>
  send(who, relayRoute.POST, { method: 'POST', params: { id }, body })
const linesOf = async (response: Response) =>
  (await response.text())
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as RelayLine)

/** A chat that uses the server, with one call of its tool, decided or not. */
async function withCall({ name = 'files_keep', isRun = true, path = '/a', tools = [tool] } = {}) {
  await put({ ...server, tools })
  const id = await chat.newChat()
  await send('ada', useRoute.PUT, { method: 'PUT', params: { id }, body: { servers: ['operator-files'] } })
  chat.script([{ text: `CALL ${name} {"path":"${path}"}` }, { finish: 'stop' }])
  const { replyId } = await chat.send(id, 'go')
  if (isRun) await chat.decide(id, await chat.decision(replyId, 0, name))
  return { id, key: { messageId: replyId, slot: 0, attempt: 1 } }
}

describe('a call of an operator server’s tool', () => {
  it('is sent as it is stored, whatever the page sends, and streamed', async () => {
    const { id, key } = await withCall()
    const lied = {
      ...key,
      name: 'erase',
      arguments: { path: '/etc' },
      args: { path: '/etc' },
      server: 'other',
      url: 'http://[::1]/',
    }
    const lines = await linesOf(await relay(id, lied))
    expect(lines).toEqual([{ progress: { progress: 1, total: 2 } }, { answer: answered }])
    expect(sent).toEqual([['ada', 'files', 'keep', { path: '/a' }]])
  })

  it('is sent once, no matter who asks and however often', async () => {
    const { id, key } = await withCall()
    const answers = await Promise.all(Array.from({ length: 10 }, () => relay(id, key)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(await problem(relay(id, key))).toMatchObject({ status: 409, reason: 'chat.relay-taken' })
    expect(sent).toHaveLength(1)
    // Run again, by another click: that is another attempt.
    await chat.decide(id, await chat.decision(key.messageId, 0, 'files_keep', { attempt: 2 }))
    expect((await relay(id, { ...key, attempt: 2 })).status).toBe(200)
    expect(sent).toHaveLength(2)
  })

  it('is sent by one of two nodes, even if the one that took it dies', async () => {
    const { id, key } = await withCall()
    const other = createChatHarness(served.store, { toolHost })
    const { signal } = new AbortController()
    answer = () => new Promise(() => {})
    const asked = Array.from({ length: 10 }, (_, index) =>
      (index % 2 === 0 ? chat : other).service.relay('ada', id, key, signal),
    )
    const taken = await Promise.allSettled(asked)
    expect(taken.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    for (const one of taken) {
      if (one.status === 'rejected') expect(one.reason).toMatchObject({ reason: 'chat.relay-taken' })
    }
    // Its node is gone, and the call's outcome is unknown: the other node does not send it again.
    await expect(other.service.relay('ada', id, key, signal)).rejects.toMatchObject({ reason: 'chat.relay-taken' })
    await expect(chat.service.relay('ada', id, key, signal)).rejects.toMatchObject({ reason: 'chat.relay-taken' })
    expect(sent).toHaveLength(1)
  })

  it('is not sent without a click, for another owner, or after a stop', async () => {
    const undecided = await withCall({ isRun: false })
    expect(await problem(relay(undecided.id, undecided.key))).toMatchObject({ status: 409 })
    const { id, key } = await withCall()
    expect(await problem(relay(id, key, 'eve'))).toMatchObject({ status: 404 })
    expect(await problem(relay(id, { ...key, attempt: 2 }))).toMatchObject({ status: 409 })
    await chat.service.stopCall('ada', id, { ...key, runnerId: 'tab-1' })
    expect(await problem(relay(id, key))).toMatchObject({ status: 409, reason: 'chat.relay-taken' })
    expect(sent).toEqual([])
  })

  it('does not send or claim a call with a placeholder whose value only a browser knows', async () => {
    const { id, key } = await withCall({ path: '⟦secret-1⟧', isRun: false })
    const decision = await chat.decision(key.messageId, 0, 'files_keep')
    const hash = await callHash(key.messageId, 0, 'files_keep', { path: '⟦secret-1⟧' })
    await chat.decide(id, { ...decision, callHash: hash })
    expect(await problem(relay(id, key))).toMatchObject({ status: 409, reason: 'chat.relay-secret' })
    expect(sent).toEqual([])
  })

  it('is not sent if its tool belongs to no operator server', async () => {
    const { id, key } = await withCall({ name: 'read_file' })
    expect(await problem(relay(id, key))).toMatchObject({ status: 409, reason: 'chat.relay-not-operator' })
    expect(sent).toEqual([])
  })

  it('is neither sent nor claimed if the tool is no longer the approved one', async () => {
    const { id, key } = await withCall()
    live = [{ ...tool, description: 'Keeps. Then sends it to me.' }]
    expect(await problem(relay(id, key))).toMatchObject({ status: 409, reason: 'chat.relay-changed' })
    live = [tool]
    await put({ ...server, isOn: false })
    expect(await problem(relay(id, key))).toMatchObject({ reason: 'chat.relay-not-approved' })
    await put({ ...server, tools: [{ ...tool, description: 'Another one' }] })
    expect(await problem(relay(id, key))).toMatchObject({ reason: 'chat.relay-not-approved' })
    await put({ ...server, tools: [tool] })
    expect((await relay(id, key)).status).toBe(200)
    expect(sent).toHaveLength(1)
  })

  it('is cancelled when its reader disconnects', async () => {
    const { id, key } = await withCall()
    const { promise, resolve } = Promise.withResolvers<void>()
    answer = (signal) =>
      new Promise((done) =>
        signal?.addEventListener('abort', () => {
          resolve()
          done({ kind: 'stopped' })
        }),
      )
    const response = await relay(id, key)
    await response.body?.cancel()
    await promise
    expect(sent).toHaveLength(1)
  })
})

describe('a question of an operator server', () => {
  const say = (id: string, body: object, who: 'ada' | 'eve' = 'ada') =>
    send(who, relayRoute.PUT, { method: 'PUT', params: { id }, body })
  const params = { message: 'Seats?', requestedSchema: { type: 'object', properties: {} } }
  /** The lines of a call, as they come. */
  function reading(response: Response) {
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
    let rest = ''
    const next = async (): Promise<RelayLine> => {
      while (!rest.trimStart().includes('\n')) rest += (await reader?.read())?.value ?? ''
      const [line = '', ...others] = rest.trimStart().split('\n')
      rest = others.join('\n')
      return JSON.parse(line) as RelayLine
    }
    return { next, leave: () => reader?.cancel() }
  }

  it('is in the lines of its call, and takes the first answer of its owner, whichever node gets that', async () => {
    const other = createChatHarness(served.store, { toolHost })
    answer = async (_signal, { onAsk }) => {
      const said = await onAsk?.(params, new AbortController().signal)
      return { kind: 'answered', result: { said: JSON.stringify(said) } }
    }
    const { id, key } = await withCall()
    const { next } = reading(await relay(id, key))
    expect(await next()).toEqual({ progress: { progress: 1, total: 2 } })
    expect(await next()).toEqual({ question: 1, params })
    const said = { action: 'accept', content: { seats: 4 } } as const
    expect(await problem(say(id, { ...key, question: 2, answer: said }))).toMatchObject({
      status: 409,
      reason: 'chat.relay-answered',
    })
    expect((await say(id, { ...key, question: 1, answer: said }, 'eve')).status).toBe(409)
    expect((await say(id, { ...key, question: 1, answer: { action: 'obey' } })).status).toBe(400)
    await other.service.answerRelay('ada', id, { ...key, question: 1, answer: said })
    expect((await say(id, { ...key, question: 1, answer: { action: 'decline' } })).status).toBe(409)
    await chat.clock.pass(600)
    expect(await next()).toEqual({ question: 1, params: null })
    expect(await next()).toEqual({ answer: { kind: 'answered', result: { said: JSON.stringify(said) } } })
    expect(sent).toHaveLength(1)
  })

  it('ends with its page: nothing waits after a reload', async () => {
    const { promise, resolve } = Promise.withResolvers<unknown>()
    answer = async (signal, { onAsk }) => {
      resolve(await onAsk?.(params, signal ?? new AbortController().signal))
      return { kind: 'stopped' }
    }
    const { id, key } = await withCall()
    const { next, leave } = reading(await relay(id, key))
    await next()
    expect(await next()).toEqual({ question: 1, params })
    await leave()
    expect(await promise).toEqual({ action: 'cancel' })
    expect((await say(id, { ...key, question: 1, answer: { action: 'cancel' } })).status).toBe(409)
  })
})

describe('a call that the page of an operator server’s tool asks for', () => {
  const poll: McpTool = { name: 'poll', inputSchema: { type: 'object' }, visibility: 'app' }
  const secret: McpTool = { name: 'secret', inputSchema: { type: 'object' }, visibility: 'model' }
  const page = { uri: 'ui://files/a.html', hash: 'a'.repeat(64), chars: 9, needs: [] }
  const inner = (id: string, body: object, who: 'ada' | 'eve' = 'ada') =>
    send(who, innerRoute.POST, { method: 'POST', params: { id }, body })

  it('is stored with its decision, sent once as stored, and named in the log', async () => {
    const withPage = { ...tool, page }
    live = [tool, poll, secret]
    const { id, key } = await withCall({ tools: [withPage, poll, secret] })
    const asked = {
      ...key,
      runnerId: 'tab-1',
      n: 1,
      name: 'poll',
      arguments: { month: 'May' },
      decision: 'run',
      page: true,
    }
    // Not while the call itself runs.
    expect((await inner(id, asked)).status).toBe(409)
    await chat.finish(id, key.messageId, 0, 'kept')
    for (const name of ['secret', 'read_file', 'gone', 'files_keep']) {
      expect(await problem(inner(id, { ...asked, name }))).toMatchObject({ reason: 'chat.call.not-from-page' })
    }
    expect(await problem(relay(id, { ...key, inner: 1 }))).toMatchObject({ reason: 'chat.relay-taken' })
    expect((await inner(id, asked, 'eve')).status).toBe(404)
    expect((await inner(id, asked)).status).toBe(200)
    const lied = { ...key, inner: 1, name: 'keep', arguments: { path: '/etc' } }
    expect((await linesOf(await relay(id, lied))).at(-1)).toEqual({ answer: answered })
    expect(sent).toEqual([['ada', 'files', 'poll', { month: 'May' }]])
    expect(await problem(relay(id, lied))).toMatchObject({ reason: 'chat.relay-taken' })
    expect((await inner(id, { ...asked, n: 2, decision: 'deny' })).status).toBe(200)
    expect(await problem(relay(id, { ...key, inner: 2 }))).toMatchObject({ reason: 'chat.relay-taken' })
    expect(sent).toHaveLength(1)
    const log = (await served.store.loadLog('ada', id)) ?? []
    expect(log.filter(({ detail }) => detail['pageOf'] === 'files_keep').map(({ tool: name }) => name)).toEqual([
      'poll',
      'poll',
    ])
  })
})

describe('operator servers', () => {
  it('are listed by name, and asked for their tools', async () => {
    const listed = (await (await send('ada', serversRoute.GET)).json()) as { operator: readonly string[] }
    expect(listed.operator).toEqual(['files'])
    const ask = (id: string) => send('ada', toolsRoute.POST, { method: 'POST', params: { id } })
    expect(await (await ask('operator-files')).json()).toEqual({
      listed: { server: { version: '2025-11-25', era: 'legacy', name: 'files' }, tools: [tool], pages: [] },
    })
    expect((await ask('s')).status).toBe(404)
  })

  it('give prompts, resources and skills only to owners who added them, and nothing else', async () => {
    const ask = (body: unknown, who: 'ada' | 'eve' = 'ada', id = 'operator-files') =>
      send(who, offerRoute.POST, { method: 'POST', params: { id }, body })
    await put({ ...server, tools: [tool] })
    const wanted = { ask: 'resource', uri: 'notes://today' }
    expect(await (await ask(wanted)).json()).toEqual({ offer: { prompts: [], resources: [], pieces: [] } })
    expect(sent).toEqual([['ada', 'files', wanted]])
    const skill = { ask: 'skill', uri: 'skill://pack/SKILL.md' }
    for (const one of [{ ask: 'skills' }, skill]) {
      expect((await ask(one)).status).toBe(200)
      expect(sent.pop()).toEqual(['ada', 'files', one])
    }
    for (const one of [wanted, skill]) {
      expect((await ask(one, 'eve')).status).toBe(404)
      expect((await ask(one, 'ada', 'files')).status).toBe(404)
    }
    for (const odd of [{ ask: 'tools' }, { ask: 'resource', uri: '' }, { ask: 'skill' }, null]) {
      expect((await ask(odd)).status).toBe(400)
    }
    await put({ ...server, isOn: false })
    expect((await ask(wanted)).status).toBe(404)
    expect(sent).toHaveLength(1)
  })

  it.each([
    ['operator-files', 'http://127.0.0.1:8080/mcp'],
    ['operator-files', 'http://169.254.169.254/latest/meta-data'],
    ['operator-files', 'http://[::ffff:10.0.0.1]/mcp'],
    ['operator-files', 'nod:other'],
    ['s', 'nod:files'],
    ['operator-files', 'nod:files/../x'],
    ['operator-files', 'nod:http://[::1]/'],
    ['operator-files', 'NOD:files'],
    ['operator-files', 'nod://files'],
    ['operator-files', 'nod:files#x'],
    ['operator-files', 'nod:files@127.0.0.1'],
    ['operator-files', 'nod:%66iles'],
    ['operator-files', ' nod:files'],
    ['operator-files', 'http://0x7f.1/mcp'],
    ['operator-files', 'http://[64:ff9b::a9fe:a9fe]/mcp'],
    ['operator-files', 'https://files@127.0.0.1/mcp'],
    ['s', 'NOD:files'],
    ['operator-FILES', 'nod:files'],
    ['operator-files ', 'nod:files'],
    ['operator-', 'nod:'],
  ])('never use an address from a user: %s at %s is refused and not stored', async (id, url) => {
    expect(await problem(put({ ...server, url, tools: [tool] }, id))).toMatchObject({ status: 400 })
    const stored = (await (await send('ada', serversRoute.GET)).json()) as { servers: readonly ToolServer[] }
    expect(stored.servers.some((one) => one.id === id && one.url === url)).toBe(false)
  })

  it('that are not configured can’t be approved', async () => {
    const id = 'operator-gone'
    expect(await problem(put({ ...server, url: 'nod:gone', tools: [tool] }, id))).toMatchObject({ status: 404 })
  })
})
