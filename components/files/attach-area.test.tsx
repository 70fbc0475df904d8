// @vitest-environment jsdom
import { act, cleanup, configure, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { InThread } from '@/components/assistant-ui/testing/in-thread'
import { attachToMessage } from '@/components/context/attach-to-message'
import { ChatProvider } from '@/components/context/chat-context'
import { Composer } from '@/components/composer/composer'
import { ToolRuntimeProvider } from '@/components/context/tool-runtime-context'
import type { AttachmentToSend } from '@/lib/shared/conversation/wire/api-types'
import type { CallActions, ChatActions } from '@/lib/client/chats/actions'
import { copyDraft, createDrafts, filesDraft, newChatDraft, newChatIdDraft } from '@/lib/client/outbox/drafts'
import { newConversation } from '@/lib/client/chats/new-conversation'
import { createClientStore } from '@/lib/client/state/store'
import { conversationId, userRow, stored } from '@/lib/client/chats/testing/rows'
import type { ToolRuntime } from '@/lib/shared/tools/tool'
import { createMemoryVfs } from '@/lib/vfs/memory/memory-vfs'
import { viewOf } from '@/lib/client/state/open-conversations'

// The first test waits for lazy code.
configure({ asyncUtilTimeout: 10_000 })
afterEach(cleanup)

const file = (name: string, text = 'id,n\n') => new File([text], name)

const addToMessage = vi.hoisted(() => vi.fn<(state: unknown, words: string) => void>())
vi.mock('@/components/context/attach-to-message', async (original) => ({ ...(await original<object>()), addToMessage }))

function setUp({ saved = new Map<string, string>(), vfs = createMemoryVfs() } = {}) {
  const store = createClientStore()
  store.dispatch({ type: 'view-new', conversation: newConversation(conversationId, 'demo/demo', 1) })
  const storage = {
    getItem: (key: string) => saved.get(key) ?? null,
    setItem: (key: string, value: string) => void saved.set(key, value),
    removeItem: (key: string) => void saved.delete(key),
  }
  const drafts = createDrafts({ storage, schedule: () => () => {} })
  const sent: (readonly AttachmentToSend[])[] = []
  const append = vi.fn<ChatActions['append']>((text, files = []) => {
    sent.push(files)
    const message = userRow('u1', null, { text, attachments: files })
    store.dispatch({ type: 'send-started', conversationId, message, headId: null })
    return Promise.resolve({ ...stored, messageId: 'u1' })
  })
  const updateSettings: ChatActions['updateSettings'] = (settings) => {
    store.dispatch({ type: 'settings-changed', conversationId: viewOf(store.getState()).id, settings })
    return Promise.resolve(null)
  }
  const runtime = { vfs } as Partial<ToolRuntime> as ToolRuntime
  const { unmount } = render(
    <ToolRuntimeProvider value={() => Promise.resolve(runtime)}>
      <ChatProvider
        value={{
          store,
          chat: { append, updateSettings } as Partial<ChatActions> as ChatActions,
          calls: {} as CallActions,
        }}
      >
        <InThread>
          <main>
            <Composer drafts={drafts} onEditLast={() => {}} onSent={() => {}} onOpenSettings={() => {}} />
          </main>
        </InThread>
      </ChatProvider>
    </ToolRuntimeProvider>,
  )
  const attach = async (...files: File[]) => {
    await screen.findByRole('button', { name: 'More for this message' })
    await userEvent.upload(screen.getByLabelText('Files to attach'), files)
  }
  return { store, drafts, vfs, saved, append, sent, attach, unmount }
}

const list = () => screen.findByRole('list', { name: 'Attached files' })

describe('files of the next message', () => {
  it('are stored immediately, shown with their size, and can be removed', async () => {
    const { attach, vfs } = setUp()
    await attach(file('a.csv'), file('b.csv'))
    expect((await list()).textContent).toContain('a.csv5 B')
    // The name has the space of the chip; the folder is the same for each.
    expect((await list()).textContent).not.toContain('/attachments')
    expect(await vfs.read('/attachments/b.csv')).toMatchObject({ ok: true })
    await userEvent.click(screen.getByRole('button', { name: 'Remove b.csv' }))
    await waitFor(async () => expect(await vfs.stat('/attachments/b.csv')).toMatchObject({ ok: false }))
    expect(within(await list()).getAllByRole('listitem')).toHaveLength(1)
    expect(await vfs.history.list()).toMatchObject({
      value: [
        { origin: { kind: 'user', action: 'removed' } },
        { origin: { action: 'attached', messageId: null } },
        { origin: { action: 'attached' } },
      ],
    })
  })

  it('are sent without text, leave the list, and return if the message does not arrive', async () => {
    const { attach, store, append, sent, saved } = setUp()
    await attach(file('a.csv'))
    await list()
    await userEvent.click(screen.getByRole('button', { name: 'Send' }))
    await waitFor(() => expect(append).toHaveBeenCalledTimes(1))
    expect(sent[0]).toEqual([
      { path: '/attachments/a.csv', mediaType: 'text/csv', size: 5, head: 'id,n\n', isImage: false },
    ])
    await waitFor(() => expect(screen.queryByRole('list', { name: 'Attached files' })).toBeNull())
    const problem = { message: 'The server cannot be reached.', canRetry: true }
    act(() => store.dispatch({ type: 'send-failed', conversationId, messageId: 'u1', problem }))
    expect((await list()).textContent).toContain('a.csv')
    expect(saved.get(`nod:draft:${newChatIdDraft}`)).toBe(conversationId)
  })

  it('show how much of them is sent, and are left out if the user says so', async () => {
    const { attach, sent, append } = setUp()
    await attach(file('a.csv', 'id,n\n'), file('b.txt', 'x'.repeat(5_000)))
    const [first, second] = within(await list()).getAllByRole('listitem')
    expect(first?.textContent).toContain('included in full')
    expect(second?.textContent).toContain('the first 2 KB are sent')
    await userEvent.click(screen.getByRole('button', { name: 'The text of a.csv that is sent' }))
    expect(screen.getByLabelText('What is sent of a.csv').textContent).toBe('id,n\n')
    await userEvent.click(screen.getByRole('button', { name: 'Leave out the content of a.csv' }))
    expect(first?.textContent).toContain('only name and size are sent')
    await userEvent.click(screen.getByRole('button', { name: 'Send' }))
    await waitFor(() => expect(append).toHaveBeenCalledTimes(1))
    expect(sent[0]).toEqual([
      { path: '/attachments/a.csv', mediaType: 'text/csv', size: 5, head: null, isImage: false },
      { path: '/attachments/b.txt', mediaType: 'text/plain', size: 5_000, head: 'x'.repeat(2_000), isImage: false },
    ])
  })

  it('send name and size only if results are reviewed first, unless the user says otherwise', async () => {
    const { attach, sent, append, store } = setUp()
    const { conversation } = viewOf(store.getState())
    if (!conversation) throw new Error('no conversation')
    const tools = { ...conversation.settings.tools, toolRules: { read_file: { result: 'on-error' as const } } }
    const settings = { ...conversation.settings, tools }
    act(() => store.dispatch({ type: 'settings-changed', conversationId, settings }))
    await attach(file('a.csv'), file('b.csv'))
    const [first, second] = within(await list()).getAllByRole('listitem')
    expect(first?.textContent).toContain('only name and size are sent')
    await userEvent.click(screen.getByRole('button', { name: 'Send all of it: b.csv' }))
    expect(second?.textContent).toContain('included in full')
    await userEvent.click(screen.getByRole('button', { name: 'Send' }))
    await waitFor(() => expect(append).toHaveBeenCalledTimes(1))
    expect(sent[0]?.map(({ head }) => head)).toEqual([null, 'id,n\n'])
  })

  it('survive a reload, also in an unsent chat', async () => {
    const { attach, saved, vfs, unmount } = setUp()
    await attach(file('a.csv'))
    await list()
    expect(saved.get(`nod:draft:${newChatIdDraft}`)).toBe(conversationId)
    unmount()
    setUp({ saved, vfs })
    expect((await list()).textContent).toContain('a.csv')
    await userEvent.click(screen.getByRole('button', { name: 'Remove a.csv' }))
    await waitFor(() => expect([...saved.keys()]).toEqual([]))
  })

  it('do not include an empty folder, and the page says so', async () => {
    const { vfs } = setUp()
    await screen.findByRole('button', { name: 'More for this message' })
    const reader = { readEntries: (take: (batch: readonly unknown[]) => void) => take([]) }
    const folder = { isFile: false, fullPath: '/void', createReader: () => reader }
    const items = [{ kind: 'file', webkitGetAsEntry: () => folder }]
    fireEvent.drop(screen.getByRole('main'), { dataTransfer: { types: ['Files'], files: [], items } })
    expect((await screen.findByRole('alert')).textContent).toContain('There was no file to attach.')
    expect((await vfs.history.list()).ok && (await vfs.tree('/'))).toMatchObject({ value: [] })
  })

  it('can be dropped and pasted; text pasted with its picture stays text', async () => {
    setUp()
    await screen.findByRole('button', { name: 'More for this message' })
    const types = ['Files']
    fireEvent.dragOver(screen.getByRole('main'), { dataTransfer: { types, files: [] } })
    expect(screen.getByText('Drop files to attach them')).toBeTruthy()
    fireEvent.drop(screen.getByRole('main'), { dataTransfer: { types, files: [file('dropped.txt')] } })
    expect(screen.queryByText('Drop files to attach them')).toBeNull()
    expect((await list()).textContent).toContain('dropped.txt')
    const field = screen.getByRole('textbox', { name: 'Message' })
    fireEvent.paste(field, { clipboardData: { types: ['Files', 'text/plain'], files: [file('cells.png')] } })
    fireEvent.paste(field, { clipboardData: { types, files: [file('pasted.txt')] } })
    await waitFor(async () => expect(within(await list()).getAllByRole('listitem')).toHaveLength(2))
    expect((await list()).textContent).not.toContain('cells')
  })

  it('hold a long pasted text, which can be moved into the message', async () => {
    const { vfs } = setUp()
    await screen.findByRole('button', { name: 'More for this message' })
    const field = screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Message' })
    const paste = (text: string) =>
      fireEvent.paste(field, { clipboardData: { types: ['text/plain'], files: [], getData: () => text } })
    // The browser itself inserts a short text into the field.
    expect(paste('short')).toBe(true)
    const long = 'a line of it\n'.repeat(900)
    expect(paste(long)).toBe(false)
    expect((await list()).textContent).toContain('pasted-text.txt')
    await userEvent.click(screen.getByRole('button', { name: 'Put into the message' }))
    await waitFor(() => expect(screen.queryByRole('list', { name: 'Attached files' })).toBeNull())
    expect(await vfs.stat('/attachments/pasted-text.txt')).toMatchObject({ ok: false })
    expect(addToMessage).toHaveBeenCalledExactlyOnceWith(expect.anything(), long)
  })

  it('say when one was deleted before it could be sent', async () => {
    const { attach, vfs, append } = setUp()
    await attach(file('a.csv'))
    await list()
    await vfs.remove('/attachments/a.csv')
    await userEvent.click(screen.getByRole('button', { name: 'Send' }))
    expect((await screen.findByRole('alert')).textContent).toMatch(/a\.csv is no longer in this chat’s files/)
    expect(append).not.toHaveBeenCalled()
  })

  it('warn about pictures if the model can’t see', async () => {
    const { attach, store } = setUp()
    const model = {
      id: 'demo/demo',
      label: 'Demo (a script)',
      providerLabel: 'Demo',
      contextTokens: null,
      seesImages: false,
      simulated: true,
    }
    act(() =>
      store.dispatch({ type: 'models-loaded', models: { models: [model], defaultModel: 'demo/demo', problems: [] } }),
    )
    await attach(new File([Uint8Array.from('\u0089PNG\r\n\u001a\n', (char) => char.charCodeAt(0))], 'cat.png'))
    expect(await screen.findByText(/Demo cannot see images\. Only the name and size are sent\./)).toBeTruthy()
    expect((await list()).textContent).toMatch(/name and size/)
  })

  it('ask for pictures whether the model can see, and remember the answer in other chats', async () => {
    const { attach, store } = setUp()
    const models = ['a', 'b'].map((name) => ({
      id: `own/${name}`,
      label: name,
      providerLabel: 'Own',
      contextTokens: null,
      simulated: false,
    }))
    const chatWith = (model: string, id: string) => {
      store.dispatch({ type: 'view-new', conversation: newConversation(id, model, 1) })
    }
    act(() => {
      store.dispatch({ type: 'models-loaded', models: { models, defaultModel: 'own/a', problems: [] } })
      chatWith('own/a', conversationId)
    })
    const images = () => viewOf(store.getState()).conversation?.settings.images
    await attach(new File([Uint8Array.from('\u0089PNG\r\n\u001a\n', (char) => char.charCodeAt(0))], 'cat.png'))
    expect(await screen.findByText(/does not know if a can see images/)).toBeTruthy()
    await userEvent.click(screen.getByRole('button', { name: 'Send images to this model' }))
    expect(images()).toEqual({ 'own/a': true })
    expect(await screen.findByText(/Images are sent to a because you turned this on/)).toBeTruthy()

    act(() => chatWith('own/a', 'another'))
    await attach(new File([Uint8Array.from('\u0089PNG\r\n\u001a\n', (char) => char.charCodeAt(0))], 'dog.png'))
    await waitFor(() => expect(images()).toEqual({ 'own/a': true }))
    await userEvent.click(await screen.findByRole('button', { name: 'Stop sending images' }))
    expect(images()).toEqual({ 'own/a': false })
    expect(await screen.findByText(/a cannot see images/)).toBeTruthy()
  })

  it('can ask for a copy: chosen in the menu, visible until it is sent or taken back, kept across a reload', async () => {
    const { saved, unmount, vfs } = setUp()
    const open = async () => {
      await userEvent.click(await screen.findByRole('button', { name: 'More for this message' }))
      return screen.getByRole('menuitem', { name: 'Work on a copy' })
    }
    const sentence = 'This message works on a copy of your files. You check every change at the end.'
    expect(screen.queryByText(sentence)).toBeNull()
    await userEvent.click(await open())
    expect((await screen.findByRole('status')).textContent).toContain(sentence)
    unmount()
    const { store, drafts } = setUp({ saved, vfs })
    expect(await screen.findByText(sentence)).toBeTruthy()
    const item = await open()
    expect(item.getAttribute('aria-current')).toBe('true')
    await userEvent.click(item)
    await waitFor(() => expect(screen.queryByText(sentence)).toBeNull())
    expect(drafts.get(copyDraft(newChatDraft))).toBe('')
    const { settings } = viewOf(store.getState()).conversation ?? newConversation(conversationId, 'demo/demo', 1)
    const always = { ...settings, tools: { ...settings.tools, requireConfirmation: true } }
    act(() => store.dispatch({ type: 'settings-changed', conversationId, settings: always }))
    expect((await open()).getAttribute('aria-disabled')).toBe('true')
  })

  it('can come from elsewhere in the page', async () => {
    setUp()
    await screen.findByRole('button', { name: 'More for this message' })
    act(() => void attachToMessage(Promise.resolve([file('chart.csv')])))
    expect((await list()).textContent).toContain('chart.csv')
  })

  it('are empty for a corrupt draft', () => {
    const saved = new Map([[`nod:draft:${filesDraft(conversationId)}`, '{"files":[{"path":1}]}']])
    setUp({ saved })
    expect(screen.queryByRole('list', { name: 'Attached files' })).toBeNull()
  })
})
