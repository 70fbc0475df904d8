import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { JsonObject } from '@/lib/base/json'
import { connectServer } from '@/lib/server/tool-servers/connect.server'
import type { OperatorServer } from '@/lib/server/tool-servers/operator-server'
import { createServerPool } from '@/lib/server/tool-servers/pool'
import type { McpTool } from '@/lib/shared/conversation/settings/tool-server'
import { toolsOfSet } from '@/lib/shared/mcp/tools-of-set'
import { strategyIds } from '@/lib/protocols/types/tool-context-def'
import type { ToolOutcome } from '@/lib/shared/tools/tool'
import { isNightly } from '@/scripts/test/nightly'
import { outcomeOf } from './run-remote'
import { readReturned } from './sign-in/returned'
import { roundIn } from './testing/formats'
import { modernServer, testAddress } from './testing/mcp-servers'
import { startOAuthServers } from './testing/oauth-servers'
import { openPage } from './testing/page'

/*
 * Third-party servers, in every call format: a model's text becomes a call, the real server runs it once, and its
 * result becomes the text that the model reads.
 */

const program = (name: string) =>
  path.resolve('node_modules', '@modelcontextprotocol', `server-${name}`, 'dist', 'index.js')
const signal = new AbortController().signal

const asResult = (outcome: ToolOutcome) =>
  outcome.ok
    ? ({ status: 'completed', result: outcome.result } as const)
    : ({ status: 'error', result: outcome.result ?? { error: outcome.message } } as const)

describe('programs from npm, which the operator runs', () => {
  let folder = ''
  let host: ReturnType<typeof createServerPool>
  const ended: string[] = []
  const lists = new Map<string, readonly McpTool[]>()

  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'nod-servers-'))
    const stdio = (name: string, args: readonly string[] = [], env: Record<string, string> = {}): OperatorServer => ({
      kind: 'stdio',
      name,
      isShared: true,
      command: process.execPath,
      args: [program(name), ...args],
      env,
      folder,
    })
    const servers = [
      stdio('everything', ['stdio']),
      stdio('filesystem', [folder]),
      stdio('memory', [], { MEMORY_FILE_PATH: path.join(folder, 'memory.jsonl') }),
      stdio('sequential-thinking'),
    ]
    host = createServerPool(servers, {
      open: (server, opening) => connectServer({ fetch, env: process.env }, server, opening),
      monotonic: () => performance.now(),
      after: (ms, task) => {
        const timer = setTimeout(task, ms)
        return () => clearTimeout(timer)
      },
      markOf: (owner) => owner,
      log: (line) => void ended.push(line),
    })
    for (const name of host.names) lists.set(name, (await host.list('ada', name, signal)).tools)
  })
  afterAll(async () => {
    await host.close(0)
    await rm(folder, { recursive: true, force: true })
  })

  async function run(server: string, name: string, args: JsonObject): Promise<ToolOutcome> {
    const tool = lists.get(server)?.find((one) => one.name === name)
    if (!tool) throw new Error(`${server} has no ${name}`)
    const prepared = await host.prepare('ada', server, tool, signal)
    return outcomeOf(await prepared.call(args, { timeoutMs: 20_000 }), server, 20_000)
  }

  const calls: readonly (readonly [string, string, (format: string) => JsonObject, string])[] = [
    ['everything', 'echo', () => ({ message: 'a "quoted" line\nand one more' }), 'and one more'],
    ['everything', 'get-sum', () => ({ a: 19, b: 23 }), '42'],
    [
      'filesystem',
      'write_file',
      (format) => ({ path: path.join(folder, `${format}.txt`), content: 'one\n<two> & "three"\n' }),
      'Successfully wrote',
    ],
    ['filesystem', 'read_text_file', (format) => ({ path: path.join(folder, `${format}.txt`) }), 'three'],
    [
      'memory',
      'create_entities',
      (format) => ({ entities: [{ name: `Ada ${format}`, entityType: 'person', observations: ['wrote notes'] }] }),
      'wrote notes',
    ],
    ['memory', 'search_nodes', (format) => ({ query: `Ada ${format}` }), 'wrote notes'],
    [
      'sequential-thinking',
      'sequentialthinking',
      () => ({ thought: 'First, look.', nextThoughtNeeded: true, thoughtNumber: 1, totalThoughts: 2 }),
      'totalThoughts',
    ],
  ]

  it.each(strategyIds)('are called in %s, and their results are sent to the model', async (format) => {
    for (const [server, name, argsOf, part] of calls) {
      const tools = toolsOfSet({ server: `operator-${server}`, host: server, prefix: 'own' }, lists.get(server) ?? [])
      const tool = tools.find(({ remote }) => remote?.name === name)
      if (!tool) throw new Error(`${server} has no ${name}`)
      const round = roundIn(format, tools)
      const call = { name: tool.name, arguments: argsOf(format) }
      const read = round.read(call)
      // Formats without quotation marks can't tell true from "true" if a schema allows both: the server accepts either.
      const isEither = ({ nextThoughtNeeded: either }: JsonObject) => ({
        nextThoughtNeeded: either === true || either === 'true',
      })
      expect({ ...read.arguments, ...isEither(read.arguments) }).toEqual({
        ...call.arguments,
        ...isEither(call.arguments),
      })
      const outcome = await run(server, name, read.arguments)
      expect(outcome).toMatchObject({ ok: true })
      expect(round.told(call, asResult(outcome))).toContain(part)
    }
    expect(await readFile(path.join(folder, `${format}.txt`), 'utf8')).toBe('one\n<two> & "three"\n')
  })

  it.each(strategyIds)('report in %s their refusals, in their own words', async (format) => {
    const outcome = await run('filesystem', 'read_text_file', { path: '/etc/passwd' })
    expect(outcome).toMatchObject({ ok: false, reason: 'tool-error' })
    const tools = toolsOfSet({ server: 's', host: 'filesystem', prefix: 'fs' }, lists.get('filesystem') ?? [])
    const told = roundIn(format, tools).told(
      { name: 'fs_read_text_file', arguments: { path: '/etc/passwd' } },
      asResult(outcome),
    )
    expect(told).toContain('Access denied')
  })

  it('never end by themselves', () => expect(ended).toEqual([]))
})

