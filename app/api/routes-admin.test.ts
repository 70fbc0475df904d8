import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { decodeSettings } from '@/lib/shared/conversation/settings/settings'
import { openTestStore } from '@/lib/server/store/testing/open-test-store'
import type { Store } from '@/lib/server/store/ports/store'
import { setServer } from '@/lib/server/wiring/server'
import * as accountRoute from './account/route'
import * as resetRoute from './account/reset/route'
import * as signInRoute from './account/sign-in/route'
import * as signUpRoute from './account/sign-up/route'
import { passwordOnly, TestBrowser, useAccounts, type AccountServer } from './testing/account-server'
import { problem, type Handler } from './testing/send'

/* The admin routes. Every route in the folder is tried by visitors without the role. */

const routes = import.meta.glob<Readonly<Record<string, unknown>>>('./admin/**/route.ts', { eager: true })
const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const
const handlers = Object.entries(routes).flatMap(([file, route]) =>
  methods.flatMap((method) =>
    typeof route[method] === 'function' ? [[file, method, route[method] as Handler] as const] : [],
  ),
)
const handlerOf = (file: string, method: (typeof methods)[number]): Handler => {
  const found = handlers.find(([name, of]) => name === `./admin/${file}/route.ts` && of === method)
  if (!found) throw new Error(`no ${method} of ${file}`)
  return found[2]
}

let store: Store
let server: AccountServer
let people = 0
const password = 'correct horse battery'

beforeAll(async () => {
  store = await openTestStore({ decodeSettings })
})
afterAll(() => store.close())
beforeEach(() => {
  server = useAccounts(store, passwordOnly)
})
afterEach(() => setServer(null))

async function newAccount(role: 'user' | 'admin' = 'user') {
  const email = `somebody-${(people += 1)}@example.com`
  const browser = new TestBrowser()
  const made = await browser.send(signUpRoute.POST, { method: 'POST', body: { email, password } })
  expect(made.status).toBe(200)
  const row = await store.accounts.findAccountByEmail(email)
  if (!row) throw new Error('no account was made')
  if (role === 'admin') await server.accounts.setRole('command', row.id, 'admin')
  return { browser, email, id: row.id }
}
const isIn = async (browser: TestBrowser) => (await browser.send(accountRoute.GET)).status === 200
const acts = async () => (await server.accounts.listAudit('command', { limit: 100 })).entries.map(({ act }) => act)

describe('the admin routes', () => {
  it('include at least these', () => {
    expect(handlers.length).toBeGreaterThanOrEqual(6)
  })

  it.each(handlers)('%s %s does nothing for a user who is not an administrator', async (_, method, handler) => {
    const [user, other] = [await newAccount(), await newAccount()]
    const before = await acts()
    for (const body of [{ role: 'admin' }, { disabled: true }, { email: null, role: 'admin' }, undefined]) {
      const sent = { method, params: { id: other.id }, ...(body !== undefined && { body }) }
      const outside = await new TestBrowser().send(handler, sent)
      expect(outside.status).toBeGreaterThanOrEqual(400)
      const refused = await user.browser.send(handler, sent)
      expect([400, 403]).toContain(refused.status)
    }
    expect(await acts()).toEqual(before)
    expect(await store.accounts.findAccount(other.id)).toMatchObject({ role: 'user', disabledAt: null })
    expect(await isIn(other.browser)).toBe(true)
  })

  it.each(handlers)('%s %s is refused from another site', async (_, method, handler) => {
    const admin = await newAccount('admin')
    const headers = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }
    const sent = { method, params: { id: admin.id }, headers, body: { disabled: true } }
    expect((await admin.browser.send(handler, sent)).status).toBe(403)
  })
})

describe('an administrator', () => {
  const accountOf = handlerOf('accounts/[id]', 'PATCH')

  it('changes roles and disables accounts, which ends their sessions at once; all are in the audit', async () => {
    const [admin, user] = [await newAccount('admin'), await newAccount()]
    const change = (body: object) => admin.browser.send(accountOf, { method: 'PATCH', params: { id: user.id }, body })
    expect((await change({ role: 'admin' })).status).toBe(204)
    expect((await change({ role: 'user' })).status).toBe(204)
    expect((await change({ disabled: true })).status).toBe(204)
    expect(await isIn(user.browser)).toBe(false)
    expect((await change({ disabled: false })).status).toBe(204)
    expect(await isIn(user.browser)).toBe(false)
    const again = { method: 'POST', body: { email: user.email, password } }
    expect((await user.browser.send(signInRoute.POST, again)).status).toBe(200)
    expect((await acts()).slice(0, 4)).toEqual(['account-enabled', 'account-disabled', 'role-set', 'role-set'])
    // Two changes at once would be one audit entry that names only half of them.
    expect((await change({ role: 'admin', disabled: true })).status).toBe(400)
  })

  it('signs a user out everywhere, and creates a password link that works once', async () => {
    const [admin, user] = [await newAccount('admin'), await newAccount()]
    const ended = await admin.browser.send(handlerOf('accounts/[id]/sessions', 'DELETE'), {
      method: 'DELETE',
      params: { id: user.id },
    })
    expect(await ended.json()).toEqual({ ended: 1 })
    expect(await isIn(user.browser)).toBe(false)
    const made = await admin.browser.send(handlerOf('accounts/[id]/reset', 'POST'), {
      method: 'POST',
      params: { id: user.id },
    })
    const { code } = (await made.json()) as { code: string }
    const reset = () => user.browser.send(resetRoute.POST, { method: 'POST', body: { code, password: `${password}!` } })
    expect((await reset()).ok).toBe(true)
    expect((await problem(reset())).status).toBe(403)
  })

  it('invites, revokes an invitation, and deletes an account with its chats', async () => {
    const admin = await newAccount('admin')
    const invite = async () => {
      const body = { email: null, role: 'user' }
      const made = await admin.browser.send(handlerOf('invitations', 'POST'), { method: 'POST', body })
      return (await made.json()) as { invitation: { id: string }; code: string }
    }
    const [kept, back] = [await invite(), await invite()]
    const remove = handlerOf('invitations/[id]', 'DELETE')
    const taken = await admin.browser.send(remove, { method: 'DELETE', params: { id: back.invitation.id } })
    expect(taken.status).toBe(204)
    expect(await server.accounts.lookAtInvitation('sign-up', back.code)).toBeNull()
    expect(await server.accounts.lookAtInvitation('sign-up', kept.code)).toEqual({ email: null })

    const user = await newAccount()
    const gone = handlerOf('accounts/[id]', 'DELETE')
    expect((await admin.browser.send(gone, { method: 'DELETE', params: { id: user.id } })).status).toBe(204)
    expect(await store.accounts.findAccount(user.id)).toBeNull()
    expect(await isIn(user.browser)).toBe(false)
    expect((await admin.browser.send(gone, { method: 'DELETE', params: { id: user.id } })).status).toBe(404)
  })
})
