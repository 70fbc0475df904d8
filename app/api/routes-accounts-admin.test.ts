import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Account } from '@/lib/server/accounts/account-context'
import { AppError } from '@/lib/base/app-error'
import { decodeSettings } from '@/lib/shared/conversation/settings/settings'
import { openTestStore } from '@/lib/server/store/testing/open-test-store'
import type { AccountRow } from '@/lib/shared/server-facts/account-rows'
import type { Store } from '@/lib/server/store/ports/store'
import { setServer } from '@/lib/server/wiring/server'
import { passwordOnly, useAccounts, type AccountServer } from './testing/account-server'

/* Actions of administrators, and their audit entries. */

let store: Store
let server: AccountServer
let now = 1_000_000

beforeAll(async () => {
  store = await openTestStore({ decodeSettings })
})
afterAll(() => store.close())
beforeEach(() => {
  server = useAccounts(store, { ...passwordOnly, admins: ['root@corp.example'] }, { now: () => (now += 1) })
})
afterEach(() => setServer(null))

let made = 0
async function make(email: string, more: Partial<AccountRow> = {}): Promise<Account> {
  const id = `account-${(made += 1)}`
  const account: AccountRow = {
    id,
    name: email.split('@')[0] ?? email,
    email,
    emailProven: false,
    owner: crypto.randomUUID(),
    role: 'user',
    createdAt: now,
    disabledAt: null,
    ...more,
  }
  expect(await store.accounts.addAccount(account, { id: `${id}-in`, providerId: 'header', accountId: id })).toBe(true)
  return account
}
const reasonOf = (refused: Promise<unknown>) =>
  refused.then(
    () => null,
    (error: unknown) => (error instanceof AppError ? error.reason : String(error)),
  )
const acts = async () => (await server.accounts.listAudit('command', { limit: 100 })).entries

