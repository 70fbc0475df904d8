import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { createRemoteServer, type RemoteServer } from '../remote-server'
import { serveMcp } from '../serve-mcp'
import { openWorker } from '../testing/worker'
import { startOAuthServers, type OAuthFaults, type OAuthServers } from '../testing/oauth-servers'
import type { FromMcpWorker, McpWorkerPort, ToMcpWorker } from '../worker-messages'
import type { StoredSignIns, SignedIn } from './signed-in'
import type { PastedClient, SignInReturn } from './sign-in-steps'

const redirectTo = 'http://127.0.0.1:9/signed-in.html'
const documentAt = 'https://nod.example/oauth/client.json'

interface Sent {
  readonly url: string
  readonly authorization: string | null
  readonly body: string
}

let servers: OAuthServers
let sent: Sent[] = []
let messages: (ToMcpWorker | FromMcpWorker)[] = []

async function start(faults: OAuthFaults = {}): Promise<OAuthServers> {
  sent = []
  messages = []
  servers = await startOAuthServers({ redirectTo, ...faults })
  return servers
}

afterEach(async () => {
  // In every test: a token is sent only to its server and, to be renewed or revoked, to its issuer; a client's secret
  // only to that issuer. The page never has a token.
  for (const { url, authorization, body } of sent) {
    const isClient = authorization?.startsWith('Basic ') === true
    if (authorization !== null) expect(url).toBe(isClient ? `${servers.issuer}/token` : servers.url)
    if (servers.tokens.some((token) => body.includes(token))) {
      expect([`${servers.issuer}/token`, `${servers.issuer}/token/revocation`]).toContain(url)
    }
  }
  const said = JSON.stringify(messages)
  expect(servers.tokens.filter((token) => said.includes(token))).toEqual([])
  await servers.close()
})

const without = (said: Record<string, unknown>, name: string) =>
  Object.fromEntries(Object.entries(said).filter(([one]) => one !== name))

/** What the tabs of one browser share. */
function browser() {
  const rows = new Map<string, SignedIn>()
  const kept: StoredSignIns<SignedIn> = {
    get: (url) => Promise.resolve(rows.get(url) ?? null),
    put: (url, row) => Promise.resolve(void rows.set(url, row)),
    remove: (url) => Promise.resolve(void rows.delete(url)),
  }
  const turns = new Map<string, Promise<unknown>>()
  const inTurn = <T>(name: string, work: () => Promise<T>): Promise<T> => {
    const turn = (turns.get(name) ?? Promise.resolve()).then(work, work)
    turns.set(name, turn)
    return turn
  }
  return { rows, kept, inTurn }
}

/** A tab with its worker, whose policy names only the origins that it is started with. */
function openTab({ kept, inTurn } = browser(), now = () => 0): RemoteServer {
  return createRemoteServer((more) => {
    const origins = [new URL(servers.url).origin, ...more]
    const listeners: ((event: { readonly data: FromMcpWorker }) => void)[] = []
    const served = serveMcp({
      async fetch(input, init) {
        const request = new Request(input, init)
        if (!origins.includes(new URL(request.url).origin)) throw new TypeError('refused by the policy')
        const body = await request.clone().text()
        sent.push({ url: request.url, authorization: request.headers.get('authorization'), body })
        return fetch(request)
      },
      say(data) {
        messages.push(data)
        queueMicrotask(() => listeners.forEach((listener) => listener({ data })))
      },
      origin: 'https://nod.example',
      turn: () => Promise.resolve(),
      origins,
      kept,
      inTurn,
      now,
    })
    const port: McpWorkerPort = {
      postMessage(message) {
        messages.push(message)
        void served.hear(message)
      },
      addEventListener(type: string, listener: unknown) {
        if (type === 'message') listeners.push(listener as (typeof listeners)[number])
      },
      terminate: () => listeners.splice(0),
    }
    return port
  })
}

const step = async (remote: RemoteServer, ...[asked]: Parameters<RemoteServer['signIn']>) => {
  const answer = await remote.signIn(asked)
  if (!answer.ok) throw new Error(answer.failure.kind)
  return answer.value
}
const find = (remote: RemoteServer, documented = false) =>
  step(remote, { step: 'find', url: servers.url, redirectTo, documentAt: documented ? documentAt : null })

