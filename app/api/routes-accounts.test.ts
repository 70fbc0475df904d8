import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { ConversationsResponse } from '@/lib/shared/conversation/wire/api-types'
import { whoHeader } from '@/lib/shared/conversation/wire/addresses'
import { decodeSettings } from '@/lib/shared/conversation/settings/settings'
import { createOwnRate } from '@/lib/server/quota/rate'
import { settle } from '@/lib/server/chats/testing/manual-clock'
import type { AccountSettings } from '@/lib/shared/server-facts/account-rows'
import { openTestStore } from '@/lib/server/store/testing/open-test-store'
import type { Store } from '@/lib/server/store/ports/store'
import { forgetSettings } from '@/lib/server/wiring/settings.server'
import { getServer, setServer } from '@/lib/server/wiring/server'
import * as accountRoute from './account/route'
import * as passwordRoute from './account/password/route'
import * as resetRoute from './account/reset/route'
import * as sessionRoute from './account/sessions/[id]/route'
import * as sessionsRoute from './account/sessions/route'
import * as signInRoute from './account/sign-in/route'
import * as signOutRoute from './account/sign-out/route'
import * as signUpRoute from './account/sign-up/route'
import * as chatRoute from './chat/route'
import * as placesRoute from './conversations/[id]/file-places/route'
import * as conversationRoute from './conversations/[id]/route'
import * as conversationsRoute from './conversations/route'
import * as eventsRoute from './runs/[id]/events/route'
import * as useRoute from './use/route'
import { passwordOnly, TestBrowser, useAccounts, type AccountServer } from './testing/account-server'
import { problem } from './testing/send'

let store: Store
let server: AccountServer
let people = 0

beforeAll(async () => {
  store = await openTestStore({ decodeSettings })
})
afterAll(() => store.close())
beforeEach(() => {
  server = useAccounts(store, passwordOnly)
})
afterEach(() => {
  vi.unstubAllEnvs()
  forgetSettings()
  setServer(null)
})

const password = 'correct horse battery'
const freshEmail = () => `person-${(people += 1)}@example.com`
const settings = { modelId: 'test/model' }

interface Details {
  readonly account: { readonly email: string; readonly role: string }
  readonly sessions: readonly { readonly id: string; readonly here: boolean; readonly userAgent: string | null }[]
}

const signUp = (browser: TestBrowser, email: string, more: object = {}) =>
  browser.send(signUpRoute.POST, { method: 'POST', body: { email, password, ...more } })
const signIn = (browser: TestBrowser, email: string, said = password) =>
  browser.send(signInRoute.POST, { method: 'POST', body: { email, password: said } })
const details = async (browser: TestBrowser) => (await (await browser.send(accountRoute.GET)).json()) as Details

async function newChat(browser: TestBrowser, text = 'hi'): Promise<string> {
  const id = crypto.randomUUID()
  const made = await browser.send(conversationsRoute.POST, { method: 'POST', body: { id, ...settings } })
  expect(made.status).toBe(200)
  const append = { kind: 'user', id: crypto.randomUUID(), parentId: null, text }
  const sent = await browser.send(chatRoute.POST, { method: 'POST', body: { conversationId: id, append } })
  expect(sent.status).toBe(200)
  await settle()
  return id
}
async function chatsOf(browser: TestBrowser): Promise<readonly string[]> {
  const answer = await browser.send(conversationsRoute.GET)
  expect(answer.status).toBe(200)
  return ((await answer.json()) as ConversationsResponse).conversations.map(({ id }) => id)
}
const open = (browser: TestBrowser, id: string) => browser.send(conversationRoute.GET, { params: { id } })

