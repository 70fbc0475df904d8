import { describe, expect, it } from 'vitest'
import { isTemporaryChat, registerTemporaryChat } from '../outbox/temporary-chats'
import { createOutbox, storageSpace } from '../outbox/outbox'
import { createDrafts, newChatDraft } from '../outbox/drafts'
import { createUnsent } from '../outbox/unsent'
import { openClientPage, until } from './testing/client-page'

async function openTemporary() {
  const page = openClientPage()
  page.chat.start()
  page.actions.newChat()
  page.drafts.put(newChatDraft, 'half a word')
  page.actions.setTemporary(true)
  return page
}

type Page = ReturnType<typeof openClientPage>

const rowOf = (page: Page, id: string) => page.server.conversations.get(id)?.row

async function sendIn(page: Page, text = 'a secret') {
  await page.actions.append(text)
  await until(() => expect(page.view().phase).toBe('ready'))
  page.server.end(page.view().run?.runId ?? '', 'finished')
  await until(() => expect(page.view().run).toBeNull())
}

describe('a temporary chat', () => {
  it('takes over the draft, and gives it back if it is made an ordinary chat', async () => {
    const page = await openTemporary()
    const { id, conversation } = page.view()
    expect([conversation?.temporary, isTemporaryChat(id)]).toEqual([true, true])
    expect([page.drafts.get(id), page.drafts.get(newChatDraft)]).toEqual(['half a word', ''])
    page.actions.setTemporary(false)
    expect(page.view().conversation).not.toHaveProperty('temporary')
    expect([page.drafts.get(id), page.drafts.get(newChatDraft)]).toEqual(['', 'half a word'])
    await until(() => expect(isTemporaryChat(id)).toBe(false))
    expect(page.server.calls).not.toContain('deleteConversation')
  })

  it('is sent as temporary, has no address and no list entry', async () => {
    const page = await openTemporary()
    await sendIn(page)
    expect(rowOf(page, page.view().id)?.temporary).toBe(true)
    expect(page.address.path).toBe('/')
    expect(page.store.getState().conversations ?? []).toEqual([])
  })

  it('is deleted on the server and here when another chat is opened', async () => {
    for (const leave of ['newChat', 'open'] as const) {
      const page = await openTemporary()
      await sendIn(page)
      const { id } = page.view()
      page.drafts.put(id, 'more words')
      if (leave === 'newChat') page.actions.newChat()
      else page.actions.open('elsewhere')
      await until(() => expect(isTemporaryChat(id)).toBe(false))
      expect(rowOf(page, id)).toBeUndefined()
      expect(page.deleteFiles).toHaveBeenCalledWith(id)
      expect(page.drafts.get(id)).toBe('')
      expect(page.store.getState().open.has(id)).toBe(false)
    }
  })

  it('is kept with its files, its address and its draft', async () => {
    const page = await openTemporary()
    await sendIn(page)
    const { id } = page.view()
    page.drafts.put(id, 'more words')
    await page.actions.keepChat()
    expect(page.storeFiles).toHaveBeenCalledWith(id)
    expect(rowOf(page, id)).not.toHaveProperty('temporary')
    expect(page.loaded).toEqual([`/c/${id}`])
    expect([isTemporaryChat(id), page.drafts.get(id)]).toEqual([false, 'more words'])
    page.actions.newChat()
    expect(rowOf(page, id)).toBeDefined()
  })

  it('stays temporary if it cannot be kept', async () => {
    const page = await openTemporary()
    await sendIn(page)
    const { id } = page.view()
    page.storeFiles.mockResolvedValueOnce('No room.')
    await page.actions.keepChat()
    expect(page.view().problem?.message).toContain('No room.')
    expect([rowOf(page, id)?.temporary, isTemporaryChat(id), page.loaded]).toEqual([true, true, []])
  })
})

describe('the browser’s storage', () => {
  it('gets nothing that names a temporary chat, and no field’s text while one is open', () => {
    const saved = new Map<string, string>()
    const local = {
      getItem: (key: string) => saved.get(key) ?? null,
      setItem: (key: string, value: string) => void saved.set(key, value),
      removeItem: (key: string) => void saved.delete(key),
      key: (index: number) => [...saved.keys()][index] ?? null,
      get length() {
        return saved.size
      },
    }
    for (const who of ['', 'ada']) {
      const storage = storageSpace(local, who)
      const drafts = createDrafts({ storage, schedule: () => () => {} })
      const outbox = createOutbox(storage)
      const unsent = createUnsent(storage, () => 1)
      const id = `secret-chat-${who}`
      drafts.put('other', 'stays')
      registerTemporaryChat(id)
      drafts.put(id, 'a secret')
      unsent.set('edit:m1', 'a secret')
      const said = { id: `m-${who}`, parentId: null, text: 'a secret', createdAt: 1, refusal: null }
      outbox.put({ version: 1, conversationId: id, ...said })
      expect(JSON.stringify([...saved])).not.toContain('secret')
      expect(JSON.stringify([...saved])).toContain('stays')
      expect([drafts.get(id), unsent.get('edit:m1')]).toEqual(['a secret', 'a secret'])
      expect(outbox.all().map(({ entry }) => entry.text)).toContain('a secret')
    }
  })
})
