import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { createOwnServers, HostNotAllowed } from '../own-server/own-servers'
import { workerHere } from '../own-server/testing/worker-here'
import {
  adviceOf,
  examine,
  type Finding,
  type PageFacts,
  type ServerToExamine,
  readAddress,
  type ServerKindId,
} from './examine'
import { fetchOfPage } from './testing/browser-rules'

const ORIGIN = 'https://nod.example'
const KEY = 'sk-a-key-of-the-person'
const page: PageFacts = { origin: ORIGIN, isHttps: true, localNetwork: null }

type Handle = (request: IncomingMessage, response: ServerResponse) => void
const open: Server[] = []
afterEach(() => {
  for (const server of open.splice(0)) {
    server.closeAllConnections()
    server.close()
  }
})

async function serve(handle: Handle): Promise<string> {
  const server = createServer(handle)
  open.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const json = (response: ServerResponse, status: number, value: unknown) =>
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))

/** A model server with configurable faults. */
function modelsAt(
  paths: Readonly<Record<string, unknown>>,
  over: { cors?: Record<string, string>; key?: string; post?: number } = {},
): Handle {
  const {
    cors = { 'access-control-allow-origin': ORIGIN, 'access-control-allow-headers': 'authorization, content-type' },
    key,
    post = 400,
  } = over
  return (request, response) => {
    for (const [name, value] of Object.entries(cors)) response.setHeader(name, value)
    if (request.method === 'OPTIONS') return void response.writeHead(204).end()
    if (key !== undefined && request.headers.authorization !== `Bearer ${key}`)
      return void json(response, 401, { error: `no: ${request.headers.authorization}` })
    const found = Object.hasOwn(paths, request.url ?? '') ? paths[request.url ?? ''] : undefined
    if (found !== undefined) return void json(response, 200, found)
    if (request.method === 'POST' && request.url?.endsWith('/chat/completions'))
      return void json(response, post, { error: 'model is missing' })
    response.writeHead(404, { 'content-type': 'text/html' }).end('<!doctype html><title>Not found</title>')
  }
}
const openAI = {
  '/v1/models': {
    data: [
      { id: 'qwen3-8b', max_model_len: 32_768 },
      { id: 'other', meta: { n_ctx: 4_096 } },
    ],
  },
}
const ollama = { '/api/tags': { models: [{ name: 'qwen3:8b' }] }, '/v1/models': { data: [{ id: 'qwen3:8b' }] } }

async function look(
  server: ServerToExamine,
  facts: PageFacts = page,
  network?: typeof fetch,
): Promise<Finding & { readonly said: string; readonly pastes: readonly string[] }> {
  const servers = createOwnServers(() => workerHere(fetchOfPage(ORIGIN, network), ORIGIN))
  const finding = await examine(server, facts, servers, new AbortController().signal)
  const advice = adviceOf(finding, server, facts)
  expect(advice.ok).toBe(finding.found === 'models')
  expect(JSON.stringify([finding, advice])).not.toContain(KEY)
  return { ...finding, said: advice.message, pastes: advice.fixes.map(({ paste }) => paste) }
}
const of = (kind: ServerKindId, address: string, key: string | null = null): ServerToExamine => ({ kind, address, key })