describe('signing up', () => {
  it('takes over the browser’s chats unchanged, and its old cookie no longer opens them', async () => {
    const browser = new TestBrowser()
    const chat = await newChat(browser)
    const before = new Map(browser.cookies)
    const made = await signUp(browser, freshEmail())
    expect(made.status).toBe(200)
    expect(browser.cookies.has('nod_owner')).toBe(false)
    expect(await chatsOf(browser)).toEqual([chat])

    const thief = new TestBrowser()
    for (const [name, value] of before) thief.cookies.set(name, value)
    expect(await chatsOf(thief)).toEqual([])
    expect((await open(thief, chat)).status).toBe(404)
    const own = await newChat(thief)
    expect(await chatsOf(thief)).toEqual([own])
    expect(await chatsOf(browser)).toEqual([chat])
  })

  it('explains invalid input, and creates nothing', async () => {
    const browser = new TestBrowser()
    const email = freshEmail()
    expect(await problem(signUp(browser, 'no address'))).toMatchObject({ status: 400, reason: 'accounts.email-wrong' })
    const short = browser.send(signUpRoute.POST, { method: 'POST', body: { email, password: 'short' } })
    expect(await problem(short)).toMatchObject({ status: 400, reason: 'accounts.password-short' })
    const long = browser.send(signUpRoute.POST, { method: 'POST', body: { email, password: 'x'.repeat(129) } })
    expect(await problem(long)).toMatchObject({ status: 400, reason: 'accounts.password-long' })
    expect((await signUp(browser, email)).status).toBe(200)
    const again = signUp(new TestBrowser(), email.toUpperCase())
    expect(await problem(again)).toMatchObject({ status: 409, reason: 'accounts.email-taken' })
  })

  it('twice at once from one browser creates two accounts that share no chat', async () => {
    const browser = new TestBrowser()
    const chat = await newChat(browser)
    const other = new TestBrowser()
    for (const [name, value] of browser.cookies) other.cookies.set(name, value)
    const answers = await Promise.all([signUp(browser, freshEmail()), signUp(other, freshEmail())])
    const lists = await Promise.all([chatsOf(browser), chatsOf(other)])
    expect(answers.some(({ status }) => status === 200)).toBe(true)
    expect(lists.flat()).toEqual([chat])
  })
})

