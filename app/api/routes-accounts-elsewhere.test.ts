import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { AccountSettings } from '@/lib/shared/server-facts/account-rows'
import { decodeSettings } from '@/lib/shared/conversation/settings/settings'
import { openTestStore } from '@/lib/server/store/testing/open-test-store'
import type { Store } from '@/lib/server/store/ports/store'
import { setServer } from '@/lib/server/wiring/server'
import { recordPeerAddresses, peerHeader } from '@/lib/server/wiring/requests/client-address.server'
import * as accountRoute from './account/route'
import * as oidcRoute from './account/oidc/route'
import * as signInRoute from './account/sign-in/route'
import * as signOutRoute from './account/sign-out/route'
import * as signUpRoute from './account/sign-up/route'
import * as callbackRoute from './auth/callback/[provider]/route'
import * as conversationsRoute from './conversations/route'
import * as conversationRoute from './conversations/[id]/route'
import * as looksRoute from './conversations/[id]/looks/route'
import * as lookRoute from './looks/[token]/route'
import { passwordOnly, TestBrowser, useAccounts, type AccountServer } from './testing/account-server'
import { oidcClient, startOidcProvider, type OidcProvider } from '@/lib/server/accounts/testing/oidc-provider'
import { problem } from './testing/send'

/* External identities: an OpenID Connect provider, and a proxy that names the user. */

const publicUrl = 'http://localhost:3000'
const password = 'correct horse battery'
let store: Store
let provider: OidcProvider
let server: AccountServer

beforeAll(async () => {
  store = await openTestStore({ decodeSettings })
  provider = await startOidcProvider(`${publicUrl}/api/auth/callback/oidc`)
})
afterAll(async () => {
  await provider.close()
  await store.close()
})
afterEach(() => {
  vi.unstubAllEnvs()
  setServer(null)
})

async function newChat(browser: TestBrowser): Promise<string> {
  const id = crypto.randomUUID()
  const made = await browser.send(conversationsRoute.POST, { method: 'POST', body: { id, modelId: 'test/model' } })
  expect(made.status).toBe(200)
  return id
}
async function chatsOf(browser: TestBrowser): Promise<readonly string[]> {
  const answer = await browser.send(conversationsRoute.GET)
  const { conversations } = (await answer.json()) as { readonly conversations: readonly { readonly id: string }[] }
  return conversations.map(({ id }) => id)
}
const emailOf = async (browser: TestBrowser): Promise<unknown> => {
  const answer = await browser.send(accountRoute.GET)
  if (answer.status !== 200) return answer.status
  return ((await answer.json()) as { readonly account: { readonly email: string | null } }).account.email
}