function returnedBy(address: URL): SignInReturn {
  const said = new URLSearchParams(address.hash.length > 1 ? address.hash.slice(1) : address.search)
  const get = (name: string) => said.get(name)
  return { state: get('state') ?? '', code: get('code'), iss: get('iss'), error: get('error') }
}

/** Runs the sign-in until the window has returned. */
async function toReturn(remote: RemoteServer, { keep = false, client = null as PastedClient | null } = {}) {
  const connected = await remote.connect(servers.url, 'auto')
  expect(connected).toEqual({ ok: false, failure: { kind: 'sign-in' } })
  expect(await find(remote)).toMatchObject({ is: 'found' })
  const begun = await step(remote, { step: 'begin', client, keep })
  if (begun.is !== 'begun') throw new Error(JSON.stringify(begun))
  const end = await servers.signInAt(begun.address)
  expect(`${end.origin}${end.pathname}`).toBe(redirectTo)
  return { address: new URL(begun.address), end, returned: returnedBy(end) }
}

async function signIn(remote: RemoteServer, options: Parameters<typeof toReturn>[1] = {}) {
  const window = await toReturn(remote, options)
  expect(await step(remote, { step: 'finish', returned: window.returned })).toEqual({ is: 'signed-in' })
  expect(await remote.connect(servers.url, 'auto')).toMatchObject({ ok: true })
  return window
}

const call = (remote: RemoteServer, text: string) =>
  remote.call(
    { name: 'find', args: { text }, timeoutMs: 20_000 },
    { signal: new AbortController().signal, onProgress: () => {} },
  )
const count = (what: string) => servers.log.filter((line) => line === what).length

