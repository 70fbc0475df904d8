import { describe, expect, it } from 'vitest'
import { loadedMessagesOf } from '@/lib/shared/conversation/message-tree'
import { refusal } from './testing/answering'
import { openClientPage, until } from './testing/client-page'
import { createFakeServer, unreachable } from './testing/fake-server'

/** A chat whose first message is sent and whose reply is being written as `run-1`. */
async function started(text = 'hello') {
  const made = openClientPage()
  made.actions.open(null)
  expect(await made.actions.append(text)).toMatchObject({ status: 'stored' })
  await until(() => expect(made.view().run?.seq).toBe(1))
  return made
}

describe('the first message', () => {
  it('creates the conversation under the id that the client made, and changes the address to it', async () => {
    const { server, view, address, words } = await started()
    expect(view().id).toBe('id-1')
    expect(address.path).toBe('/c/id-1')
    expect([...server.conversations.keys()]).toEqual(['id-1'])
    expect(words()[0]).toBe('hello')
    expect(view().phase).toBe('ready')
  })

  it('shows at once, streams, and gets its title from the server', async () => {
    const { server, view, words } = await started()
    server.write('run-1', 'Hi ')
    server.write('run-1', 'there')
    await until(() => expect(words()).toEqual(['hello', 'Hi there']))
    server.end('run-1')
    await until(() => expect(view().run).toBeNull())
    expect(view().path.at(-1)).toMatchObject({ outcome: 'finished' })
    await until(() => expect(view().conversation?.title).toBe('hello'))
  })
})

describe('the requests that a message needs', () => {
  it('sends two requests, also for the first message, and its list matches the server’s', async () => {
    const { server, chat, actions, view, store } = openClientPage()
    chat.start()
    await until(() => expect(store.getState().conversations).toEqual([]))
    actions.open(null)
    const asked = () => server.calls.splice(0)
    asked()
    for (const run of [1, 2]) {
      expect(await actions.append(`words ${run}`)).toMatchObject({ status: 'stored' })
      await until(() => expect(view().run?.seq).toBe(1))
      expect(store.getState().conversations).toMatchObject([{ title: 'words 1', running: true }])
      server.end(`run-${run}`)
      await until(() => expect(view().run).toBeNull())
      expect(asked()).toEqual(['chat', 'runEvents'])
      const listed = await server.api.conversations('')
      expect(listed.ok && listed.value.conversations).toEqual(store.getState().conversations)
      asked()
    }
    expect(view().conversation?.title).toBe('words 1')
  })
})

describe('send', () => {
  it('refuses blank text', async () => {
    const { actions, server } = await started()
    expect(await actions.append('  \n')).toEqual({ status: 'refused', reason: 'empty' })
    server.end('run-1')
    expect(await actions.append('  \n')).toEqual({ status: 'refused', reason: 'empty' })
    expect(server.calls.filter((name) => name === 'chat')).toHaveLength(1)
  })

  it('tries the same request again while the server gives no answer, and stores the message once', async () => {
    const { actions, server, words, view } = openClientPage()
    server.failNext('chat', unreachable(), unreachable())
    actions.open(null)
    void actions.append('hello')
    await until(() => expect(view().run).not.toBeNull())
    expect(server.calls.filter((name) => name === 'chat')).toHaveLength(3)
    expect(words().filter((text) => text === 'hello')).toHaveLength(1)
  })

  it('keeps the message in the outbox while the server is away, then sends it by itself as the same request', async () => {
    const { actions, server, view, outbox, pass, store, words } = openClientPage()
    server.failNext('chat', unreachable(), unreachable(), unreachable(), unreachable())
    actions.open(null)
    void actions.append('precious words')
    await until(() => expect(view().sending).toBe(false))
    expect(view().problem).toBeNull()
    expect(words()).toEqual([])
    const [waiting] = store.getState().outbox
    expect(waiting).toMatchObject({ entry: { text: 'precious words', conversationId: view().id }, sending: false })
    pass()
    await until(() => expect(view().run).not.toBeNull())
    expect(view().path[0]).toMatchObject({ id: waiting?.entry.id, text: 'precious words' })
    expect(outbox.all()).toEqual([])
  })

  it('shows a reply that another tab started, and sends after it is done', async () => {
    const server = createFakeServer()
    const here = openClientPage(server)
    here.actions.open(null)
    void here.actions.append('one')
    await until(() => expect(here.view().run).not.toBeNull())
    server.end('run-1')
    await until(() => expect(here.view().run).toBeNull())
    const headId = here.view().path.at(-1)?.id ?? ''
    await server.api.chat({
      conversationId: here.view().id,
      append: { kind: 'user', id: 'other-tab', parentId: headId, text: 'two' },
    })
    void here.actions.append('three')
    await until(() => expect(here.view().run?.runId).toBe('run-2'))
    expect(here.words()).toContain('two')
    expect(here.store.getState().outbox.map(({ entry }) => entry.text)).toEqual(['three'])
    server.end('run-2')
    await until(() => expect(here.view().run?.runId).toBe('run-3'))
    expect(here.words().filter((text) => text !== '')).toEqual(['one', 'two', 'three'])
    expect(here.view().problem?.message).toContain('continued in the meantime')
    expect(here.store.getState().outbox).toEqual([])
  })
})

