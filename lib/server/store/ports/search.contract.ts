import { describe, expect, it } from 'vitest'
import { termsOf } from '@/lib/shared/conversation/search/search-words'
import type { StoreUnderTest } from './store.contract'
import { importedOf } from '../testing/branches'
import { finishedEnding, testConversation, testPlan, testReply, testUserMessage } from '../testing/rows'
import { underTest } from '../testing/under-test'

/** The contract of every store for message search. */
export function searchContract(database: string, openBoth: () => Promise<StoreUnderTest>): void {
  describe(`store contract of search: ${database}`, () => {
    const { store, elsewhere, next } = underTest(openBoth)
    const newOwner = () => `seeker-${next()}`

    async function readAll(): Promise<void> {
      for (let read = 1; read > 0;) read = await store.indexWords(7)
    }

    /** Creates a chat of one turn; returns its id. */
    async function turn(owner: string, asked: string, said: string, at = 1_000): Promise<string> {
      const id = `chat-${next()}`
      await store.createConversation(owner, testConversation(id, { title: `about ${id}` }))
      const plan = testPlan(id, 1)
      const userMessage = { ...testUserMessage(id, 'u1'), text: asked, createdAt: at }
      await store.append(owner, id, 'u1', { ...plan, userMessage, reply: { ...plan.reply, createdAt: at } }, at)
      const run = { owner, runId: plan.reply.runId }
      await store.endRun(run, finishedEnding({ said: { text: said, reasoning: 'thought', lastSeq: 1 } }), at)
      return id
    }

    const find = async (owner: string, query: string, by = store) => {
      const { found } = await by.searchMessages(owner, query, 50)
      return found.map(({ conversationId, messageId }) => `${conversationId}/${messageId}`)
    }

    it('finds words of messages and replies by their beginning, in any case and with any accent', async () => {
      const owner = newOwner()
      const id = await turn(
        owner,
        'Where is the Café of Naïve Approvals?',
        'Run `SELECT total` in src/routes/list-page.ts',
      )
      await readAll()
      for (const query of ['cafe', 'CAFÉ naive', 'approv', 'where  café']) {
        expect([query, ...(await find(owner, query))]).toEqual([query, `${id}/u1`])
      }
      for (const query of ['select tot', 'src/routes/list-page.ts', 'list page', '`select`']) {
        expect([query, ...(await find(owner, query, elsewhere))]).toEqual([query, `${id}/a1`])
      }
      expect(await find(owner, 'thought')).toEqual([])
      expect(await find(owner, 'cafe total')).toEqual([])
      expect(await find(owner, 'pproval')).toEqual([])
      const { found } = await store.searchMessages(owner, 'naive', 5)
      expect(found[0]).toMatchObject({ by: 'you', title: `about ${id}`, at: 1_000 })
      expect(found[0]?.snippet.filter(({ hit }) => hit)).toEqual([{ text: 'Naïve', hit: true }])
    })

    it('finds Chinese by one character and by adjacent characters, but not by separated ones', async () => {
      const owner = newOwner()
      const whole = await turn(owner, '关于量子纠缠的问题', 'GPT4模型批准了。')
      const apart = await turn(owner, '子纠量子和纠缠', 'ok')
      await readAll()
      expect(await find(owner, '量子纠缠')).toEqual([`${whole}/u1`])
      expect((await find(owner, '纠缠')).toSorted()).toEqual([`${apart}/u1`, `${whole}/u1`].toSorted())
      expect(await find(owner, '题')).toEqual([`${whole}/u1`])
      expect(await find(owner, '模型')).toEqual([`${whole}/a1`])
      expect(await find(owner, 'gpt4 批准')).toEqual([`${whole}/a1`])
    })

    it('finds tool results and file names, and treats any input as words', async () => {
      const owner = newOwner()
      const id = `chat-${next()}`
      const results = [
        {
          messageId: 'a1',
          slot: 0,
          callId: 'c',
          name: 'read_file',
          status: 'completed' as const,
          result: { path: '/reports/zyzzyva.csv', rows: [{ town: 'Ljubljana' }] },
          durationMs: 1,
        },
      ]
      const asked = testUserMessage(id, 'u1', {
        attachments: [{ path: '/photos/Otter.png', mediaType: 'image/png', size: 1, head: null, isImage: false }],
      })
      const reply = testReply(id, 'a1', 'u1', { outcome: 'finished', text: 'x' })
      const messages = [asked, reply, testUserMessage(id, 'u2', { parentId: 'a1', text: '', results })]
      await store.importConversation(owner, { ...importedOf(id, messages), calls: [], amendments: [] }, 5)
      await readAll()
      expect(await find(owner, 'otter.png')).toEqual([`${id}/u1`])
      expect(await find(owner, 'zyzzyva ljubljana')).toEqual([`${id}/u2`])
      expect((await store.searchMessages(owner, 'town', 5)).found[0]).toMatchObject({ by: 'tools' })
      for (const query of [
        '"',
        "' or 1=1 --",
        '*',
        'zyz*',
        'NOT x',
        '\\',
        "a'b:*",
        'NEAR(',
        '\0',
        '\ud800',
        '%',
        '{ }',
      ]) {
        expect((await find(owner, query)).filter((one) => one !== `${id}/u2`)).toEqual([])
      }
      expect(termsOf('"*').length).toBe(0)
    })

    it('never finds another owner’s messages, even in a chat with the same id', async () => {
      const [owner, other] = [newOwner(), newOwner()]
      const id = await turn(owner, 'quokka mine', 'ok')
      await store.createConversation(other, testConversation(id))
      await store.append(other, id, 'u1', testPlan(id, 1), 5)
      await turn(other, 'quokka theirs', 'ok')
      await readAll()
      expect(await find(owner, 'quokka')).toEqual([`${id}/u1`])
      expect(await find(owner, 'theirs')).toEqual([])
      expect(await find(newOwner(), 'quokka')).toEqual([])
    })

    it('returns the newest first, in pages that neither skip nor repeat', async () => {
      const owner = newOwner()
      const ids: string[] = []
      // Some have the same time, as after an import.
      for (let n = 0; n < 12; n += 1) ids.push(await turn(owner, `wombat ${n}`, 'ok', 5_000 + Math.floor(n / 3)))
      await readAll()
      const found: string[] = []
      let pages = 0
      let after: string | undefined
      for (;;) {
        const page = await store.searchMessages(owner, 'wombat', 5, after)
        found.push(...page.found.map(({ conversationId }) => conversationId))
        expect(page.found.map(({ at }) => at)).toEqual(page.found.map(({ at }) => at).toSorted((a, b) => b - a))
        pages += 1
        if (page.next === null) break
        after = page.next
      }
      expect([...found].toSorted()).toEqual([...ids].toSorted())
      expect(pages).toBeGreaterThanOrEqual(3)
      expect(found.slice(0, 3).toSorted()).toEqual(ids.slice(-3).toSorted())
    })

    it('follows a chat to an account, and deletes its entries with it', async () => {
      const [owner, account] = [newOwner(), newOwner()]
      const kept = await turn(owner, 'numbat kept', 'ok')
      const gone = await turn(owner, 'numbat gone', 'ok')
      await readAll()
      expect(await find(owner, 'numbat')).toHaveLength(2)
      await store.deleteConversation(owner, gone)
      expect(await find(owner, 'numbat')).toEqual([`${kept}/u1`])
      await store.accounts.recordMove(owner, account, 1)
      await store.accounts.moveChats(2, owner)
      await readAll()
      expect(await find(owner, 'numbat')).toEqual([])
      expect(await find(account, 'numbat')).toEqual([`${kept}/u1`])
      await store.eraseOwner(account)
      while ((await store.purgeErased(10)) > 0);
      expect(await find(account, 'numbat')).toEqual([])
      // Nothing is left behind that would find a later chat.
      const later = await turn(account, 'another one', 'ok')
      await readAll()
      expect(await find(account, 'numbat')).toEqual([])
      expect(await find(account, 'another')).toEqual([`${later}/u1`])
    })

    it('reports when many messages are not indexed yet', async () => {
      const owner = newOwner()
      const id = `chat-${next()}`
      const messages = Array.from({ length: 60 }, (_, n) =>
        testUserMessage(id, `m${n}`, { parentId: n === 0 ? null : `m${n - 1}`, text: `bilby ${n}` }),
      )
      await store.importConversation(owner, { ...importedOf(id, messages), calls: [], amendments: [] }, 5)
      expect((await store.searchMessages(owner, 'bilby', 5)).filling).toBe(true)
      await readAll()
      const page = await store.searchMessages(owner, 'bilby', 100)
      expect([page.filling, page.next, page.found.length]).toEqual([undefined, null, 60])
    })

    it('loses and duplicates nothing when several processes index at once', async () => {
      const owner = newOwner()
      const ids = await Promise.all(Array.from({ length: 10 }, (_, n) => turn(owner, `dunnart ${n}`, 'ok')))
      const read = async (by: typeof store) => {
        for (let count = 1; count > 0;) count = await by.indexWords(3)
      }
      await Promise.all([read(store), read(elsewhere), read(store)])
      expect((await find(owner, 'dunnart')).toSorted()).toEqual(ids.map((id) => `${id}/u1`).toSorted())
    })
  })

  describe(`store contract of the list's order: ${database}`, () => {
    const { store, elsewhere, next } = underTest(openBoth)
    const newOwner = () => `sorter-${next()}`
    const make = async (owner: string, ids: readonly string[]) => {
      for (const [at, id] of ids.entries()) {
        await store.createConversation(owner, testConversation(id, { title: id, updatedAt: 1_000 + at }))
      }
    }
    const list = async (
      owner: string,
      ...[query = '', filter]: [string?, Parameters<typeof store.listConversations>[4]?]
    ) => (await elsewhere.listConversations(owner, query, 100, undefined, filter)).map(({ id }) => id)

    it('puts pinned chats on top, hides archived ones, and finds both', async () => {
      const owner = newOwner()
      await make(owner, ['old', 'mid', 'new'])
      expect(await store.sortConversations(owner, ['old', 'nobody'], { pinned: true }, 5)).toEqual(['old'])
      await store.sortConversations(owner, ['new'], { archived: true }, 6)
      expect(await list(owner)).toEqual(['old', 'mid'])
      expect(await list(owner, '', { archived: true })).toEqual(['new'])
      expect(await list(owner, 'ne')).toEqual(['new'])
      const [first] = await store.listConversations(owner, '', 100)
      expect(first).toMatchObject({ id: 'old', pinned: true })
      // Archiving unpins a chat, and pinning unarchives it.
      await store.sortConversations(owner, ['old'], { archived: true }, 7)
      expect(await store.summariseConversation(owner, 'old')).toMatchObject({ archived: true })
      expect(await store.summariseConversation(owner, 'old')).not.toHaveProperty('pinned')
      // A message unarchives it.
      await store.append(owner, 'new', 'u1', testPlan('new', 1), 9_000)
      expect(await list(owner)).toEqual(['new', 'mid'])
    })

    it('returns the pages after the pinned chats as if those did not exist', async () => {
      const owner = newOwner()
      await make(owner, ['a', 'b', 'c', 'd', 'e'])
      await store.sortConversations(owner, ['c'], { pinned: true }, 5)
      const first = await store.listConversations(owner, '', 2)
      expect(first.map(({ id }) => id)).toEqual(['c', 'e', 'd'])
      const rest = await store.listConversations(owner, '', 2, first.at(-1))
      expect(rest.map(({ id }) => id)).toEqual(['b', 'a'])
    })

    it('keeps tags of chats, for their owner only', async () => {
      const [owner, other] = [newOwner(), newOwner()]
      await make(owner, ['a', 'b', 'c'])
      await make(other, ['a'])
      await store.sortConversations(owner, ['a', 'b'], { addTag: '  Tax\n2026 ' }, 5)
      await store.sortConversations(owner, ['a'], { addTag: '旅行' }, 5)
      await store.sortConversations(other, ['a'], { addTag: 'theirs' }, 5)
      expect(await store.listTags(owner)).toEqual([
        { tag: 'Tax 2026', chats: 2 },
        { tag: '旅行', chats: 1 },
      ])
      expect(await list(owner, '', { tag: 'Tax 2026' })).toEqual(['b', 'a'])
      expect(await store.summariseConversation(owner, 'a')).toMatchObject({ tags: ['Tax 2026', '旅行'] })
      await store.sortConversations(owner, ['a', 'b', 'c'], { removeTag: 'Tax 2026' }, 5)
      expect(await store.listTags(owner)).toEqual([{ tag: '旅行', chats: 1 }])
      expect(await list(owner, '', { tag: 'Tax 2026' })).toEqual([])
    })

    it('refuses more pinned chats and tags than allowed, and then changes nothing', async () => {
      const owner = newOwner()
      const ids = Array.from({ length: 101 }, (_, n) => `c${n}`)
      await make(owner, ids)
      await expect(store.sortConversations(owner, ids, { pinned: true }, 5)).rejects.toMatchObject({
        code: 'bad-request',
      })
      expect((await store.listConversations(owner, '', 200)).some(({ pinned }) => pinned)).toBe(false)
      for (let n = 0; n < 100; n += 1) await store.sortConversations(owner, ['c0'], { addTag: `t${n}` }, 5)
      await expect(store.sortConversations(owner, ['c0'], { addTag: 'more' }, 5)).rejects.toMatchObject({
        code: 'bad-request',
      })
      expect(await store.listTags(owner)).toHaveLength(100)
    })

    it('hides deleted chats from everyone, restores them completely, and purges them later', async () => {
      const owner = newOwner()
      await make(owner, ['kept', 'gone'])
      await store.append(owner, 'gone', 'u1', testPlan('gone', 1), 2_000)
      for (let read = 1; read > 0;) read = await store.indexWords(20)
      const before = await store.loadConversation(owner, 'gone')
      await store.sortConversations(owner, ['gone'], { deleted: true }, 3_000)
      expect(await list(owner)).toEqual(['kept'])
      expect(await list(owner, 'gone')).toEqual([])
      expect(await store.loadConversation(owner, 'gone')).toBeNull()
      expect(await store.loadView(owner, 'gone', { count: 5, bytes: 1e6 })).toBeNull()
      expect(await store.summariseConversation(owner, 'gone')).toBeNull()
      expect(await store.updateConversation(owner, 'gone', { title: 'x' }, 1)).toBeNull()
      expect((await store.searchMessages(owner, 'text', 5)).found).toEqual([])
      await expect(store.append(owner, 'gone', 'u2', testPlan('gone', 2, 'a1'), 4_000)).rejects.toMatchObject({
        code: 'not-found',
      })
      expect(await store.sortConversations(owner, ['gone'], { pinned: true }, 5)).toEqual([])

      expect(await store.sortConversations(owner, ['gone', 'kept'], { deleted: false }, 3_100)).toEqual(['gone'])
      expect(await store.loadConversation(owner, 'gone')).toEqual(before)
      expect((await store.searchMessages(owner, 'text', 5)).found).toHaveLength(1)

      await store.sortConversations(owner, ['gone'], { deleted: true }, 5_000)
      expect(await store.purgeDeleted(5_000, 10)).toBe(0)
      expect(await store.purgeDeleted(5_001, 10)).toBeGreaterThan(0)
      expect(await store.sortConversations(owner, ['gone'], { deleted: false }, 6_000)).toEqual([])
      await store.createConversation(owner, testConversation('gone'))
      expect((await store.loadConversation(owner, 'gone'))?.messages).toEqual([])
    })

    it('keeps temporary chats out of all lists, and deletes them when their time is over', async () => {
      const owner = newOwner()
      for (const [id, temporaryUntil] of [
        ['over', 5_000],
        ['open', 5_000],
        ['kept', 5_000],
        ['usual', null],
      ] as const) {
        await store.createConversation(owner, testConversation(id), null, { temporaryUntil })
        await store.append(owner, id, 'u1', testPlan(id, 1), 2_000)
      }
      for (let read = 1; read > 0;) read = await store.indexWords(20)
      expect(await list(owner)).toEqual(['usual'])
      expect(await store.summariseConversation(owner, 'over')).toBeNull()
      expect((await store.searchMessages(owner, 'text', 9)).found.map((one) => one.conversationId)).toEqual(['usual'])
      expect((await store.loadConversation(owner, 'over'))?.conversation.temporary).toBe(true)
      expect((await store.loadConversation(owner, 'usual'))?.conversation.temporary).toBeUndefined()

      await store.updateConversation(owner, 'open', { temporaryUntil: 9_000 }, 3_000)
      const kept = await store.updateConversation(owner, 'kept', { temporaryUntil: null }, 3_000)
      expect(kept).not.toHaveProperty('temporary')
      // No request makes an ordinary chat temporary.
      await store.updateConversation(owner, 'usual', { temporaryUntil: 1 }, 3_000)
      await store.updateConversation(owner, 'kept', { temporaryUntil: 1 }, 3_000)
      expect((await list(owner)).toSorted()).toEqual(['kept', 'usual'])

      expect(await store.purgeTemporary(5_000, 10)).toBe(0)
      expect(await store.purgeTemporary(5_001, 10)).toBe(1)
      expect(await store.loadConversation(owner, 'over')).toBeNull()
      expect(await store.runningOf(owner)).toHaveLength(3)
      expect(await store.purgeTemporary(5_001, 10)).toBe(0)
      expect(await store.purgeTemporary(1e15, 10)).toBe(1)
      expect((await list(owner)).toSorted()).toEqual(['kept', 'usual'])
      expect((await store.searchMessages(owner, 'text', 9)).found).toHaveLength(2)
    })
  })
}
