// @vitest-environment jsdom
import { defaultToolConfig } from '@/lib/chat/tool-config'
import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { ChatProvider } from '@/components/chat/chat-context'
import type { Conversation, ConversationSettings } from '@/lib/chat/conversation'
import { ApiFailure } from '@/lib/client/api'
import type { CallActions, ChatActions } from '@/lib/client/actions'
import { initialState } from '@/lib/client/initial-state'
import { createClientStore } from '@/lib/client/store'
import { estimateTokens } from '@/lib/strategies/token-estimate'
import { toolContextBuilder } from '@/lib/strategies/tool-context-builder'
import { toolRegistry } from '@/lib/tools/registry'
import SettingsDrawer from './settings-drawer'
import { whatIsTold } from './told'

beforeAll(() => {
  // jsdom has no modal dialogs.
  HTMLDialogElement.prototype.showModal = function showModal() {
    this.open = true
  }
  HTMLDialogElement.prototype.close = function close() {
    this.open = false
  }
})
afterEach(cleanup)

const settings: ConversationSettings = {
  version: 2,
  model: 'demo/demo',
  strategy: 'JSON_Strict',
  systemPrompt: 'Be brief. {{tools}}',
  tools: defaultToolConfig,
}

function open(start: ConversationSettings = settings) {
  const conversation: Conversation = {
    id: 'c1',
    title: 'Orders',
    settings: start,
    settingsProblem: null,
    headId: null,
    createdAt: 1,
    updatedAt: 1,
  }
  const view = { ...initialState.view, id: 'c1', phase: 'ready' as const, conversation }
  const store = createClientStore({ ...initialState, view })
  let refuse = false
  const saved: ConversationSettings[] = []
  const updateSettings = vi.fn<ChatActions['updateSettings']>(async (next) => {
    const before = store.getState().view.conversation?.settings ?? next
    store.dispatch({ type: 'settings-changed', conversationId: 'c1', settings: next })
    await Promise.resolve()
    if (!refuse) return void saved.push(next)
    store.dispatch({ type: 'settings-changed', conversationId: 'c1', settings: before })
    throw new ApiFailure('unreachable', 0, 'The server can’t be reached.')
  })
  const onClose = vi.fn<() => void>()
  const value = { store, chat: { updateSettings } as unknown as ChatActions, calls: {} as CallActions }
  const result = render(
    <ChatProvider value={value}>
      <SettingsDrawer onClose={onClose} />
    </ChatProvider>,
  )
  return {
    ...result,
    saved,
    onClose,
    store,
    user: userEvent.setup(),
    refuseFromNow: () => {
      refuse = true
    },
  }
}

