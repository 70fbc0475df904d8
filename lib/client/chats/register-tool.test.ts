import { describe, expect, it, vi } from 'vitest'
import { err, ok } from '@/lib/base/result'
import type { ToolToRegister } from '@/lib/shared/conversation/settings/registered-tool'
import { createConnectedTools } from '@/lib/shared/tools/connected-tools'
import type { ToolExecutor } from '@/lib/shared/tools/tool-registry'
import { refusal } from './testing/answering'
import { viewOf } from '../state/open-conversations'
import { newConversation } from './new-conversation'
import { registerTool, type RegisterToolPorts } from './register-tool'
import { createClientStore } from '../state/store'
import { conversationId, conversationRow } from './testing/rows'

const tool: ToolToRegister = {
  name: 'ask_wiki',
  description: 'Asks the wiki.',
  parameters: { type: 'object' },
  permission: 'moderate',
  files: 'none',
}
const tools = [{ ...tool, origin: 'registered' }] as const
const execute: ToolExecutor = () => Promise.resolve({ ok: true, result: 1 })

function setUp() {
  const store = createClientStore()
  const connected = createConnectedTools()
  const api = {
    registerTool: vi.fn<RegisterToolPorts['api']['registerTool']>(() => Promise.resolve(ok(tools))),
    createConversation: vi.fn<RegisterToolPorts['api']['createConversation']>(({ id }) =>
      Promise.resolve(ok({ ...conversationRow(), id })),
    ),
  }
  const announce = vi.fn<(conversationId: string) => void>()
  const { getState, dispatch } = store
  return { store, connected, api, announce, ports: { api, getState, dispatch, announce, connected } }
}

describe('registering a tool', () => {
  it('stores its spec, connects its executor, shows it, and notifies the other tabs', async () => {
    const { store, connected, announce, api, ports } = setUp()
    store.dispatch({ type: 'view-opened', conversationId })
    const disconnect = await registerTool(ports, conversationId, tool, execute)
    expect(api.createConversation).not.toHaveBeenCalled()
    expect(viewOf(store.getState()).tools).toEqual(tools)
    expect(connected.get(conversationId, 'ask_wiki')?.execute).toBe(execute)
    expect(announce).toHaveBeenCalledExactlyOnceWith(conversationId)
    if (disconnect.ok) disconnect.value()
    expect(connected.get(conversationId, 'ask_wiki')).toBeUndefined()
    // The known spec stays, so that its calls can still be read.
    expect(viewOf(store.getState()).tools).toEqual(tools)
  })

  it('creates a chat that only this page knows yet', async () => {
    const { store, api, ports } = setUp()
    const conversation = newConversation('new', 'demo/demo', 1)
    store.dispatch({ type: 'view-new', conversation })
    await registerTool(ports, 'new', tool, execute)
    expect(api.createConversation).toHaveBeenCalledExactlyOnceWith({ id: 'new', settings: conversation.settings })
    expect(viewOf(store.getState())).toMatchObject({ phase: 'ready', tools })
  })

  it('connects nothing if the server refuses it', async () => {
    const { connected, api, ports } = setUp()
    api.registerTool.mockResolvedValueOnce(err(refusal('conflict', 409, 'The name is taken.').failure))
    const answer = await registerTool(ports, conversationId, tool, execute)
    expect(answer).toMatchObject({ ok: false, error: { message: 'The name is taken.' } })
    expect(connected.get(conversationId, 'ask_wiki')).toBeUndefined()
  })

  it('shows nothing in another chat that was opened meanwhile', async () => {
    const { store, connected, ports } = setUp()
    store.dispatch({ type: 'view-opened', conversationId: 'elsewhere' })
    await registerTool(ports, conversationId, tool, execute)
    expect(viewOf(store.getState()).tools).toEqual([])
    expect(connected.get(conversationId, 'ask_wiki')).toBeDefined()
  })

  it('keeps the array if a reload brings the same tools, so that nothing is read again', () => {
    const { store } = setUp()
    const rows = { messages: [], calls: [], amendments: [], grants: [], activeRunId: null }
    const load = (now: readonly (typeof tools)[number][] | undefined) =>
      store.dispatch({
        type: 'view-loaded',
        view: { ...rows, conversation: conversationRow(), ...(now && { tools: structuredClone(now) }) },
      })
    store.dispatch({ type: 'view-opened', conversationId })
    load([...tools])
    const first = viewOf(store.getState()).tools
    load([...tools])
    expect(viewOf(store.getState()).tools).toBe(first)
    load(undefined)
    expect(viewOf(store.getState()).tools).toEqual([])
  })
})
