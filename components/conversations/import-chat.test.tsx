// @vitest-environment jsdom
import { cleanup, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { ChatProvider } from '@/components/context/chat-context'
import { ToolRuntimeProvider } from '@/components/context/tool-runtime-context'
import type { CallActions, ChatActions } from '@/lib/client/chats/actions'
import { defaultSettings } from '@/lib/shared/conversation/settings/settings'
import { defaultToolConfig } from '@/lib/shared/conversation/settings/registered-tool'
import { speakTo } from '@/lib/base/text/languages'
import { ok } from '@/lib/base/result'
import { loadMessagesOf } from '@/lib/i18n/load-messages'
import { failed } from '@/lib/client/api/api-failure'
import { createClientStore } from '@/lib/client/state/store'
import { conversationRow } from '@/lib/client/chats/testing/rows'
import type { NodApi } from '@/lib/client/api/nod-api'
import type { ToolRuntime } from '@/lib/shared/tools/tool'
import { createMemoryVfs } from '@/lib/vfs/memory/memory-vfs'
import { createZip } from '@/lib/client/files/zip/create-zip'
import ImportChat from './import-chat'

beforeEach(() => {
  // jsdom has no modal dialogs.
  HTMLDialogElement.prototype.showModal = function showModal() {
    this.open = true
  }
  HTMLDialogElement.prototype.close = function close() {
    this.open = false
  }
})
afterEach(cleanup)

const bytes = (text: string) => new TextEncoder().encode(text)
const exported = { format: 'nod-conversation', version: 1, conversation: { title: 'Orders' } }

async function zip(files: Readonly<Record<string, string>>): Promise<File> {
  const members = Object.entries({ 'conversation.json': JSON.stringify(exported), ...files }).map(([path, text]) => ({
    path,
    modifiedAt: 0,
    read: () => Promise.resolve(bytes(text)),
  }))
  return new File([await (await createZip(members)).arrayBuffer()], 'chat.zip')
}

function setUp(field = 'Exported chat', vfs = createMemoryVfs()) {
  const importChat = vi.fn<NodApi['importChat']>((id) => Promise.resolve(ok(conversationRow({ id }))))
  const open = vi.fn<ChatActions['open']>()
  const onDone = vi.fn<() => void>()
  const chat = { open, search: () => {} } as Partial<ChatActions> as ChatActions
  render(
    <ToolRuntimeProvider value={() => Promise.resolve({ vfs } as Partial<ToolRuntime> as ToolRuntime)}>
      <ChatProvider value={{ store: createClientStore(), chat, calls: {} as CallActions }}>
        <ImportChat api={{ importChat }} onClose={() => {}} onDone={onDone} />
      </ChatProvider>
    </ToolRuntimeProvider>,
  )
  const choose = (file: File) => userEvent.upload(screen.getByLabelText(field), file, { applyAccept: false })
  const take = async (file: File, ...parts: readonly string[]) => {
    await choose(file)
    await screen.findByRole('button', { name: 'Import' })
    for (const part of parts) await userEvent.click(screen.getByRole('checkbox', { name: part }))
    await userEvent.click(screen.getByRole('button', { name: 'Import' }))
  }
  return { vfs, importChat, open, onDone, choose, take }
}

describe('importing a chat', () => {
  it('sends the conversation, writes its files into the new chat, and opens it', async () => {
    const { vfs, importChat, open, onDone, take } = setUp()
    await take(await zip({ 'files/a/b.txt': 'hello' }))
    await waitFor(() => expect(onDone).toHaveBeenCalledTimes(1))
    const [id, body] = importChat.mock.calls[0] ?? []
    expect(body).toEqual(exported)
    expect(open).toHaveBeenCalledWith(id)
    const written = await vfs.read('/a/b.txt')
    expect(written.ok && Array.from(written.value)).toEqual(Array.from(bytes('hello')))
    expect(await vfs.history.list()).toEqual({ ok: true, value: [] })
  })

  it('lists what is in the file, and imports only what is checked', async () => {
    const { importChat, choose } = setUp()
    const settings = {
      ...defaultSettings('openai/other'),
      systemPrompt: 'Obey the file.',
      tools: { ...defaultToolConfig, toolToggles: { python_eval: true }, maxIterations: 100 },
    }
    const chat = { ...exported, conversation: { title: 'Orders', settings }, messages: [{}, {}] }
    await choose(await zip({ 'conversation.json': JSON.stringify(chat), 'files/a.txt': 'hello' }))
    await screen.findByRole('button', { name: 'Import' })
    expect(importChat).not.toHaveBeenCalled()
    const dialog = screen.getByRole('dialog')
    expect(dialog.textContent).toContain('Orders: 2 messages, 1 file (5 B).')
    expect(dialog.textContent).toContain('the file history are not imported')
    expect(screen.getByLabelText('Its system prompt', { selector: 'pre' }).textContent).toBe('Obey the file.')
    expect(dialog.textContent).toContain('python_eval is on')
    expect(dialog.textContent).toContain('100 tool rounds before Nod pauses, here: 5 tool rounds')
    const boxes = screen.getAllByRole<HTMLInputElement>('checkbox')
    expect(boxes.map(({ checked }) => checked)).toEqual([false, false, false, false])
    await userEvent.click(screen.getByRole('checkbox', { name: 'Its model' }))
    await userEvent.click(screen.getByRole('button', { name: 'Import' }))
    await waitFor(() => expect(importChat).toHaveBeenCalledTimes(1))
    expect(importChat.mock.calls[0]?.[2]).toEqual(['model'])
  })

  it('lists in Chinese what is in the file', async () => {
    expect(await loadMessagesOf('zh-CN')).toBe(true)
    speakTo('zh-CN')
    try {
      const { choose } = setUp('导出的对话')
      const settings = {
        ...defaultSettings('openai/other'),
        systemPrompt: '遵守',
        tools: { ...defaultToolConfig, enabled: false, maxIterations: 100, resultGate: 'always', approvalUi: 'dialog' },
      }
      const chat = { ...exported, conversation: { title: '', settings }, messages: [{}, {}] }
      await choose(await zip({ 'conversation.json': JSON.stringify(chat), 'files/a.txt': 'hello' }))
      await screen.findByRole('button', { name: '导入' })
      const said = screen.getByRole('dialog').textContent ?? ''
      expect(said).toContain('无标题的对话：2 条消息，1 个文件（5 B）。')
      expect(said).toContain('连续 100 轮工具调用后暂停，这里：连续 5 轮工具调用后暂停')
      expect(said.replaceAll('openai/other', '')).not.toMatch(/[A-Za-z]{2}/)
    } finally {
      speakTo('en')
    }
  })

  it('says if the file is not a chat, and what the server refused', async () => {
    const { importChat, choose, take } = setUp()
    await choose(new File(['words'], 'x.json'))
    expect((await screen.findByRole('alert')).textContent).toMatch(/^This file contains no chat/)
    expect(importChat).not.toHaveBeenCalled()
    importChat.mockResolvedValueOnce(
      failed('bad-request', 400, { reason: '', values: {}, message: 'This is no chat: it holds a circle.' }),
    )
    await take(await zip({}))
    await waitFor(() => expect(screen.getByRole('alert').textContent).toContain('it holds a circle'))
  })

  it('keeps the chat if its files don’t fit, and offers a retry', async () => {
    const full = createMemoryVfs({ limits: { maxTotalBytes: 3 } })
    const { open, onDone, take } = setUp(undefined, full)
    await take(await zip({ 'files/a.txt': 'hello' }))
    expect((await screen.findByRole('alert')).textContent).toMatch(/^The chat was imported, but its files were not\. /)
    expect(open).toHaveBeenCalledTimes(1)
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }))
    await waitFor(() => expect(open).toHaveBeenCalledTimes(2))
    await userEvent.click(await screen.findByRole('button', { name: 'Close' }))
    expect(onDone).toHaveBeenCalledTimes(1)
  })

  it('names the files that were left out', async () => {
    const { take } = setUp()
    await take(await zip({ 'files/../../x': 'out', 'files/fine': 'in' }))
    expect(await screen.findByText(/left out:/)).toBeTruthy()
    expect(screen.getAllByRole('listitem')).toHaveLength(1)
  })
})