describe('the settings drawer', () => {
  it('is a dialog with all parts', () => {
    open()
    const dialog = within(screen.getByRole('dialog', { name: 'Conversation settings' }))
    expect(dialog.getByRole('radiogroup', { name: 'Strategy' })).toBeTruthy()
    expect(dialog.getByRole('textbox', { name: 'System prompt' })).toBeTruthy()
    expect(dialog.getByText('Asks before every call')).toBeTruthy()
    for (const tool of toolRegistry.list())
      expect(dialog.getByRole('switch', { name: `Offer ${tool.name}` })).toBeTruthy()
  })

  it('names each strategy with its cost for the offered tools, and stores the choice', async () => {
    const { saved, user } = open()
    const group = within(screen.getByRole('radiogroup', { name: 'Strategy' }))
    expect(group.getAllByRole('radio')).toHaveLength(toolContextBuilder.strategies.length)
    const tools = toolRegistry.specs()
    const cost = toolContextBuilder.promptParts('VCP', tools).reduce((sum, part) => sum + estimateTokens(part.text), 0)
    const vcp = group.getByRole('radio', { name: /^VCP/ })
    expect(vcp.closest('label')?.textContent).toContain(
      `about ${cost.toLocaleString('en')} tokens with ${tools.length} tools`,
    )
    await user.click(vcp)
    expect(saved.at(-1)?.strategy).toBe('VCP')
  })

  it('states the cost for the tools that are offered now', async () => {
    const { user } = open()
    const costs = () => {
      const group = within(screen.getByRole('radiogroup', { name: 'Strategy' }))
      return group.getAllByRole('radio').map((radio) => radio.closest('label')?.querySelector('.cost')?.textContent)
    }
    const expected = (names: readonly string[]) => {
      const tools = toolRegistry.specs().filter((tool) => names.includes(tool.name))
      return toolContextBuilder.strategies.map(({ id }) => {
        const parts = toolContextBuilder.promptParts(id, tools)
        const tokens = parts.reduce((sum, part) => sum + estimateTokens(part.text), 0)
        return `about ${tokens.toLocaleString('en')} tokens with ${tools.length === 1 ? '1 tool' : `${tools.length} tools`}`
      })
    }
    const all = costs()
    expect(all).toEqual(expected(toolRegistry.specs().map((tool) => tool.name)))
    await user.click(screen.getByRole('switch', { name: 'Offer write_file' }))
    expect(costs()).not.toEqual(all)
    await user.click(screen.getByRole('switch', { name: 'Offer list_directory' }))
    await user.click(screen.getByRole('switch', { name: 'Offer browser_js_eval' }))
    expect(costs()).toEqual(expected(['read_file']))
    await user.click(screen.getByRole('switch', { name: 'Use tools' }))
    expect(new Set(costs())).toEqual(new Set(['nothing without tools']))
  })

  it('switches tools one by one and all at once, and quick clicks add up', async () => {
    const { saved, user } = open()
    await user.click(screen.getByRole('switch', { name: 'Offer write_file' }))
    await user.click(screen.getByRole('switch', { name: 'Offer read_file' }))
    expect(saved.at(-1)?.tools.toolToggles).toEqual({ write_file: false, read_file: false })
    expect(screen.getByText('2 of 4 offered')).toBeTruthy()
    await user.click(screen.getByRole('switch', { name: 'Use tools' }))
    expect(saved.at(-1)?.tools.enabled).toBe(false)
    expect(screen.getByRole<HTMLButtonElement>('switch', { name: 'Offer read_file' }).disabled).toBe(true)
  })

  it('stores the system prompt when the field is left, and says so', async () => {
    const { saved, user } = open()
    const field = screen.getByRole('textbox', { name: 'System prompt' })
    await user.type(field, ' And kind.')
    await user.tab()
    await waitFor(() => expect(saved.at(-1)?.systemPrompt).toBe('Be brief. {{tools}} And kind.'))
    expect(screen.getByText('saved')).toBeTruthy()
  })

  it('stores what was typed when the drawer closes in the middle of it', async () => {
    const { saved, user, unmount } = open()
    await user.type(screen.getByRole('textbox', { name: 'System prompt' }), '!')
    unmount()
    await waitFor(() => expect(saved.at(-1)?.systemPrompt).toBe('Be brief. {{tools}}!'))
  })

  it('keeps the text when it can’t be stored, and says why', async () => {
    const { user, refuseFromNow, store } = open()
    refuseFromNow()
    const field = screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'System prompt' })
    await user.type(field, ' Mine.')
    await user.tab()
    expect((await screen.findByRole('alert')).textContent).toContain('The server can’t be reached.')
    expect(field.value).toBe('Be brief. {{tools}} Mine.')
    expect(store.getState().view.conversation?.settings.systemPrompt).toBe('Be brief. {{tools}}')
    expect(screen.getByText('not saved; it is kept here')).toBeTruthy()
  })

  it('stores a time limit in milliseconds, and refuses what is no whole number in range', async () => {
    const { saved, user } = open()
    const field = screen.getByRole<HTMLInputElement>('textbox', { name: /Time limit/ })
    await user.clear(field)
    await user.type(field, '60{Enter}')
    expect(saved.at(-1)?.tools.timeoutMs).toBe(60_000)
    const before = saved.length
    for (const wrong of ['0', '601', '2.5', 'soon', '']) {
      fireEvent.change(field, { target: { value: wrong } })
      fireEvent.blur(field)
      expect(screen.getByRole('alert').textContent).toContain('from 1 to 600')
      expect(field.value).toBe(wrong)
    }
    expect(saved).toHaveLength(before)
  })

  it('shows exactly what the model is told', async () => {
    const { user } = open()
    const tools = toolRegistry.specs()
    const exact = toolContextBuilder.spliceSystemPrompt(settings.systemPrompt, {
      strategy: 'JSON_Strict',
      tools,
      enabled: true,
    })
    await user.click(screen.getByRole('button', { name: /All of it/ }))
    expect(screen.getByRole('region', { name: 'All of it, as it is sent' }).textContent).toBe(exact)
    expect(screen.getByText(`about ${estimateTokens(exact).toLocaleString('en')} tokens`)).toBeTruthy()
  })
})

describe('whatIsTold', () => {
  it('tells nothing of tools when they are off, and nothing at all without a prompt', () => {
    const off = { ...settings, systemPrompt: '', tools: { ...settings.tools, enabled: false } }
    expect(whatIsTold(off)).toEqual({ whole: '', tokens: 0, parts: [] })
  })

  it('shows and counts schemas that are sent beside the prompt', () => {
    const { whole, parts, tokens } = whatIsTold({ ...settings, strategy: 'Native' })
    const schemas = parts.find(({ text }) => text.includes('"name":"read_file"'))
    expect(schemas?.tokens).toBeGreaterThan(20)
    expect(whole).not.toContain('read_file')
    expect(tokens).toBe(estimateTokens(whole) + (schemas?.tokens ?? 0))
  })

  it('leaves out tools that are not offered', () => {
    const some = { ...settings, tools: { ...settings.tools, toolToggles: { write_file: false } } }
    expect(whatIsTold(settings).whole).toContain('write_file')
    expect(whatIsTold(some).parts.find((part) => part.text.includes('list_directory'))?.text).not.toContain(
      'write_file',
    )
  })
})