describe('an OpenID Connect provider', () => {
  const settings = (): AccountSettings => ({
    ...passwordOnly,
    ways: new Set(['password', 'oidc']),
    publicUrl,
    oidc: { issuer: provider.issuer, clientId: oidcClient.id, clientSecret: oidcClient.secret, label: 'Corp' },
  })
  beforeEach(() => {
    server = useAccounts(store, settings())
  })

  const begin = (browser: TestBrowser, body: object = {}) => browser.send(oidcRoute.POST, { method: 'POST', body })
  async function back(browser: TestBrowser, address: string): Promise<string> {
    const { pathname, search } = new URL(address)
    const answer = await browser.send(callbackRoute.GET, { path: `${pathname}${search}`, params: { provider: 'oidc' } })
    expect(answer.status).toBe(302)
    return answer.headers.get('location') ?? ''
  }
  async function goThere(browser: TestBrowser, login: string, body: object = {}): Promise<string> {
    const { url } = (await (await begin(browser, body)).json()) as { readonly url: string }
    return provider.visit(url, login)
  }
  const signInThere = async (browser: TestBrowser, login: string, body: object = {}) =>
    back(browser, await goThere(browser, login, body))

  it('signs up a new user with their browser’s chats, and signs them in on the next browser', async () => {
    provider.people.set('grace', { email: 'grace@corp.example', email_verified: true, name: 'Grace' })
    const [first, second] = [new TestBrowser(), new TestBrowser()]
    const chat = await newChat(first)
    expect(await signInThere(first, 'grace', { next: '/c/1' })).toBe('/arrived?next=%2Fc%2F1')
    expect(await emailOf(first)).toBe('grace@corp.example')
    expect(await chatsOf(first)).toEqual([chat])
    const other = await newChat(second)
    await signInThere(second, 'grace')
    expect((await chatsOf(first)).toSorted()).toEqual([chat, other].toSorted())
    expect(second.cookies.has('nod_owner')).toBe(false)
    await first.send(signOutRoute.POST, { method: 'POST', body: { everywhere: true } })
    expect(await chatsOf(second)).toEqual([])
  })

  it('stores nothing that would let this server act in the user’s name', async () => {
    provider.people.set('ann', { email: 'ann@corp.example', email_verified: true })
    await signInThere(new TestBrowser(), 'ann')
    const rows = await store.database.db.selectFrom('auth_account').selectAll().where('accountId', '=', 'ann').execute()
    expect(rows).toHaveLength(1)
    expect(JSON.stringify(rows)).not.toMatch(/eyJ/)
    expect(rows[0]).toMatchObject({ accessToken: null, refreshToken: null, idToken: null })
  })

  it('gives nobody an account that someone else created with their address', async () => {
    provider.people.set('victim', { email: 'victim@corp.example', email_verified: true })
    const eve = new TestBrowser()
    const body = { email: 'victim@corp.example', password }
    expect((await eve.send(signUpRoute.POST, { method: 'POST', body })).status).toBe(200)
    const victim = new TestBrowser()
    const chat = await newChat(victim)
    expect(await signInThere(victim, 'victim')).toMatch(/^\/sign-in\?error=account_not_linked/)
    expect(await emailOf(victim)).toBe(401)
    expect(await chatsOf(victim)).toEqual([chat])
    expect(await chatsOf(eve)).toEqual([])
  })

  it('signs nobody in, up or to an account without an ID token', async () => {
    provider.people.set('tess', { email: 'tess@corp.example', email_verified: true })
    await signInThere(new TestBrowser(), 'tess')
    provider.people.set('noid', { email: 'noid@corp.example', email_verified: true })
    const linking = new TestBrowser()
    await linking.send(signUpRoute.POST, { method: 'POST', body: { email: 'noid@home.example', password } })
    const real = globalThis.fetch
    vi.stubGlobal('fetch', async (...asked: Parameters<typeof fetch>) => {
      const answer = await real(...asked)
      const body: unknown = answer.url.endsWith('/token') ? await answer.clone().json() : null
      return body === null ? answer : Response.json({ ...(body as object), id_token: undefined })
    })
    for (const login of ['noid', 'tess']) {
      const browser = new TestBrowser()
      expect(await signInThere(browser, login)).toMatch(/^\/sign-in\?error=/)
      expect(await emailOf(browser)).toBe(401)
    }
    expect(await signInThere(linking, 'noid', { link: true })).toMatch(/^\/account\?error=/)
    vi.unstubAllGlobals()
    expect(await store.accounts.findAccountByEmail('noid@corp.example')).toBeNull()
    expect(await signInThere(new TestBrowser(), 'tess')).toBe('/arrived?next=%2F')
  })

  it('can be linked as another sign-in method while signed in', async () => {
    provider.people.set('lin', { email: 'lin@elsewhere.example', email_verified: false })
    const browser = new TestBrowser()
    await browser.send(signUpRoute.POST, { method: 'POST', body: { email: 'lin@home.example', password } })
    const chat = await newChat(browser)
    expect(await problem(begin(new TestBrowser(), { link: true }))).toMatchObject({ status: 401 })
    expect(await signInThere(browser, 'lin', { link: true })).toBe('/account?linked=1')
    const other = new TestBrowser()
    await signInThere(other, 'lin')
    expect(await emailOf(other)).toBe('lin@home.example')
    expect(await chatsOf(other)).toEqual([chat])
  })

  it('is refused if begun in another browser, tampered with, or replayed', async () => {
    provider.people.set('mel', { email: 'mel@corp.example', email_verified: true })
    const [mel, other] = [new TestBrowser(), new TestBrowser()]
    const address = await goThere(mel, 'mel')
    expect(await back(other, address)).toMatch(/\?error=/)
    expect(await emailOf(other)).toBe(401)
    const changed = address.replace(/state=[^&]*/, 'state=forged')
    expect(await back(mel, changed)).toMatch(/\?error=/)
    expect(await emailOf(mel)).toBe(401)
    const right = await goThere(mel, 'mel')
    expect(await back(mel, right)).toMatch(/^\/arrived/)
    const thief = new TestBrowser()
    expect(await back(thief, right)).toMatch(/\?error=/)
    expect(await emailOf(thief)).toBe(401)
  })

  it('redirects only back to this server', async () => {
    provider.people.set('ola', { email: 'ola@corp.example', email_verified: true })
    for (const next of ['https://evil.example/', '//evil.example', '/\\evil.example', '/api/account']) {
      expect(await signInThere(new TestBrowser(), 'ola', { next })).toBe('/arrived?next=%2F')
    }
  })

  it('creates accounts only by invitation if so configured', async () => {
    server = useAccounts(store, { ...settings(), inviteOnly: true })
    provider.people.set('pam', { email: 'pam@corp.example', email_verified: true })
    expect(await signInThere(new TestBrowser(), 'pam')).toMatch(/^\/sign-in\?error=invitation_needed/)
    const { code } = await server.accounts.invite('command', { email: null, role: 'user' })
    const pam = new TestBrowser()
    expect(await signInThere(pam, 'pam', { invitation: code })).toBe('/arrived?next=%2F')
    expect(await emailOf(pam)).toBe('pam@corp.example')
    // A user with an account needs no invitation.
    expect(await signInThere(new TestBrowser(), 'pam')).toBe('/arrived?next=%2F')
    provider.people.set('quin', { email: 'quin@corp.example', email_verified: true })
    expect(await problem(begin(new TestBrowser(), { invitation: code }))).toMatchObject({
      reason: 'accounts.invitation-wrong',
    })
    const forColleague = await server.accounts.invite('command', { email: 'else@corp.example', role: 'admin' })
    expect(await signInThere(new TestBrowser(), 'quin', { invitation: forColleague.code })).toMatch(/\?error=/)
    expect(await server.accounts.lookAtInvitation('sign-up', forColleague.code)).not.toBeNull()
  })

  it('makes an administrator only of an address that it verified', async () => {
    server = useAccounts(store, { ...settings(), admins: ['root@corp.example', 'rob@corp.example'] })
    provider.people.set('root', { email: 'root@corp.example', email_verified: true })
    provider.people.set('rob', { email: 'rob@corp.example', email_verified: false })
    const root = new TestBrowser()
    await signInThere(root, 'root')
    const answer = await (await root.send(accountRoute.GET)).json()
    expect(answer).toMatchObject({ account: { role: 'admin' } })
    expect(await signInThere(new TestBrowser(), 'rob')).toMatch(/^\/sign-in\?error=address_must_be_proven/)
    // Nor with an open invitation.
    const { code } = await server.accounts.invite('command', { email: null, role: 'user' })
    expect(await signInThere(new TestBrowser(), 'rob', { invitation: code })).toMatch(/error=address_must_be_proven/)
    const named = await server.accounts.invite('command', { email: 'rob@corp.example', role: 'user' })
    const rob = new TestBrowser()
    expect(await signInThere(rob, 'rob', { invitation: named.code })).toBe('/arrived?next=%2F')
    expect(await (await rob.send(accountRoute.GET)).json()).toMatchObject({ account: { role: 'admin' } })
  })

  it('is reported when unreachable, not contacted at startup, and delays nobody else', async () => {
    const gone = await startOidcProvider(`${publicUrl}/api/auth/callback/oidc`)
    await gone.close()
    server = useAccounts(store, {
      ...settings(),
      oidc: { issuer: gone.issuer, clientId: 'x', clientSecret: 'y', label: 'Corp' },
    })
    const browser = new TestBrowser()
    expect(server.problems).toEqual([])
    expect(await problem(begin(browser))).toMatchObject({ status: 503, reason: 'accounts.oidc-unreachable' })
    const body = { email: 'still@home.example', password }
    expect((await browser.send(signUpRoute.POST, { method: 'POST', body })).status).toBe(200)
  })
})

