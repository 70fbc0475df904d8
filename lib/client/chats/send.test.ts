import { expect, it, vi } from 'vitest'
import { err } from '@/lib/base/result'
import { refusal } from './testing/answering'
import { openPages as setUp, until } from './testing/browser-pages'
import { copyDraft, filesDraft, newChatDraft, newChatIdDraft, newChatSetupDraft } from '../outbox/drafts'
import { unreachable } from './testing/fake-server'
import { runsOf } from '../state/open-conversations'
import { settingsOfNew } from './new-conversation'
import { isHere } from '@/lib/shared/conversation/message-tree'

it('keeps messages of a closed page while the server is away; the next page sends them with their ids', async () => {
  const { server, open, offline, saved } = setUp()
  const first = open()
  offline('chat')
  void first.actions.append('precious')
  expect(first.address.path).toBe(`/c/${first.view().id}`)
  await until(() => expect(first.view().sending).toBe(false))
  const next = open(first.address.path)
  expect(next.view()).toMatchObject({ id: first.view().id })
  await until(() => expect(next.words()).toEqual(['precious', '']))
  expect(server.conversations.get(next.view().id)?.messages).toHaveLength(2)
  await until(() => expect([...saved.keys()]).toEqual([]))
})

it('keeps a message in the outbox while its code can’t load, and loads the code once', async () => {
  const { server, open, browser } = setUp()
  browser.failingLoads = 1
  const page = open()
  void page.actions.append('first')
  await until(() => expect(page.timers).toHaveLength(1))
  expect(page.waiting()).toEqual(['first'])
  expect(server.conversations.size).toBe(0)
  page.timers.splice(0).forEach(({ go }) => go())
  await until(() => expect(page.words()).toEqual(['first', '']))
  server.end('run-1')
  await until(() => expect(page.view().run).toBeNull())
  void page.actions.append('second')
  await until(() => expect(page.words()).toContain('second'))
  await until(() => expect(page.waiting()).toEqual([]))
  expect(browser.loads).toBe(2)
})

it('takes the choice of a copy along: with the message, a queued one and an edit, across a reload; once', async () => {
  const { server, open } = setUp()
  const first = open('/', 'tab')
  first.drafts.put(copyDraft(newChatDraft), 'yes')
  const page = open('/', 'tab')
  void page.actions.append('on a copy')
  const { id } = page.view()
  await until(() => expect(page.view().run?.seq).toBe(1))
  page.drafts.put(copyDraft(id), 'yes')
  void page.actions.append('queued')
  expect(page.store.getState().outbox.map(({ entry }) => entry.onCopy)).toEqual([true])
  expect([page.drafts.get(copyDraft(newChatDraft)), page.drafts.get(copyDraft(id))]).toEqual(['', ''])
  server.end('run-1')
  await until(() => expect(page.words()).toContain('queued'))
  void page.actions.append('plain')
  server.end('run-2')
  await until(() => expect(page.words()).toContain('plain'))
  server.end('run-3')
  await until(() => expect(page.view().run).toBeNull())
  const edited = page.view().path.find((row) => isHere(row) && row.role === 'user' && row.text === 'queued')
  await page.actions.edit(edited?.id ?? '', 'edited')
  await until(() => expect(page.words()).toContain('edited'))
  const sent = (server.conversations.get(id)?.messages ?? []).filter(({ role }) => role === 'user')
  expect(sent.map((row) => row.role === 'user' && [row.text, row.onCopy === true])).toEqual([
    ['on a copy', true],
    ['queued', true],
    ['plain', false],
    ['edited', true],
  ])
})

it('sends nothing without cookies and says what to do; sends once cookies are allowed', async () => {
  const { server, open, browser } = setUp()
  browser.canSetCookies = false
  const page = open()
  void page.actions.append('precious')
  await until(() => expect(page.store.getState().outbox[0]?.entry.refusal).toMatch(/blocks cookies for this site/))
  await until(() => expect(page.store.getState().outbox[0]?.sending).toBe(false))
  expect(page.timers).toEqual([])
  expect(server.conversations.size).toBe(0)
  browser.canSetCookies = true
  page.actions.sendWaiting()
  await until(() => expect(page.words()).toEqual(['precious', '']))
  expect(page.waiting()).toEqual([])
})

