// @vitest-environment jsdom
import { cleanup, render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { InThread } from '@/components/assistant-ui/testing/in-thread'
import { EmptyState } from '@/components/chat/empty-state'
import { ChatProvider } from '@/components/context/chat-context'
import { englishIn, inChinese } from '@/components/ui/testing/in-chinese'
import type { CallActions, ChatActions } from '@/lib/client/chats/actions'
import { createClientStore } from '@/lib/client/state/store'
import { conversationRow } from '@/lib/client/chats/testing/rows'

vi.mock('@/lib/client/wiring/models/tab-models.browser', () => ({
  ownModels: () => Promise.resolve([]),
  ownServers: {},
}))
beforeEach(() => {
  HTMLElement.prototype.scrollIntoView = () => {}
  HTMLDialogElement.prototype.showModal = function (this: HTMLDialogElement) {
    this.open = true
  }
  HTMLDialogElement.prototype.close = () => {}
})
afterEach(cleanup)

const demo = { id: 'demo/demo', label: 'Demo (a script)', providerLabel: 'Nod', simulated: true }
const real = { id: 'ollama/qwen3:8b', label: 'qwen3:8b', providerLabel: 'Ollama', simulated: false }

function show(models: readonly object[], browserHosts: readonly string[] = ['*'], conversation = conversationRow()) {
  const store = createClientStore()
  store.dispatch({ type: 'view-new', conversation })
  store.dispatch({
    type: 'models-loaded',
    models: { models, browserHosts, problems: [], defaultModel: 'demo/demo' } as never,
  })
  return render(
    <ChatProvider value={{ store, chat: {} as ChatActions, calls: {} as CallActions }}>
      <InThread>
        <EmptyState />
      </InThread>
    </ChatProvider>,
  )
}
const section = () => screen.findByRole('region', { name: 'Connect a model' })
const ways = async () => within(await section()).getAllByRole('button')

it('is shown when only the demo is available, in the style of the four prompts above it', async () => {
  const { container } = show([demo])
  expect((await section()).textContent).toContain(
    'The demo is a script. It knows the four prompts above; type help for the rest.',
  )
  const prompts = [...container.querySelectorAll('button')].filter((one) => one.closest('section') === null)
  expect(prompts).toHaveLength(4)
  expect((await ways()).map((one) => one.textContent)).toEqual([
    'Ollamaon this computer',
    'LM Studioon this computer',
    'API keyfrom a provider',
    'Copy and pastewith any chat site',
  ])
})

it('disappears once there is a model; a chat that still uses the demo says that it is a script', () => {
  show([demo, real])
  expect(screen.queryByRole('region', { name: 'Connect a model' })).toBeNull()
  expect(screen.getByText(/^The demo is a script/)).toBeTruthy()
})

it('says that nothing runs until Run is pressed only if that is so in this chat', () => {
  show([demo, real])
  expect(screen.getByText(/and nothing runs until you press Run\.$/)).toBeTruthy()
  cleanup()
  const { settings, ...row } = conversationRow()
  show([demo, real], ['*'], { ...row, settings: { ...settings, tools: { ...settings.tools, mode: 'auto' } } })
  expect(screen.queryByText(/nothing runs until/)).toBeNull()
  expect(screen.getByText(/and only what you allowed runs without a click\.$/)).toBeTruthy()
})

it.each([
  ['Ollama', 'Ollama', 'http://127.0.0.1:11434', 'Test'],
  ['LM Studio', 'LM Studio', 'http://127.0.0.1:1234', 'Test'],
  ['API key', 'Other (OpenAI-compatible)', '', 'Address'],
])('%s opens the dialog at its form', async (way, kind, address, focused) => {
  show([demo])
  await userEvent.click(within(await section()).getByRole('button', { name: new RegExp(`^${way}`) }))
  expect(await screen.findByRole('radio', { name: kind, checked: true })).toBeTruthy()
  const field = screen.getByRole<HTMLInputElement>('textbox', { name: 'Address' })
  expect(field.value).toBe(address)
  await vi.waitFor(() =>
    expect(document.activeElement).toBe(focused === 'Address' ? field : screen.getByRole('button', { name: focused })),
  )
})

it('copy and paste opens the dialog at its form, even if browsers may reach no server', async () => {
  show([demo], [])
  expect(await ways()).toHaveLength(1)
  await userEvent.click(within(await section()).getByRole('button', { name: /^Copy and paste/ }))
  const add = await screen.findByRole('button', { name: /^Add / })
  await vi.waitFor(() => expect(document.activeElement).toBe(add))
})

it('copy and paste is above the other ways if it was chosen', async () => {
  show([demo])
  await userEvent.click(within(await section()).getByRole('button', { name: /^Copy and paste/ }))
  const add = await screen.findByRole('button', { name: /^Add any chat|^Add Any chat/i })
  const address = screen.getByRole('textbox', { name: 'Address' })
  expect(add.compareDocumentPosition(address) & Node.DOCUMENT_POSITION_FOLLOWING).not.toBe(0)
})

it('is translated to Chinese', async () => {
  inChinese()
  const { container } = show([demo])
  const part = await screen.findByRole('region', { name: '连接模型' })
  expect(part.textContent).toContain('演示只是一个脚本。它认识上面四个例子，输入 help 查看其余的。')
  expect(englishIn(container).filter((text) => !/^(?:Ollama|LM Studio)$/.test(text))).toEqual([])
})