describe('the connection check', () => {
  it('finds the models, and their context windows, of each kind', async () => {
    const at = await serve(modelsAt(openAI))
    expect(await look(of('openai-compatible', `${at}/v1`, KEY))).toMatchObject({
      found: 'models',
      models: [
        { name: 'qwen3-8b', contextTokens: 32_768 },
        { name: 'other', contextTokens: 4_096 },
      ],
      said: 'The server responds and has 2 models.',
    })
    expect(await look(of('lm-studio', at))).toMatchObject({ found: 'models' })
    const local = await serve(modelsAt(ollama))
    expect(await look(of('ollama', local))).toMatchObject({ models: [{ name: 'qwen3:8b', contextTokens: null }] })
  })

  it('tells a missing server from one whose response may not be read, and says what to set', async () => {
    const gone = await serve(() => {})
    open.splice(0).forEach((server) => server.close())
    expect(await look(of('ollama', gone))).toMatchObject({ found: 'unreachable', pastes: [] })
    for (const key of [null, KEY]) {
      // As Ollama answers an origin that it does not know.
      const closed = await serve((_, response) => void response.writeHead(403).end())
      expect(await look(of('ollama', closed, key))).toMatchObject({
        found: 'no-cors',
        said: expect.stringContaining(`Access-Control-Allow-Origin for ${ORIGIN}`),
        pastes: [`OLLAMA_ORIGINS=${ORIGIN}`],
      })
    }
    const silent = await serve(modelsAt(openAI, { cors: {} }))
    expect((await look(of('lm-studio', silent))).pastes).toEqual(['lms server start --cors'])
    expect((await look(of('openai-compatible', `${silent}/v1`, KEY))).pastes).toEqual([
      `llama-server --cors-origins ${ORIGIN}`,
      `vllm serve --allowed-origins '["${ORIGIN}"]'`,
    ])
    const other = await serve(modelsAt(openAI, { cors: { 'access-control-allow-origin': 'https://other.example' } }))
    expect(await look(of('lm-studio', other))).toMatchObject({ found: 'no-cors' })
  })

  it('names the header that a server refuses', async () => {
    const noAuth = await serve(
      modelsAt(openAI, { cors: { 'access-control-allow-origin': '*', 'access-control-allow-headers': '*' } }),
    )
    expect(await look(of('openai-compatible', `${noAuth}/v1`, KEY))).toMatchObject({
      found: 'header-refused',
      header: 'authorization',
      said: expect.stringContaining('header Authorization'),
    })
    const noType = await serve(
      modelsAt(openAI, {
        cors: { 'access-control-allow-origin': ORIGIN, 'access-control-allow-headers': 'authorization' },
      }),
    )
    for (const key of [null, KEY]) {
      expect(await look(of('openai-compatible', `${noType}/v1`, key))).toMatchObject({
        found: 'header-refused',
        header: 'content-type',
      })
    }
  })

  it('tells a wrong key from a missing one, also if only questions need it', async () => {
    const at = await serve(modelsAt(openAI, { key: 'another' }))
    expect(await look(of('openai-compatible', `${at}/v1`, KEY))).toMatchObject({
      found: 'key-refused',
      status: 401,
      said: expect.stringContaining('rejected the key'),
    })
    expect(await look(of('openai-compatible', `${at}/v1`))).toMatchObject({
      found: 'key-refused',
      hadKey: false,
      said: expect.stringContaining('needs a key'),
    })
    const later = await serve(modelsAt(openAI, { post: 401 }))
    expect(await look(of('openai-compatible', `${later}/v1`, KEY))).toMatchObject({ found: 'key-refused' })
  })

  it('finds the right path, and the right kind', async () => {
    const at = await serve(modelsAt(openAI))
    expect(await look(of('openai-compatible', at))).toMatchObject({
      found: 'wrong-path',
      instead: `${at}/v1`,
      isHtml: true,
    })
    expect(await look(of('openai-compatible', `${at}/api`))).toMatchObject({ found: 'wrong-path', instead: `${at}/v1` })
    expect(await look(of('ollama', at))).toMatchObject({ found: 'wrong-kind', is: 'openai-compatible' })
    const local = await serve(modelsAt({ '/api/tags': ollama['/api/tags'] }))
    expect(await look(of('openai-compatible', `${local}/v1`))).toMatchObject({
      found: 'wrong-kind',
      is: 'ollama',
      said: 'This is Ollama. Select that type.',
    })
    const web = await serve(modelsAt({}))
    expect(await look(of('openai-compatible', `${web}/v1`))).toMatchObject({
      found: 'wrong-path',
      instead: null,
      status: 404,
    })
    const odd = await serve(modelsAt({ '/v1/models': { data: 'none' } }))
    expect(await look(of('openai-compatible', `${odd}/v1`))).toMatchObject({
      found: 'wrong-path',
      instead: null,
      status: 200,
      isHtml: false,
    })
  })

  it('reports a server that fails', async () => {
    const at = await serve((_, response) => {
      response.writeHead(503, { 'access-control-allow-origin': '*' }).end()
    })
    expect(await look(of('lm-studio', at))).toMatchObject({ found: 'server-error', status: 503 })
  })

  it('knows what the browser, and the operator, do not allow', async () => {
    const never: typeof fetch = () => Promise.reject(new TypeError('Failed to fetch'))
    const lan = of('ollama', 'http://10.0.0.5:11434')
    expect(await look(lan, page, never)).toMatchObject({ found: 'mixed-content' })
    expect(await look(lan, { ...page, isHttps: false }, never)).toMatchObject({ found: 'unreachable' })
    const here = of('ollama', 'http://localhost:11434')
    expect(await look(here, { ...page, localNetwork: 'denied' }, never)).toMatchObject({
      found: 'local-network-denied',
    })
    expect(await look(here, { ...page, localNetwork: 'prompt' }, never)).toMatchObject({ found: 'local-network-asks' })
    expect(await look(here, { ...page, localNetwork: 'granted' }, never)).toMatchObject({ found: 'unreachable' })
    const blocked = { ask: () => Promise.reject(new HostNotAllowed()) }
    expect(await examine(lan, page, blocked, new AbortController().signal)).toEqual({ found: 'not-allowed' })
  })

  it('blames the key for a 403 only if the response says so, else shows the server’s text', async () => {
    const forbid = (body: string) =>
      serve((request, response) => {
        const headers = { 'access-control-allow-origin': '*', 'access-control-allow-headers': 'authorization' }
        if (request.method === 'OPTIONS') return void response.writeHead(204, headers).end()
        response.writeHead(403, headers).end(body)
      })
    for (const body of ['', '{"error":{"message":"Invalid API key"}}', 'Bad token given']) {
      const at = await forbid(body)
      expect(await look(of('openai-compatible', `${at}/v1`, KEY))).toMatchObject({ found: 'key-refused', status: 403 })
    }
    for (const body of [
      '{"error":{"message":"Not served in your country"}}',
      `<html><h1>Not served in your country</h1> ${KEY}</html>`,
    ]) {
      const at = await forbid(body)
      const found = await look(of('openai-compatible', `${at}/v1`, KEY))
      expect(found).toMatchObject({ found: 'refused', status: 403 })
      expect(found.said).toContain('(403): Not served in your country')
      expect(found.said).not.toContain(KEY)
    }
  })

  it('ends when the caller aborts', async () => {
    const at = await serve(() => {})
    const gone = new AbortController()
    const servers = createOwnServers(() => workerHere(fetchOfPage(ORIGIN), ORIGIN))
    const examined = examine(of('ollama', at), page, servers, gone.signal)
    gone.abort(new DOMException('gone', 'AbortError'))
    await expect(examined).rejects.toMatchObject({ name: 'AbortError' })
  })
})

describe('an address', () => {
  it('is accepted as people write it, and stored in the needed form', () => {
    for (const [kind, typed, kept] of [
      ['ollama', ' localhost:11434/ ', 'http://localhost:11434'],
      ['ollama', 'http://localhost:11434/v1/', 'http://localhost:11434'],
      ['ollama', 'http://localhost:11434/api/tags', 'http://localhost:11434'],
      ['lm-studio', 'http://127.0.0.1:1234/v1/chat/completions', 'http://127.0.0.1:1234'],
      ['openai-compatible', 'https://api.example.com/v1/chat/completions', 'https://api.example.com/v1'],
      ['openai-compatible', 'https://host/base/v1/models/', 'https://host/base/v1'],
      ['openai-compatible', '[::1]:8080/v1', 'http://[::1]:8080/v1'],
    ] as const) {
      expect(readAddress(kind, typed)).toEqual({ ok: true, value: kept })
    }
    for (const typed of [
      '',
      '   ',
      'ftp://x',
      'http://',
      'a b c',
      'https://user:secret@host/v1',
      'javascript:alert(1)',
    ]) {
      expect(readAddress('openai-compatible', typed).ok).toBe(false)
    }
  })
})
