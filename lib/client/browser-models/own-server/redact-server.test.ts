import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import { requestReply } from '@/lib/client/chats/tab-writer/request-reply'
import type { BrowserModelConfig } from '../browser-model'
import { openAICompatibleKind } from './kinds'
import { createOwnServers } from './own-servers'
import { redactServer } from './serve-models'
import { workerHere } from './testing/worker-here'

const KEY = 'zz-Key+of/the=person 42'
const closing: (() => void)[] = []
afterEach(() => closing.splice(0).forEach((close) => close()))

/** A server that answers a reply with `answer`, which gets its address. */
async function serve(answer: (response: ServerResponse, address: string) => void): Promise<string> {
  const server = createServer((_, response) => answer(response, address))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/tenants/of-ada-4711/v1`
  closing.push(() => {
    server.closeAllConnections()
    server.close()
  })
  return address
}

/** How a reply by such a server ends, as the tab reports it to Nod's server. */
async function endOf(address: string, fetchFrom?: typeof fetch) {
  const config: BrowserModelConfig = {
    version: 1,
    id: 'browser/openai-compatible:m',
    kind: 'openai-compatible',
    name: 'm',
    label: 'M',
    contextTokens: null,
    seesImages: false,
    server: { address, key: KEY },
    options: {},
    addedAt: 0,
  }
  const servers = createOwnServers(() => workerHere(fetchFrom))
  const model = await openAICompatibleKind.open(config, { servers, pasteQueue: null as never })
  const signal = new AbortController().signal
  const prompt = [{ role: 'user' as const, content: [{ type: 'text' as const, text: 'hi' }] }]
  return requestReply(model, { prompt, nativeTools: [] }, { runId: 'r', write: () => {}, signal })
}

/** A text in which a server repeats its address and the key it got. */
const confession = (address: string): string => {
  const url = new URL(address)
  return [
    `upstream ${address}/chat/completions refused Bearer ${KEY}`,
    `connect ECONNREFUSED ${url.host}`,
    `see http:\\/\\/${url.host}\\/ui?next=${encodeURIComponent(address)}`,
    `no such tenant: ${url.pathname.toUpperCase()}`,
    `host ${url.hostname} is not in the list`,
    `key ${encodeURIComponent(KEY)}, ${Buffer.from(KEY).toString('base64')}, ${JSON.stringify(KEY)}`,
  ].join('; ')
}

const event = (value: object) => `data: ${JSON.stringify(value)}\n\n`
const words = { id: 'r', choices: [{ index: 0, delta: { content: 'so far' }, finish_reason: null }] }

const failing: readonly (readonly [
  how: string,
  code: string,
  answer: (response: ServerResponse, address: string) => void,
])[] = [
  [
    'refuses the key',
    'unauthorised',
    (to, at) => void to.writeHead(401).end(JSON.stringify({ error: confession(at) })),
  ],
  [
    'is ill',
    'server-error',
    (to, at) => void to.writeHead(500).end(JSON.stringify({ error: { message: confession(at) } })),
  ],
  ['answers with a page', 'bad-response', (to, at) => void to.writeHead(200).end(`<p>${confession(at)}</p>`)],
  [
    'leads elsewhere',
    'unreachable',
    (to, at) => void to.writeHead(302, { location: `http://127.0.0.1:1/?from=${at}` }).end(),
  ],
  [
    'fails inside its stream',
    'server-error',
    (to, at) => {
      to.writeHead(200, { 'content-type': 'text/event-stream' })
      to.write(event(words))
      to.end(event({ error: { message: confession(at), type: 'server_error', code: 503 } }))
    },
  ],
  [
    'says all of it by the kind of its error',
    'server-error',
    (to, at) => {
      to.writeHead(200, { 'content-type': 'text/event-stream' })
      to.write(event(words))
      to.end(event({ error: { message: 'no', type: confession(at), code: confession(at) } }))
    },
  ],
  [
    'hangs up inside its stream',
    'unreachable',
    (to) => {
      to.writeHead(200, { 'content-type': 'text/event-stream' })
      to.write(event(words), () => to.destroy())
    },
  ],
]

describe('the error of a reply from the user’s own server', () => {
  it.each(failing)('does not contain its address and key if it %s', async (_, code, answer) => {
    let address = ''
    address = await serve(answer)
    const { outcome, failure } = await endOf(address)
    expect([outcome, failure?.code]).toEqual(['failed', code])
    const told = `${failure?.message}\n${failure?.detail}`
    const { hostname, port } = new URL(address)
    for (const secret of [hostname, `:${port}`, 'of-ada-4711', 'OF-ADA-4711', KEY, 'of/the=', 'of%2Fthe']) {
      expect(told).not.toContain(secret)
    }
    expect(told).not.toContain(Buffer.from(KEY).toString('base64').slice(4, 16))
    expect(told).not.toContain('[object')
  })

  it('keeps its kind and its text', async () => {
    const address = await serve((to) => void to.writeHead(404).end('{"error":"model m is not loaded here"}'))
    expect((await endOf(address)).failure).toMatchObject({
      code: 'not-found',
      detail: expect.stringContaining('model m is not loaded here'),
    })
  })

  it.each(['Failed to fetch', 'NetworkError when attempting to fetch resource.', 'Load failed'])(
    'is recognized as a lost connection in each browser’s wording: %s',
    async (message) => {
      const { failure } = await endOf('https://models.example/v1', () => Promise.reject(new TypeError(message)))
      expect(failure?.code).toBe('unreachable')
    },
  )
})

describe('a server’s address', () => {
  it.each([
    ['https://gpu-box.lan.example:8443/v1', ['gpu-box.lan.example', '8443']],
    ['http://[fd00::12]:11434', ['fd00::12', '11434']],
    ['http://gpubox:8080/v1', ['gpubox', '8080']],
    ['https://api.example.com/accounts/73ad/v1?tenant=ada', ['api.example.com', '73ad', 'tenant=ada']],
  ])('%s is in no text around it', (baseUrl, secrets) => {
    const redact = redactServer({ baseUrl, key: null })
    const { origin, host, pathname, search } = new URL(baseUrl)
    const forms = [baseUrl, origin, host, `${origin}${pathname}${search}`, encodeURIComponent(baseUrl)]
    const around = fc.stringMatching(/^[ "'(/=:@,.;-]{0,4}$/)
    fc.assert(
      fc.property(around, around, fc.constantFrom(...forms), fc.boolean(), (before, after, form, isLoud) => {
        const text = `${before}${isLoud ? form.toUpperCase() : form}${after}`
        const clean = redact(text).toLowerCase()
        for (const secret of secrets) expect(clean).not.toContain(secret)
      }),
    )
  })

  it('leaves other words, and the parts that every server’s path has', () => {
    const redact = redactServer({ baseUrl: 'http://ollama:11434/api/v1', key: null })
    expect(redact('POST /api/v1/chat/completions: model ollamatic-7b not found')).toBe(
      'POST /api/v1/chat/completions: model ollamatic-7b not found',
    )
    expect(redact('dial ollama:11434 from ollama')).toBe('dial [address] from [address]')
  })
})
