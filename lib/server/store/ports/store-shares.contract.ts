import { describe, expect, it } from 'vitest'
import {
  everythingShown,
  nothingShown,
  type ReadableChat,
  maxShares,
} from '@/lib/shared/conversation/readable/readable-chat'
import type { StoreUnderTest } from './store.contract'
import type { NewShare } from './store'
import { testConversation } from '../testing/rows'
import { underTest } from '../testing/under-test'

/** The contract of every store for share links. */
export function sharesContract(database: string, openBoth: () => Promise<StoreUnderTest>): void {
  describe(`store contract of links: ${database}`, () => {
    const { store, elsewhere, next } = underTest(openBoth)

    const chatOf = (title: string): ReadableChat => ({
      title,
      createdAt: 1,
      systemPrompt: null,
      messages: [{ by: 'person', at: 1, text: 'NUL \u0000, lone \ud800, 漢字 🙂', files: [] }],
    })
    const shareOf = (conversationId: string, more: Partial<NewShare> = {}): NewShare => {
      const n = next()
      return {
        id: `share-${n}`,
        conversationId,
        tokenHash: `hash-${n}`,
        chat: chatOf('A chat'),
        shown: nothingShown,
        createdAt: 1_000,
        expiresAt: 9_000,
        ...more,
      }
    }
    async function newChat(): Promise<{ owner: string; id: string }> {
      const [owner, id] = [`sharer-${next()}`, `chat-${next()}`]
      await store.createConversation(owner, testConversation(id))
      return { owner, id }
    }

    it('shows a snapshot to anyone with the secret until it ends, without revealing its owner', async () => {
      const { owner, id } = await newChat()
      const share = shareOf(id, { shown: { ...nothingShown, results: true } })
      const listed = await store.addShare(owner, share, null)
      expect(listed).toEqual({
        id: share.id,
        conversationId: id,
        title: 'A chat',
        messages: 1,
        shown: share.shown,
        createdAt: 1_000,
        expiresAt: 9_000,
      })
      const shared = await elsewhere.readShare(share.tokenHash, 8_999)
      expect(shared).toEqual({ chat: share.chat, createdAt: 1_000, expiresAt: 9_000 })
      expect(JSON.stringify(shared)).not.toContain(owner)
      expect(await store.readShare(share.tokenHash, 9_000)).toBeNull()
      expect(await store.readShare('another', 2_000)).toBeNull()
    })

    it('can be listed and ended only by its owner', async () => {
      const { owner, id } = await newChat()
      const other = await newChat()
      const first = await store.addShare(owner, shareOf(id), null)
      const second = await store.addShare(owner, shareOf(id, { createdAt: 2_000 }), null)
      await store.addShare(other.owner, shareOf(other.id), null)
      expect(await elsewhere.listShares(owner, 3_000)).toEqual([second, first])
      expect(await store.listShares(owner, 3_000, id)).toHaveLength(2)
      expect(await store.listShares(owner, 3_000, 'another')).toEqual([])
      expect(await store.listShares(owner, 9_000)).toEqual([])
      expect(await store.removeShare(other.owner, first.id)).toBe(false)
      expect(await elsewhere.removeShare(owner, first.id)).toBe(true)
      expect(await store.removeShare(owner, first.id)).toBe(false)
      expect(await store.listShares(owner, 3_000)).toEqual([second])
      await expect(store.addShare(other.owner, shareOf(id), null)).rejects.toMatchObject({ code: 'not-found' })
    })

    it('counts in the size of its chat, and no more once it is deleted', async () => {
      const { owner, id } = await newChat()
      const before = (await store.ownerData(owner)).bytes
      const share = shareOf(id, { chat: chatOf('x'.repeat(5_000)) })
      await store.addShare(owner, share, null)
      expect((await store.ownerData(owner)).bytes).toBeGreaterThan(before + 5_000)
      await expect(store.addShare(owner, shareOf(id), 5_000)).rejects.toMatchObject({ code: 'storage-full' })
      await store.removeShare(owner, share.id)
      expect((await store.ownerData(owner)).bytes).toBe(before)
    })

    it('follows its chat: hidden with it at once, restored with it, and purged with it', async () => {
      const { owner, id } = await newChat()
      const share = shareOf(id)
      await store.addShare(owner, share, null)
      await store.sortConversations(owner, [id], { deleted: true }, 2_000)
      expect(await store.readShare(share.tokenHash, 3_000)).toBeNull()
      expect(await store.listShares(owner, 3_000)).toEqual([])
      await store.sortConversations(owner, [id], { deleted: false }, 2_000)
      expect(await store.readShare(share.tokenHash, 3_000)).not.toBeNull()
      await store.deleteConversation(owner, id)
      expect(await store.readShare(share.tokenHash, 3_000)).toBeNull()

      const more = await newChat()
      const kept = shareOf(more.id)
      await store.addShare(more.owner, kept, null)
      await store.eraseOwner(more.owner)
      while ((await store.purgeErased(10)) > 0);
      expect(await store.readShare(kept.tokenHash, 3_000)).toBeNull()
    })

    it('stops while its owner’s account is disabled, works afterwards, and does not affect others', async () => {
      const { owner, id } = await newChat()
      const [share, other] = [shareOf(id), await newChat()]
      const kept = shareOf(other.id)
      await store.addShare(owner, share, null)
      await store.addShare(other.owner, kept, null)
      const row = { name: 'n', emailProven: false, role: 'user', createdAt: 1, disabledAt: null } as const
      const account = { ...row, id: `of-${owner}`, email: `${owner}@example.com`, owner }
      await store.accounts.addAccount(account, { id: `in-${owner}`, providerId: 'header', accountId: owner })
      expect(await elsewhere.readShare(share.tokenHash, 3_000)).not.toBeNull()
      await store.accounts.setDisabled(account.id, 2_000)
      expect(await elsewhere.readShare(share.tokenHash, 3_000)).toBeNull()
      expect(await elsewhere.readShare(kept.tokenHash, 3_000)).not.toBeNull()
      await store.accounts.setDisabled(account.id, null)
      expect(await elsewhere.readShare(share.tokenHash, 3_000)).not.toBeNull()
    })

    it('is deleted automatically when it has expired', async () => {
      const { owner, id } = await newChat()
      const due = shareOf(id, { expiresAt: 4_000 })
      const later = shareOf(id, { shown: everythingShown })
      await store.addShare(owner, due, null)
      await store.addShare(owner, later, null)
      while ((await store.sweepShares(4_000, 1)) > 0);
      expect(await store.readShare(due.tokenHash, 1_500)).toBeNull()
      expect((await store.listShares(owner, 1_500)).map((one) => one.id)).toEqual([later.id])
    })

    it('refuses more than an owner can have', async () => {
      const { owner, id } = await newChat()
      for (let n = 0; n < maxShares; n += 1) await store.addShare(owner, shareOf(id), null)
      await expect(store.addShare(owner, shareOf(id), null)).rejects.toMatchObject({
        code: 'conflict',
        reason: 'store.too-many-shares',
      })
    })
  })
}