describe('stop', () => {
  it('asks the server, and takes the outcome from the log', async () => {
    const { actions, view } = await started()
    actions.stop()
    expect(view().run?.stopping).toBe(true)
    await until(() => expect(view().path.at(-1)).toMatchObject({ outcome: 'stopped' }))
  })

  it('stops the run as soon as it has begun, when pressed before', async () => {
    const { actions, view, server } = openClientPage()
    actions.open(null)
    void actions.append('hello')
    actions.stop()
    await until(() => expect(view().path.at(-1)).toMatchObject({ outcome: 'stopped' }))
    expect(server.calls).toContain('stopRun')
  })

  it('passes a second press on, for a browser model that ignores the first', async () => {
    const { actions, view, server } = await started()
    actions.stop()
    actions.stop()
    expect(server.calls.filter((call) => call === 'stopRun')).toHaveLength(2)
    await until(() => expect(view().path.at(-1)).toMatchObject({ outcome: 'stopped' }))
    expect(view().problem).toBeNull()
  })

  it('reports a Stop that did not reach the server, and lets it be pressed again', async () => {
    const { actions, view, server } = await started()
    server.failNext('stopRun', unreachable())
    actions.stop()
    await until(() => expect(view().problem?.message).toContain('The reply continues'))
    expect(view().run?.stopping).toBe(false)
  })
})

describe('opening', () => {
  it('joins the run of a conversation that is being written, from its start', async () => {
    const { server, view } = await started()
    server.write('run-1', 'partial')
    const other = openClientPage(server)
    other.actions.open(view().id)
    await until(() => expect(other.words().at(-1)).toBe('partial'))
    server.end('run-1')
    await until(() => expect(other.view().path.at(-1)).toMatchObject({ outcome: 'finished' }))
  })

  it('tells a missing conversation from one that could not be loaded', async () => {
    const { actions, view, server } = openClientPage()
    actions.open('nobody')
    await until(() => expect(view().phase).toBe('missing'))
    server.failNext('view', unreachable())
    actions.open('somebody')
    await until(() => expect(view().phase).toBe('failed'))
    actions.open('somebody')
    await until(() => expect(view().phase).toBe('missing'))
  })

  it('stops reading the previous conversation’s run, and shows nothing of it', async () => {
    const { actions, server, view, words } = await started()
    server.begin('c2')
    actions.open('c2')
    server.write('run-1', 'late words')
    await until(() => expect(view()).toMatchObject({ id: 'c2', phase: 'ready' }))
    expect(words()).toEqual([])
    expect(view().run).toBeNull()
  })

  it('reloads the view when the log is gone', async () => {
    const { server, view } = await started()
    const other = openClientPage(server)
    server.dropRun('run-1')
    const found = server.conversations.get(view().id)
    if (found)
      found.messages = found.messages.map((row) =>
        row.role === 'assistant' ? { ...row, text: 'kept', outcome: 'interrupted' } : row,
      )
    other.actions.open(view().id)
    if (found) queueMicrotask(() => (found.runId = null))
    await until(() => expect(other.view().path.at(-1)).toMatchObject({ text: 'kept', outcome: 'interrupted' }))
    await until(() => expect(other.view().run).toBeNull())
  })
})

describe('branches', () => {
  it('makes siblings with regenerate and edit; the server stores which one is shown', async () => {
    const { actions, server, view } = await started()
    server.end('run-1')
    await until(() => expect(view().run).toBeNull())
    const [user, reply] = view().path
    actions.regenerate(reply?.id ?? '')
    await until(() => expect(view().run?.seq).toBe(1))
    server.end('run-2')
    await until(() => expect(view().run).toBeNull())
    expect(view().path.at(-1)).toMatchObject({ id: 'reply-2', parentId: user?.id })
    actions.switchBranch(reply?.id ?? '')
    expect(view().path.at(-1)?.id).toBe(reply?.id)
    await until(() => expect(server.conversations.get(view().id)?.row.headId).toBe(reply?.id))
    void actions.edit(user?.id ?? '', 'better')
    await until(() => expect(view().path[0]).toMatchObject({ text: 'better', parentId: null }))
  })
})

