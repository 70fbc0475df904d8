import { createServer, type Server } from 'node:http'
import { once } from 'node:events'
import { spawnSync } from 'node:child_process'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { modernServer } from './testing/modern-server'
import { connectServer, NotStarted, type HostedConnection } from './connect.server'
import { readToolList } from '@/lib/shared/mcp/tool-page'
import type { QuestionAnswer } from '@/lib/shared/conversation/wire/call-requests'
import type { OfferRequest } from '@/lib/shared/mcp/offers'
import type { OperatorServer } from './operator-server'

const program = path.join('lib', 'server', 'tool-servers', 'testing', 'stdio-server.mjs')
const everything = path.join('node_modules', '@modelcontextprotocol', 'server-everything', 'dist', 'index.js')

const stdio = (over: Partial<Extract<OperatorServer, { kind: 'stdio' }>> = {}): OperatorServer => ({
  kind: 'stdio',
  name: 'test',
  isShared: false,
  command: process.execPath,
  args: [path.resolve(program)],
  env: {},
  folder: null,
  ...over,
})
const ended: string[] = []
const opened: HostedConnection[] = []
let folder = ''

async function connect(server: OperatorServer, fetch: typeof globalThis.fetch = globalThis.fetch) {
  const connection = await connectServer(
    { fetch, env: { PATH: process.env['PATH'], HOME: '/home/nobody', NOD_SECRET: 'never seen' } },
    server,
    { owner: 'mark-of-ada', signal: new AbortController().signal, onEnd: (stderr) => ended.push(stderr) },
  )
  opened.push(connection)
  return connection
}
const call = (connection: HostedConnection, name: string, args = {}) =>
  connection.call({ name, args, timeoutMs: 20_000 }, {})
const textOf = async (answer: Promise<unknown>) =>
  ((await answer) as { result: { content: readonly { text: string }[] } }).result.content[0]?.text ?? ''
/** A zombie process (Z), which has ended but was not reaped yet, does not count as running. */
const runs = (pid: number) => {
  const { stdout } = spawnSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' })
  return /^[^Z\s]/.test(stdout.trim())
}

beforeEach(async () => {
  ended.length = 0
  folder = await mkdtemp(path.join(tmpdir(), 'nod-tools-'))
})
afterEach(async () => {
  await Promise.all(opened.splice(0).map((one) => one.close()))
  await rm(folder, { recursive: true, force: true })
})