describe('signing in', () => {
  it('shows the same chats on a second device, and takes over those written there', async () => {
    const [first, second] = [new TestBrowser(), new TestBrowser()]
    const email = freshEmail()
    const one = await newChat(first, 'at home')
    await signUp(first, email)
    const two = await newChat(second, 'on the way')
    const answer = await signIn(second, email)
    expect(await answer.json()).toMatchObject({ moved: 1, waiting: 0 })
    expect((await chatsOf(second)).toSorted()).toEqual([one, two].toSorted())
    expect((await chatsOf(first)).toSorted()).toEqual([one, two].toSorted())
    expect((await (await open(first, two)).text()).includes('on the way')).toBe(true)
  })

  it('moves a chat whose reply is in progress once the reply has ended', async () => {
    const [first, second] = [new TestBrowser(), new TestBrowser()]
    const email = freshEmail()
    await signUp(first, email)
    server.chat.script([{ text: 'slow' }, { pause: 10_000 }, { text: ' end' }, { finish: 'stop' }])
    const chat = await newChat(second)
    expect(await (await signIn(second, email)).json()).toMatchObject({ moved: 0, waiting: 1 })
    expect(await chatsOf(second)).toEqual([])
    await server.accounts.sweep()
    expect(await chatsOf(second)).toEqual([])
    await server.chat.clock.pass(10_001)
    await settle()
    await server.accounts.sweep()
    expect(await chatsOf(second)).toEqual([chat])
    expect(await (await open(second, chat)).text()).toContain('slow end')
  })

  it('leaves no chat behind that is still moving when everything is deleted', async () => {
    const [first, second] = [new TestBrowser(), new TestBrowser()]
    const email = freshEmail()
    await signUp(first, email)
    server.chat.script([{ text: 'slow' }, { pause: 10_000 }, { text: ' end' }, { finish: 'stop' }])
    await newChat(second)
    await signIn(second, email)
    const deleted = await second.send(useRoute.DELETE, { method: 'DELETE' })
    expect(await deleted.json()).toEqual({ chats: 1 })
    await server.chat.clock.pass(10_001)
    await settle()
    await server.accounts.sweep()
    expect(await chatsOf(first)).toEqual([])
    const owner = (await store.accounts.findAccountByEmail(email))?.owner ?? ''
    const [before = ''] = await store.comingTo(owner)
    expect([(await store.ownerData(before)).messages, (await store.ownerData(owner)).messages]).toEqual([0, 0])
  })

  it('does not reveal which accounts exist', async () => {
    const email = freshEmail()
    await signUp(new TestBrowser(), email)
    const answers = await Promise.all(
      [email, 'nobody-here@example.com', 'not an address'].map((one) =>
        problem(signIn(new TestBrowser(), one, 'wrong')),
      ),
    )
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
    expect(answers[0]).toMatchObject({ status: 403, reason: 'accounts.wrong-password' })
  })

  it('counts attempts over all nodes together, even concurrent ones', async () => {
    vi.stubEnv('NOD_TRUST_PROXY', '1')
    forgetSettings()
    const email = freshEmail()
    await signUp(new TestBrowser(), email)
    const from = (address: string) => new TestBrowser({ 'x-forwarded-for': address })
    const tries = await Promise.all(Array.from({ length: 12 }, () => signIn(from('198.51.100.1'), email, 'wrong')))
    expect(tries.filter(({ status }) => status === 403)).toHaveLength(10)
    expect(tries.filter(({ status }) => status === 429)).toHaveLength(2)
    server = useAccounts(store, passwordOnly)
    const refused = await signIn(from('198.51.100.1'), email)
    expect(refused.status).toBe(429)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    // Another visitor's attempts lock nobody out elsewhere.
    expect((await signIn(from('203.0.113.9'), email)).status).toBe(200)
  })

  it('locks no owner out after ten guesses if no address is known', async () => {
    const email = freshEmail()
    await signUp(new TestBrowser(), email)
    for (let n = 0; n < 11; n += 1) expect((await signIn(new TestBrowser(), email, 'wrong')).status).toBe(403)
    expect((await signIn(new TestBrowser(), email)).status).toBe(200)
  })

  it('from a stranger without cookies keeps nobody elsewhere from signing in', async () => {
    vi.stubEnv('NOD_TRUST_PROXY', '1')
    forgetSettings()
    const email = freshEmail()
    await signUp(new TestBrowser({ 'x-forwarded-for': '203.0.113.9' }), email)
    setServer({ ...(await getServer()), rateLimit: createOwnRate({ burst: 6, perSecond: 1, monotonic: () => 0 }) })
    const stranger = () => new TestBrowser({ 'x-forwarded-for': '198.51.100.1' })
    const flood = await Promise.all(
      Array.from({ length: 8 }, (_, n) => signIn(stranger(), `nobody-${n}@example.com`, 'wrong')),
    )
    expect(flood.some(({ status }) => status === 429)).toBe(true)
    expect((await signIn(new TestBrowser({ 'x-forwarded-for': '203.0.113.10' }), email)).status).toBe(200)
  })
})