describe('signing in to a tool server', () => {
  it('goes from a refused connection to a call, with PKCE, the resource, and a code kept out of requests', async () => {
    await start()
    const remote = openTab()
    const { address, end } = await signIn(remote)
    const asked = address.searchParams
    expect(asked.get('code_challenge_method')).toBe('S256')
    expect(asked.get('resource')).toBe(servers.url)
    expect(asked.get('scope')).toBe('maps offline_access')
    expect(end.search).toBe('')
    expect(count('as POST /reg')).toBe(1)
    expect(await remote.list()).toMatchObject({ ok: true, value: [{ name: 'find' }] })
    expect(await call(remote, 'a flood')).toMatchObject({ kind: 'answered' })
    expect(servers.ran).toEqual(['find a flood'])
    // Checks that `afterEach` has something to find.
    expect(servers.tokens.some((token) => sent.some(({ authorization }) => authorization === `Bearer ${token}`))).toBe(
      true,
    )
  })

  it('says where the window leads and what is requested', async () => {
    await start()
    expect(await find(openTab())).toEqual({
      is: 'found',
      offer: {
        host: new URL(servers.issuer).host,
        tokensAt: null,
        scopes: ['maps', 'offline_access'],
        way: 'registration',
        needsSecret: false,
      },
    })
  })

  it('names the host that receives the window’s result, if it is another one', async () => {
    await start({ metadata: (one) => ({ ...one, token_endpoint: 'http://127.0.0.1:9/token' }) })
    expect(await find(openTab())).toMatchObject({
      is: 'found',
      offer: { host: new URL(servers.issuer).host, tokensAt: '127.0.0.1:9' },
    })
  })

  it('reads the refusal, though the worker that received it is gone', async () => {
    const elsewhere = '/.well-known/oauth-protected-resource/elsewhere'
    await start({ resource: (said) => without(said, 'scopes_supported'), describedAt: elsewhere })
    const remote = openTab()
    await remote.connect(servers.url, 'auto')
    expect(await find(remote)).toMatchObject({ is: 'found', offer: { scopes: ['maps', 'offline_access'] } })
    expect(servers.log.findLast((line) => line.includes('oauth-protected-resource'))).toBe(`mcp GET ${elsewhere}`)
  })

  it('identifies itself by its document if the authorization server supports that', async () => {
    await start({ metadata: (one) => ({ ...one, client_id_metadata_document_supported: true }) })
    const remote = openTab()
    expect(await find(remote, true)).toMatchObject({ offer: { way: 'document' } })
    const begun = await step(remote, { step: 'begin', client: null, keep: false })
    expect(begun.is === 'begun' && new URL(begun.address).searchParams.get('client_id')).toBe(documentAt)
    expect(count('as POST /reg')).toBe(0)
    // Without https nobody could read the document.
    expect(await find(remote)).toMatchObject({ offer: { way: 'registration' } })
  })

  it('takes a pasted client id if nothing else is offered', async () => {
    await start({ metadata: (one) => without(one, 'registration_endpoint') })
    const remote = openTab()
    expect(await find(remote)).toMatchObject({ offer: { way: 'pasted' } })
    expect(await step(remote, { step: 'begin', client: null, keep: false })).toMatchObject({
      problem: { why: 'not-registered' },
    })
    await signIn(remote, { client: { id: 'pasted', secret: '' } })
    expect(await call(remote, 'a')).toMatchObject({ kind: 'answered' })
  })

  it('signs an app in without a window, and again when its token ends', async () => {
    const only = { grant_types_supported: ['client_credentials'], token_endpoint_auth_methods_supported: undefined }
    await start({ forApps: true, metadata: (one) => ({ ...one, ...only }) })
    const remote = openTab()
    expect(await remote.connect(servers.url, 'auto')).toEqual({ ok: false, failure: { kind: 'sign-in' } })
    expect(await find(remote)).toMatchObject({ offer: { way: 'app', needsSecret: true } })
    const begin = (secret: string) => step(remote, { step: 'begin', client: { id: 'robot', secret }, keep: false })
    expect(await begin('wrong')).toMatchObject({ problem: { why: 'refused' } })
    expect(await begin('-----BEGIN PRIVATE KEY-----AAAA-----END PRIVATE KEY-----')).toMatchObject({
      problem: { why: 'bad-key' },
    })
    expect(await begin("robot's secret")).toEqual({ is: 'signed-in' })
    expect(await remote.connect(servers.url, 'auto')).toMatchObject({ ok: true })
    expect(await call(remote, 'a')).toMatchObject({ kind: 'answered' })
    servers.endTokens()
    expect(await call(remote, 'b')).toMatchObject({ kind: 'answered' })
    expect(servers.ran).toEqual(['find a', 'find b'])
    expect(count('as POST /token')).toBe(3)
  })

  it.each([
    ['answers every address with a web page', (response: ServerResponse) => response.end('<!doctype html>'), 200],
    ['registers elsewhere', (response: ServerResponse) => response.end(), 307],
    ['registers without an id', (response: ServerResponse) => response.end('{"redirect_uris":[]}'), 201],
    ['never ends its answer', (response: ServerResponse) => response.write('{'.repeat(2_000_000)), 200],
  ])('does not take a server for one with a sign-in that describes nothing and %s', async (_how, end, status) => {
    await start()
    const heard: string[] = []
    const inside = createServer((request, response) => {
      heard.push(String(request.url))
      response.end('{}')
    })
    const odd = createServer((request, response) => {
      response.setHeader('access-control-allow-origin', '*')
      const isKnown = request.url === '/register'
      const location = `http://127.0.0.1:${(inside.address() as AddressInfo).port}/register`
      response.writeHead(isKnown ? status : 404, {
        'content-type': 'application/json',
        ...(status === 307 && { location }),
      })
      if (isKnown) end(response)
      else response.end()
    })
    for (const one of [inside, odd]) {
      one.listen(0, '127.0.0.1')
      await once(one, 'listening')
    }
    const url = `http://127.0.0.1:${(odd.address() as AddressInfo).port}/mcp`
    const remote = openWorker(url, (input, init) => fetch(input, init))
    expect(await step(remote, { step: 'find', url, redirectTo, documentAt: null })).toEqual({
      is: 'problem',
      problem: { why: 'not-described' },
    })
    expect(heard).toEqual([])
    for (const one of [inside, odd]) {
      one.closeAllConnections()
      one.close()
    }
  })

  it('does not send a secret on to where a token endpoint redirects', async () => {
    const heard: string[] = []
    const inside = createServer((request, response) => {
      heard.push(String(request.url))
      response.end('{}')
    })
    inside.listen(0, '127.0.0.1')
    await once(inside, 'listening')
    const to = `http://127.0.0.1:${(inside.address() as AddressInfo).port}/steal`
    await start({
      forApps: true,
      tokensMoveTo: to,
      metadata: (one) => ({ ...one, grant_types_supported: ['client_credentials'] }),
    })
    const remote = openTab()
    await find(remote)
    const begun = await step(remote, {
      step: 'begin',
      client: { id: 'robot', secret: "robot's secret" },
      keep: true,
    })
    expect(begun).toMatchObject({ is: 'problem' })
    expect(heard).toEqual([])
    inside.close()
  })

  it('takes a server that describes no sign-in and registers no app for one without a sign-in', async () => {
    await start()
    const plain = createServer((request, response) => {
      response.setHeader('access-control-allow-origin', '*')
      response.writeHead(request.url === '/mcp' ? 401 : 404).end()
    })
    plain.listen(0, '127.0.0.1')
    await once(plain, 'listening')
    const url = `http://127.0.0.1:${(plain.address() as AddressInfo).port}/mcp`
    const remote = openWorker(url, (input, init) => fetch(input, init))
    expect(await step(remote, { step: 'find', url, redirectTo, documentAt: null })).toEqual({
      is: 'problem',
      problem: { why: 'not-described' },
    })
    plain.close()
  })

  it('says that a client id is needed if the registration is refused', async () => {
    await start({ metadata: (one) => ({ ...one, registration_endpoint: `${String(one['issuer'])}/closed` }) })
    const remote = openTab()
    await find(remote)
    expect(await step(remote, { step: 'begin', client: null, keep: false })).toMatchObject({
      problem: { why: 'not-registered' },
    })
  })
})

