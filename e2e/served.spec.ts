import { execFileSync, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { Agent, request as ask, type IncomingHttpHeaders } from 'node:http'
import path from 'node:path'
import { expect, test } from '@playwright/test'
import type { AssetManifest } from '@/lib/serve/asset'
import { serverEntry } from '@/scripts/setup/paths.mjs'
import { untilUp } from '@/scripts/setup/until-up.mjs'
import { appUrl, basePath, restartPort } from './support/addresses'
import { startNod } from './support/start-nod'

/* What the server's entry adds to Next: files of the build, and several processes. No browser is needed to see it. */

interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
}

/** On a connection of its own, so that workers answer in turn; `onText` hears what has come so far. */
const send = (
  url: string,
  options: { readonly method?: string; readonly headers?: Record<string, string>; readonly body?: unknown } = {},
  onText: (text: string) => void = () => undefined,
): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const { method = 'GET', headers = {}, body } = options
    const type = body === undefined ? {} : { 'content-type': 'application/json' }
    const sent = ask(url, { method, headers: { ...type, ...headers }, agent: new Agent() }, (response) => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (chunk: string) => {
        text += chunk
        onText(text)
      })
      // Also when the one who answers dies in the middle of it.
      response.once('close', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }))
      response.once('error', () => undefined)
    })
    sent.once('error', reject)
    sent.end(body === undefined ? undefined : JSON.stringify(body))
  })

test('every file has the headers that Next would give it', async () => {
  const release = path.dirname(serverEntry())
  const manifest = JSON.parse(readFileSync(path.join(release, 'assets.json'), 'utf8')) as AssetManifest
  const files = Object.keys(manifest)
  expect(files).toContain(`${basePath}/sandbox.html`)
  expect(files.length).toBeGreaterThan(50)

  const next = ['node_modules/next/dist/bin/next', 'start', '-H', '127.0.0.1', '-p', String(restartPort)]
  const child = spawn(process.execPath, next, {
    stdio: 'ignore',
    env: { ...process.env, NOD_DATA_DIR: '.cache/e2e-next' },
  })
  try {
    await untilUp(`http://127.0.0.1:${restartPort}${basePath}/show.html`)
    // Each is the server's own: how long a connection stays, how a file is packed, and by what it is known again.
    const own = /^(?:date|connection|keep-alive|etag|last-modified|vary|content-length|transfer-encoding|x-request-id)$/
    // What these may reach is the operator's to say: their policy is made when the server starts.
    const reachesOut = /\/workers\/(?:models|wllama)\.js$/
    const said = ({ headers }: Answer, file: string) =>
      Object.entries(headers)
        .filter(([name]) => !own.test(name) && !(name === 'content-security-policy' && reachesOut.test(file)))
        .toSorted(([a], [b]) => a.localeCompare(b))
    await Promise.all(
      // The service worker is made of what the build wrote, so after it: Next knows nothing of it.
      files
        .filter((file) => !/\/sw(?:-off)?\.js$/.test(file))
        .map(async (file) => {
          const ours = await send(`${new URL(appUrl).origin}${file}`)
          const theirs = await send(`http://127.0.0.1:${restartPort}${file}`)
          expect([file, ours.status, said(ours, file)]).toEqual([file, theirs.status, said(theirs, file)])
        }),
    )
  } finally {
    child.kill('SIGKILL')
  }
})

test('pages are packed as the browser likes them, events never', async () => {
  const page = (accept: string) => send(appUrl, { headers: { 'accept-encoding': accept } })
  expect((await page('gzip, deflate, br, zstd')).headers['content-encoding']).toBe('br')
  expect((await page('gzip')).headers['content-encoding']).toBe('gzip')
  expect((await page('identity')).headers['content-encoding']).toBeUndefined()
})

/** The processes that a process has started. */
const childrenOf = (pid: number): readonly number[] =>
  execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' })
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number))
    .flatMap(([child = 0, parent = 0]) => (parent === pid ? [child] : []))

test('a worker that dies takes nothing along: its replies keep their text and say so, another one takes its place', async () => {
  const dataDir = test.info().outputPath('data')
  const nod = await startNod({ port: restartPort, dataDir, env: { NOD_WORKERS: '2', NOD_DEMO_DELAY_MS: '30' } })
  try {
    const base = `http://127.0.0.1:${restartPort}${basePath}`
    await expect.poll(() => childrenOf(nod.pid).length).toBe(2)
    const [cookie = ''] = (await send(base)).headers['set-cookie']?.[0]?.split(';') ?? []
    const post = async (url: string, body: unknown) => {
      const answer = await send(`${base}${url}`, { method: 'POST', headers: { cookie }, body })
      expect(answer.status, answer.text).toBe(200)
      return JSON.parse(answer.text) as { readonly runId: string }
    }
    const begin = async () => {
      const id = randomUUID()
      await post('/api/conversations', { id, settings: { model: 'demo/demo' } })
      const append = { kind: 'user', id: randomUUID(), parentId: null, text: 'a long reply' }
      const { runId } = await post('/api/chat', { conversationId: id, append })
      return { id, runId }
    }

    // Wherever a reply is written, its events are read on the next connection, so by the other worker.
    const replies = await Promise.all([begin(), begin(), begin(), begin()])
    const seen = new Map<string, string>()
    const views = replies.map(({ runId }) =>
      send(`${base}/api/runs/${runId}/events?after=0`, { headers: { cookie } }, (text) => seen.set(runId, text)).catch(
        () => null,
      ),
    )
    await expect.poll(() => replies.filter(({ runId }) => /"delta"/.test(seen.get(runId) ?? '')).length).toBe(4)
    const [victim = 0] = childrenOf(nod.pid)
    process.kill(victim, 'SIGKILL')
    await Promise.all(views)

    // Another process stands in the place, and what is sent now is answered.
    await expect.poll(() => childrenOf(nod.pid).filter((pid) => pid !== victim).length).toBe(2)
    await begin()

    const messageOf = async ({ id }: { readonly id: string }) => {
      const { text } = await send(`${base}/api/conversations/${id}`, { headers: { cookie } })
      const { messages } = JSON.parse(text) as {
        readonly messages: readonly { readonly role: string; readonly text: string; readonly outcome?: string | null }[]
      }
      return messages.findLast(({ role }) => role === 'assistant')
    }
    const outcomes = async () => (await Promise.all(replies.map(messageOf))).map((message) => message?.outcome)
    await expect.poll(outcomes, { timeout: 30_000 }).not.toContain(null)
    const ended = await outcomes()
    expect(ended).toContain('interrupted')
    for (const reply of replies) {
      const message = await messageOf(reply)
      if (message?.outcome === 'interrupted') expect(message.text.length).toBeGreaterThan(0)
      else expect(message?.text).toContain('That was the long reply')
    }
  } finally {
    await nod.kill()
  }
})