it('reports a try that throws, and tries again', async () => {
  const { open, browser } = setUp()
  const failed = vi.spyOn(console, 'error').mockImplementation(() => {})
  browser.locks = false
  const page = open()
  void page.actions.append('precious')
  await until(() => expect(page.store.getState().outbox[0]?.why).toBeTruthy())
  await until(() => expect(page.timers).not.toHaveLength(0))
  browser.locks = true
  for (const { go } of page.timers) go()
  await until(() => expect(page.words()).toEqual(['precious', '']))
  expect(failed).toHaveBeenCalled()
  failed.mockClear()
})

it('makes no second message of a lost response, whichever page retries', async () => {
  const { server, open } = setUp()
  const first = open()
  void first.actions.append('one')
  await until(() => expect(first.view().run?.seq).toBe(1))
  server.end('run-1')
  await until(() => expect(first.view().run).toBeNull())
  const { api } = server
  const chat = api.chat
  Object.assign(api, {
    chat: async (request: Parameters<typeof chat>[0]) => {
      await chat(request)
      return err(unreachable().failure)
    },
  })
  void first.actions.append('two')
  await until(() => expect(first.view().sending).toBe(false))
  expect(first.waiting()).toEqual(['two'])
  Object.assign(api, { chat })
  const next = open(first.address.path)
  await until(() => expect(next.waiting()).toEqual([]))
  await until(() => expect(next.words().filter((text) => text !== '')).toEqual(['one', 'two']))
})

it('lets a waiting message be edited or removed, and asks before resending one that may have arrived', async () => {
  const { server, open, offline } = setUp()
  const { actions, view, waiting, store, words } = open()
  offline('chat', 100)
  void actions.append('first words')
  await until(() => expect(view().sending).toBe(false))
  const entryOf = () => store.getState().outbox[0]?.entry
  const before = entryOf()
  expect(await actions.rewriteWaiting(before?.id ?? '', 'other words')).toBe(true)
  await until(() => expect(waiting()).toEqual(['other words']))
  expect(entryOf()?.id).not.toBe(before?.id)
  await until(() => expect(store.getState().outbox[0]?.sending).toBe(false))
  const same = entryOf()
  await actions.rewriteWaiting(same?.id ?? '', 'other words')
  expect(entryOf()?.id).toBe(same?.id)
  await until(() => expect(store.getState().outbox[0]?.sending).toBe(false))
  expect(await actions.discardWaiting(same?.id ?? '')).toBe(true)
  expect(waiting()).toEqual([])
  expect(words()).toEqual([])
  expect(server.conversations.size).toBe(0)
})

it('holds an edited message if the first version had arrived after all, and says so', async () => {
  const { server, open } = setUp()
  const { actions, view, store, words } = open()
  const { chat } = server.api
  Object.assign(server.api, {
    chat: async (request: Parameters<typeof chat>[0]) => {
      await chat(request)
      return err(unreachable().failure)
    },
  })
  void actions.append('first words')
  await until(() => expect(view().sending).toBe(false))
  server.end('run-1')
  Object.assign(server.api, { chat })
  const id = store.getState().outbox[0]?.entry.id ?? ''
  await actions.rewriteWaiting(id, 'other words')
  await until(() => expect(store.getState().outbox[0]?.entry.refusal).toContain('did arrive'))
  expect(words()).toEqual(['first words', ''])
  await until(() => expect(store.getState().outbox[0]?.sending).toBe(false))
  actions.sendWaiting()
  await until(() => expect(words().filter((text) => text !== '')).toEqual(['first words', 'other words']))
})

