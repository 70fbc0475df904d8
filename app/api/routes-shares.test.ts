import { describe, expect, it } from 'vitest'
import type { ConversationView } from '@/lib/shared/conversation/wire/api-types'
import type { Conversation } from '@/lib/shared/conversation/conversation'
import {
  nothingShown,
  type ReadableChat,
  type ShownParts,
  type SharedLink,
  type SharesResponse,
} from '@/lib/shared/conversation/readable/readable-chat'
import { setServer } from '@/lib/server/wiring/server'
import * as exportRoute from './conversations/[id]/export/route'
import * as viewRoute from './conversations/[id]/route'
import * as shareRoute from './conversations/[id]/shares/route'
import * as importRoute from './conversations/import/route'
import * as copyRoute from './shared/[token]/route'
import * as sharesRoute from './shares/route'
import * as shareByIdRoute from './shares/[id]/route'
import { problem } from './testing/send'
import { serveRoutes } from './testing/serve-routes'

const served = serveRoutes()

const secrets = {
  arguments: 'ARG-7f31',
  result: 'RES-7f31',
  file: 'FILE-7f31',
  thought: 'THINK-7f31',
  system: 'SYS-7f31',
}
const chat: ReadableChat = {
  title: 'Orders',
  createdAt: 5,
  systemPrompt: secrets.system,
  messages: [
    {
      by: 'person',
      at: 6,
      text: 'Look at this',
      files: [{ name: 'a.csv', mediaType: 'text/csv', size: 9, head: secrets.file, picture: null }],
    },
    {
      by: 'model',
      at: 7,
      model: 'demo/demo',
      ended: 'finished',
      parts: [
        { kind: 'thought', text: secrets.thought },
        { kind: 'text', text: 'I read it.' },
        {
          kind: 'call',
          tool: 'read_file',
          state: 'done',
          arguments: { path: secrets.arguments },
          written: null,
          result: { value: secrets.result, displays: [{ kind: 'text', data: secrets.result }] },
        },
      ],
    },
  ],
}

type Made = { readonly share: SharedLink; readonly token: string }
const post = (who: string, id: string, body: unknown) =>
  served.sendAs(who, shareRoute.POST, { method: 'POST', params: { id }, body })
async function share(id: string, shown: ShownParts = nothingShown, days = 7): Promise<Made> {
  const response = await post('ada', id, { chat, shown, days })
  expect(response.status).toBe(200)
  return (await response.json()) as Made
}
const list = async (who: string): Promise<SharesResponse> =>
  (await (await served.sendAs(who, sharesRoute.GET)).json()) as SharesResponse
const copy = (who: string, token: string, id: string = crypto.randomUUID()) =>
  served.sendAs(who, copyRoute.POST, { method: 'POST', params: { token }, body: { id } })
const end = (who: string, id: string) => served.sendAs(who, shareByIdRoute.DELETE, { method: 'DELETE', params: { id } })

/** A slow body: the stranger sends it until the test ends. */
const dripping = (until: AbortSignal) =>
  new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(new TextEncoder().encode('{"id":"'))
      until.addEventListener('abort', () => controller.error(new Error('gone')), { once: true })
    },
  })

describe('strangers who send nothing', () => {
  it('keep nobody else from importing, sharing and copying, however many there are', async () => {
    const over = new AbortController()
    const slow = [importRoute.POST, shareRoute.POST, copyRoute.POST].flatMap((handler) =>
      Array.from({ length: 20 }, (_, n) =>
        served.sendAs(`slow-${n}`, handler, {
          method: 'POST',
          params: { id: 'x', token: 'x' },
          raw: dripping(over.signal),
        }),
      ),
    )
    const id = await served.chat.newChat()
    const { token } = await share(id)
    expect((await copy('eve', token)).status).toBe(200)
    const exported: unknown = await (await served.sendAs('ada', exportRoute.GET, { params: { id } })).json()
    const body = { id: crypto.randomUUID(), export: exported }
    expect((await served.sendAs('eve', importRoute.POST, { method: 'POST', body })).status).toBe(200)
    over.abort()
    for (const answer of await Promise.all(slow)) expect(answer.status).toBe(400)
  })
})

