import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { brotliDecompressSync } from 'node:zlib'
import { expect, test } from '@playwright/test'
import { defaultRunLogTimes } from '@/lib/server/runs/run-log-reader'
import { readLines } from '@/lib/client/api/ndjson'
import { startTestPostgres, type TestPostgres } from '@/lib/server/store/testing/postgres'
import { freePorts } from '@/scripts/setup/free-ports.mjs'
import { inRoot } from '@/scripts/setup/paths.mjs'
import { basePath, workerPorts } from './support/addresses'
import { createHeadlessPage, type HeadlessPage, type Reading } from './support/page-of'
import { proxies, proxyName, type Proxy } from './support/proxies'
import { startNod, type RunningNod } from './support/start-nod'
import { spokenWords, startStepModel, type StepModel } from './support/step-model'
import { createVisitor, type Visitor } from './support/visitor'

/*
 * Two nodes on one PostgreSQL behind a real proxy, with the configuration files that the repository ships. The visitor
 * is no browser but the page's own requests, retries and reader over HTTP/2, because the journeys test what is between
 * them and the nodes.
 */

// One after the other: they share the nodes, and stop them.
test.describe.configure({ mode: 'default' })

type ProxyName = keyof typeof proxies
const names = Object.keys(proxies) as ProxyName[]
// Fifty need a dedicated machine to be answered in time: nightly, and whenever this file is named.
const USERS = process.env['NOD_TESTS'] === 'all' ? 50 : 10
const NEWCOMERS = 30

let postgres: TestPostgres
let model: StepModel
let databaseUrl: string
let ports: readonly number[]
const nodes: RunningNod[] = []
const fronts = new Map<ProxyName, Proxy>()
const visitors: Visitor[] = []
const folder = inRoot('.cache/e2e-nodes')

const portOf = (node: number): number => ports[node] ?? 0
const addressOf = (node: number): string => `http://127.0.0.1:${portOf(node)}`

/** The folder of another release, built before; the nodes are updated from it to this one. */
const releaseBefore = process.env['NOD_E2E_FROM']

async function startNode(node: number, project?: string): Promise<void> {
  nodes[node] = await startNod({
    port: portOf(node),
    project,
    dataDir: `${folder}/node-${node}`,
    env: {
      DATABASE_URL: databaseUrl,
      NOD_ALLOWED_HOSTS: proxyName,
      NOD_TRUST_PROXY: '127.0.0.1/32',
      NOD_OPENAI_COMPATIBLE_URL: model.url,
      NOD_NEWCOMERS_PER_HOUR: String(NEWCOMERS),
      NOD_STALL_MS: '60s',
    },
  })
}

function visit(name: ProxyName, address = '127.0.0.2', headers: Record<string, string> = {}): Visitor {
  const proxy = fronts.get(name)
  if (!proxy) throw new Error(`${name} was not started`)
  const visitor = createVisitor({ proxy, address, headers })
  visitors.push(visitor)
  return visitor
}

/** The same person at a node itself, as its proxy would ask. */
const atNode = (node: number, visitor: Visitor): typeof fetch =>
  ((path: string, init: RequestInit = {}) => {
    const headers = new Headers(init.headers)
    headers.set('cookie', visitor.cookies.map((cookie) => cookie.split(';')[0]).join('; '))
    headers.set('x-forwarded-proto', 'https')
    return fetch(`${addressOf(node)}${path}`, { ...init, headers })
  }) as typeof fetch

test.beforeAll(async () => {
  await rm(folder, { recursive: true, force: true })
  const first = await freePorts(5400 + workerPorts, 6)
  ports = [first, first + 1]
  ;[postgres, model] = await Promise.all([startTestPostgres(), startStepModel()])
  // Answers survive a crash, as in PostgreSQL by default; the tests' own database is fast instead.
  const durable = new URLSearchParams({ options: '-c synchronous_commit=on' })
  databaseUrl = `${await postgres.createDatabase()}&${durable.toString().replaceAll('+', '%20')}`
  // One after the other: the first one creates the tables.
  await startNode(0, releaseBefore)
  await startNode(1, releaseBefore)
  names.forEach((name, at) => {
    const [port, plainPort] = [first + 2 + at * 2, first + 3 + at * 2]
    fronts.set(name, proxies[name]({ port, plainPort, nodes: ports, folder: `${folder}/${name}` }))
  })
  for (const name of names) {
    await expect
      .poll(
        () =>
          Promise.resolve()
            .then(() => visit(name).fetch(`${basePath}/api/ready`))
            .then(({ status }) => status)
            .catch((error: unknown) => `${String(error)} ${fronts.get(name)?.log() ?? ''}`),
        { timeout: 60_000 },
      )
      .toBe(200)
  }
})