describe('a proxy that names the user', () => {
  const secret = 'what the proxy says to us'
  const settings: AccountSettings = {
    ...passwordOnly,
    ways: new Set(['header']),
    admins: ['head@corp.example'],
    header: {
      user: 'x-forwarded-user',
      email: 'x-forwarded-email',
      secret,
      proxies: ['10.1.0.0/16', '::1'],
    },
  }
  beforeEach(() => {
    recordPeerAddresses()
    server = useAccounts(store, settings)
  })
  const through = (user: string, more: Record<string, string> = {}) =>
    new TestBrowser({ 'x-forwarded-user': user, 'x-nod-proxy-secret': secret, [peerHeader]: '10.1.2.3', ...more })

  it('is trusted: the same user has the same chats in every browser, and only theirs', async () => {
    const [one, two] = [through('hal'), through('hal', { [peerHeader]: '::ffff:10.1.9.9' })]
    const chat = await newChat(one)
    expect(await chatsOf(two)).toEqual([chat])
    expect(await chatsOf(through('ida'))).toEqual([])
    expect(await chatsOf(new TestBrowser())).toEqual([])
    expect(await emailOf(one)).toBeNull()
    const out = one.send(signOutRoute.POST, { method: 'POST', body: {} })
    expect(await problem(out)).toMatchObject({ reason: 'accounts.header-account' })
  })

  it('takes over the browser’s earlier chats', async () => {
    const before = new TestBrowser()
    const chat = await newChat(before)
    const after = through('jo')
    for (const [name, value] of before.cookies) after.cookies.set(name, value)
    expect(await chatsOf(after)).toEqual([chat])
    const again = new TestBrowser()
    const late = await newChat(again)
    const known = through('jo')
    for (const [name, value] of again.cookies) known.cookies.set(name, value)
    expect((await chatsOf(known)).toSorted()).toEqual([chat, late].toSorted())
    expect(known.cookies.has('nod_owner')).toBe(false)
  })

  it('creates one account for a new user, however many requests come at once', async () => {
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => emailOf(through('kim', { 'x-forwarded-email': 'kim@corp.example' }))),
    )
    expect(new Set(answers)).toEqual(new Set(['kim@corp.example']))
    const { total } = await store.accounts.listAccounts('kim', { limit: 10 })
    expect(total).toBe(1)
  })

  it.each([
    ['from another address', { [peerHeader]: '192.0.2.7' }],
    ['from no known address', { [peerHeader]: '' }],
    ['with a wrong secret', { 'x-nod-proxy-secret': 'a guess' }],
    ['without a secret', { 'x-nod-proxy-secret': '' }],
  ])('is not trusted %s', async (_, headers) => {
    const forged = through('hal', headers)
    expect(await problem(forged.send(conversationsRoute.GET))).toMatchObject({
      status: 403,
      reason: 'accounts.forged-header',
    })
    expect(await problem(forged.send(accountRoute.GET))).toMatchObject({ status: 403 })
  })

  it('is ignored if the server does not enable it', async () => {
    const chat = await newChat(through('hal'))
    server = useAccounts(store, passwordOnly)
    expect(await chatsOf(through('hal'))).not.toContain(chat)
  })

  it('makes administrators of the listed addresses, and keeps disabled accounts out', async () => {
    const head = through('head', { 'x-forwarded-email': 'head@corp.example' })
    const answer = (await (await head.send(accountRoute.GET)).json()) as { readonly account: { readonly role: string } }
    expect(answer.account.role).toBe('admin')
    const lou = through('lou', { 'x-forwarded-email': 'lou@corp.example' })
    await newChat(lou)
    const { accounts } = await store.accounts.listAccounts('lou@', { limit: 1 })
    await server.accounts.setDisabled('command', accounts[0]?.id ?? '', true)
    expect(await problem(lou.send(conversationsRoute.GET))).toMatchObject({ status: 403, reason: 'accounts.disabled' })
    const signIn = lou.send(signInRoute.POST, { method: 'POST', body: { email: 'lou@corp.example', password } })
    expect((await signIn).status).toBe(403)
  })

  it('lets the named account decide by a link, and no other', async () => {
    const row = { emailProven: false, role: 'user', createdAt: 1, disabledAt: null } as const
    const owners = { tamsin: 'ada', Rae: 'of-rae', wren: 'of-wren' } as const
    for (const [user, owner] of Object.entries(owners)) {
      const account = { ...row, id: `id-${user}`, name: user, email: `${user.toLowerCase()}@corp.example`, owner }
      const signIn = { id: `in-${user}`, providerId: 'header', accountId: user }
      expect(await store.accounts.addAccount(account, signIn)).toBe(true)
    }
    const [maker, rae, wren] = [through('tamsin'), through('Rae'), through('wren')]
    /** By the name that the proxy sends, or by the address in any case. */
    const linkFor = async (reviewer: string) => {
      const { conversationId: id, replyId } = await server.chat.withReply('CALL write_file {"path":"/a"}')
      const { messageId, slot, callHash } = await server.chat.decision(replyId, 0, 'write_file')
      const body = { messageId, slot, callHash, reviewer }
      const made = await maker.send(looksRoute.POST, { method: 'POST', params: { id }, body })
      expect(made.status).toBe(200)
      return { id, token: ((await made.json()) as { readonly review: string }).review }
    }
    const read = (who: TestBrowser, token: string) => who.send(lookRoute.GET, { params: { token } })
    const answer = (who: TestBrowser, token: string, body: object) =>
      who.send(lookRoute.POST, { method: 'POST', params: { token }, body })

    const { id, token } = await linkFor(' Rae ')
    for (const other of [wren, maker, new TestBrowser()]) {
      expect(await problem(read(other, token))).toMatchObject({ status: 404, reason: 'chat.review.none' })
      const refused = answer(other, token, { decision: 'run' })
      expect(await problem(refused)).toMatchObject({ status: 404, reason: 'chat.review.none' })
    }
    expect(await (await read(rae, token)).json()).toMatchObject({ chat: { id: null }, decision: null })
    expect(await (await answer(rae, token, { decision: 'deny', reason: 'No.', by: 'me' })).json()).toEqual({
      granted: true,
      decision: 'deny',
    })
    expect((await server.chat.service.view('ada', id)).calls).toMatchObject([{ by: { kind: 'reviewer', name: 'Rae' } }])
    const chatOfAda = rae.send(conversationRoute.GET, { params: { id } })
    expect(await problem(chatOfAda)).toMatchObject({ status: 404 })

    const second = await linkFor('WREN@corp.example')
    expect((await read(wren, second.token)).status).toBe(200)
    await server.accounts.setDisabled('command', 'id-wren', true)
    expect(await problem(read(wren, second.token))).toMatchObject({ status: 403, reason: 'accounts.disabled' })
    await server.accounts.setDisabled('command', 'id-wren', false)
    const end = (who: TestBrowser) => who.send(lookRoute.DELETE, { method: 'DELETE', params: { token: second.token } })
    expect((await end(rae)).status).toBe(204)
    expect((await read(wren, second.token)).status).toBe(200)
    expect((await end(maker)).status).toBe(204)
    expect(await problem(read(wren, second.token))).toMatchObject({ status: 404, reason: 'chat.review.none' })
    expect((await linkFor('nobody@corp.example')).token).toHaveLength(token.length)
  })
})