describe('going back', () => {
  it('ends the chat at an earlier message: the server stores it, and the next message starts a branch there', async () => {
    const { actions, server, view } = await started()
    expect(actions.goBackTo(null)).toBe(false)
    server.end('run-1')
    await until(() => expect(view().run).toBeNull())
    const [first, reply] = view().path
    void actions.append('two')
    await until(() => expect(view().run?.seq).toBe(1))
    server.end('run-2')
    await until(() => expect(view().run).toBeNull())
    expect(actions.goBackTo('nowhere')).toBe(false)
    expect(actions.goBackTo(reply?.id ?? '')).toBe(true)
    expect(view().path.map(({ id }) => id)).toEqual([first?.id, reply?.id])
    await until(() => expect(server.conversations.get(view().id)?.row.headId).toBe(reply?.id))
    void actions.append('another two')
    await until(() => expect(view().path.at(2)).toMatchObject({ text: 'another two', parentId: reply?.id }))
    await until(() => expect(view().tree.size).toBe(6))
  })

  it('adds a sentence to the draft', () => {
    const { actions, drafts } = openClientPage()
    actions.open(null)
    actions.addToDraft('One.')
    actions.addToDraft('Two.')
    expect(drafts.get('new')).toBe('One.\nTwo.')
  })
})

describe('settings', () => {
  it('sends the settings of a new chat with its first message', async () => {
    const { actions, view, server } = openClientPage()
    actions.open(null)
    const settings = view().conversation?.settings
    if (!settings) throw new Error('a new chat has settings')
    await actions.updateSettings({ ...settings, strategy: 'VCP' })
    void actions.append('hello')
    await until(() => expect(view().run).not.toBeNull())
    expect(server.conversations.get(view().id)?.row.settings.strategy).toBe('VCP')
  })

  it('restores settings that could not be saved, with a sentence', async () => {
    const { actions, view, server } = await started()
    const before = view().conversation?.settings
    if (!before) throw new Error('a chat has settings')
    server.failNext('patchConversation', refusal('too-large', 413, 'The prompt is too long.'))
    expect(await actions.updateSettings({ ...before, systemPrompt: 'x' })).toBe('The prompt is too long.')
    expect(view().conversation?.settings).toEqual(before)
    expect(view().problem?.message).toContain('not saved')
  })
})

describe('the list', () => {
  it('drops a deleted chat and opens a new one; deletes its draft and files once undo ends', async () => {
    const { actions, store, view, drafts, address, deleteFiles, deleted } = await started()
    const { id } = view()
    drafts.set(id, 'unsent')
    await actions.remove([id])
    await until(() => expect(store.getState().conversations?.some((row) => row.id === id)).toBe(false))
    expect(view().phase).toBe('new')
    expect(address.path).toBe('/')
    expect(deleted).toHaveBeenCalledExactlyOnceWith([id])
    expect(drafts.get(id)).toBe('unsent')
    expect(deleteFiles).not.toHaveBeenCalled()
    await actions.forgetForGood([id])
    expect(drafts.get(id)).toBe('')
    expect(deleteFiles).toHaveBeenCalledWith(id)
  })

  it('keeps a chat that the server did not delete', async () => {
    const { actions, server, view, deleted } = await started()
    server.failNext('sortChats', unreachable())
    await actions.remove([view().id])
    expect(view().problem?.message).toContain('not deleted')
    expect(deleted).not.toHaveBeenCalled()
  })

  it('shows the response to the newest request only', async () => {
    const { actions, store, chat } = await started()
    chat.start()
    await until(() => expect(store.getState().conversations).toHaveLength(1))
    actions.search('nothing like it')
    await until(() => expect(store.getState().conversations).toHaveLength(0))
    actions.search('')
    await until(() => expect(store.getState().conversations).toHaveLength(1))
    chat.refresh()
  })

  it('says that the server is away and keeps asking until it is back', async () => {
    const { server, store, chat } = openClientPage()
    server.failNext('conversations', unreachable())
    const states: boolean[] = []
    store.subscribe(() => states.push(store.getState().online))
    chat.start()
    await until(() => expect(store.getState().conversations).toEqual([]))
    expect(states).toContain(false)
    expect(store.getState().online).toBe(true)
  })
})

describe('another tab', () => {
  it('shows a message and its reply from another tab', async () => {
    const { server, view, chat, announced } = await started()
    server.end('run-1')
    await until(() => expect(view().run).toBeNull())
    expect(announced).toContain(view().id)
    const parentId = view().path.at(-1)?.id ?? ''
    await server.api.chat({
      conversationId: view().id,
      append: { kind: 'user', id: 'x', parentId, text: 'from there' },
    })
    chat.changedElsewhere(view().id)
    await until(() => expect(view().run?.runId).toBe('run-2'))
    expect(loadedMessagesOf(view().path).some((row) => row.text === 'from there')).toBe(true)
  })
})