it('keeps a deferred message with the server’s text, and retries no sooner than asked', async () => {
  const { server, open } = setUp()
  const { actions, view, store, chat, clock, timers, words, waiting } = open()
  const full = (retryAfterMs: number) => refusal('unavailable', 503, `Full for ${retryAfterMs}.`, { retryAfterMs })
  server.failNext('chat', full(10_000), full(45_000))
  void actions.append('patient')
  const why = () => store.getState().outbox[0]?.why
  await until(() => expect(why()).toBe('Full for 10000.'))
  await until(() => expect(timers.map(({ ms }) => ms)).toEqual([10_000]))
  const asked = () => server.calls.filter((name) => name === 'chat').length
  // Going online and focusing the tab are no reason to retry sooner.
  clock.now += 9_999
  chat.refresh()
  expect(asked()).toBe(1)
  clock.now += 1
  timers[0]?.go()
  await until(() => expect(why()).toBe('Full for 45000.'))
  await until(() => expect(timers.map(({ ms }) => ms)).toEqual([10_000, 45_000]))
  // A click is.
  actions.sendWaiting()
  await until(() => expect(waiting()).toEqual([]))
  await until(() => expect(view().run).not.toBeNull())
  expect(words()[0]).toBe('patient')
})

it('keeps a refused message with its reason, and lets the others through', async () => {
  const { server, open } = setUp()
  const { actions, view, store, words } = open()
  server.failNext('chat', refusal('too-large', 413, 'This is too long.'))
  void actions.append('long')
  await until(() => expect(store.getState().outbox[0]?.entry.refusal).toBe('This is too long.'))
  expect(await actions.append('short')).toMatchObject({ status: 'stored' })
  await until(() => expect(view().run).not.toBeNull())
  expect(words()[0]).toBe('short')
})

it('shows what is accepted while the chat is loading, however old the loaded rows are', async () => {
  const { server, open } = setUp()
  const first = open()
  void first.actions.append('one')
  await until(() => expect(first.view().run?.seq).toBe(1))
  server.end('run-1')
  await until(() => expect(first.view().run).toBeNull())
  const { view } = server.api
  const held: (() => void)[] = []
  Object.assign(server.api, {
    view: async (id: string) => {
      const rows = await view(id)
      await new Promise<void>((resolve) => void held.push(resolve))
      return rows
    },
  })
  first.chat.changedElsewhere(first.view().id)
  await until(() => expect(held).toHaveLength(1))
  void first.actions.append('two')
  await until(() => expect(first.view().run?.runId).toBe('run-2'))
  Object.assign(server.api, { view })
  for (const answer of held) answer()
  server.end('run-2')
  await until(() => expect(first.view().run).toBeNull())
  expect(first.words().filter((text) => text !== '')).toEqual(['one', 'two'])
  expect(first.view().path).toHaveLength(4)
})

it('shows a refused message again after a reload, and sends it on request', async () => {
  const { server, open } = setUp()
  const first = open()
  void first.actions.append('one')
  await until(() => expect(first.view().run?.seq).toBe(1))
  server.end('run-1')
  await until(() => expect(first.view().run).toBeNull())
  server.failNext('chat', refusal('too-large', 413, 'This is too long.'))
  void first.actions.append('two')
  await until(() => expect(first.store.getState().outbox[0]?.entry.refusal).toBe('This is too long.'))
  const next = open(first.address.path)
  expect(next.waiting()).toEqual(['two'])
  await until(() => expect(next.view().phase).toBe('ready'))
  expect(server.conversations.get(next.view().id)?.messages).toHaveLength(2)
  next.actions.sendWaiting()
  await until(() => expect(next.words().filter((text) => text !== '')).toEqual(['one', 'two']))
})

it('moves the text of a chat that was deleted elsewhere into the field of a new chat', async () => {
  const { server, open } = setUp()
  const { actions, view, drafts, waiting } = open()
  void actions.append('one')
  await until(() => expect(view().run?.seq).toBe(1))
  server.end('run-1')
  await until(() => expect(view().run).toBeNull())
  server.conversations.delete(view().id)
  void actions.append('two')
  await until(() => expect(waiting()).toEqual([]))
  expect(drafts.get(newChatDraft)).toBe('two')
  expect(view().problem?.message).toContain('was deleted in another tab')
})