describe('a program', () => {
  it('lists its tools, is called, and is gone with its child processes after closing', async () => {
    const connection = await connect(stdio())
    expect(connection.server).toMatchObject({ era: 'legacy', name: 'test-program' })
    const names = (await connection.list(new AbortController().signal)).map((tool) => (tool as { name: string }).name)
    expect(names).toContain('keep')
    await call(connection, 'keep', { path: '/a' })
    expect(await textOf(call(connection, 'keep', { path: '/b' }))).toBe('/a')
    const read = await connection.offer({ ask: 'resource', uri: 'notes://today' }, new AbortController().signal)
    expect(read.pieces).toMatchObject([{ kind: 'text', uri: 'notes://today' }])
    expect((await connection.offer({ ask: 'prompts' }, new AbortController().signal)).prompts).toMatchObject([
      { name: 'plan', title: 'Plan a day' },
    ])
    const [own, child] = [await textOf(call(connection, 'pid')), await textOf(call(connection, 'child'))].map(Number)
    expect([runs(own ?? 0), runs(child ?? 0)]).toEqual([true, true])
    await connection.close()
    await expect.poll(() => [runs(own ?? 0), runs(child ?? 0)]).toEqual([false, false])
    expect(ended).toEqual([])
  })

  it('lists its skills, and one is read whole or not at all', async () => {
    const connection = await connect(stdio())
    const offer = (ask: OfferRequest) => connection.offer(ask, new AbortController().signal)
    expect((await offer({ ask: 'skills' })).skills).toMatchObject([
      { uri: 'skill://pack/SKILL.md', name: 'pack', about: 'How to pack.', files: 2 },
      { name: 'swap' },
    ])
    const { files = [] } = await offer({ ask: 'skill', uri: 'skill://pack/SKILL.md' })
    expect(files.map(({ path: at, base64 }) => [at, atob(base64)])).toEqual([
      ['SKILL.md', expect.stringContaining('How to pack.')],
      ['scripts/run.py', 'print(1)'],
    ])
    await expect(offer({ ask: 'skill', uri: 'skill://swap/SKILL.md' })).rejects.toMatchObject({
      name: 'SkillVerificationError',
    })
  })

  it('gets the configured environment, PATH and HOME, and nothing of this app', async () => {
    const own = path.join(folder, '${NOD_OWNER}')
    const connection = await connect(
      stdio({ args: [path.resolve(program), '--of=${NOD_OWNER}'], env: { TOKEN: 'abc ${NOD_OWNER}' }, folder: own }),
    )
    const [env, args, cwd] = JSON.parse(await textOf(call(connection, 'environment'))) as [object, string[], string]
    expect(env).toEqual({ PATH: process.env['PATH'], HOME: '/home/nobody', TOKEN: 'abc mark-of-ada' })
    expect(args).toEqual(['--of=mark-of-ada'])
    expect(path.basename(cwd)).toBe('mark-of-ada')
    expect((await stat(path.join(folder, 'mark-of-ada'))).mode & 0o777).toBe(0o700)
  })

  it('that ends during a call leaves unknown whether the call ran, and reports its last output', async () => {
    const connection = await connect(stdio())
    expect(await call(connection, 'crash')).toEqual({ kind: 'lost' })
    await expect.poll(() => ended).toEqual(['the disk is on fire\n'])
    expect(await call(connection, 'pid')).toMatchObject({ kind: expect.stringMatching(/not-sent|lost/) })
  })

  it('reports progress, and is told to cancel on a stop', async () => {
    const connection = await connect(stdio())
    const stop = new AbortController()
    const seen: unknown[] = []
    const answer = connection.call(
      { name: 'wait', args: {}, timeoutMs: 20_000 },
      {
        signal: stop.signal,
        onProgress(progress) {
          seen.push(progress)
          stop.abort()
        },
      },
    )
    expect(await answer).toEqual({ kind: 'stopped' })
    expect(seen).toEqual([{ progress: 1, total: 2, message: 'half' }])
    await expect.poll(() => textOf(call(connection, 'keep', { path: '/a' }))).toBe('cancelled')
  })

  it('with a too large message is ended, and the call reports it', async () => {
    const connection = await connect(stdio())
    expect(await call(connection, 'large', { chars: 9_000_000 })).toMatchObject({ kind: 'too-large' })
    await expect.poll(() => ended).toHaveLength(1)
  })

  it('that does not exist, or does not speak the protocol, is not started', async () => {
    await expect(connect(stdio({ command: 'no-such-program-of-nod', args: [] }))).rejects.toBeInstanceOf(NotStarted)
    const silent = stdio({ args: ['-e', 'console.error("needs a key"); process.exit(1)'] })
    await expect(connect(silent)).rejects.toMatchObject({ stderr: expect.stringContaining('needs a key') })
    expect(ended).toEqual([])
  })

  it('gives the page of its tool, which its list names', async () => {
    const connection = await connect(stdio())
    const { tools, pages } = readToolList(await connection.list(new AbortController().signal))
    expect([...pages]).toEqual([['plan', 'ui://test/plan.html']])
    expect(tools.find(({ name }) => name === 'next')?.visibility).toBe('app')
    const { page } = await connection.offer({ ask: 'page', uri: 'ui://test/plan.html' }, new AbortController().signal)
    expect(page).toMatchObject({ html: expect.stringContaining('Next leg'), needs: [] })
  })

  it('from npm asks the user, and gets what the user answers', async () => {
    const connection = await connect(stdio({ args: [path.resolve(everything), 'stdio'] }))
    const asked: unknown[] = []
    const ask = (answer: QuestionAnswer) =>
      textOf(
        connection.call(
          { name: 'trigger-elicitation-request', args: {}, timeoutMs: 20_000 },
          {
            onAsk(params) {
              asked.push(params['message'])
              return Promise.resolve(answer)
            },
          },
        ),
      )
    expect(await ask({ action: 'accept', content: { name: 'Ada', check: true } })).toContain('provided')
    expect(await ask({ action: 'decline' })).toContain('declined')
    expect(await ask({ action: 'cancel' })).toContain('cancelled')
    expect(asked).toHaveLength(3)
    expect(asked[0]).toContain('provide inputs')
  })

  it('gets no answer to a question that no call or more than one call may have asked', async () => {
    const connection = await connect(stdio())
    let asked = 0
    const onAsk = () => {
      asked += 1
      return Promise.resolve({ action: 'accept', content: { seats: 1 } } as const)
    }
    const stop = new AbortController()
    const other = connection.call({ name: 'wait', args: {}, timeoutMs: 20_000 }, { signal: stop.signal, onAsk })
    const request = { name: 'ask', args: {}, timeoutMs: 20_000 }
    expect(await textOf(connection.call(request, { onAsk }))).toBe('cancel')
    expect(asked).toBe(0)
    stop.abort()
    await other
    expect(await textOf(connection.call(request, { onAsk }))).toBe('accept 1')
    // Without a user to ask, as for a list.
    expect(await textOf(call(connection, 'ask'))).toBe('cancel')
  })

  it('from npm works', async () => {
    const connection = await connect(stdio({ args: [path.resolve(everything), 'stdio'] }))
    expect(await textOf(call(connection, 'echo', { message: 'hello' }))).toContain('hello')
  })
})