describe('refusals before a window opens', () => {
  const other = 'http://127.0.0.1:9'
  it.each<[string, OAuthFaults, string]>([
    ['announces no PKCE', { metadata: (one) => without(one, 'code_challenge_methods_supported') }, 'no-pkce'],
    [
      'has only plain PKCE',
      { metadata: (one) => ({ ...one, code_challenge_methods_supported: ['plain'] }) },
      'no-pkce',
    ],
    ['says that it is another issuer', { metadata: (one) => ({ ...one, issuer: other }) }, 'wrong-issuer'],
    [
      'takes passwords without https',
      { metadata: (one) => ({ ...one, authorization_endpoint: 'http://login.example.com/auth' }) },
      'insecure',
    ],
    [
      'gives tokens without https',
      { metadata: (one) => ({ ...one, token_endpoint: 'http://login.example.com/token' }) },
      'insecure',
    ],
    [
      'is described for another server',
      { resource: (one) => ({ ...one, resource: `${other}/mcp` }) },
      'wrong-resource',
    ],
    ['describes itself in 2 MB', { metadata: (one) => ({ ...one, padding: 'x'.repeat(2_000_000) }) }, 'no-answer'],
    ['can’t be reached', { resource: (one) => ({ ...one, authorization_servers: [other] }) }, 'unreached'],
  ])('an authorization server that %s', async (_what, faults, why) => {
    await start(faults)
    expect(await find(openTab())).toMatchObject({ is: 'problem', problem: { why } })
    expect(count('as GET /auth')).toBe(0)
  })
})