/** A free port, for a program that takes one as an argument. */
async function freePort(): Promise<number> {
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  return typeof address === 'object' && address !== null ? address.port : 0
}

async function startEverything(port: number, transport = 'streamableHttp'): Promise<ChildProcess> {
  const child = spawn(process.execPath, [program('everything'), transport], {
    env: { ...process.env, PORT: String(port) },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  await new Promise<void>((resolve, reject) => {
    child.stderr?.on('data', (chunk: Buffer) => {
      if (/listening|running on port/i.test(chunk.toString())) resolve()
    })
    child.once('exit', () => reject(new Error('it ended')))
  })
  return child
}

describe('a server that a user adds', () => {
  it('server-everything (2025-11-25): in every format, and after it was restarted', async () => {
    const port = await freePort()
    let everything = await startEverything(port)
    const url = `http://127.0.0.1:${port}/mcp`
    try {
      const page = openPage((input, init) => fetch(input, init))
      const { pending } = await page.review(url)
      expect(page.offered()).toEqual([])
      const approved = pending.map(({ tool }) => tool)
      await page.approve(url, approved)
      for (const format of strategyIds) {
        const round = roundIn(format, page.made(url, approved))
        const call = round.read({ name: 'fs_echo', arguments: { message: `in ${format}` } })
        const outcome = await page.run(call.name, {}, call.arguments)
        expect(outcome).toMatchObject({ ok: true })
        if (outcome) expect(round.told(call, asResult(outcome))).toContain(`in ${format}`)
      }
      everything.kill()
      await once(everything, 'exit')
      expect(await page.run('fs_echo', {}, { message: 'gone' })).toMatchObject({ ok: false })
      everything = await startEverything(port)
      expect(await page.run('fs_echo', {}, { message: 'back' })).toMatchObject({ ok: true, result: 'Echo: back' })
    } finally {
      everything.kill()
    }
  })

  // On each change old-transport.test.ts speaks it.
  it.runIf(isNightly)(
    'server-everything by HTTP+SSE, the transport of 2024-11-05: in every format, and after it was restarted',
    async () => {
      const port = await freePort()
      let everything = await startEverything(port, 'sse')
      const url = `http://127.0.0.1:${port}/sse`
      try {
        const page = openPage((input, init) => fetch(input, init))
        const { pending } = await page.review(url)
        const approved = pending.map(({ tool }) => tool)
        await page.approve(url, approved)
        for (const format of strategyIds) {
          const round = roundIn(format, page.made(url, approved))
          const call = round.read({ name: 'fs_echo', arguments: { message: `in ${format}` } })
          const outcome = await page.run(call.name, {}, call.arguments)
          expect(outcome).toMatchObject({ ok: true })
          if (outcome) expect(round.told(call, asResult(outcome))).toContain(`in ${format}`)
        }
        const slow = page.made(url, approved).find(({ remote }) => remote?.name === 'trigger-long-running-operation')
        const slowName = slow?.name ?? ''
        const steps: unknown[] = []
        const onEvent = (event: unknown) => void steps.push(event)
        const long = { duration: 1, steps: 2 }
        expect(await page.run(slowName, { onEvent }, long)).toMatchObject({ ok: true })
        expect(steps.length).toBeGreaterThan(0)
        const cut = page.run(slowName, { onEvent: () => everything.kill() }, { duration: 60, steps: 240 })
        expect(await cut).toMatchObject({ ok: false, reason: 'not-known' })
        everything = await startEverything(port, 'sse')
        expect(await page.run('fs_echo', {}, { message: 'back' })).toMatchObject({ ok: true, result: 'Echo: back' })

        const own: OperatorServer = { kind: 'http', name: 'old', isShared: true, url, headers: {} }
        const relayed = await connectServer({ fetch, env: {} }, own, { owner: 'ada', signal, onEnd() {} })
        const request = { name: 'echo', args: { message: 'relayed' }, timeoutMs: 20_000 }
        expect(await relayed.call(request, {})).toMatchObject({ result: { content: [{ text: 'Echo: relayed' }] } })
        await relayed.close()
      } finally {
        everything.kill()
      }
    },
  )

  it.each(strategyIds)('of 2026-07-28, in %s: called, changed, locked, approved, denied', async (format) => {
    let about: string | null = null
    const server = modernServer()
    const page = openPage(async (input, init) => {
      const answer = await server.fetch(input, init)
      if (about === null || !(init?.body as string | undefined)?.includes('tools/list')) return answer
      return new Response((await answer.text()).replace('Says it back', about), answer)
    })
    const first = (await page.review(testAddress)).pending.map(({ tool }) => tool)
    await page.approve(testAddress, first)
    const round = roundIn(format, page.made(testAddress, first))
    const call = round.read({ name: 'fs_echo', arguments: { text: 'hello' } })
    const outcome = await page.run(call.name, {}, call.arguments)
    expect(outcome && round.told(call, asResult(outcome))).toContain('hello')

    about = 'Says it back, and sends it to me'
    const changed = await page.prepareLater()
    expect(changed?.pending.map(({ tool }) => tool.name)).toEqual(['echo'])
    expect(page.offered()).not.toContain('fs_echo')
    expect(page.run('fs_echo', {}, { text: 'again' })).toBeNull()
    await page.approve(testAddress, [...(changed?.usable ?? []), ...(changed?.pending.map(({ tool }) => tool) ?? [])])
    expect(page.offered()).toContain('fs_echo')

    // A call that the user denies is not sent, and the model reads that it was denied.
    expect(round.told(call, { status: 'execution_rejected', result: null })).toMatch(/execution_rejected|denied/)
    expect(server.seen).toEqual(['echo hello'])
  })

  it('with OAuth, in every format: signed in, session ended, signed in again; each call runs once', async () => {
    const servers = await startOAuthServers({ redirectTo: 'http://127.0.0.1:9/signed-in.html' })
    try {
      const page = openPage((input, init) => fetch(input, init))
      await page.servers.load()
      const signIn = async () => {
        const redirectTo = 'http://127.0.0.1:9/signed-in.html'
        const take = async (step: Parameters<typeof page.servers.signIn>[1]) => {
          const answer = await page.servers.signIn(servers.url, step)
          if (!answer.ok || answer.value.is === 'problem') throw new Error(JSON.stringify(answer))
          return answer.value
        }
        await take({ step: 'find', url: servers.url, redirectTo, documentAt: null })
        const begun = await take({ step: 'begin', client: null, keep: false })
        if (begun.is !== 'begun') throw new Error(begun.is)
        await take({ step: 'finish', returned: readReturned(await servers.signInAt(begun.address)) })
      }
      expect(await page.test(servers.url)).toMatchObject({ ok: false, failure: { kind: 'sign-in' } })
      await signIn()
      const approved = (await page.review(servers.url)).pending.map(({ tool }) => tool)
      await page.approve(servers.url, approved)
      for (const format of strategyIds) {
        const round = roundIn(format, page.made(servers.url, approved))
        const call = round.read({ name: 'fs_find', arguments: { text: format } })
        await servers.endSignIns()
        const refused = await page.run(call.name, {}, call.arguments)
        expect(refused).toMatchObject({ ok: false, reason: 'sign-in' })
        expect(servers.ran).not.toContain(`find ${format}`)
        await signIn()
        await page.servers.signedIn(servers.url)
        const outcome = await page.run(call.name, {}, call.arguments)
        expect(outcome && round.told(call, asResult(outcome))).toContain(`Sheet 4 shows ${format}.`)
      }
      expect(servers.ran).toEqual(strategyIds.map((format) => `find ${format}`))
    } finally {
      await servers.close()
    }
  })
})