describe('a session', () => {
  it('that is ended is ended on every node at once', async () => {
    const [first, second] = [new TestBrowser({ 'user-agent': 'first' }), new TestBrowser({ 'user-agent': 'second' })]
    const email = freshEmail()
    await signUp(first, email)
    const chat = await newChat(first)
    await signIn(second, email)
    const listed = (await details(second)).sessions
    expect(new Set(listed.map(({ userAgent }) => userAgent))).toEqual(new Set(['first', 'second']))
    const other = listed.find(({ here }) => !here)
    await second.send(sessionRoute.DELETE, { method: 'DELETE', params: { id: other?.id ?? '' } })

    useAccounts(store, passwordOnly)
    expect(await chatsOf(first)).toEqual([])
    expect((await open(first, chat)).status).toBe(404)
    expect(await chatsOf(second)).toEqual([chat])
  })

  it('that is ended stops receiving the reply that it was reading', async () => {
    const [reader, other] = [new TestBrowser(), new TestBrowser()]
    const email = freshEmail()
    await signUp(reader, email)
    await signIn(other, email)
    server.chat.script([{ text: 'heard' }, { pause: 20_000 }, { text: ' unheard' }, { finish: 'stop' }])
    const chat = await newChat(reader)
    const { conversation } = (await (await open(reader, chat)).json()) as {
      readonly conversation: { readonly headId: string }
    }
    const reply = (
      await store.loadConversation((await store.accounts.findAccountByEmail(email))?.owner ?? '', chat)
    )?.messages.find(({ id }) => id === conversation.headId)
    const runId = reply?.role === 'assistant' ? reply.runId : ''
    const follow = (browser: TestBrowser) =>
      browser.send(eventsRoute.GET, { params: { id: runId }, path: '/x?after=0' })
    const [cut, whole] = [(await follow(reader)).text(), (await follow(other)).text()]
    await settle()
    const sessions = (await details(other)).sessions
    const gone = sessions.find(({ here }) => !here)
    await other.send(sessionRoute.DELETE, { method: 'DELETE', params: { id: gone?.id ?? '' } })
    await server.chat.clock.pass(2_001)
    await settle()
    expect(await cut).toContain('heard')
    await server.chat.clock.pass(20_001)
    await settle()
    expect(await cut).not.toContain('unheard')
    expect(await whole).toContain('unheard')
  })

  it('of another user can’t be ended', async () => {
    const [ada, eve] = [new TestBrowser(), new TestBrowser()]
    await signUp(ada, freshEmail())
    await signUp(eve, freshEmail())
    const [session] = (await details(ada)).sessions
    const ended = eve.send(sessionRoute.DELETE, { method: 'DELETE', params: { id: session?.id ?? '' } })
    expect(await problem(ended)).toMatchObject({ status: 404, reason: 'accounts.no-session' })
    expect((await details(ada)).sessions).toHaveLength(1)
  })

  it('ends on signing out, and all end on signing out everywhere', async () => {
    const browsers = [new TestBrowser(), new TestBrowser(), new TestBrowser()] as const
    const email = freshEmail()
    await signUp(browsers[0], email)
    const chat = await newChat(browsers[0])
    for (const browser of browsers.slice(1)) await signIn(browser, email)
    const stolen = new TestBrowser()
    for (const [name, value] of browsers[0].cookies) stolen.cookies.set(name, value)
    const answer = await browsers[0].send(signOutRoute.POST, { method: 'POST', body: {} })
    expect(answer.headers.get('clear-site-data')).toBe('"cache"')
    for (const browser of [browsers[0], stolen]) expect(await chatsOf(browser)).toEqual([])
    expect(await chatsOf(browsers[1])).toEqual([chat])
    await browsers[1].send(signOutRoute.POST, { method: 'POST', body: { everywhere: true } })
    for (const browser of browsers) expect(await chatsOf(browser)).toEqual([])
    expect((await problem(browsers[2].send(accountRoute.GET))).status).toBe(401)
  })

  it('other than the current one ends with a new password, or on request', async () => {
    const [first, second] = [new TestBrowser(), new TestBrowser()]
    const email = freshEmail()
    await signUp(first, email)
    await signIn(second, email)
    const change = (current: string) =>
      first.send(passwordRoute.POST, { method: 'POST', body: { current, next: 'another long one' } })
    expect(await problem(change('wrong password'))).toMatchObject({ reason: 'accounts.password-wrong-now' })
    expect((await change(password)).status).toBe(200)
    expect((await details(first)).sessions).toHaveLength(1)
    expect((await second.send(accountRoute.GET)).status).toBe(401)
    expect((await signIn(second, email)).status).toBe(403)
    expect((await signIn(second, email, 'another long one')).status).toBe(200)
    expect(await (await first.send(sessionsRoute.DELETE, { method: 'DELETE' })).json()).toEqual({ ended: 1 })
    expect((await second.send(accountRoute.GET)).status).toBe(401)
  })

  it.each([
    ['forged', (value: string) => `${value.slice(0, 8)}${value[8] === 'x' ? 'y' : 'x'}${value.slice(9)}`],
    ['unsigned', (value: string) => value.split('.')[0] ?? ''],
    ['garbled', () => '%E0%A4%A'],
    ['empty', () => ''],
  ])('with a cookie that is %s belongs to nobody', async (_, change) => {
    const browser = new TestBrowser()
    await signUp(browser, freshEmail())
    await newChat(browser)
    browser.cookies.set('nod_session', change(browser.cookies.get('nod_session') ?? ''))
    expect((await browser.send(accountRoute.GET)).status).toBe(401)
    expect(await chatsOf(browser)).toEqual([])
  })

  it('survives a new secret and is signed with it; a dropped secret opens nothing', async () => {
    const [old, now] = ['o'.repeat(40), 'n'.repeat(40)] as const
    server = useAccounts(store, passwordOnly, { secrets: [old] })
    const browser = new TestBrowser()
    await signUp(browser, freshEmail())
    const chat = await newChat(browser)
    useAccounts(store, passwordOnly, { secrets: [now, old] })
    expect(await chatsOf(browser)).toEqual([chat])
    useAccounts(store, passwordOnly, { secrets: [now] })
    expect(await chatsOf(browser)).toEqual([chat])
    useAccounts(store, passwordOnly, { secrets: ['z'.repeat(40)] })
    expect(await chatsOf(browser)).toEqual([])
  })

  it('has a cookie that scripts can’t read and no other host can set', async () => {
    const plain = await signUp(new TestBrowser(), freshEmail())
    const secure = await signUp(new TestBrowser({ 'x-forwarded-proto': 'https' }), freshEmail())
    const cookieOf = (response: Response) =>
      response.headers.getSetCookie().find((line) => line.includes('nod_session')) ?? ''
    expect(cookieOf(plain)).toMatch(/^nod_session=[^;]+; /)
    expect(cookieOf(secure)).toMatch(/^__Host-nod_session=[^;]+; /)
    for (const attribute of ['HttpOnly', 'SameSite=Lax', 'Path=/']) {
      expect(cookieOf(plain)).toContain(attribute)
      expect(cookieOf(secure)).toContain(attribute)
    }
    expect(cookieOf(secure)).toContain('Secure')
    expect(cookieOf(secure)).not.toMatch(/domain=/i)
  })
})