describe('what a window returns', () => {
  it.each<[string, Partial<SignInReturn>, string]>([
    ['another state', { state: 'another' }, 'wrong-state'],
    ['another issuer', { iss: 'https://evil.example' }, 'wrong-issuer'],
    ['no issuer, where one was promised', { iss: null }, 'wrong-issuer'],
    ['a refusal of the user', { code: null, error: 'access_denied' }, 'denied'],
    ['another error', { code: null, error: 'server_error' }, 'refused'],
    ['a code of another sign-in', { code: 'guessed' }, 'refused'],
  ])('is refused with %s', async (_what, changed, why) => {
    await start()
    const remote = openTab()
    const { returned } = await toReturn(remote)
    const before = count('as POST /token')
    expect(await step(remote, { step: 'finish', returned: { ...returned, ...changed } })).toMatchObject({
      is: 'problem',
      problem: { why },
    })
    if (why !== 'refused') expect(count('as POST /token')).toBe(before)
    expect(remote.isSignedIn()).toBe(false)
    expect(await remote.connect(servers.url, 'auto')).toEqual({ ok: false, failure: { kind: 'sign-in' } })
  })

  it('counts once', async () => {
    await start()
    const remote = openTab()
    const { returned } = await signIn(remote)
    expect(await step(remote, { step: 'finish', returned })).toMatchObject({ problem: { why: 'wrong-state' } })
  })
})

describe('an expired token', () => {
  it('is renewed during a call, which runs once', async () => {
    await start()
    const remote = openTab()
    await signIn(remote)
    servers.endTokens()
    expect(await call(remote, 'a')).toMatchObject({ kind: 'answered' })
    expect(servers.ran).toEqual(['find a'])
    // The refresh token was changed: the second renewal uses the new one.
    servers.endTokens()
    expect(await call(remote, 'b')).toMatchObject({ kind: 'answered' })
    expect(servers.ran).toEqual(['find a', 'find b'])
    expect(count('as POST /token')).toBe(3)
  })

  it('is renewed before a call if its expiry is known, so that nothing is sent with it', async () => {
    await start()
    let time = 0
    const remote = openTab(browser(), () => time)
    await signIn(remote)
    time = 3_600_000
    const before = sent.length
    expect(await call(remote, 'a')).toMatchObject({ kind: 'answered' })
    expect(sent.slice(before).map(({ url }) => url)).toEqual([`${servers.issuer}/token`, servers.url])
  })

  it('that can’t be renewed: the call did not run, and runs once after signing in again', async () => {
    await start()
    const remote = openTab()
    await signIn(remote)
    await servers.endSignIns()
    expect(await call(remote, 'a')).toEqual({ kind: 'not-sent', failure: { kind: 'sign-in' } })
    expect(servers.ran).toEqual([])
    expect(remote.isSignedIn()).toBe(false)
    await signIn(remote)
    expect(await call(remote, 'a')).toMatchObject({ kind: 'answered' })
    expect(servers.ran).toEqual(['find a'])
  })

  it('is renewed once for many calls at once', async () => {
    await start()
    const remote = openTab()
    await signIn(remote)
    servers.endTokens()
    const texts = ['a', 'b', 'c', 'd']
    const answers = await Promise.all(texts.map((text) => call(remote, text)))
    expect(answers.map(({ kind }) => kind)).toEqual(texts.map(() => 'answered'))
    expect(servers.ran.toSorted()).toEqual(texts.map((text) => `find ${text}`))
    expect(count('as POST /token')).toBe(2)
  })
})

describe('a sign-in that is kept in the browser', () => {
  it('is available to the next tab, whose worker is opened for its authorization server', async () => {
    await start()
    const shared = browser()
    await signIn(openTab(shared), { keep: true })
    const next = openTab(shared)
    expect(await next.connect(servers.url, 'auto')).toMatchObject({ ok: true })
    expect(next.isSignedIn()).toBe(true)
    expect(await call(next, 'a')).toMatchObject({ kind: 'answered' })
  })

  it('is kept only by choice', async () => {
    await start()
    const shared = browser()
    const first = openTab(shared)
    await signIn(first)
    expect(shared.rows.size).toBe(0)
    expect(await openTab(shared).connect(servers.url, 'auto')).toEqual({ ok: false, failure: { kind: 'sign-in' } })
  })

  it('is renewed once by two tabs at once', async () => {
    await start()
    const shared = browser()
    const one = openTab(shared)
    await signIn(one, { keep: true })
    const two = openTab(shared)
    await two.connect(servers.url, 'auto')
    servers.endTokens()
    const answers = await Promise.all([call(one, 'a'), call(two, 'b')])
    expect(answers.map(({ kind }) => kind)).toEqual(['answered', 'answered'])
    expect(servers.ran.toSorted()).toEqual(['find a', 'find b'])
    expect(count('as POST /token')).toBe(2)
  })

  it('is forgotten by signing out, in other tabs at their next renewal', async () => {
    await start()
    const shared = browser()
    const one = openTab(shared)
    await signIn(one, { keep: true })
    const two = openTab(shared)
    await two.connect(servers.url, 'auto')
    expect(await step(one, { step: 'forget', url: servers.url })).toEqual({ is: 'forgotten' })
    expect(shared.rows.size).toBe(0)
    expect(one.isSignedIn()).toBe(false)
    expect(await one.connect(servers.url, 'auto')).toEqual({ ok: false, failure: { kind: 'sign-in' } })
    servers.endTokens()
    expect(await call(two, 'a')).toEqual({ kind: 'not-sent', failure: { kind: 'sign-in' } })
  })
})

