import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it, vi } from 'vitest'
import type { AssistantMessage } from '@/lib/shared/conversation/conversation'
import { createTestDatabase } from '@/lib/server/store/testing/test-database'
import { toolContextBuilder } from '@/lib/protocols/tool-context-builder'
import { callHash } from '@/lib/shared/calls/call-hash'
import { messageCalls } from '@/lib/shared/calls/message-calls'
import { builtIn } from '@/lib/shared/tools/testing/built-in'
import { makeServer, type OwnServer } from './make-server'

const root = mkdtempSync(join(tmpdir(), 'nod-server-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

const envIn = (name: string) => ({ NOD_DATA_DIR: join(root, name), NOD_OLLAMA: 'off', NOD_DEMO_DELAY_MS: '0' })

async function say({ service }: OwnServer, conversationId: string, parentId: string | null, text: string) {
  const append = { kind: 'user', id: crypto.randomUUID(), parentId, text } as const
  const answer = await service.append('ada', { conversationId, append })
  await service.settled(answer.runId)
  const { messages } = await service.view('ada', conversationId)
  return messages.find(({ id }) => id === answer.replyId) as AssistantMessage
}

describe('the whole server', () => {
  it.each(toolContextBuilder.strategies.map(({ id }) => id))('runs a turn with a tool in %s', async (strategy) => {
    const server = await makeServer(envIn(strategy))
    const { service } = server
    await service.create('ada', { id: 'c', settings: { model: 'demo/demo', strategy } })
    const reply = await say(server, 'c', null, 'list files')
    expect(reply).toMatchObject({ outcome: 'finished', strategy })
    const [call] = messageCalls(toolContextBuilder.parseResponse(strategy, reply.text, builtIn.specs()))
    expect(call).toMatchObject({ slot: 0, runnable: true, call: { name: 'list_directory' } })
    expect(await service.list('ada', '')).toMatchObject([{ waitingCalls: 1, running: false }])

    const hash = await callHash(reply.id, 0, 'list_directory', call?.call.arguments ?? {})
    const request = {
      messageId: reply.id,
      slot: 0,
      callHash: hash,
      decision: 'run',
      runnerId: 't',
      attempt: 1,
    } as const
    expect((await service.decide('ada', 'c', request)).granted).toBe(true)
    const outcome = { status: 'completed', result: { entries: [] }, durationMs: 1, console: [], displays: [] } as const
    await service.finish('ada', 'c', { messageId: reply.id, slot: 0, attempt: 1, runnerId: 't', outcome })
    const append = { kind: 'tool-results', id: 'r', parentId: reply.id } as const
    const posted = await service.append('ada', { conversationId: 'c', append })
    await service.settled(posted.runId)
    const { messages } = await service.view('ada', 'c')
    const last = messages.at(-1)
    expect(last).toMatchObject({ role: 'assistant', outcome: 'finished' })
    // The demo read the result from the frame in its prompt.
    expect(last?.role === 'assistant' && last.text).toContain('`list_directory` is done')
    await server.dispose()
  })

  it('runs the same turn on PostgreSQL', async () => {
    const env = { ...envIn('pg'), DATABASE_URL: await createTestDatabase(), NOD_SECRET: 'x'.repeat(32) }
    const server = await makeServer(env)
    expect(server.store.kind).toBe('postgres')
    await server.service.create('ada', { id: 'c' })
    const reply = await say(server, 'c', null, 'list files')
    expect(reply.outcome).toBe('finished')
    expect(await server.service.list('ada', 'LIST')).toMatchObject([{ id: 'c', title: 'list files', waitingCalls: 1 }])
    await server.dispose()
  })

  it('offers the demo if nothing is configured, and starts new chats with it', async () => {
    const server = await makeServer(envIn('demo'))
    const { models, defaultModel } = await server.service.models(new AbortController().signal)
    expect(models.map(({ id }) => id)).toContain('demo/demo')
    const created = await server.service.create('ada', { id: 'c' })
    expect(created.settings.model).toBe(defaultModel)
    await server.dispose()
  })

  it('stores none of its own keys, even if a server repeats one', async () => {
    const key = 'zzTOPSECRET1234567890'
    vi.spyOn(console, 'warn').mockImplementation(() => {})
    const gateway = createServer((_, response) => {
      const error = { message: `Invalid proxy token ${key} for this gateway (${Buffer.from(key).toString('base64')})` }
      response.writeHead(401, { 'content-type': 'application/json' }).end(JSON.stringify({ error }))
    })
    await once(gateway.listen(0, '127.0.0.1'), 'listening')
    const { port } = gateway.address() as AddressInfo
    const server = await makeServer({
      ...envIn('gateway'),
      NOD_OPENAI_COMPATIBLE_URL: `http://127.0.0.1:${port}/v1`,
      NOD_OPENAI_COMPATIBLE_KEY: key,
      NOD_OPENAI_COMPATIBLE_MODELS: 'm',
    })
    await server.service.create('ada', { id: 'c', settings: { model: 'openai-compatible/m' } })
    const reply = await say(server, 'c', null, 'hello')
    expect(reply).toMatchObject({ outcome: 'failed', failure: { code: 'unauthorised' } })
    expect(reply.failure?.detail).toMatch(/Invalid proxy token \[key\] for this gateway \(\[key\]/)
    expect((await Array.fromAsync((await server.service.export('ada', 'c')).pieces)).join('')).not.toMatch(
      /TOPSECRET|1234567890|enpUT1/,
    )
    await server.dispose()
    gateway.close()
    gateway.closeAllConnections()
    vi.restoreAllMocks()
  })

  it('reports configuration errors to the log, and in the app only on a server for this machine', async () => {
    const config = join(root, 'mistaken.json')
    writeFileSync(config, JSON.stringify({ providers: [{ kind: 'openai', keyEnv: 'OPENROUTER_PROD_KEY' }] }))
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
    const problemsOf = async (name: string, env: Record<string, string>) => {
      const server = await makeServer({ ...envIn(name), NOD_CONFIG: config, ...env })
      const { problems } = await server.service.models(new AbortController().signal)
      await server.dispose()
      return problems.join(' ')
    }
    expect(await problemsOf('own', {})).toContain('OPENROUTER_PROD_KEY')
    for (const env of [{ HOST: '0.0.0.0' }, { NOD_ALLOWED_HOSTS: 'chat.example' }]) {
      expect(await problemsOf('shared', env)).toBe('')
    }
    expect(warn.mock.calls.flat().join('\n')).toContain('OPENROUTER_PROD_KEY')
    vi.restoreAllMocks()
  })

  it('says what to do if the store can’t be opened or the secret is missing', async () => {
    const file = join(root, 'a-file')
    writeFileSync(file, 'no folder')
    await expect(makeServer({ NOD_DATA_DIR: file })).rejects.toMatchObject({ code: 'unavailable' })
    await expect(makeServer({ DATABASE_URL: 'postgres://localhost/x' })).rejects.toThrow(/NOD_SECRET/)
    const away = { DATABASE_URL: 'postgresql://u@/x?host=/tmp/no-such-socket', NOD_SECRET: 'x'.repeat(32) }
    await expect(makeServer(away)).rejects.toMatchObject({ code: 'unavailable' })
  })

  it('can run twice on one folder, as in a rolling restart', async () => {
    const [one, two] = await Promise.all([makeServer(envIn('twice')), makeServer(envIn('twice'))])
    await one.service.create('ada', { id: 'c' })
    const reply = await say(two, 'c', null, 'hello')
    expect(reply.outcome).toBe('finished')
    const cookie = one.owners.cookie('ada', { secure: false }).split(';')[0] ?? ''
    expect(await two.owners.read(cookie)).toMatchObject({ owner: 'ada' })
    await one.dispose()
    await two.dispose()
  })
})