describe('files', () => {
  it('are listed by location on the owner’s devices only, and are deleted with the chat', async () => {
    const [first, second] = [new TestBrowser(), new TestBrowser()]
    const email = freshEmail()
    const chat = await newChat(first)
    const note = (browser: TestBrowser, browserId: string, files: number) =>
      browser.send(placesRoute.PUT, {
        method: 'PUT',
        params: { id: chat },
        body: { browserId, browser: 'Firefox on Linux', files },
      })
    const places = async (browser: TestBrowser): Promise<unknown> =>
      ((await (await browser.send(placesRoute.GET, { params: { id: chat } })).json()) as { readonly places: unknown })
        .places
    await note(first, 'one', 3)
    await signUp(second, email)
    await signIn(first, email)
    await note(second, 'two', 1)
    await note(second, 'two', 0)
    expect(await places(second)).toMatchObject([{ browserId: 'one', browser: 'Firefox on Linux', files: 3 }])
    const eve = new TestBrowser()
    await newChat(eve)
    expect((await note(eve, 'eve', 9)).status).toBe(204)
    expect(await places(eve)).toEqual([])
    expect(await places(second)).toHaveLength(1)
    await second.send(conversationRoute.DELETE, { method: 'DELETE', params: { id: chat } })
    expect(await places(second)).toEqual([])
  })
})