test.afterAll(async () => {
  for (const visitor of visitors) visitor.close()
  await Promise.all([...fronts.values()].map((proxy) => proxy.stop()))
  await Promise.all(nodes.map((node) => node.kill()))
  await model?.close()
  await postgres?.stop()
})

const textOf = (reading: Reading) => () => reading.message()?.text ?? ''

/** Starts a reply that the test controls. */
async function holdReply(page: HeadlessPage) {
  const name = randomUUID()
  const runId = await page.say(`held:${name}`)
  return { runId, reply: await model.held(name) }
}

for (const name of names) {
  test(`${name}: a reply arrives token by token, each before the next one is written`, async () => {
    const page = createHeadlessPage(visit(name).fetch)
    const { runId, reply } = await holdReply(page)
    const reading = page.read(runId)
    let said = ''
    for (const word of ['One ', 'after ', 'the ', 'other.']) {
      said += word
      reply.say(word)
      await expect.poll(textOf(reading)).toBe(said)
    }
    reply.finish()
    expect(await reading.done).toBe('ended')
    expect(reading.message()?.outcome).toBe('finished')
    expect(reading.connections).toEqual(['live'])
  })

  test(`${name}: files and pages are compressed, with the node’s headers`, async () => {
    const { fetch: ask } = visit(name)
    const packed = { headers: { 'accept-encoding': 'br, gzip' } }
    const page = await ask(basePath === '' ? '/' : basePath, packed)
    expect([page.status, page.headers.get('content-encoding')]).toEqual([200, 'br'])
    const html = brotliDecompressSync(await page.arrayBuffer()).toString('utf8')
    const script = /[^"]*\/_next\/static\/[^"]+\.js/.exec(html)?.[0] ?? ''
    const [small, plain] = [await ask(script, packed), await ask(script)]
    expect(small.headers.get('content-encoding')).toBe('br')
    expect(small.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect(small.headers.get('vary')?.toLowerCase()).toContain('accept-encoding')
    const bytes = Buffer.from(await small.arrayBuffer())
    expect(Number(small.headers.get('content-length'))).toBe(bytes.length)
    const whole = Buffer.from(await plain.arrayBuffer())
    expect(bytes.length).toBeLessThan(whole.length)
    expect(brotliDecompressSync(bytes).equals(whole)).toBe(true)
    const again = await ask(script, {
      headers: { ...packed.headers, 'if-none-match': small.headers.get('etag') ?? '' },
    })
    expect(again.status).toBe(304)
  })

  test(`${name}: the proxy’s headers about the visitor are trusted, the visitor’s own are not`, async () => {
    const forged = { 'x-forwarded-proto': 'http', 'x-forwarded-host': 'evil.example', 'x-request-id': 'forged' }
    const honest = visit(name, '127.0.0.3', forged)
    const { headers } = await honest.fetch(`${basePath}/api/models`)
    expect(headers.get('x-request-id')).not.toBe('forged')
    await createHeadlessPage(honest.fetch).say('hi')
    expect(honest.cookies.at(-1)).toMatch(/^__(?:Host|Secure)-.*; Secure/)

    // A visitor that claims another address each time is counted by its real one.
    const begin = ({ fetch: ask }: Visitor) =>
      ask(`${basePath}/api/conversations`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ id: randomUUID() }),
      }).then(({ status }) => status)
    const crowd = Array.from({ length: NEWCOMERS + 10 }, (_, at) =>
      visit(name, `127.0.${names.indexOf(name) + 6}.4`, {
        'x-forwarded-for': `198.51.100.${at}`,
        forwarded: `for=198.51.100.${at}`,
      }),
    )
    const answers = await Promise.all(crowd.map(begin))
    expect(answers.filter((status) => status === 200)).toHaveLength(NEWCOMERS)
    expect(answers.filter((status) => status === 429)).toHaveLength(10)
    expect(await begin(visit(name, `127.0.${names.indexOf(name) + 6}.5`))).toBe(200)
  })
}

test('a silent reply is kept alive through both proxies, and continues', { tag: '@nightly' }, async () => {
  await Promise.all(
    names.map(async (name) => {
      const visitor = visit(name)
      const page = createHeadlessPage(visitor.fetch)
      const { runId, reply } = await holdReply(page)
      const { body } = await visitor.fetch(`${basePath}/api/runs/${runId}/events?after=0`)
      if (body === null) throw new Error('no events')
      const lines = readLines(body)
      // One line comes immediately, so that the headers are sent; the others are those of the silence.
      for (let blank = 0; blank < 3;) if ((await lines.next()).value === '') blank += 1
      reply.say('At last.')
      reply.finish()
      let came = ''
      for await (const line of lines) came += line
      expect(came).toContain('At last.')
      expect(came).toContain('"finished"')
    }),
  )
})