describe('signing out', () => {
  it.each([false, true])('revokes the tokens at their issuer (kept: %s)', async (keep) => {
    await start()
    const remote = openTab()
    await signIn(remote, { keep })
    const [before] = sent.flatMap(({ authorization }) => authorization ?? [])
    expect(await step(remote, { step: 'forget', url: servers.url })).toEqual({ is: 'forgotten' })
    expect(count('as POST /token/revocation')).toBe(2)
    const again = await fetch(servers.url, { method: 'POST', headers: { authorization: before ?? '' }, body: '{}' })
    expect(again.status).toBe(401)
  })

  it.each([undefined, 'http://127.0.0.1:9/gone', 'http://login.example.com/revoke'])(
    'ends here also if tokens can’t be revoked (%s)',
    async (revocation) => {
      await start({ metadata: (one) => ({ ...one, revocation_endpoint: revocation }) })
      const remote = openTab()
      await signIn(remote)
      expect(await step(remote, { step: 'forget', url: servers.url })).toEqual({ is: 'forgotten' })
      expect(remote.isSignedIn()).toBe(false)
      expect(await remote.connect(servers.url, 'auto')).toEqual({ ok: false, failure: { kind: 'sign-in' } })
    },
  )
})

describe('tokens bound to a key (DPoP)', () => {
  it('are sent with a proof, also if servers require a nonce in it', async () => {
    await start({ dpop: true })
    const shared = browser()
    const remote = openTab(shared)
    const { address } = await signIn(remote, { keep: true })
    const { key, tokens } = [...shared.rows.values()][0]!
    expect(tokens.token_type).toBe('DPoP')
    expect(address.searchParams.get('dpop_jkt')).toBe(key?.thumbprint)
    expect(key?.privateKey.extractable).toBe(false)
    servers.endTokens()
    expect(await call(remote, 'a')).toMatchObject({ kind: 'answered' })
    expect(servers.log.at(-1)).toBe('mcp POST DPoP with a proof')
  })

  it('are not requested if the tool server does not read them', async () => {
    await start({ dpop: true, resource: (one) => without(one, 'dpop_signing_alg_values_supported') })
    const remote = openTab()
    expect(await find(remote)).toMatchObject({ is: 'found' })
    const begun = await step(remote, { step: 'begin', client: null, keep: false })
    expect(begun.is === 'begun' && new URL(begun.address).searchParams.has('dpop_jkt')).toBe(false)
  })
})

it('sends no token after a redirect', async () => {
  const reached: (string | undefined)[] = []
  const evil = createServer((request, response) => {
    reached.push(request.url)
    response.writeHead(200, { 'access-control-allow-origin': '*' }).end('{}')
  })
  await new Promise<void>((resolve) => evil.listen(0, '127.0.0.1', resolve))
  await start({ movesTo: `http://127.0.0.1:${(evil.address() as AddressInfo).port}/steal` })
  const remote = openTab()
  await signIn(remote)
  expect((await call(remote, 'a')).kind).not.toBe('answered')
  expect(reached).toEqual([])
  evil.close()
})