describe('another owner', () => {
  it('sees nothing of an account’s chats, by any id', async () => {
    const ada = new TestBrowser()
    await signUp(ada, freshEmail())
    const chat = await newChat(ada)
    const eve = new TestBrowser()
    await signUp(eve, freshEmail())
    for (const browser of [eve, new TestBrowser()]) {
      expect(await chatsOf(browser)).toEqual([])
      expect((await open(browser, chat)).status).toBe(404)
      const append = { kind: 'user', id: crypto.randomUUID(), parentId: null, text: 'mine?' }
      const sent = await browser.send(chatRoute.POST, { method: 'POST', body: { conversationId: chat, append } })
      expect(sent.status).toBe(404)
      const gone = await browser.send(conversationRoute.DELETE, { method: 'DELETE', params: { id: chat } })
      expect([204, 404]).toContain(gone.status)
    }
    expect(await chatsOf(ada)).toEqual([chat])
  })

  it('can’t be used by a page from before: its message stays where it was written', async () => {
    const browser = new TestBrowser()
    const made = (await (await signUp(browser, freshEmail())).json()) as { readonly who: string }
    expect(made.who).toMatch(/^[\w-]{16}$/)
    const asPage = { headers: { [whoHeader]: made.who } }
    expect((await browser.send(conversationsRoute.GET, asPage)).status).toBe(200)
    await browser.send(signOutRoute.POST, { method: 'POST', body: {} })
    const body = { id: crypto.randomUUID(), ...settings }
    const late = browser.send(conversationsRoute.POST, { method: 'POST', body, ...asPage })
    expect(await problem(late)).toMatchObject({ status: 401, code: 'signed-out', reason: 'accounts.signed-out' })
    await signUp(browser, freshEmail())
    expect((await browser.send(conversationsRoute.POST, { method: 'POST', body, ...asPage })).status).toBe(401)
    expect(await chatsOf(browser)).toEqual([])
  })
})

describe('without anonymous use', () => {
  it('every route requires a sign-in, and creates no owner', async () => {
    server = useAccounts(store, { ...passwordOnly, anonymous: false })
    const browser = new TestBrowser()
    expect(await problem(browser.send(conversationsRoute.GET))).toMatchObject({
      status: 401,
      reason: 'accounts.sign-in-needed',
    })
    const body = { id: crypto.randomUUID(), ...settings }
    expect((await browser.send(conversationsRoute.POST, { method: 'POST', body })).status).toBe(401)
    expect(browser.cookies.size).toBe(0)
    expect((await signUp(browser, freshEmail())).status).toBe(200)
    await newChat(browser)
  })
})