describe('a server with a URL', () => {
  const http = (url: string, headers = {}): OperatorServer => ({
    kind: 'http',
    name: 'w',
    isShared: true,
    url,
    headers,
  })

  it('gets the secret headers, only at its own URL', async () => {
    const { fetch } = modernServer()
    const asked: [string, string | null][] = []
    const connection = await connect(
      http('https://wiki.example.org/mcp', { Authorization: 'Bearer of ${NOD_OWNER}' }),
      (input, init) => {
        const request = new Request(input, init)
        asked.push([request.url, request.headers.get('authorization')])
        return fetch(request)
      },
    )
    expect(await textOf(call(connection, 'echo', { text: 'hello' }))).toBe('hello')
    expect(new Set(asked.map(String))).toEqual(new Set(['https://wiki.example.org/mcp,Bearer of mark-of-ada']))
  })

  it('of 2026 asks the user in a result, and goes on with the answer', async () => {
    const { fetch } = modernServer()
    const connection = await connect(http('https://wiki.example.org/mcp'), (input, init) =>
      fetch(new Request(input, init)),
    )
    const answer = connection.call(
      { name: 'order', args: {}, timeoutMs: 20_000 },
      { onAsk: () => Promise.resolve({ action: 'accept', content: { copies: 2 } }) },
    )
    expect(await textOf(answer)).toBe('accept 2')
    // With nobody to ask, the card says that the server asks.
    expect(await call(connection, 'order')).toMatchObject({
      kind: 'answered',
      result: { resultType: 'input_required' },
    })
  })

  it.each([301, 302, 307, 308])('that redirects (%s) is not followed', async (status) => {
    let reached = 0
    const inside: Server = createServer((_request, response) => {
      reached += 1
      response.end('{}')
    }).listen(0, '127.0.0.1')
    await once(inside, 'listening')
    const { port } = inside.address() as { port: number }
    const outside: Server = createServer((_request, response) =>
      response.writeHead(status, { location: `http://[::ffff:127.0.0.1]:${port}/mcp` }).end(),
    ).listen(0, '127.0.0.1')
    await once(outside, 'listening')
    try {
      const from = (outside.address() as { port: number }).port
      await expect(connect(http(`http://127.0.0.1:${from}/mcp`))).rejects.toBeInstanceOf(NotStarted)
      expect(reached).toBe(0)
    } finally {
      inside.close()
      outside.close()
    }
  })
})