describe('an administrator', () => {
  it('is the only one who can use the admin routes', async () => {
    const { accounts } = server
    const [user, other] = [await make('user@one.example'), await make('other@one.example')]
    const page = { limit: 10 }
    const tried = [
      accounts.listAccounts(user, '', page),
      accounts.setRole(user, user.id, 'admin'),
      accounts.setDisabled(user, other.id, true),
      accounts.endSessionsOf(user, other.id),
      accounts.deleteAccountOf(user, other.id),
      accounts.listAudit(user, page),
      (async () => accounts.invite(user, { email: null, role: 'admin' }))(),
      accounts.inviteToReset(user, other.id),
      accounts.revokeInvitation(user, 'any'),
      accounts.listInvitations(user, page),
    ]
    expect(new Set(await Promise.all(tried.map(reasonOf)))).toEqual(new Set(['accounts.not-admin']))
    expect(await acts()).toEqual([])
    expect((await store.accounts.findAccount(user.id))?.role).toBe('user')
  })

  it('leaves an audit entry for each action, newest first, paged without gaps, without user content', async () => {
    const { accounts } = server
    const admin = await make('chief@two.example', { role: 'admin' })
    const user = await make('worker@two.example')
    await store.createConversation(user.owner, {
      ...(await import('@/lib/server/store/testing/rows')).testConversation('chat-of-worker'),
      title: 'a secret plan',
    })
    await accounts.setRole(admin, user.id, 'admin')
    await accounts.setRole(admin, user.id, 'user')
    await accounts.setDisabled(admin, user.id, true)
    await accounts.setDisabled(admin, user.id, true)
    await accounts.setDisabled(admin, user.id, false)
    await accounts.endSessionsOf(admin, user.id)
    const { invitation } = await accounts.invite(admin, { email: 'New@two.example', role: 'user' })
    await accounts.revokeInvitation(admin, invitation.id)
    await accounts.deleteAccountOf(admin, user.id)
    const lines = await acts()
    expect(lines.map(({ act }) => act).toReversed()).toEqual([
      'role-set',
      'role-set',
      'account-disabled',
      'account-enabled',
      'sessions-revoked',
      'invitation-made',
      'invitation-revoked',
      'account-deleted',
    ])
    expect(new Set(lines.map(({ actor }) => actor))).toEqual(new Set([admin.id]))
    expect(lines.at(-1)).toMatchObject({ target: user.id, detail: { from: 'user', to: 'admin' } })
    expect(JSON.stringify(lines)).not.toMatch(/secret plan|two\.example/)

    const paged: string[] = []
    for (let after: string | null | undefined; after !== null;) {
      const page = await accounts.listAudit(admin, { limit: 3, ...(after !== undefined && { after }) })
      paged.push(...page.entries.map(({ id }) => id))
      after = page.next
    }
    expect(paged).toEqual(lines.map(({ id }) => id))
    expect(await store.listConversations(user.owner, '', 10)).toEqual([])
    expect(await store.accounts.findAccount(user.id)).toBeNull()
    expect(await store.accounts.isOwnerTaken(user.owner)).toBe(true)
  })

  it('changes nothing if the audit entry can’t be written, whatever the action', async () => {
    const admin = await make('chief@five.example', { role: 'admin' })
    const user = await make('worker@five.example')
    const { testConversation } = await import('@/lib/server/store/testing/rows')
    await store.createConversation(user.owner, testConversation('chat-of-five'))
    const { invitation } = await server.accounts.invite(admin, { email: null, role: 'user' })
    const taken = (await acts())[0]?.id ?? ''
    const { audited } = store.accounts
    const full: Store['accounts'] = {
      ...store.accounts,
      audited: (change) =>
        audited(async (rows) => {
          const done = await change(rows)
          return { ...done, entry: { ...done.entry, id: taken } }
        }),
    }
    const { accounts } = useAccounts({ ...store, accounts: full }, passwordOnly)
    const standing = async () => ({
      user: await store.accounts.findAccount(user.id),
      chats: (await store.listConversations(user.owner, '', 10)).map(({ id }) => id),
      invitations: (await store.accounts.listInvitations({ limit: 100 })).invitations,
      acts: await acts(),
    })
    const before = await standing()
    expect(before.chats).toEqual(['chat-of-five'])
    const tries: readonly (() => Promise<unknown>)[] = [
      () => accounts.setRole(admin, user.id, 'admin'),
      () => accounts.setDisabled(admin, user.id, true),
      () => accounts.endSessionsOf(admin, user.id),
      () => accounts.deleteAccountOf(admin, user.id),
      () => accounts.invite(admin, { email: null, role: 'admin' }),
      () => accounts.inviteToReset(admin, user.id),
      () => accounts.revokeInvitation(admin, invitation.id),
    ]
    for (const one of tries) {
      await expect(one()).rejects.toThrow()
      expect(await standing()).toEqual(before)
    }
  })

  it('can’t be removed if they are the last one, except by the command on the machine', async () => {
    const { accounts } = server
    for (const { id } of (await accounts.listAccounts('command', '', { limit: 100 })).accounts) {
      await accounts.setRole('command', id, 'user')
    }
    const admin = await make('only@three.example', { role: 'admin' })
    const off = await make('off@three.example', { role: 'admin', disabledAt: 5 })
    expect(await reasonOf(accounts.setRole(admin, admin.id, 'user'))).toBe('accounts.last-admin')
    expect(await reasonOf(accounts.setDisabled(admin, admin.id, true))).toBe('accounts.last-admin')
    expect(await reasonOf(accounts.deleteAccountOf(admin, admin.id))).toBe('accounts.last-admin')
    const caller = {
      headers: new Headers(),
      secure: false,
      peer: null,
      address: null,
      countedAs: null,
      anonymous: null,
    }
    const deleteOwn = (account: Account) =>
      accounts.deleteOwnAccount(
        caller,
        { account, sessionToken: null, cookies: [] },
        { confirm: account.email, password: null },
      )
    expect(await reasonOf(deleteOwn(admin))).toBe('accounts.last-admin')
    expect(await store.accounts.findAccount(admin.id)).toMatchObject({ disabledAt: null })
    const second = await make('second@three.example', { role: 'admin' })
    const tried = await Promise.all([
      reasonOf(accounts.setRole(admin, second.id, 'user')),
      reasonOf(accounts.setDisabled(second, admin.id, true)),
      reasonOf(deleteOwn(second)),
    ])
    // Whichever was first, one is left.
    const left = (await accounts.listAccounts('command', 'three.example', { limit: 9 })).accounts
    expect(left.some(({ role, disabledAt }) => role === 'admin' && disabledAt === null)).toBe(true)
    expect(tried).toContain('accounts.last-admin')
    await accounts.setDisabled('command', admin.id, false)
    await accounts.setRole('command', admin.id, 'admin')
    await accounts.setRole('command', second.id, 'user').catch(() => {})
    await accounts.setDisabled(admin, off.id, false)
    expect(await reasonOf(accounts.setRole(admin, admin.id, 'user'))).toBeNull()
    await accounts.setRole('command', off.id, 'user')
  })

  it('is anyone who proved an address in NOD_ADMINS, for as long as it is listed', async () => {
    const { accounts } = server
    const root = await make('root@corp.example', { emailProven: true })
    const shown = await accounts.listAccounts('command', 'root@', { limit: 5 })
    expect(shown.accounts).toMatchObject([{ id: root.id, role: 'admin' }])
    await make('helper@corp.example', { role: 'admin' })
    expect(await reasonOf(accounts.setRole('command', root.id, 'user'))).toBe('accounts.admin-by-setting')
  })
})

describe('the list of accounts', () => {
  it('is paged by address, searched ignoring case, and treats % literally', async () => {
    const { accounts } = server
    const emails = Array.from({ length: 7 }, (_, at) => `page-${at}@four.example`)
    for (const email of emails) await make(email, { name: email.startsWith('page-3') ? 'Per%cent' : 'Plain' })
    const found: string[] = []
    for (let after: string | null | undefined; after !== null;) {
      const page = await accounts.listAccounts('command', '@FOUR.', { limit: 3, ...(after !== undefined && { after }) })
      expect(page.total).toBe(7)
      found.push(...page.accounts.map(({ email }) => email))
      after = page.next
    }
    expect(found).toEqual(emails)
    expect((await accounts.listAccounts('command', 'R%C', { limit: 9 })).accounts).toMatchObject([{ name: 'Per%cent' }])
  })
})