describe('invitations', () => {
  const inviteOnly: AccountSettings = { ...passwordOnly, inviteOnly: true, admins: ['boss@example.com'] }

  it('are required if so configured, create one account each, and may be for one address', async () => {
    server = useAccounts(store, inviteOnly)
    const email = freshEmail()
    expect(await problem(signUp(new TestBrowser(), email))).toMatchObject({
      status: 403,
      reason: 'accounts.invitation-needed',
    })
    const { code } = await server.accounts.invite('command', { email: null, role: 'user' })
    const rush = await Promise.all(
      Array.from({ length: 4 }, () => signUp(new TestBrowser(), freshEmail(), { invitation: code })),
    )
    expect(rush.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(rush.filter(({ status }) => status === 403)).toHaveLength(3)
    expect((await signUp(new TestBrowser(), freshEmail(), { invitation: code })).status).toBe(403)

    const forAda = await server.accounts.invite('command', { email, role: 'user' })
    expect((await signUp(new TestBrowser(), freshEmail(), { invitation: forAda.code })).status).toBe(403)
    expect((await signUp(new TestBrowser(), email, { invitation: forAda.code })).status).toBe(200)
    for (const wrong of ['x', `${code}x`]) {
      const refused = problem(signUp(new TestBrowser(), freshEmail(), { invitation: wrong }))
      expect(await refused).toMatchObject({ status: 403, reason: 'accounts.invitation-wrong' })
    }
  })

  it('are not used up by a failed sign-up, and not usable once revoked', async () => {
    server = useAccounts(store, inviteOnly)
    const taken = freshEmail()
    const { accounts } = server
    const first = await accounts.invite('command', { email: null, role: 'user' })
    await signUp(new TestBrowser(), taken, { invitation: first.code })
    const { code, invitation } = await accounts.invite('command', { email: null, role: 'user' })
    expect((await signUp(new TestBrowser(), taken, { invitation: code })).status).toBe(409)
    expect(await accounts.lookAtInvitation('sign-up', code)).toEqual({ email: null })
    await accounts.revokeInvitation('command', invitation.id)
    expect((await signUp(new TestBrowser(), freshEmail(), { invitation: code })).status).toBe(403)
  })

  it('prove an administrator’s address, which nobody else can take', async () => {
    server = useAccounts(store, { ...passwordOnly, admins: ['boss@example.com'] })
    expect((await signUp(new TestBrowser(), 'boss@example.com')).status).toBe(403)
    const { code } = await server.accounts.invite('command', { email: 'boss@example.com', role: 'user' })
    const boss = new TestBrowser()
    expect((await signUp(boss, 'boss@example.com', { invitation: code })).status).toBe(200)
    expect((await details(boss)).account.role).toBe('admin')
  })

  it('for any address do not give away an administrator’s address', async () => {
    for (const inviting of [true, false]) {
      server = useAccounts(store, { ...inviteOnly, inviteOnly: inviting, admins: ['chief@example.com'] })
      const { code } = await server.accounts.invite('command', { email: null, role: 'user' })
      for (const email of ['chief@example.com', ' Chief@Example.COM ']) {
        expect(await problem(signUp(new TestBrowser(), email, { invitation: code }))).toMatchObject({
          status: 403,
          reason: 'accounts.address-must-be-proven',
        })
      }
      // The invitation is still valid for someone else.
      expect((await signUp(new TestBrowser(), freshEmail(), { invitation: code })).status).toBe(200)
    }
    expect(await store.accounts.findAccountByEmail('chief@example.com')).toBeNull()
  })

  it('reset a forgotten password, once, and end every session', async () => {
    const browser = new TestBrowser()
    const email = freshEmail()
    await signUp(browser, email)
    const account = await store.accounts.findAccountByEmail(email)
    const { code } = await server.accounts.inviteToReset('command', account?.id ?? '')
    const reset = () =>
      new TestBrowser().send(resetRoute.POST, { method: 'POST', body: { code, password: 'remembered now' } })
    expect((await signUp(new TestBrowser(), freshEmail(), { invitation: code })).status).toBe(403)
    expect((await reset()).status).toBe(200)
    expect(await problem(reset())).toMatchObject({ status: 403, reason: 'accounts.reset-wrong' })
    expect((await browser.send(accountRoute.GET)).status).toBe(401)
    expect((await signIn(browser, email, 'remembered now')).status).toBe(200)
  })
})

describe('a deleted account', () => {
  it('loses all its data, and neither its sessions nor an old cookie restore it', async () => {
    const browser = new TestBrowser()
    await newChat(browser)
    const before = new Map(browser.cookies)
    const email = freshEmail()
    await signUp(browser, email)
    const chat = await newChat(browser)
    const remove = (confirm: string, said: string) =>
      browser.send(accountRoute.DELETE, { method: 'DELETE', body: { confirm, password: said } })
    expect(await problem(remove('someone@else.example', password))).toMatchObject({ reason: 'accounts.confirm-wrong' })
    expect(await problem(remove(email, 'wrong password'))).toMatchObject({ reason: 'accounts.password-wrong-now' })
    expect(await chatsOf(browser)).toHaveLength(2)
    const owner = (await store.accounts.findAccountByEmail(email))?.owner ?? ''
    expect((await remove(email, password)).status).toBe(200)
    expect(await store.listConversations(owner, '', 10)).toEqual([])
    expect((await signIn(browser, email)).status).toBe(403)
    const old = new TestBrowser()
    for (const [name, value] of before) old.cookies.set(name, value)
    expect((await open(old, chat)).status).toBe(404)
    const own = await newChat(old)
    expect(await store.listConversations(owner, '', 10)).toEqual([])
    expect(await chatsOf(old)).toEqual([own])
  })
})
