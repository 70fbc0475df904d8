import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { AccountRow, AccountRows, AuditEntry, InvitationRow } from '@/lib/shared/server-facts/account-rows'
import type { Store } from './store'
import type { StoreUnderTest } from './store.contract'
import { finishedEnding, testConversation, testReply, testUserMessage } from '../testing/rows'

let made = 0
const account = (more: Partial<AccountRow> = {}): AccountRow => {
  const id = `a-${(made += 1)}`
  return {
    id,
    name: id,
    email: `${id}@accounts.example`,
    emailProven: true,
    owner: `owner of ${id}`,
    role: 'user',
    createdAt: 1_700_000_000_000,
    disabledAt: null,
    ...more,
  }
}
const invitation = (more: Partial<InvitationRow> = {}): InvitationRow => ({
  id: `i-${(made += 1)}`,
  kind: 'sign-up',
  email: null,
  role: 'user',
  accountId: null,
  madeBy: 'command',
  createdAt: 100,
  expiresAt: 200,
  usedAt: null,
  revokedAt: null,
  ...more,
})

const act = (id: string): AuditEntry => ({
  id,
  at: 5,
  actor: 'command',
  act: 'role-set',
  target: 't',
  detail: { to: 'admin' },
})

/** The contract of every store for accounts; better-auth creates sessions (`app/api/routes-accounts.test.ts`). */
export function accountsContract(database: string, openBoth: () => Promise<StoreUnderTest>): void {
  describe(`store contract of accounts: ${database}`, () => {
    let under: StoreUnderTest
    let store: Store
    let rows: AccountRows
    let elsewhere: AccountRows
    beforeAll(async () => {
      under = await openBoth()
      store = under.store
      rows = store.accounts
      elsewhere = under.other.accounts
    })
    afterAll(() => under.close())
    const add = async (one: AccountRow) => {
      expect(await rows.addAccount(one, { id: `in ${one.id}`, providerId: 'header', accountId: one.id })).toBe(true)
      return one
    }

    it('returns an account as created, by id, address and sign-in, and refuses duplicates', async () => {
      const one = await add(account())
      expect(await rows.findAccount(one.id)).toEqual(one)
      expect(await rows.findAccountByEmail(one.email)).toEqual(one)
      expect(await rows.findAccountBySignIn('header', one.id)).toEqual(one)
      expect(await rows.findAccountBySignIn('oidc', one.id)).toBeNull()
      expect(await rows.signInsOf(one.id)).toEqual(['header'])
      const signIn = { id: 'another', providerId: 'header', accountId: 'another' }
      expect(await rows.addAccount(account({ email: one.email }), signIn)).toBe(false)
      expect(await rows.addAccount(account({ owner: one.owner }), signIn)).toBe(false)
      expect(await rows.findAccountBySignIn('header', 'another')).toBeNull()
      expect(await rows.setRole(one.id, 'admin')).toBe(true)
      expect(await rows.setDisabled(one.id, 7)).toBe(true)
      expect(await rows.findAccount(one.id)).toEqual({ ...one, role: 'admin', disabledAt: 7 })
      expect(await rows.setRole('nobody', 'admin')).toBe(false)
      expect(await rows.setDisabled('nobody', null)).toBe(false)
      const page = await rows.listAccounts(one.email.toUpperCase(), { limit: 5 })
      expect(page).toMatchObject({ total: 1, next: null })
      expect(await rows.listSessions(one.id, 0)).toEqual([])
      expect(await rows.endSessions(one.id, {})).toBe(0)
    })

    it('denies access to an owner that an account has, had, or took the chats of', async () => {
      const one = await add(account())
      expect(await rows.isOwnerTaken(one.owner)).toBe(true)
      expect(await rows.isOwnerTaken('nobody’s')).toBe(false)
      await rows.recordMove('came along', one.owner, 1)
      expect(await rows.isOwnerTaken('came along')).toBe(true)
      expect(await rows.deleteAccount(one.id, 2)).toBe(true)
      expect(await rows.deleteAccount(one.id, 2)).toBe(false)
      expect(await rows.isOwnerTaken(one.owner)).toBe(true)
      expect(await rows.signInsOf(one.id)).toEqual([])
    })

    it('moves a chat with all of its rows, once its reply has ended', async () => {
      await store.createConversation('browser', testConversation('quiet'))
      await store.createConversation('browser', testConversation('busy'))
      await store.createConversation('browser', testConversation('both'))
      await store.createConversation('account', testConversation('both'))
      const reply = testReply('busy', 'a', 'u')
      const plan = { userMessage: testUserMessage('busy', 'u'), calls: [], seen: null, reply, title: 'busy' }
      await store.append('browser', 'busy', 'u', plan, 1)
      await rows.recordFilePlace('browser', 'quiet', { browserId: 'b', browser: 'Firefox on Linux', files: 2, at: 1 })
      await rows.recordFilePlace('stranger', 'quiet', { browserId: 'c', browser: 'Firefox on Linux', files: 2, at: 1 })
      await rows.recordMove('browser', 'account', 1)
      // A chat that the account already has is not overwritten.
      expect(await rows.moveChats(1, 'browser')).toEqual({ moved: 1, waiting: 2 })
      expect(await store.loadConversation('account', 'quiet')).not.toBeNull()
      expect(await rows.listFilePlaces('account', 'quiet')).toHaveLength(1)
      expect(await rows.listFilePlaces('stranger', 'quiet')).toEqual([])
      const run = { owner: 'browser', runId: reply.runId }
      await store.endRun(run, finishedEnding(), 2)
      expect(await rows.moveChats(3_600_000)).toMatchObject({ moved: 1, waiting: 1 })
      const moved = await store.loadConversation('account', 'busy')
      expect(moved?.messages.map(({ id }) => id)).toEqual(['u', 'a'])
      await store.deleteConversation('browser', 'both')
      expect(await rows.moveChats(7_200_000)).toEqual({ moved: 0, waiting: 0 })
      // The move is settled: later writes are refused before anything is stored.
      await store.createConversation('browser', testConversation('late'))
      expect(await rows.moveChats(7_200_001, 'browser')).toEqual({ moved: 0, waiting: 0 })
    })

    it('moves an owner to one target despite concurrent requests: a new account or an existing one', async () => {
      const at = (n: number) => (n % 2 === 0 ? rows : elsewhere)
      const claims = await Promise.all(Array.from({ length: 8 }, (_, n) => at(n).claimOwner('asked', 1)))
      expect(claims.filter(Boolean)).toHaveLength(1)
      // A claimed owner still belongs to the browser, and moves nowhere else.
      await store.createConversation('asked', testConversation('of asked'))
      await elsewhere.recordMove('asked', 'another', 1)
      expect(await rows.moveChats(1, 'asked')).toEqual({ moved: 0, waiting: 0 })
      expect(await rows.isOwnerTaken('asked')).toBe(false)
      await rows.giveOwnerBack('asked')
      expect(await elsewhere.claimOwner('asked', 2)).toBe(true)
      const one = account({ owner: 'asked', createdAt: 70_000 })
      // Left by a process that died.
      await add(one)
      await rows.giveOwnerBack('asked')
      expect([await rows.isOwnerTaken('asked'), await rows.claimOwner('asked', 1e9)]).toEqual([true, false])
      await rows.recordMove('asked', 'another', 1e9)
      expect(await rows.moveChats(1e9, 'asked')).toEqual({ moved: 0, waiting: 0 })
      expect(await store.loadConversation('asked', 'of asked')).not.toBeNull()

      for (let round = 0; round < 5; round += 1) {
        const owner = `both ways ${round}`
        const [claimed] = await Promise.all([rows.claimOwner(owner, 1), elsewhere.recordMove(owner, 'b', 1)])
        expect(await rows.isOwnerTaken(owner)).toBe(!claimed)
      }
    })

    it('moves and counts each chat once, whatever number of requests moves it', async () => {
      for (const id of ['a', 'b', 'c', 'd', 'e']) await store.createConversation('shared', testConversation(id))
      await rows.recordMove('shared', 'first of two', 1)
      await elsewhere.recordMove('shared', 'second of two', 1)
      const all = await Promise.all([rows, elsewhere, rows, elsewhere].map((by) => by.moveChats(1, 'shared')))
      expect(all.reduce((sum, { moved }) => sum + moved, 0)).toBe(5)
      expect(all.every(({ waiting }) => waiting === 0)).toBe(true)
      expect(await store.listConversations('first of two', '', 10)).toHaveLength(5)
      expect(await store.comingTo('first of two')).toEqual(['shared'])
      expect(await store.comingTo('second of two')).toEqual([])
    })

    it('tells which accounts are active, and finds no unknown session', async () => {
      const [on, off] = [await add(account()), await add(account({ disabledAt: 3 }))]
      const standing = await elsewhere.standing({ tokens: ['none'], accounts: [on.id, off.id, 'none'] })
      expect([[...standing.tokens], [...standing.accounts]]).toEqual([[], [on.id]])
      expect((await rows.standing({ tokens: [], accounts: [] })).accounts.size).toBe(0)
    })

    it('keeps a limited number of browsers with files of a chat, the most recent ones', async () => {
      await store.createConversation('many', testConversation('files'))
      for (let at = 1; at <= 53; at += 1) {
        await rows.recordFilePlace('many', 'files', { browserId: `b${at}`, browser: 'Firefox', files: 1, at })
      }
      const places = await rows.listFilePlaces('many', 'files')
      expect([places.length, places[0]?.browserId, places.at(-1)?.browserId]).toEqual([50, 'b53', 'b4'])
    })

    it('allows one use of an invitation, while it is valid', async () => {
      const one = invitation()
      await rows.addInvitation(one, 'hash of one')
      expect(await rows.findInvitation('hash of one', 150)).toEqual(one)
      expect(await rows.findInvitation('hash of one', 200)).toBeNull()
      expect(await rows.useInvitation(one.id, 201)).toBe(false)
      const uses = await Promise.all(Array.from({ length: 5 }, () => rows.useInvitation(one.id, 150)))
      expect(uses.filter(Boolean)).toHaveLength(1)
      expect(await rows.findInvitation('hash of one', 150)).toBeNull()
      expect(await rows.revokeInvitation(one.id, 151)).toBe(false)
      await rows.giveInvitationBack(one.id)
      expect(await rows.revokeInvitation(one.id, 151)).toBe(true)
      expect(await rows.findInvitation('hash of one', 152)).toBeNull()
      await rows.addInvitation(invitation(), 'hash of two')
      const first = await rows.listInvitations({ limit: 1 })
      const second = await rows.listInvitations({ limit: 1, after: first.next ?? '' })
      expect([...first.invitations, ...second.invitations].map(({ id }) => id)).toHaveLength(2)
      expect(second.next).toBeNull()
    })

    it('deletes all traces of an account: no address in an invitation, and no chat that moves to it', async () => {
      const one = await add(account())
      const [mine, reset, other] = [
        invitation({ email: one.email, usedAt: 120 }),
        invitation({ kind: 'reset', accountId: one.id, email: one.email }),
        invitation({ email: 'other@accounts.example' }),
      ]
      for (const each of [mine, reset, other]) await rows.addInvitation(each, `hash of ${each.id}`)
      await rows.recordMove('late browser', one.owner, 1)
      await rows.deleteAccount(one.id, 2)
      const left = (await rows.listInvitations({ limit: 100 })).invitations.map(({ id }) => id)
      expect(left).toContain(other.id)
      expect(left).not.toContain(mine.id)
      expect(left).not.toContain(reset.id)
      await store.createConversation('late browser', testConversation('late'))
      expect(await rows.moveChats(3)).toMatchObject({ moved: 0 })
      expect(await store.loadConversation(one.owner, 'late')).toBeNull()
      // The former owner is known, so that its data is deleted too.
      expect(await store.comingTo(one.owner)).toEqual(['late browser'])
    })

    it('refuses invitations of a disabled account until it is enabled, and those of a deleted one', async () => {
      const maker = await add(account({ role: 'admin' }))
      const [byMaker, byCommand] = [invitation({ madeBy: maker.id }), invitation({ madeBy: 'command' })]
      for (const one of [byMaker, byCommand]) await rows.addInvitation(one, `hash of ${one.id}`)
      const usable = async () => (await elsewhere.findInvitation(`hash of ${byMaker.id}`, 150)) !== null
      expect(await usable()).toBe(true)
      await rows.setDisabled(maker.id, 120)
      expect(await usable()).toBe(false)
      expect(await elsewhere.useInvitation(byMaker.id, 150)).toBe(false)
      expect(await elsewhere.findInvitation(`hash of ${byCommand.id}`, 150)).not.toBeNull()
      await rows.setDisabled(maker.id, null)
      expect(await usable()).toBe(true)
      await rows.deleteAccount(maker.id, 150)
      expect(await usable()).toBe(false)
    })

    it('stores an action and its audit entry together, or neither', async () => {
      const one = await add(account())
      const invited = invitation()
      const doAll = (id: string) =>
        rows.audited(async (acting) => {
          expect(await acting.setRole(one.id, 'admin')).toBe(true)
          expect(await acting.setDisabled(one.id, 9)).toBe(true)
          expect(await acting.addInvitation(invited, `hash of ${invited.id}`)).toBeUndefined()
          expect(await acting.revokeInvitation(invited.id, 150)).toBe(true)
          return { entry: act(id), gives: await acting.endSessions(one.id, {}) }
        })
      const standing = async () => ({
        account: await rows.findAccount(one.id),
        invitations: (await rows.listInvitations({ limit: 100 })).invitations.some(({ id }) => id === invited.id),
        audit: (await rows.listAudit({ limit: 100 })).entries.length,
      })
      await rows.audited(() => Promise.resolve({ entry: act('taken'), gives: null }))
      const before = await standing()
      expect(before).toMatchObject({ account: one, invitations: false })
      // An entry that cannot be written, because its id is in use.
      await expect(doAll('taken')).rejects.toThrow()
      expect(await standing()).toEqual(before)
      // A failed action writes no entry.
      await expect(rows.audited(() => Promise.reject(new Error('refused')))).rejects.toThrow('refused')
      expect(await standing()).toEqual(before)
      expect(await doAll('done')).toBe(0)
      expect(await standing()).toEqual({
        account: { ...one, role: 'admin', disabledAt: 9 },
        invitations: true,
        audit: before.audit + 1,
      })
    })

    it('runs actions one after another, so that of two that depend on each other’s account one is refused', async () => {
      const [a, b] = [await add(account({ role: 'admin' })), await add(account({ role: 'admin' }))]
      const takeAway = (by: AccountRows, id: string, other: string) =>
        by.audited(async (acting) => {
          if ((await acting.findAccount(other))?.role !== 'admin') throw new Error('the last one')
          await acting.setRole(id, 'user')
          return { entry: act(`away ${(made += 1)}`), gives: null }
        })
      for (let round = 0; round < 5; round += 1) {
        const tried = await Promise.allSettled([takeAway(rows, a.id, b.id), takeAway(elsewhere, b.id, a.id)])
        expect(tried.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
        for (const { id } of [a, b]) await rows.setRole(id, 'admin')
      }
    })

    it('keeps all actions in order', async () => {
      for (const id of ['x', 'y', 'z']) {
        await rows.audited(() => Promise.resolve({ entry: act(id), gives: null }))
      }
      const first = await rows.listAudit({ limit: 2 })
      // Others of the same time follow on the next page.
      const rest = await rows.listAudit({ limit: 1, after: first.next ?? '' })
      expect([...first.entries, ...rest.entries].map(({ id }) => id)).toEqual(['z', 'y', 'x'])
      expect(first.entries[0]).toMatchObject({ detail: { to: 'admin' } })
    })

    it('allows exactly the maximum number of attempts, however many are concurrent', async () => {
      const tries = await Promise.all(Array.from({ length: 12 }, () => rows.countTry('s', 1000, 7)))
      expect(tries.filter(Boolean)).toHaveLength(7)
      await rows.forgetTry('s', 1000)
      expect(await rows.countTry('s', 1000, 7)).toBe(true)
      expect(await rows.countTry('s', 1000, 7)).toBe(false)
      expect(await rows.countTry('s', 2000, 7)).toBe(true)
      await rows.forgetTriesBefore(2000)
      expect(await rows.countTry('s', 1000, 1)).toBe(true)
      expect(await rows.countTry('s', 2000, 1)).toBe(false)
    })
  })
}
