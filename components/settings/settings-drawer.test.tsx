// @vitest-environment jsdom
import { act, cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { ChatProvider } from '@/components/context/chat-context'
import type { Conversation, ConversationSettings } from '@/lib/shared/conversation/conversation'
import type { Grant } from '@/lib/shared/conversation/call-record'
import type { CallActions, ChatActions } from '@/lib/client/chats/actions'
import { emptyView, initialState } from '@/lib/client/state/state'
import { showConversation as showing, viewOf } from '@/lib/client/state/open-conversations'
import { createClientStore } from '@/lib/client/state/store'
import { estimateTokens } from '@/lib/protocols/prompt/token-estimate'
import { toolContextBuilder, promptCost } from '@/lib/protocols/tool-context-builder'
import { builtIn } from '@/lib/shared/tools/testing/built-in'
import SettingsDrawer from './settings-drawer'
import { previewPrompt } from './prompt-preview'
import {
  type RegisteredTool,
  type PermissionLevel,
  defaultToolConfig,
} from '@/lib/shared/conversation/settings/registered-tool'

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
  version: 4,
  model: 'demo/demo',
  strategy: 'JSON_Strict',
  systemPrompt: 'Be brief. {{tools}}',
  tools: defaultToolConfig,
}

type Tab = 'prompt' | 'format' | 'tools' | 'skills' | 'approval' | 'limits' | 'presets' | 'log'
const tabNames: Readonly<Record<Tab, string>> = {
  prompt: 'Prompt',
  format: 'Call format',
  tools: 'Tools',
  skills: 'Skills',
  approval: 'Approval',
  limits: 'Limits',
  presets: 'Presets',
  log: 'Log and data',
}
const goTo = (tab: Tab) => fireEvent.click(screen.getByRole('tab', { name: tabNames[tab] }))

