import { describe, expect, it } from 'vitest'
import type { ModelsResponse, PresetsResponse } from '@/lib/shared/conversation/wire/api-types'
import type { Preset, ChatSetup } from '@/lib/shared/conversation/settings/preset'
import { defaultSettings } from '@/lib/shared/conversation/settings/settings'
import * as modelsRoute from './models/route'
import * as newChatsRoute from './new-chats/route'
import * as presetRoute from './presets/[id]/route'
import * as presetsRoute from './presets/route'
import { problem, type Handler, type Sent } from './testing/send'
import { serveRoutes } from './testing/serve-routes'

const served = serveRoutes()
const send = (who: 'ada' | 'eve', handler: Handler, sent: Sent = {}) => served.sendAs(who, handler, sent)
const setup: ChatSetup = { ...defaultSettings('demo/demo'), systemPrompt: 'Be brief.' }
const list = async (who: 'ada' | 'eve') =>
  ((await (await send(who, presetsRoute.GET)).json()) as PresetsResponse).presets
const add = (who: 'ada' | 'eve', body: unknown) => send(who, presetsRoute.POST, { method: 'POST', body })
const newChats = async (who: 'ada' | 'eve') =>
  ((await (await send(who, modelsRoute.GET)).json()) as ModelsResponse).newChats

describe('presets', () => {
  it('belong to their owner only', async () => {
    const made = (await (await add('ada', { id: 'p1', name: '  Terse \n one ', setup })).json()) as { preset: Preset }
    expect(made.preset).toMatchObject({ id: 'p1', name: 'Terse one', setup })
    await add('ada', { id: 'p2', name: 'Other', setup })
    expect(await list('eve')).toEqual([])
    const params = { id: 'p1' }
    const change = { method: 'PATCH', params, body: { name: 'mine' } }
    expect(await problem(send('eve', presetRoute.PATCH, change))).toMatchObject({
      status: 404,
      reason: 'chat.no-preset',
    })
    expect((await send('eve', presetRoute.DELETE, { method: 'DELETE', params })).status).toBe(204)
    expect((await send('eve', presetsRoute.PATCH, { method: 'PATCH', body: { order: ['p2', 'p1'] } })).status).toBe(200)
    expect((await list('ada')).map(({ name }) => name)).toEqual(['Terse one', 'Other'])
    expect((await send('ada', presetsRoute.PATCH, { method: 'PATCH', body: { order: ['p2', 'p1'] } })).status).toBe(200)
    expect((await send('ada', presetRoute.PATCH, change)).status).toBe(200)
    expect((await list('ada')).map(({ name }) => name)).toEqual(['Other', 'mine'])
    expect((await send('ada', presetRoute.DELETE, { method: 'DELETE', params })).status).toBe(204)
    expect((await list('ada')).map(({ name }) => name)).toEqual(['Other'])
  })

  it('are refused whole if anything in them is invalid', async () => {
    const { tools } = setup
    for (const body of [
      { id: '../x', name: 'a', setup },
      { id: 'x', name: ' \n ', setup },
      { id: 'x', name: 'a'.repeat(400), setup },
      { id: 'x', name: 'a', setup: { ...setup, strategy: 'Nothing' } },
      { id: 'x', name: 'a', setup: { ...setup, systemPrompt: 'x'.repeat(100_001) } },
      { id: 'x', name: 'a', setup: { ...setup, tools: { ...tools, mode: 'always' } } },
      { id: 'x', name: 'a', setup: { ...setup, tools: { ...tools, toolRules: { f: { execution: 'sure' } } } } },
      { id: 'x', name: 'a', setup: { ...setup, tools: { ...tools, timeoutMs: 1e12 } } },
      { id: 'x', name: 'a', setup, position: 1e9 },
      { id: 'x', name: 'a' },
    ]) {
      expect((await problem(add('ada', body))).status).toBe(400)
    }
    expect((await list('ada')).some(({ id }) => id === 'x')).toBe(false)
  })
})

describe('the defaults of new chats', () => {
  it('are sent with the models, to their owner only, and can be reset', async () => {
    const put = (who: 'ada' | 'eve', body: unknown) => send(who, newChatsRoute.PUT, { method: 'PUT', body })
    expect(await newChats('ada')).toBeNull()
    expect((await put('ada', { setup: { ...setup, model: null } })).status).toBe(200)
    expect(await newChats('ada')).toEqual({ ...setup, model: null })
    expect(await newChats('eve')).toBeNull()
    expect((await problem(put('ada', { setup: { ...setup, version: 99 } }))).status).toBe(400)
    expect((await put('ada', { setup: null })).status).toBe(200)
    expect(await newChats('ada')).toBeNull()
  })
})