test('a chat continues at one node and is read at the other, token by token', async () => {
  const visitor = visit('nginx')
  const page = createHeadlessPage(visitor.fetch)
  const before = page.read(await page.say('hi'))
  expect(await before.done).toBe('ended')
  const [here, there] = [0, 1].map((node) => createHeadlessPage(atNode(node, visitor)).api)
  const name = randomUUID()
  const parentId = before.message()?.id ?? null
  const append = { kind: 'user', id: randomUUID(), parentId, text: `held:${name}` } as const
  const sent = await here?.chat({ conversationId: page.conversationId, append })
  if (!sent?.ok) throw new Error('the message was not taken')
  const reply = await model.held(name)
  const reading = createHeadlessPage(atNode(1, visitor)).read(sent.value.runId)
  reply.say('From there ')
  await expect.poll(textOf(reading)).toBe('From there ')
  reply.say('to here.')
  reply.finish()
  expect(await reading.done).toBe('ended')
  const view = await there?.view(page.conversationId)
  expect(view?.ok && view.value.messages.map(({ text }) => text).slice(-2)).toEqual([
    `held:${name}`,
    'From there to here.',
  ])
})

const misfortunes: readonly (readonly [string, () => Promise<void>])[] = [
  ['that crashes', () => postgres.crash()],
  ['whose machine fails', () => postgres.restart('immediate')],
  ['that is restarted', () => postgres.restart('fast')],
]

for (const [what, happens] of misfortunes) {
  test(`a database ${what} under running replies costs them nothing`, async () => {
    const pages = names.map((name) => createHeadlessPage(visit(name).fetch))
    // Tokens arrive without a pause around it, and one after it.
    const speaking = await Promise.all(
      names.map(async (name) => {
        const page = createHeadlessPage(visit(name).fetch)
        const reading = page.read(await page.say('hi'))
        await expect.poll(textOf(reading)).toContain(spokenWords[2])
        return { page, reading }
      }),
    )
    const running = await Promise.all(
      pages.map(async (page) => {
        const { runId, reply } = await holdReply(page)
        const reading = page.read(runId)
        reply.say('before ')
        await expect.poll(textOf(reading)).toBe('before ')
        return { page, reply, reading }
      }),
    )
    const newVisitor = createHeadlessPage(visit('caddy').fetch)
    const [sent] = await Promise.all([newVisitor.say('hi'), happens()])
    for (const { page, reply, reading } of running) {
      reply.say('after')
      reply.finish()
      expect(await reading.done).toBe('ended')
      expect(reading.message()).toMatchObject({ text: 'before after', failure: null, outcome: 'finished' })
      const view = await page.api.view(page.conversationId)
      expect(view.ok && view.value.messages.at(-1)).toMatchObject({ text: 'before after', outcome: 'finished' })
    }
    // The longest wait of a visitor who sent something in the middle of it.
    for (const { page, reading } of [...speaking, { page: newVisitor, reading: newVisitor.read(sent) }]) {
      expect(await reading.done).toBe('ended')
      const whole = { text: spokenWords.join(''), outcome: 'finished', failure: null }
      expect(reading.message()).toMatchObject(whole)
      const view = await page.api.view(page.conversationId)
      expect(view.ok && view.value.messages.at(-1)).toMatchObject(whole)
    }
  })
}

test(
  'a node that stalls for longer than the heartbeat limit loses none of its replies',
  { tag: '@nightly' },
  async () => {
    const visitor = visit('nginx')
    const first = createHeadlessPage(visitor.fetch)
    await first.read(await first.say('hi')).done
    const page = createHeadlessPage(atNode(0, visitor))
    const { runId, reply } = await holdReply(page)
    const reading = createHeadlessPage(atNode(1, visitor)).read(runId)
    reply.say('before ')
    await expect.poll(textOf(reading)).toBe('before ')
    nodes[0]?.stand()
    try {
      const from = Date.now()
      // The other node checks all the time, for its reader and by itself.
      await expect.poll(() => Date.now() - from, { timeout: 15_000 }).toBeGreaterThan(defaultRunLogTimes.deadMs + 2_000)
    } finally {
      nodes[0]?.goOn()
    }
    reply.say('after')
    reply.finish()
    expect(await reading.done).toBe('ended')
    expect(reading.message()).toMatchObject({ text: 'before after', outcome: 'finished' })
  },
)