function open(
  start: ConversationSettings = settings,
  { tab = 'prompt', ...more }: { tab?: Tab; grants?: readonly Grant[]; calls?: CallActions } = {},
) {
  window.location.hash = `#settings=${tab}`
  const conversation: Conversation = {
    id: 'c1',
    title: 'Orders',
    settings: start,
    settingsProblem: null,
    headId: null,
    createdAt: 1,
    updatedAt: 1,
  }
  const view = { ...emptyView, id: 'c1', phase: 'ready' as const, conversation, grants: more.grants ?? [] }
  const store = createClientStore(showing(initialState, view))
  let refuse = false
  const saved: ConversationSettings[] = []
  const updateSettings = vi.fn<ChatActions['updateSettings']>(async (next) => {
    const before = viewOf(store.getState()).conversation?.settings ?? next
    store.dispatch({ type: 'settings-changed', conversationId: 'c1', settings: next })
    await Promise.resolve()
    if (!refuse) {
      saved.push(next)
      return null
    }
    store.dispatch({ type: 'settings-changed', conversationId: 'c1', settings: before })
    return 'The server cannot be reached.'
  })
  const onClose = vi.fn<() => void>()
  const value = { store, chat: { updateSettings } as unknown as ChatActions, calls: more.calls ?? ({} as CallActions) }
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

const offeredByDefault = () =>
  builtIn.specs().filter(({ name }) => builtIn.get(name)?.policy.offByDefault === undefined)

/** Names of the tools that are offered by default, in list order. */
const offeredNames = (permission?: PermissionLevel) =>
  builtIn
    .list()
    .filter((tool) => tool.policy.agentCallable && tool.policy.offByDefault === undefined)
    .filter((tool) => permission === undefined || tool.policy.permission === permission)
    .map(({ spec }) => spec.name)

/** "7 of 10 offered": this many more or fewer than by default. */
const offeredWords = (more: number) => `${offeredNames().length + more} of ${builtIn.specs().length} offered`

describe('the settings drawer', () => {
  it('is a dialog with all sections', () => {
    open()
    const dialog = within(screen.getByRole('dialog', { name: 'Chat settings' }))
    expect(dialog.getAllByRole('tab').map((one) => one.textContent)).toEqual(Object.values(tabNames))
    expect(dialog.getByRole('textbox', { name: 'System prompt' })).toBeTruthy()
    goTo('format')
    expect(dialog.queryByRole('textbox', { name: 'System prompt' })).toBeNull()
    expect(dialog.getByRole('radiogroup', { name: 'Call format' })).toBeTruthy()
    goTo('approval')
    expect(dialog.getByRole('radiogroup', { name: 'Approval' })).toBeTruthy()
    goTo('limits')
    expect(dialog.getByRole('textbox', { name: /Time limit/ })).toBeTruthy()
    goTo('log')
    expect(dialog.getByRole('button', { name: 'Chat log' })).toBeTruthy()
    goTo('tools')
    expect(dialog.getByRole('searchbox', { name: 'Filter tools' })).toBeTruthy()
    for (const tool of builtIn.list())
      expect(dialog.getByRole('switch', { name: `Offer ${tool.spec.name}` })).toBeTruthy()
  })

  it('shows each strategy with its cost for the offered tools, and stores the choice', async () => {
    const { saved, user } = open(settings, { tab: 'format' })
    const group = within(screen.getByRole('radiogroup', { name: 'Call format' }))
    expect(group.getAllByRole('radio')).toHaveLength(toolContextBuilder.strategies.length)
    const tools = offeredByDefault()
    const cost = promptCost('VCP', tools)
    const vcp = group.getByRole('radio', { name: /^VCP/ })
    expect(vcp.closest('label')?.textContent).toContain(
      `about ${cost.toLocaleString('en')} tokens with ${tools.length} tools`,
    )
    await user.click(vcp)
    expect(saved.at(-1)?.strategy).toBe('VCP')
  })

  it('shows the cost for the currently offered tools', async () => {
    const { user } = open(settings, { tab: 'tools' })
    const costs = () => {
      goTo('format')
      const group = within(screen.getByRole('radiogroup', { name: 'Call format' }))
      const found = group
        .getAllByRole('radio')
        .map((radio) => radio.closest('label')?.querySelector('[data-cost]')?.textContent)
      goTo('tools')
      return found
    }
    const expected = (names: readonly string[]) => {
      const tools = builtIn.specs().filter((tool) => names.includes(tool.name))
      return toolContextBuilder.strategies.map(({ id }) => {
        const tokens = promptCost(id, tools)
        return `about ${tokens.toLocaleString('en')} tokens with ${tools.length === 1 ? '1 tool' : `${tools.length} tools`}`
      })
    }
    const all = costs()
    expect(all).toEqual(
      expected(
        builtIn
          .list()
          .flatMap((tool) => (tool.policy.offByDefault === undefined ? [tool.spec.name] : []))
          .toSorted(),
      ),
    )
    await user.click(screen.getByRole('switch', { name: 'Offer write_file' }))
    expect(costs()).not.toEqual(all)
    await user.click(screen.getByRole('switch', { name: 'Offer list_directory' }))
    await user.click(screen.getByRole('switch', { name: 'Offer browser_js_eval' }))
    const off = new Set(['write_file', 'list_directory', 'browser_js_eval'])
    const left = ['read_file', ...offeredNames().filter((name) => name !== 'read_file' && !off.has(name))]
    expect(costs()).toEqual(expected(left))
    for (const name of left.slice(1)) await user.click(screen.getByRole('switch', { name: `Offer ${name}` }))
    expect(costs()).toEqual(expected(['read_file']))
    await user.click(screen.getByRole('switch', { name: 'Use tools' }))
    expect(new Set(costs())).toEqual(new Set(['nothing without tools']))
  })

  it('switches tools one by one and all at once, and quick clicks add up', async () => {
    const { saved, user } = open(settings, { tab: 'tools' })
    await user.click(screen.getByRole('switch', { name: 'Offer write_file' }))
    await user.click(screen.getByRole('switch', { name: 'Offer read_file' }))
    expect(saved.at(-1)?.tools.toolToggles).toEqual({ write_file: false, read_file: false })
    expect(screen.getByText(offeredWords(-2))).toBeTruthy()
    await user.click(screen.getByRole('switch', { name: 'Use tools' }))
    expect(saved.at(-1)?.tools.enabled).toBe(false)
    expect(screen.getByRole<HTMLButtonElement>('switch', { name: 'Offer read_file' }).disabled).toBe(true)
  })

  it('stores the system prompt on blur, and says so', async () => {
    const { saved, user } = open()
    const field = screen.getByRole('textbox', { name: 'System prompt' })
    await user.type(field, ' And kind.')
    await user.tab()
    await waitFor(() => expect(saved.at(-1)?.systemPrompt).toBe('Be brief. {{tools}} And kind.'))
    expect(screen.getByText('Saved')).toBeTruthy()
  })

  it('stores the typed text when the drawer closes', async () => {
    const { saved, user, unmount } = open()
    await user.type(screen.getByRole('textbox', { name: 'System prompt' }), '!')
    unmount()
    await waitFor(() => expect(saved.at(-1)?.systemPrompt).toBe('Be brief. {{tools}}!'))
  })

  it('keeps the text if it can’t be stored, and says why', async () => {
    const { user, refuseFromNow, store } = open()
    refuseFromNow()
    const field = screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'System prompt' })
    await user.type(field, ' Mine.')
    await user.tab()
    expect((await screen.findByRole('alert')).textContent).toContain('The server cannot be reached.')
    expect(field.value).toBe('Be brief. {{tools}} Mine.')
    expect(viewOf(store.getState()).conversation?.settings.systemPrompt).toBe('Be brief. {{tools}}')
    expect(screen.getByText('Not saved. Your text is kept here.')).toBeTruthy()
  })

  it('stores a time limit in milliseconds, and refuses input that is not a whole number in range', async () => {
    const { saved, user } = open(settings, { tab: 'limits' })
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

  it('shows exactly what the model receives', async () => {
    const { user } = open()
    const tools = offeredByDefault()
    const exact = toolContextBuilder.spliceSystemPrompt(settings.systemPrompt, {
      strategy: 'JSON_Strict',
      tools,
      enabled: true,
    })
    await user.click(screen.getByRole('button', { name: /Complete text/ }))
    expect(screen.getByRole('region', { name: 'Complete text as sent' }).textContent).toBe(exact)
    expect(screen.getByText(`about ${estimateTokens(exact).toLocaleString('en')} tokens`)).toBeTruthy()
  })
})

describe('approval', () => {
  const auto: ConversationSettings = { ...settings, tools: { ...settings.tools, mode: 'auto' } }

  it('asks before every call by default, and stores another choice', async () => {
    const { saved, user } = open(settings, { tab: 'approval' })
    const group = within(screen.getByRole('radiogroup', { name: 'Approval' }))
    expect(group.getByRole<HTMLInputElement>('radio', { name: /^Ask before every call/ }).checked).toBe(true)
    expect(screen.queryByRole('combobox', { name: /^When \w+ asks$/ })).toBeNull()
    await user.click(group.getByRole('radio', { name: /^Run safe tools automatically/ }))
    expect(saved.at(-1)?.tools.mode).toBe('auto')
    // Nothing runs automatically before a tool is picked.
    expect(saved.at(-1)?.tools.toolRules).toEqual({})
    goTo('tools')
    expect(screen.getByRole<HTMLSelectElement>('combobox', { name: 'When read_file asks' }).value).toBe('always')
  })

  it('lets only safe tools be picked to run automatically', async () => {
    const { saved, user } = open(auto, { tab: 'tools' })
    const choices = screen.getAllByRole('combobox', { name: /^When \w+ asks$/ })
    expect(choices.map((choice) => choice.getAttribute('aria-label'))).toEqual(
      offeredNames('public').map((name) => `When ${name} asks`),
    )
    expect(screen.getAllByText('asks every time', { selector: ':not(option)' })).toHaveLength(
      offeredNames('sensitive').length,
    )
    expect(screen.getAllByText('asks; approval can be saved')).toHaveLength(offeredNames('moderate').length)
    await user.selectOptions(screen.getByRole('combobox', { name: 'When read_file asks' }), 'runs automatically')
    await user.selectOptions(
      screen.getByRole('combobox', { name: 'When to review the result of read_file' }),
      'result: review if failed',
    )
    expect(saved.at(-1)?.tools.toolRules).toEqual({ read_file: { execution: 'never', result: 'on-error' } })
  })

  it('shows an existing rule for a tool of another level, but never one for a sensitive tool', () => {
    const toolRules = { write_file: { execution: 'never' }, browser_js_eval: { execution: 'never' } } as const
    open({ ...auto, tools: { ...auto.tools, toolRules } }, { tab: 'tools' })
    expect(screen.getByRole<HTMLSelectElement>('combobox', { name: 'When write_file asks' }).value).toBe('never')
    expect(screen.queryByRole('combobox', { name: 'When browser_js_eval asks' })).toBeNull()
  })

  it('keeps the picks while every call needs approval, and says what applies', async () => {
    const { saved, user } = open(
      { ...auto, tools: { ...auto.tools, toolRules: { read_file: { execution: 'never' } } } },
      { tab: 'approval' },
    )
    await user.click(screen.getByRole('radio', { name: /^Ask before every call/ }))
    goTo('tools')
    expect(screen.getAllByText('asks every time')).toHaveLength(
      offeredNames('public').length + offeredNames('sensitive').length,
    )
    expect(saved.at(-1)?.tools.toolRules).toEqual({ read_file: { execution: 'never' } })
  })

  it('stores separately which results are reviewed and where it asks', async () => {
    const { saved, user } = open(settings, { tab: 'approval' })
    await user.selectOptions(
      screen.getByRole('combobox', { name: 'Review results before they are sent' }),
      'large or failed results',
    )
    await user.selectOptions(screen.getByRole('combobox', { name: 'File changes by code' }), 'review after the run')
    await user.selectOptions(screen.getByRole('combobox', { name: 'Ask me' }), 'in a dialog')
    await user.click(screen.getByRole('switch', { name: 'Run calls in parallel' }))
    expect(saved.at(-1)?.tools).toMatchObject({
      resultGate: 'large-or-failed',
      codeChanges: 'ask',
      approvalUi: 'dialog',
      parallelExecution: true,
    })
  })

  it('stores how many calls of one reply may run', async () => {
    const { saved, user } = open(settings, { tab: 'limits' })
    const field = screen.getByRole<HTMLInputElement>('textbox', { name: /Calls per reply/ })
    await user.clear(field)
    await user.type(field, '3{Enter}')
    expect(saved.at(-1)?.tools.maxCallsPerReply).toBe(3)
  })
})

describe('the list of tools', () => {
  const offers = () =>
    screen.getAllByRole('switch', { name: /^Offer \w+_/ }).map((one) => one.getAttribute('aria-label'))

  it('is filtered by name, tag and level, and says when nothing is left', async () => {
    const { user } = open(settings, { tab: 'tools' })
    const filter = screen.getByRole('searchbox', { name: 'Filter tools' })
    const typed = async (words: string) => {
      await user.clear(filter)
      await user.type(filter, words)
    }
    await typed('FILES can run')
    const harmless = builtIn
      .list()
      .filter((tool) => tool.card.tags.includes('files') && tool.policy.permission === 'public')
    const named = harmless.flatMap(({ spec: { name } }) => (name.includes('_') ? [name] : []))
    expect(offers()).toEqual(named.map((name) => `Offer ${name}`))
    expect(offers()).toContain('Offer read_file')
    await typed('code')
    expect(offers()).toEqual(expect.arrayContaining(['Offer browser_js_eval', 'Offer python_eval']))
    expect(offers()).not.toContain('Offer read_file')
    await typed('nothing')
    expect(screen.queryByRole('switch', { name: /^Offer \w+_/ })).toBeNull()
    expect(screen.getByText(/No tool has “nothing”/)).toBeTruthy()
  })

  it('is grouped by tag; a group’s switch shows all, some or none, and switches all of them', async () => {
    const { saved, user } = open(settings, { tab: 'tools' })
    const names = builtIn.list().flatMap(({ spec, card }) => (card.tags[0] === 'files' ? [spec.name] : []))
    const files = screen.getByRole('group', { name: 'Files' })
    expect(within(files).getAllByRole('switch')).toHaveLength(names.length)
    expect(within(files).queryByRole('switch', { name: 'Offer browser_js_eval' })).toBeNull()
    const all = within(files).getByRole('checkbox', { name: 'Offer all of Files' })
    const state = () => all.getAttribute('aria-checked')
    expect(state()).toBe('true')
    await user.click(within(files).getByRole('switch', { name: 'Offer write_file' }))
    expect(state()).toBe('mixed')
    expect(files.textContent).toContain(`${names.length - 1} of ${names.length}`)
    await user.click(all)
    expect(state()).toBe('true')
    all.focus()
    await user.keyboard(' ')
    expect(state()).toBe('false')
    expect(saved.at(-1)?.tools.toolToggles).toEqual(Object.fromEntries(names.map((name) => [name, false])))
    await user.click(screen.getByRole('switch', { name: 'Use tools' }))
    expect(all.hasAttribute('disabled')).toBe(true)
  })

  it('a group’s switch affects only the tools that the filter shows', async () => {
    const { saved, user } = open(settings, { tab: 'tools' })
    await user.type(screen.getByRole('searchbox', { name: 'Filter tools' }), 'write_file')
    expect(screen.queryByRole('group', { name: 'Code' })).toBeNull()
    await user.click(screen.getByRole('checkbox', { name: 'Offer all of Files' }))
    expect(saved.at(-1)?.tools.toolToggles).toEqual({ write_file: false })
  })

  it('leaves a tool off that is off by default, shows its cost, and switches it on by name', async () => {
    const { saved, user } = open(settings, { tab: 'tools' })
    const python = screen.getByRole('switch', { name: 'Offer python_eval' })
    expect(python.getAttribute('aria-checked')).toBe('false')
    expect(python.closest('[data-row]')?.textContent).toContain('Downloads 6 MB on first use.')
    await user.click(python)
    expect(saved.at(-1)?.tools.toolToggles).toEqual({ python_eval: true })
    expect(screen.getByText(offeredWords(1))).toBeTruthy()
  })

  it('keeps the current tools when new ones are not offered', async () => {
    const { saved, user } = open(settings, { tab: 'tools' })
    await user.click(screen.getByRole('switch', { name: 'Turn on new tools' }))
    expect(saved.at(-1)?.tools.defaultToolEnabled).toBe(false)
    expect(screen.getByText(offeredWords(0))).toBeTruthy()
  })

  it('shows a tool that is added while it is open', () => {
    const { store } = open(settings, { tab: 'tools' })
    const base = {
      description: 'Comes late.',
      parameters: { type: 'object' },
      permission: 'moderate',
      files: 'none',
    } as const
    const come = (...tools: readonly RegisteredTool[]) =>
      act(() => store.dispatch({ type: 'tools-changed', conversationId: 'c1', tools }))
    come({ ...base, name: 'late_tool', origin: 'registered' })
    const group = screen.getByRole('group', { name: 'Your own server' })
    expect(within(group).getByRole('switch', { name: 'Offer late_tool', checked: true })).toBeTruthy()
    come({ ...base, name: 'late_tool', origin: 'imported' })
    expect(screen.getByRole('switch', { name: 'Offer late_tool', checked: false })).toBeTruthy()
    expect(screen.getByText(/written by the creator of that file/)).toBeTruthy()
    come({ ...base, description: `Harmless\u202e ${'x'.repeat(999)}`, name: 'late_tool', origin: 'registered' })
    expect(screen.getByText(/^Harmless/).closest('small')?.textContent).toMatch(/^Harmless⟨U\+202E⟩ x{250,300}…/)
    come()
    expect(screen.queryByRole('switch', { name: 'Offer late_tool' })).toBeNull()
  })
})

describe('past approvals', () => {
  const grant = (id: string, scope: Grant['scope'], over: Partial<Grant> = {}): Grant => ({
    id,
    scope,
    createdAt: Date.now() - 12 * 60_000,
    uses: 0,
    lastUsedAt: null,
    revokedAt: null,
    ...over,
  })

  it('are listed with scope, age and uses, except revoked ones', () => {
    open(settings, {
      tab: 'approval',
      grants: [
        grant('g1', { kind: 'folder', tool: 'write_file', folder: '/notes' }, { uses: 2 }),
        grant('g2', { kind: 'tool', tool: 'read_file' }, { revokedAt: 5 }),
        grant('g3', { kind: 'arguments', tool: 'write_file', argumentsHash: 'h', label: '/a.md' }, { uses: 1 }),
      ],
    })
    const list = within(screen.getByRole('list', { name: 'Saved approvals' }))
    expect(list.getAllByRole('listitem').map((row) => row.textContent)).toEqual([
      'You allowed write_file in /notes and its subfolders, 12 min ago, used 2 times. Revoke',
      'You allowed write_file with the same arguments (/a.md), 12 min ago, used once. Revoke',
    ])
  })

  it('show how long each is still valid; expired ones are not listed', () => {
    open(settings, {
      tab: 'approval',
      grants: [
        grant('g1', { kind: 'tool', tool: 'read_file' }, { expiresAt: Date.now() + 90 * 60_000 }),
        grant('g2', { kind: 'tool', tool: 'list_directory' }, { expiresAt: Date.now() + 30_500 }),
        grant('g3', { kind: 'tool', tool: 'write_file' }, { expiresAt: Date.now() - 1 }),
      ],
    })
    const list = within(screen.getByRole('list', { name: 'Saved approvals' }))
    expect(list.getAllByRole('listitem').map((row) => row.textContent)).toEqual([
      'You allowed all calls of read_file, 12 min ago, not used yet, 1 hour left. Revoke',
      'You allowed all calls of list_directory, 12 min ago, not used yet, 1 minute left. Revoke',
    ])
  })

  it('are suspended while every call needs approval, and the list says so', async () => {
    const { user } = open(
      { ...settings, tools: { ...settings.tools, mode: 'auto' } },
      { tab: 'approval', grants: [grant('g1', { kind: 'tool', tool: 'read_file' })] },
    )
    const said = 'These do not apply while every call asks.'
    expect(screen.queryByText(said)).toBeNull()
    goTo('tools')
    expect(screen.getByRole('combobox', { name: 'When read_file asks' })).toBeTruthy()
    goTo('approval')
    await user.click(screen.getByRole('switch', { name: 'Always ask before every call' }))
    expect(await screen.findByText(said)).toBeTruthy()
    goTo('tools')
    expect(screen.queryByRole('combobox', { name: 'When read_file asks' })).toBeNull()
  })

  it('last as long as was chosen', async () => {
    const { user, store } = open(settings, { tab: 'approval' })
    await user.selectOptions(screen.getByRole('combobox', { name: 'Keep approvals for' }), '1 hour')
    await waitFor(() => expect(viewOf(store.getState()).conversation?.settings.tools.grantLifetimeMs).toBe(3_600_000))
  })

  it('can be revoked; if that fails, the list says that it is still valid', async () => {
    const revokeGrant = vi.fn<CallActions['revokeGrant']>(async () => 'The server cannot be reached.')
    const { user } = open(settings, {
      tab: 'approval',
      grants: [grant('g1', { kind: 'tool', tool: 'read_file' })],
      calls: { revokeGrant } as unknown as CallActions,
    })
    await user.click(screen.getByRole('button', { name: 'Revoke: all calls of read_file' }))
    expect(revokeGrant).toHaveBeenCalledWith('g1')
    expect((await screen.findByRole('alert')).textContent).toBe(
      'The approval is still active. The server cannot be reached.',
    )
  })
})

describe('macros of the system prompt', () => {
  it('are explained, and unusual ones cause a warning while typing', () => {
    open()
    expect(screen.getByText('{{tool_context}}')).toBeTruthy()
    const field = screen.getByRole('textbox', { name: 'System prompt' })
    expect(field.getAttribute('aria-describedby')).toBeNull()
    fireEvent.change(field, { target: { value: '{{tools}} {{tools}} {{tool}}' } })
    const warnings = document.getElementById(field.getAttribute('aria-describedby') ?? '')
    expect(warnings?.textContent).toContain('{{tools}} appears twice')
    expect(warnings?.textContent).toContain('{{tool}} is not a variable')
  })

  it('show the tool call rules as a separate part', () => {
    const told = previewPrompt({ ...settings, systemPrompt: '{{tool_context}} Be brief.' }, builtIn)
    expect(told.parts.map(({ title }) => title).at(-1)).toBe('Rules for its calls')
    expect(told.whole.endsWith(told.parts.at(-1)?.text ?? '-')).toBe(true)
    expect(previewPrompt(settings, builtIn).parts.map(({ title }) => title)).not.toContain('Rules for its calls')
  })
})

describe('whatIsTold', () => {
  it('has no part about tools if they are off, and is empty without a prompt', () => {
    const off = { ...settings, systemPrompt: '', tools: { ...settings.tools, enabled: false } }
    expect(previewPrompt(off, builtIn)).toEqual({ whole: '', tokens: 0, parts: [] })
  })

  it('includes and counts schemas that are sent beside the prompt', () => {
    const { whole, parts, tokens } = previewPrompt({ ...settings, strategy: 'Native' }, builtIn)
    const schemas = parts.find(({ text }) => text.includes('"name":"read_file"'))
    expect(schemas?.tokens).toBeGreaterThan(20)
    expect(whole).not.toContain('read_file')
    expect(tokens).toBe(estimateTokens(whole) + (schemas?.tokens ?? 0))
  })

  it('leaves out tools that are not offered', () => {
    const some = { ...settings, tools: { ...settings.tools, toolToggles: { write_file: false } } }
    expect(previewPrompt(settings, builtIn).whole).toContain('write_file')
    expect(previewPrompt(some, builtIn).parts.find((part) => part.text.includes('list_directory'))?.text).not.toContain(
      'write_file',
    )
  })
})
