import { beforeEach, describe, expect, it } from 'vitest'
import type { ChatHarness } from '@/lib/server/chats/testing/chat-harness'
import type { TrialLine } from '@/lib/shared/conversation/wire/trial'
import { toolContextBuilder } from '@/lib/protocols/tool-context-builder'
import { setServer } from '@/lib/server/wiring/server'
import type { Server } from '@/lib/server/wiring/server-parts'
import * as trialsRoute from './lab/trials/route'
import { problem, type Sent } from './testing/send'
import { serveRoutes } from './testing/serve-routes'

const served = serveRoutes({ builder: toolContextBuilder })
let chat: ChatHarness
let server: Server
beforeEach(() => {
  ;({ chat, server } = served)
})

const body = {
  model: 'test/scripted',
  strategy: 'XML_Tag',
  systemPrompt: '',
  tools: [
    { name: 'read_file', description: '', parameters: { type: 'object', properties: { path: { type: 'string' } } } },
  ],
  turns: [{ role: 'user', text: 'Read /a' }],
}
const send = (sent: Sent = {}) => served.sendAs('ada', trialsRoute.POST, { method: 'POST', body, ...sent })

describe('POST /api/lab/trials', () => {
  it('streams the model’s text as lines, and ends with it', async () => {
    chat.script([{ text: 'Hello' }, { finish: 'stop' }])
    const response = await send()
    expect(response.headers.get('content-type')).toBe('application/x-ndjson; charset=utf-8')
    expect(response.headers.get('cache-control')).toBe('no-store, no-transform')
    const lines = (await response.text()).split('\n').filter(Boolean)
    expect(lines.map((line) => (JSON.parse(line) as TrialLine).type)).toEqual(['text', 'end'])
  })

  it('asks no model for another site, without an owner, or if the lab is off', async () => {
    expect(await problem(send({ headers: { origin: 'https://evil.example' } }))).toMatchObject({ status: 403 })
    setServer({ ...server, lab: false })
    expect(await problem(send())).toMatchObject({ status: 403, code: 'forbidden', reason: 'chat.lab.off' })
    setServer(server)
    expect(await problem(send({ body: { ...body, model: 'test/none' } }))).toMatchObject({ code: 'unknown-model' })
    expect(chat.model.doStreamCalls).toHaveLength(0)
  })

  it('refuses an invalid request, and says where the error is', async () => {
    const [tool] = body.tools
    const wrong = [
      { ...body, strategy: 'Morse' },
      { ...body, turns: [] },
      { ...body, turns: [...body.turns, { role: 'assistant', text: 'x' }] },
      { ...body, tools: [tool, tool] },
      { ...body, tools: [{ ...tool, name: '__proto__' }] },
      {
        ...body,
        tools: [
          {
            ...tool,
            parameters: {
              type: 'object',
              $defs: { a: { $ref: '#/$defs/a' } },
              properties: { a: { $ref: '#/$defs/a' } },
            },
          },
        ],
      },
      { ...body, temperature: 9 },
    ]
    for (const one of wrong) {
      const said = { ...(await problem(send({ body: one }))), one }
      expect(said).toMatchObject({ status: 400, reason: 'server.wrong-form', one })
    }
    expect(chat.model.doStreamCalls).toHaveLength(0)
  })
})