it('gives two tabs two new chats, and takes over all of a closed tab’s new chat', async () => {
  const { open, closed } = setUp()
  const one = open('/', 't1')
  const { id } = one.view()
  // Files wait in the new chat, so a reload must find it under its id.
  one.drafts.put(newChatIdDraft, id)
  one.drafts.put(filesDraft(id), '{"files":[]}')
  one.drafts.put(newChatDraft, 'half a thought')
  const two = open('/', 't2')
  await two.drafts.adopt(newChatDraft, 'all')
  expect(two.view().id).not.toBe(id)
  expect(two.drafts.get(newChatDraft)).toBe('')
  expect(open('/', 't1').view().id).toBe(id)
  closed.add('t1')
  const three = open('/', 't3')
  await until(() => expect(three.view().id).toBe(id))
  expect(three.drafts.get(newChatDraft)).toBe('half a thought')
  expect(three.drafts.get(filesDraft(id))).toBe('{"files":[]}')
})

it('writes versions of a reply side by side, and every tab follows them; one is stopped, one goes on', async () => {
  const { server, open } = setUp({ hearing: true })
  const page = open()
  void page.actions.append('hello')
  await until(() => expect(page.view().run?.seq).toBe(1))
  server.end('run-1')
  await until(() => expect(page.view().run).toBeNull())
  const ask = (model: string) => page.actions.writeBeside('reply-1', { model, strategy: 'XML_Tag' })
  const [two, three] = await Promise.all([ask('m/two'), ask('m/three')])
  expect([two, three]).toMatchObject([{ value: 'reply-2' }, { value: 'reply-3' }])
  const other = open(page.address.path)
  for (const { view } of [page, other]) {
    await until(() => expect(runsOf(view()).map(({ replyId }) => replyId)).toEqual(['reply-2', 'reply-3']))
    // The chat still shows the reply that is compared, and queues what is sent.
    expect(view().path.at(-1)?.id).toBe('reply-1')
  }
  server.write('run-2', 'two')
  server.write('run-3', 'three')
  page.actions.stop('run-2')
  await until(() => expect(runsOf(other.view()).map(({ runId }) => runId)).toEqual(['run-3']))
  void page.actions.append('and then?')
  await until(() => expect(page.waiting()).toEqual(['and then?']))
  server.end('run-3')
  await until(() => expect(page.waiting()).toEqual([]))
  const versions = [...page.view().tree.values()].flatMap((row) =>
    isHere(row) && row.role === 'assistant' && row.parentId === page.view().tree.get('reply-1')?.parentId
      ? [`${row.text} ${row.outcome}`]
      : [],
  )
  expect(versions).toEqual([' finished', 'two stopped', 'three finished'])
})

it('stops all versions that are written side by side, and says why one is refused', async () => {
  const { server, open } = setUp()
  const page = open()
  void page.actions.append('hello')
  await until(() => expect(page.view().run?.seq).toBe(1))
  server.end('run-1')
  await until(() => expect(page.view().run).toBeNull())
  const as = { model: 'm/two', strategy: 'XML_Tag' } as const
  await Promise.all([page.actions.writeBeside('reply-1', as), page.actions.writeBeside('reply-1', as)])
  server.failNext('chat', refusal('rate-limited', 429, 'Too many replies.'))
  expect(await page.actions.writeBeside('reply-1', as)).toMatchObject({ ok: false, error: 'Too many replies.' })
  page.actions.stop()
  await until(() => expect(page.view().run).toBeNull())
  expect(server.conversations.get(page.view().id)?.sides.size).toBe(0)
})

/** Begins a new chat in a project, with a system prompt and a draft. */
function begin({ view, store, drafts }: ReturnType<ReturnType<typeof setUp>['open']>) {
  const { conversation } = view()
  if (!conversation) throw new Error('No new chat.')
  const settings = { ...conversation.settings, systemPrompt: 'Be brief.' }
  store.dispatch({ type: 'view-new', conversation: { ...conversation, settings, project: 'p-1' } })
  drafts.put(newChatDraft, 'half a thought')
  return { id: conversation.id, settings, project: 'p-1' }
}

it('keeps the project and the settings of a new chat over a reload, until it is sent', async () => {
  const { server, open, saved } = setUp()
  const one = open('/', 't1')
  await until(() => expect(one.view().conversation?.settings.model).not.toBe(''))
  const started = begin(one)
  const again = open('/', 't1')
  const kept = () => ({ ...again.view().conversation })
  expect(kept()).toMatchObject(started)
  await until(() => expect(again.store.getState().models).not.toBeNull())
  expect(kept()).toMatchObject(started)
  expect(again.drafts.get(newChatDraft)).toBe('half a thought')
  expect(open('/', 't2').view().conversation).not.toHaveProperty('project')
  void again.actions.append('sent')
  await until(() => expect(again.view().phase).toBe('ready'))
  expect(server.conversations.get(started.id)?.messages).toHaveLength(2)
  expect([...saved.keys()].filter((key) => key.includes(newChatSetupDraft))).toEqual([])
})