describe('a share link', () => {
  it('contains nothing that is not shared, whatever the page sent', async () => {
    const id = await served.chat.newChat()
    const { token } = await share(id)
    const bytes = JSON.stringify(await served.chat.service.shared(token))
    expect(bytes).toContain('I read it.')
    for (const secret of Object.values(secrets)) expect(bytes).not.toContain(secret)
    const all = Object.entries({
      arguments: secrets.arguments,
      results: secrets.result,
      files: secrets.file,
      thoughts: secrets.thought,
      systemPrompt: secrets.system,
    })
    for (const [part, secret] of all) {
      const one = await share(id, { ...nothingShown, [part]: true })
      const told = JSON.stringify(await served.chat.service.shared(one.token))
      expect(all.filter(([, other]) => told.includes(other)).map(([name]) => name)).toEqual([part])
      expect(told).toContain(secret)
    }
  })

  it('is opened by its secret only, which is stored nowhere and in no list', async () => {
    const id = await served.chat.newChat()
    const { token, share: made } = await share(id)
    expect(token).toMatch(/^[\w-]{32}$/)
    const listed = await list('ada')
    expect(listed.readers).toBe('on')
    expect(listed.shares.map((one) => one.id)).toContain(made.id)
    expect(JSON.stringify(listed)).not.toContain(token)
    const rows = await served.store.database.db.selectFrom('shares').selectAll().execute()
    expect(JSON.stringify(rows)).not.toContain(token)
    for (const forged of [
      token.slice(1),
      `${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`,
      '',
      made.id,
      '%00',
    ]) {
      expect(await served.chat.service.shared(forged)).toBeNull()
      expect((await copy('eve', forged)).status).toBe(404)
    }
  })

  it('is created, listed and revoked by the owner of the chat only', async () => {
    const id = await served.chat.newChat()
    const { token, share: made } = await share(id)
    expect((await post('eve', id, { chat, shown: nothingShown, days: 7 })).status).toBe(404)
    expect((await list('eve')).shares).toEqual([])
    expect(await problem(end('eve', made.id))).toMatchObject({ status: 404, reason: 'chat.share.none' })
    expect(await served.chat.service.shared(token)).not.toBeNull()
    expect((await end('ada', made.id)).status).toBe(204)
    expect(await served.chat.service.shared(token)).toBeNull()
    expect(await problem(copy('eve', token))).toMatchObject({ status: 404, reason: 'chat.share.gone' })
  })

  it('expires on the chosen day', async () => {
    const id = await served.chat.newChat()
    const { token, share: made } = await share(id, nothingShown, 1)
    expect(made.expiresAt - made.createdAt).toBe(86_400_000)
    await served.chat.clock.pass(86_399_999)
    expect(await served.chat.service.shared(token)).not.toBeNull()
    await served.chat.clock.pass(1)
    expect(await served.chat.service.shared(token)).toBeNull()
    expect((await list('ada')).shares.map((one) => one.id)).not.toContain(made.id)
  })

  it('refuses invalid chats, choices and pictures', async () => {
    const id = await served.chat.newChat()
    const withPicture = (data: string) => ({
      ...chat,
      messages: [
        {
          by: 'person',
          at: 1,
          text: 'x',
          files: [
            { name: 'a', mediaType: 'image/png', size: 1, head: null, picture: { mediaType: 'image/png', data } },
          ],
        },
      ],
    })
    for (const body of [
      { chat, shown: nothingShown, days: 3_650 },
      { chat, shown: {}, days: 7 },
      { chat: { ...chat, messages: [] }, shown: nothingShown, days: 7 },
      { chat: withPicture('"><script>'), shown: nothingShown, days: 7 },
      { chat: withPicture('PHN2Zz4='), shown: nothingShown, days: 7 },
    ]) {
      expect((await post('ada', id, body)).status).toBe(400)
    }
  })

  it('can be copied to the reader’s own chat, once, in which nothing can run', async () => {
    const id = await served.chat.newChat()
    const { token } = await share(id, { ...nothingShown, results: true })
    const wanted = crypto.randomUUID()
    const first = (await (await copy('eve', token, wanted)).json()) as { conversation: Conversation }
    const again = (await (await copy('eve', token, wanted)).json()) as { conversation: Conversation }
    expect(again.conversation.id).toBe(first.conversation.id)
    const view = (await (
      await served.sendAs('eve', viewRoute.GET, { params: { id: wanted } })
    ).json()) as ConversationView
    expect(view.messages.map(({ role }) => role)).toEqual(['user', 'assistant'])
    expect(view.conversation).toMatchObject({ title: 'Orders', settings: { systemPrompt: '' } })
    const reply = view.messages[1]
    expect(reply?.role === 'assistant' && reply.toolsEnabled).toBe(false)
    expect(reply?.role === 'assistant' && reply.text).toContain(secrets.result)
    expect(view.calls).toEqual([])
    expect(JSON.stringify(view)).not.toContain(secrets.arguments)
  })

  it('does not exist if the operator disabled sharing, but old ones can still be revoked', async () => {
    const id = await served.chat.newChat()
    const { token, share: made } = await share(id)
    setServer({ ...served.server, share: 'off' })
    expect(await problem(post('ada', id, { chat, shown: nothingShown, days: 7 }))).toMatchObject({
      status: 403,
      reason: 'chat.share.off',
    })
    expect((await copy('eve', token)).status).toBe(403)
    expect((await list('ada')).readers).toBe('off')
    expect((await end('ada', made.id)).status).toBe(204)
  })
})
