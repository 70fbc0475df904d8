// @vitest-environment jsdom
import { act, cleanup, render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { ChatProvider } from '@/components/context/chat-context'
import type { CallActions, ChatActions } from '@/lib/client/chats/actions'
import { createClientStore } from '@/lib/client/state/store'
import { conversationRow, replyRow, userRow, useView } from '@/lib/client/chats/testing/rows'
import { storeImportedBest, storeMeasuredBest } from '@/lib/client/lab/measured-best'
import type { ModelInfo } from '@/lib/shared/models/model'
import { promptCost } from '@/lib/protocols/tool-context-builder'
import { strategyIds } from '@/lib/protocols/types/tool-context-def'
import { discoverTools } from '@/lib/shared/tools/discovery'
import { toolRegistry } from '@/lib/shared/tools/built-in-registry'
import { t } from '@/lib/i18n/t'
import ModelPicker from './model-picker'

beforeAll(() => {
  window.matchMedia ??= () => ({ matches: false }) as MediaQueryList
  Element.prototype.scrollIntoView ??= () => {}
})
afterEach(() => {
  cleanup()
  localStorage.clear()
})

const model = (id: string, over: Partial<ModelInfo> = {}): ModelInfo => ({
  id,
  label: id,
  providerLabel: 'Ollama',
  contextTokens: null,
  simulated: false,
  ...over,
})
const models = [
  model('demo/demo', { providerLabel: 'Nod', simulated: true }),
  model('own/small', { contextTokens: 32_768, exact: { takes: 'grammar', byDefault: true } }),
  model('own/large', { price: { perMillionIn: 0.15, perMillionOut: 0.6 } }),
]

function open(
  chosen = 'own/small',
  {
    problems = [],
    failure = null,
    tools = true,
    more = [],
  }: {
    problems?: readonly string[]
    failure?: string | null
    tools?: boolean
    more?: readonly ModelInfo[]
  } = {},
) {
  const store = createClientStore()
  const conversation = conversationRow({ id: 'c1', headId: 'a1' })
  const settings = {
    ...conversation.settings,
    model: chosen,
    strategy: 'XML_Tag' as const,
    tools: { ...conversation.settings.tools, enabled: tools },
  }
  const said = [
    userRow('u1', null),
    replyRow('a1', 'u1', {
      model: chosen,
      pace: { firstMs: 1_000, ms: 4_000 },
      ...(failure !== null && { outcome: 'failed', failure: { code: 'unreachable', message: failure, detail: '' } }),
    }),
  ]
  store.dispatch({ type: 'view-opened', conversationId: 'c1' })
  store.dispatch({
    type: 'view-loaded',
    view: {
      conversation: { ...conversation, settings },
      messages: said,
      calls: [],
      amendments: [],
      grants: [],
      activeRunId: null,
    },
  })
  store.dispatch({
    type: 'models-loaded',
    models: { models: [...models, ...more], defaultModel: 'demo/demo', problems },
  })
  const chat = {
    updateSettings: vi.fn<ChatActions['updateSettings']>(() => Promise.resolve(null)),
    reloadModels: vi.fn<ChatActions['reloadModels']>(() => Promise.resolve()),
  }
  const onClose = vi.fn<() => void>()
  const onAdd = vi.fn<() => void>()
  render(
    <ChatProvider
      value={{
        store,
        chat: chat as Partial<ChatActions> as ChatActions,
        calls: {} as Partial<CallActions> as CallActions,
      }}
    >
      <ModelPicker at={{ x: 0, y: 0 }} onClose={onClose} onAdd={onAdd} />
    </ChatProvider>,
  )
  const changed = () => chat.updateSettings.mock.lastCall?.[0]
  return { store, chat, changed, onClose, onAdd, user: userEvent.setup() }
}
const option = (name: string | RegExp) => screen.getByRole('option', { name })

describe('the popover for model and call format', () => {
  it('shows the rest of today’s tokens for each limit and updates it; shows nothing without limits', () => {
    const { store } = open()
    const budget = (left: number, of = '*', mine = true) => ({ models: of, mine, limit: 10_000, left })
    const know = (budgets: readonly ReturnType<typeof budget>[]) =>
      act(() => {
        const lines = budgets.map((one) => t('use.budget', one))
        store.dispatch({ type: 'use-loaded', use: { ...useView, budgets, lines } })
      })
    const lines = () => {
      const head = screen.queryByRole('heading', { name: 'Today’s tokens' })
      return head && [...(head.parentElement?.querySelectorAll('p') ?? [])].map((line) => line.textContent)
    }
    expect(lines()).toBeNull()
    know([])
    expect(lines()).toBeNull()
    know([budget(9_000), budget(0, 'own/*', false)])
    expect(lines()).toEqual([
      '9,000 of your 10,000 tokens are left today.',
      '0 of the server’s 10,000 tokens for own/* are left today.',
    ])
    know([budget(1_200)])
    expect(lines()).toEqual(['1,200 of your 10,000 tokens are left today.'])
  })

  it('shows the facts of each model, and which one is chosen', () => {
    storeMeasuredBest(localStorage, 'own/large', 'VCP')
    storeImportedBest(localStorage, [{ model: 'own/small', strategy: 'XML_Tag', by: 'Ada' }])
    open()
    expect(option(/own\/small/).textContent).toContain(
      '32,768 tokens · supports grammars · works best with XML_Tag, measured by Ada',
    )
    expect(option(/own\/small/).getAttribute('aria-selected')).toBe('true')
    expect(option(/own\/large/).textContent).toContain(
      '0.15 input, 0.6 output per million tokens · works best with VCP',
    )
    expect(option(/Demo/).textContent).toBe('Demo (a script)')
    expect(screen.getByRole('group', { name: 'Ollama' })).toBeTruthy()
  })

  it('marks the letter that makes two names look alike', () => {
    // The second one has the Cyrillic letter.
    open('own/small', { more: [model('own/gpt-pro'), model('own/gpt-pr\u043e')] })
    const [plain, twin] = screen.getAllByRole('option', { name: /gpt-pr/ }).map((row) => row.textContent)
    expect(plain).toBe('own/gpt-pro')
    expect(twin).toMatch(/^own\/gpt-pr\u043e⟨.+⟩/)
  })

  it('says when a model last answered in this chat, by the reply’s own time', () => {
    vi.useFakeTimers({ now: 1_000 + 4_000 + 120_000 })
    open('own/small')
    expect(option(/own\/small/).textContent).toContain('answered here 2 min ago')
    expect(option(/own\/large/).textContent).not.toContain('answered')
    vi.useRealTimers()
  })

  it('says what each call format costs with the chat’s tools, and nothing if tools are off', () => {
    open()
    const formats = within(screen.getByRole('listbox', { name: 'Call format' })).getAllByRole('option')
    const offered = discoverTools(toolRegistry.of([]), conversationRow().settings.tools).filter(
      (tool) => !tool.disabled,
    )
    expect(formats.map(({ textContent }) => / ?([\d,]+ tokens)$/.exec(textContent)?.[1])).toEqual(
      strategyIds.map((id) => `${promptCost(id, offered).toLocaleString('en')} tokens`),
    )
    expect(screen.getByText(new RegExp(`the ${offered.length} tools of this chat add`))).toBeTruthy()
    cleanup()
    open('own/small', { tools: false })
    expect(screen.queryByText(/to every message/)).toBeNull()
    expect(screen.getByText(/Tools are off in this chat/)).toBeTruthy()
  })

  it('is operated from its field: arrow keys, search words, Enter', async () => {
    const { changed, onClose, user } = open()
    const field = screen.getByRole('combobox', { name: 'Search models' })
    expect(document.activeElement).toBe(field)
    const pointed = () => document.getElementById(field.getAttribute('aria-activedescendant') ?? '')?.textContent
    expect(pointed()).toContain('own/small')
    await user.keyboard('{ArrowDown}')
    expect(pointed()).toContain('own/large')
    await user.keyboard('{ArrowDown}')
    expect(pointed()).toContain('Demo (a script)')
    await user.keyboard('zzz')
    expect(screen.getByRole('status').textContent).toBe('No model is named “zzz”.')
    await user.keyboard('{Enter}')
    expect(onClose).not.toHaveBeenCalled()
    await user.clear(field)
    await user.keyboard('large{Enter}')
    expect(changed()).toMatchObject({ model: 'own/large', strategy: 'XML_Tag' })
    expect(onClose).toHaveBeenCalledOnce()
  })

  it('chooses a call format with arrow keys and first letters, and shows an example call of each', async () => {
    storeImportedBest(localStorage, [{ model: 'own/small', strategy: 'VCP', by: 'Ada' }])
    storeMeasuredBest(localStorage, 'own/small', 'Tool_Action')
    const { changed, user } = open()
    const formats = within(screen.getByRole('listbox', { name: 'Call format' }))
    expect(formats.getAllByRole('option')).toHaveLength(6)
    expect(formats.getByRole('option', { name: /Tool_Action/ }).textContent).toContain('works best here')
    expect(screen.getByRole('figure').textContent).toContain('<tool_code>')
    screen.getByRole('listbox', { name: 'Call format' }).focus()
    await user.keyboard('n')
    expect(screen.getByRole('figure').textContent).toContain('No text: the model’s provider sends the call')
    await user.keyboard('{Home}')
    expect(screen.getByRole('figure').textContent).toContain('"tool_calls"')
    await user.keyboard('{Enter}')
    expect(changed()).toMatchObject({ model: 'own/small', strategy: 'JSON_Strict' })
  })

  it('says why a model failed here, which source is missing, and that the chosen model is unavailable', async () => {
    const { chat, user } = open('own/gone', {
      problems: ['Ollama could not be reached.'],
      failure: 'Ollama did not answer. Start it.',
    })
    expect(option(/own\/gone/).textContent).toContain('Not available here')
    expect(screen.getByText('Ollama could not be reached.')).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Refresh' }))
    expect(chat.reloadModels).toHaveBeenCalledOnce()
    cleanup()
    open('own/small', { failure: 'Ollama did not answer. Start it.' })
    expect(option(/own\/small/).textContent).toMatch(
      /The last reply here failed [\d,]+ days ago\. Ollama did not answer\. Start it\./,
    )
  })

  it('links to this browser’s models', async () => {
    const { onAdd, user } = open()
    await user.click(screen.getByRole('button', { name: 'Add a model…' }))
    expect(onAdd).toHaveBeenCalledOnce()
  })
})