it.each([
  ['untouched', {}, { systemPrompt: 'My usual.', strategy: 'VCP' }],
  ['changed before', { strategy: 'XML_Tag' }, { systemPrompt: 'My usual.', strategy: 'XML_Tag' }],
] as const)('uses the defaults of new chats also when sent before the page knows them: %s', async (_, change, used) => {
  const { server, open } = setUp()
  server.newChats = { ...settingsOfNew(null), model: null, systemPrompt: 'My usual.', strategy: 'VCP' }
  // The page's own request fails, so it waits before the next.
  server.failNext('models', unreachable())
  const page = open()
  const { id, conversation } = page.view()
  if (!conversation) throw new Error('No new chat.')
  const settings = { ...conversation.settings, ...change }
  page.store.dispatch({ type: 'settings-changed', conversationId: id, settings })
  void page.actions.append('early')
  await until(() => expect(page.view().phase).toBe('ready'))
  expect(page.store.getState().models?.newChats).toEqual(server.newChats)
  expect(server.conversations.get(id)?.row.settings).toMatchObject({ ...used, model: 'demo/demo' })
  expect(page.view().conversation?.settings).toMatchObject(used)
})

it('is sent with the server’s defaults if the models can’t be listed', async () => {
  const { server, open } = setUp()
  server.failNext('models', unreachable(), refusal('internal', 500, 'No models.'))
  const page = open()
  void page.actions.append('early')
  await until(() => expect(page.view().phase).toBe('ready'))
  expect(server.conversations.get(page.view().id)?.row.settings.model).toBe('demo/demo')
})

it('continues the new chat of a closed tab in its project', async () => {
  const { open, closed } = setUp()
  const started = begin(open('/', 't1'))
  closed.add('t1')
  const next = open('/', 't2')
  const { id, project } = started
  await until(() => expect(next.view().conversation).toMatchObject({ id, project }))
  expect(next.view().conversation?.settings.systemPrompt).toBe('Be brief.')
  expect(next.drafts.get(newChatDraft)).toBe('half a thought')
})

it('leaves the project with “New chat”, and returns to it by the address', async () => {
  const { open } = setUp()
  const page = open('/', 't1')
  const { id, conversation } = page.view()
  if (!conversation) throw new Error('No new chat.')
  page.store.dispatch({ type: 'view-new', conversation: { ...conversation, project: 'p-1' } })
  page.actions.open('elsewhere')
  page.actions.open(null)
  await until(() => expect(page.view().conversation).toMatchObject({ id, project: 'p-1' }))
  page.actions.newChat()
  expect(page.view().conversation).not.toHaveProperty('project')
  expect(open('/', 't1').view().conversation).not.toHaveProperty('project')
})

it('ignores a stored setup that it cannot read', () => {
  const { open } = setUp()
  for (const text of ['{', 'null', '{"id":"x","settings":{"version":1}}']) {
    open('/', 't1').drafts.put(newChatSetupDraft, text)
    expect(open('/', 't1').view().conversation?.id).not.toBe('x')
  }
})

it('sends a waiting message from one of two tabs, and shows it once in both', async () => {
  const { server, open, offline } = setUp()
  const one = open()
  void one.actions.append('one')
  await until(() => expect(one.view().run?.seq).toBe(1))
  server.end('run-1')
  await until(() => expect(one.view().run).toBeNull())
  const two = open(one.address.path)
  await until(() => expect(two.view().phase).toBe('ready'))
  offline('chat')
  void one.actions.append('two')
  await until(() => expect(one.view().sending).toBe(false))
  one.chat.refresh()
  two.chat.refresh()
  await until(() => expect(server.conversations.get(one.view().id)?.messages).toHaveLength(4))
  // The browser notifies the other tab.
  two.outbox.changedElsewhere()
  expect(two.waiting()).toEqual([])
})