test('a killed node interrupts its own replies, which keep their text and say so', { tag: '@nightly' }, async () => {
  const visitor = visit('nginx')
  const first = createHeadlessPage(visitor.fetch)
  await first.read(await first.say('hi')).done
  const [doomed, safe] = await Promise.all(
    [0, 1].map(async (node) => {
      const page = createHeadlessPage(atNode(node, visitor))
      const { runId, reply } = await holdReply(page)
      // Read through the proxy, from whichever node it asks.
      const reading = first.read(runId)
      reply.say('before ')
      await expect.poll(textOf(reading)).toBe('before ')
      return { reply, reading }
    }),
  )
  await nodes[0]?.kill()
  expect(await doomed?.reading.done).toBe('ended')
  expect(doomed?.reading.message()).toMatchObject({ text: 'before ', outcome: 'interrupted' })
  safe?.reply.say('after')
  safe?.reply.finish()
  expect(await safe?.reading.done).toBe('ended')
  expect(safe?.reading.message()).toMatchObject({ text: 'before after', outcome: 'finished' })
  await startNode(0)
})

// 30 s of both cores each, so nightly. What a node does during shutdown is tested above and in processes.spec.ts.
for (const name of ['nginx', 'caddy'] as const) {
  test(
    `${name}: both nodes are restarted under ${USERS} users, and nobody sees a failed request`,
    { tag: '@nightly' },
    async () => {
      let over = false
      const problems: string[] = []
      /** A timeline, to explain why a reply was interrupted. */
      const marks: string[] = []
      const from = Date.now()
      const mark = (what: string) => void marks.push(`${((Date.now() - from) / 1000).toFixed(1)} s: ${what}`)
      const outcomes = new Map<string, number>()
      const people = Array.from({ length: USERS }, async (_, at) => {
        const visitor = visit(name, `127.1.${names.indexOf(name) + 6}.${at + 1}`)
        const page = createHeadlessPage(visitor.fetch)
        // One more after the last restart, to show what it broke.
        for (let last = false; !last;) {
          last = over
          const askedAt = Date.now()
          const runId = await page.say('hi')
          const takenAt = Date.now()
          const reading = page.read(runId)
          const how = await reading.done
          const { text = '', outcome = null } = reading.message() ?? {}
          const key = how === 'ended' ? String(outcome) : how
          outcomes.set(key, (outcomes.get(key) ?? 0) + 1)
          if (text !== spokenWords.join('')) {
            problems.push(`a reply ${key} with “${text.slice(-40)}”`)
            const [sending, writing] = [takenAt - askedAt, Date.now() - takenAt]
            mark(
              `${runId} ${key}, taken after ${sending} ms, ended after ${writing} ms, queued ${reading.places.join()}`,
            )
          }
          const opened = await visitor.fetch(`${basePath}/c/${page.conversationId}`)
          if (!opened.ok || !(await opened.text()).includes('<html'))
            problems.push(`the page answered ${opened.status}`)
          const view = await page.api.view(page.conversationId)
          if (!view.ok) problems.push(`the chat could not be opened: ${view.error.status} ${view.error.message}`)
          else if (view.value.messages.at(-1)?.text !== text) problems.push('the stored reply is another one')
        }
        return visitor
      })
      const all = Promise.all(people)
      await expect
        .poll(() => [...outcomes.values()].reduce((sum, count) => sum + count, 0), { timeout: 60_000 })
        .toBeGreaterThan(USERS / 2)
      for (const node of [0, 1]) {
        mark(`node ${node} is told to go`)
        const going = nodes[node]
        expect(await going?.end(), `node ${node} ended by itself`).toBe(0)
        mark(`node ${node} is gone; it said: ${going?.said()}`)
        await startNode(node)
        mark(`node ${node} is back`)
      }
      over = true
      const asked = (await all).flatMap(({ exchanges }) => exchanges)
      const failures = new Map<string, number>()
      for (const { what, status, why = '' } of asked) {
        if (status >= 200 && status < 400) continue
        const key = `${what} ${status} ${why.slice(0, 120)}`
        failures.set(key, (failures.get(key) ?? 0) + 1)
      }
      const figures = { requests: asked.length, replies: [...outcomes], failed: [...failures] }
      test.info().annotations.push({ type: 'figures', description: JSON.stringify(figures) })
      console.log(`${name}: ${JSON.stringify(figures)}`)
      if (problems.length > 0) console.error([...marks, ...nodes.map((node) => node.said())].join('\n'))
      if (failures.size > 0) console.error([...marks, fronts.get(name)?.log()].join('\n'))
      expect(problems, JSON.stringify(figures)).toEqual([])
      expect([...outcomes.keys()]).toEqual(['finished'])
      // Nothing had to be retried, either: the page could, and did not need to.
      expect([...failures], JSON.stringify(figures)).toEqual([])
    },
  )
}
