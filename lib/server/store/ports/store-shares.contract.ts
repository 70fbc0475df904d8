import { describe, expect, it } from 'vitest'
import {
  everythingShown,
  nothingShown,
  type ReadableChat,
  maxShares,
} from '@/lib/shared/conversation/readable/readable-chat'
import type { StoreUnderTest } from './store.contract'
import type { NewShare } from './store'
import { asRequested, finishedEnding, runOf, testCall, testConversation, testPlan } from '../testing/rows'
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

  describe(`store contract of links for reviewers: ${database}`, () => {
    const { store, elsewhere, next } = underTest(openBoth)

    async function account(name: string): Promise<{ id: string; owner: string }> {
      const row = {
        id: `${name}-${next()}`,
        name,
        emailProven: false,
        role: 'user',
        createdAt: 1,
        disabledAt: null,
      } as const
      const owner = `owner-${row.id}`
      const added = { ...row, email: `${row.id}@reviews.example`, owner }
      await store.accounts.addAccount(added, { id: `in-${row.id}`, providerId: 'header', accountId: row.id })
      return { id: row.id, owner }
    }
    async function withCall() {
      const [ada, grace, eve] = [await account('ada'), await account('grace'), await account('eve')]
      const id = `reviewed-${next()}`
      await store.createConversation(ada.owner, testConversation(id))
      const plan = testPlan(id, 1)
      await store.append(ada.owner, id, 'u1', plan, 2)
      await store.endRun(runOf(ada.owner, plan.reply), finishedEnding({ runnableCalls: 1 }), 3)
      return { ada, grace, eve, id, target: 'a1 0' }
    }
    const linkOf = ({ id, grace, target }: Awaited<ReturnType<typeof withCall>>) => ({
      conversationId: id,
      target,
      token: 'own',
      tokenHash: `hash-${next()}`,
      reviewer: grace.id,
      expiresAt: 9_000,
    })

    it('opens for the named account only, until it ends', async () => {
      const chat = await withCall()
      const { ada, grace, eve, id } = chat
      const link = linkOf(chat)
      await store.addReview(ada.owner, link)
      const read = (reviewer: string, now = 8_999) => elsewhere.readReview({ ...link, reviewer }, now)
      expect(await read(grace.id)).toEqual({ owner: ada.owner, conversationId: id, token: 'own' })
      for (const other of [ada.id, eve.id, '', grace.owner]) expect(await read(other)).toBeNull()
      expect(await read(grace.id, 9_000)).toBeNull()
      expect(await store.removeReview(eve.owner, link.tokenHash)).toBe(false)
      expect(await store.removeReview(ada.owner, link.tokenHash)).toBe(true)
      expect(await read(grace.id)).toBeNull()
    })

    it('opens for nobody if there was no such account, and refuses the chats of others', async () => {
      const chat = await withCall()
      const link = { ...linkOf(chat), reviewer: '' }
      await store.addReview(chat.ada.owner, link)
      for (const reviewer of ['', chat.grace.id]) expect(await store.readReview({ ...link, reviewer }, 5)).toBeNull()
      await expect(store.addReview(chat.eve.owner, linkOf(chat))).rejects.toMatchObject({ code: 'not-found' })
    })

    it('is replaced by a later link to the same call', async () => {
      const chat = await withCall()
      const [first, second] = [linkOf(chat), linkOf(chat)]
      await store.addReview(chat.ada.owner, first)
      await store.addReview(chat.ada.owner, second)
      expect(await store.readReview(first, 5)).toBeNull()
      expect(await store.readReview(second, 5)).not.toBeNull()
    })

    it('ends while either account is disabled, with a deleted account, with its chat, and when it has expired', async () => {
      const chat = await withCall()
      const { ada, grace, id } = chat
      const link = linkOf(chat)
      await store.addReview(ada.owner, link)
      const stands = async () => (await store.readReview(link, 5)) !== null
      for (const who of [ada.id, grace.id]) {
        await store.accounts.setDisabled(who, 2)
        expect(await stands()).toBe(false)
        await store.accounts.setDisabled(who, null)
        expect(await stands()).toBe(true)
      }
      while ((await store.sweepShares(8_999, 1)) > 0);
      expect(await stands()).toBe(true)
      while ((await store.sweepShares(9_000, 1)) > 0);
      expect(await stands()).toBe(false)
      await store.addReview(ada.owner, link)
      await store.deleteConversation(ada.owner, id)
      expect(await stands()).toBe(false)

      const another = await withCall()
      const kept = linkOf(another)
      await store.addReview(another.ada.owner, kept)
      await store.accounts.deleteAccount(another.grace.id, 3)
      expect(await store.readReview(kept, 5)).toBeNull()
    })

    it('takes one of many answers of the owner and the reviewer, and none after it was withdrawn', async () => {
      for (let round = 0; round < 12; round += 1) {
        const chat = await withCall()
        const { ada, grace, id } = chat
        const link = linkOf(chat)
        await store.addReview(ada.owner, link)
        const review = { tokenHash: link.tokenHash, reviewer: grace.id }
        const answer = (n: number) => {
          const isReviewer = n % 2 === 0
          const decision = (n + round) % 3 === 0 ? ('run' as const) : ('deny' as const)
          const by = isReviewer ? ({ kind: 'reviewer', name: 'Grace' } as const) : ({ kind: 'click' } as const)
          const record = testCall('a1', 0, { decision, by, runnerId: `r-${n}`, decidedAt: 5 })
          const basis = { ...asRequested, ...(isReviewer && { review }) }
          return (n % 4 < 2 ? store : elsewhere).decideCall(ada.owner, id, record, basis)
        }
        // The link ends in between, at another place in each round.
        const withdraws = round % 3 === 0
        const asked = await Promise.allSettled(
          Array.from({ length: 6 }, async (_, n) => {
            if (withdraws && n === round % 6) await elsewhere.removeReview(ada.owner, link.tokenHash)
            return answer(n)
          }),
        )
        const answers = asked.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
        const refused = asked.flatMap((one) => (one.status === 'rejected' ? [one.reason as { code: string }] : []))
        expect(refused.every(({ code }) => code === 'not-found')).toBe(true)
        expect(answers.filter(({ granted }) => granted)).toHaveLength(1)
        const standing = answers.find(({ granted }) => granted)?.call
        expect(answers.map(({ call }) => call)).toEqual(answers.map(() => standing))
        if (!withdraws) expect(refused).toEqual([])

        const late = await withCall()
        const ended = linkOf(late)
        await store.addReview(late.ada.owner, ended)
        await store.removeReview(late.ada.owner, ended.tokenHash)
        const key = { tokenHash: ended.tokenHash, reviewer: late.grace.id }
        const record = testCall('a1', 0, { by: { kind: 'reviewer', name: 'Grace' }, decidedAt: 5 })
        const tooLate = store.decideCall(late.ada.owner, late.id, record, { ...asRequested, review: key })
        await expect(tooLate).rejects.toMatchObject({ code: 'not-found' })
        expect((await store.decideCall(late.ada.owner, late.id, testCall('a1', 0), asRequested)).granted).toBe(true)
      }
    })

    it('keeps the reviewer’s answer to a copy, and its name at the end', async () => {
      const chat = await withCall()
      const { ada, grace, id } = chat
      const copy = { id: 'c', createdAt: 1, uses: 0, lastUsedAt: null, revokedAt: null } as const
      await store.giveGrant(ada.owner, id, { ...copy, scope: { kind: 'copy' } })
      const { at } = await store.showCopy(ada.owner, id, 'c', { changes: [], runs: 0, ms: 0 }, 3)
      const link = { ...linkOf(chat), target: 'c' }
      const answer = (kind: 'keep' | 'discard') =>
        elsewhere.answerCopy(ada.owner, id, 'c', {
          kind,
          from: 'link',
          to: at,
          reviewer: 'Grace',
          review: { tokenHash: link.tokenHash, reviewer: grace.id, now: 5 },
        })
      await expect(answer('keep')).rejects.toMatchObject({ code: 'not-found' })
      await store.addReview(ada.owner, link)
      expect((await answer('discard')).isFirst).toBe(true)
      const own = await store.answerCopy(ada.owner, id, 'c', { kind: 'keep', from: 'here' })
      expect(own).toMatchObject({ isFirst: false, copy: { scope: { look: { answer: { reviewer: 'Grace' } } } } })
      const end = { kind: 'discarded', changed: 1, kept: 0, leftOut: [] } as const
      const ended = await store.revokeGrant(ada.owner, id, 'c', 6, end)
      expect(ended?.scope).toEqual({ kind: 'copy', end: { ...end, reviewer: 'Grace' } })
    })
  })
}
