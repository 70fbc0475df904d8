import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { expect, test } from '@playwright/test'
import { defaultRunLogTimes } from '@/lib/server/runs/run-log-reader'
import { verdictOf } from '@/lib/client/outbox/delivery'
import type { ConversationsResponse } from '@/lib/shared/conversation/wire/api-types'
import { startTestPostgres, type TestPostgres } from '@/lib/server/store/testing/postgres'
import { freePorts } from '@/scripts/setup/free-ports.mjs'
import { inRoot } from '@/scripts/setup/paths.mjs'
import { basePath, workerPorts } from './support/addresses'
import { createDirectVisitor } from './support/direct-visitor'
import { createHeadlessPage, type HeadlessPage, type Reading } from './support/page-of'
import { mountSmallDisk } from './support/small-disk'
import { startNod, type RunningNod } from './support/start-nod'
import { startStepModel, type HeldReply, type StepModel } from './support/step-model'

/* Servers of several processes, with a wrong clock, on a full disk. The visitor is the page's own code, without a
   browser. */

test.describe.configure({ mode: 'default' })

let postgres: TestPostgres
let model: StepModel
let port: number
const running: RunningNod[] = []
const folder = inRoot('.cache/e2e-processes')

test.beforeAll(async () => {
  port = await freePorts(5700 + workerPorts, 4)
  ;[postgres, model] = await Promise.all([startTestPostgres(), startStepModel()])
})
test.afterEach(async () => {
  const info = test.info()
  // Printed, because a runner may keep only the output.
  if (info.status !== info.expectedStatus) for (const nod of running) console.error(nod.said())
  await Promise.all(running.splice(0).map((nod) => nod.kill()))
})
test.afterAll(async () => {
  await model?.close()
  await postgres?.stop()
})

/** Returns its address. */
async function start(at: number, env: Record<string, string>, dataDir = `${folder}/${randomUUID()}`): Promise<string> {
  const common = { NOD_OPENAI_COMPATIBLE_URL: model.url, NOD_STALL_MS: '60s' }
  running.push(await startNod({ port: port + at, dataDir, env: { ...common, ...env } }))
  return `http://127.0.0.1:${port + at}`
}

async function holdReply(page: HeadlessPage) {
  const name = randomUUID()
  const runId = await page.say(`held:${name}`)
  return { runId, reply: await model.held(name) }
}
const textOf = (reading: Reading) => () => reading.message()?.text ?? ''
const ready = async (origin: string) => {
  const answer = await fetch(`${origin}${basePath}/api/ready`)
  return { status: answer.status, text: await answer.text() }
}

for (const kind of ['PostgreSQL', 'SQLite']) {
  // On SQLite it runs on each change in the test below, where one of them dies.
  const details = kind === 'SQLite' ? { tag: '@nightly' } : {}
  test(`two workers on ${kind} share replies, their queue and their stops`, details, async () => {
    const DATABASE_URL = kind === 'PostgreSQL' ? await postgres.createDatabase() : ''
    const origin = await start(0, { DATABASE_URL, NOD_WORKERS: '2', NOD_MAX_RUNS: '1', NOD_MAX_QUEUED: '10' })
    const visit = createDirectVisitor(() => origin)
    // A node reports for all its workers.
    await expect
      .poll(async () => JSON.parse((await ready(origin)).text) as unknown, { timeout: 30_000 })
      .toMatchObject({ workers: 2, maxReplies: 2 })
    // The visitor gets an owner before anything is sent, as from the page itself.
    await visit(basePath || '/')
    const names = Array.from({ length: 4 }, () => randomUUID())
    const said = await Promise.all(
      names.map(async (name) => {
        const page = createHeadlessPage(visit)
        const runId = await page.say(`held:${name}`)
        // Connections go to the workers in turn, so each reply is requested from both.
        return { name, page, runId, readings: Array.from({ length: 4 }, () => page.read(runId)) }
      }),
    )
    const isWaiting = ({ readings }: (typeof said)[number]) => readings.every(({ places }) => (places.at(-1) ?? 0) > 0)
    await expect.poll(() => said.filter(isWaiting).length).toBeGreaterThanOrEqual(2)
    // The model says which has started: a reply that is not known to wait may still be about to.
    const begun = await Promise.race(said.map((one) => model.held(one.name).then(() => one)))
    const first = said.find((one) => one !== begun && isWaiting(one))
    if (!first) throw new Error('one writes, two wait')

    // Stopped by whichever worker gets the request; nobody asks the model for it.
    expect(await first.page.api.stopRun(first.runId)).toMatchObject({ ok: true })
    for (const reading of first.readings) {
      expect(await reading.done).toBe('ended')
      expect(reading.message()).toMatchObject({ text: '', outcome: 'stopped' })
    }

    const reply = await model.held(begun.name)
    reply.say('one ')
    for (const reading of begun.readings) await expect.poll(textOf(reading)).toBe('one ')
    expect(await begun.page.api.stopRun(begun.runId)).toMatchObject({ ok: true })
    for (const reading of begun.readings) {
      expect(await reading.done).toBe('ended')
      expect(reading.message()).toMatchObject({ text: 'one ', outcome: 'stopped' })
    }

    // Its slot is free, so the waiting reply is requested.
    const rest = said.filter((one) => one !== first && one !== begun)
    const next = await Promise.race(rest.map(async (one) => ({ ...one, reply: await model.held(one.name) })))
    next.reply.say('its turn')
    next.reply.finish()
    for (const reading of next.readings) {
      expect(await reading.done).toBe('ended')
      expect(reading.message()).toMatchObject({ text: 'its turn', outcome: 'finished' })
    }
  })
}

/** The processes that a process has started. */
const childrenOf = (pid: number): readonly number[] =>
  execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' })
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number))
    .flatMap(([child = 0, parent = 0]) => (parent === pid ? [child] : []))

/** Far more than it takes: its supervisor sees the death and tells another worker, and heartbeats are missed after 5 s. */
const boundMs = 30_000

for (const kind of ['PostgreSQL', 'SQLite']) {
  test(
    `a worker on ${kind} that dies loses nothing: its replies are interrupted with their text, and a new one starts`,
    kind === 'SQLite' ? { tag: '@nightly' } : {},
    async () => {
      const DATABASE_URL = kind === 'PostgreSQL' ? await postgres.createDatabase() : ''
      const origin = await start(0, { DATABASE_URL, NOD_WORKERS: '2' })
      const supervisor = running.at(-1)?.pid ?? 0
      const visit = createDirectVisitor(() => origin)
      await visit(basePath || '/')
      await expect.poll(() => childrenOf(supervisor).length).toBe(2)
      // Connections go to the workers in turn, skipping a busy one: each writes one to three.
      const said: { readonly page: HeadlessPage; readonly runId: string; readonly reply: HeldReply }[] = []
      for (let count = 0; count < 4; count += 1) {
        const page = createHeadlessPage(visit)
        said.push({ page, ...(await holdReply(page)) })
      }
      // Two are read, by both workers; nobody reads the others.
      const readings = said.slice(0, 2).map(({ page, runId }) => [page.read(runId), page.read(runId)])
      for (const { reply } of said) reply.say('before ')
      for (const reading of readings.flat()) await expect.poll(textOf(reading)).toBe('before ')

      const [victim = 0] = childrenOf(supervisor)
      const diedAt = Date.now()
      process.kill(victim, 'SIGKILL')
      const lost = () => said.filter(({ reply }) => reply.isLost()).length
      await expect.poll(lost).toBeGreaterThan(0)
      const isLost = (at: number) => said[at]?.reply.isLost() === true
      // Opening a chat would check its reply; the list only shows what is known.
      const runningChats = async () => {
        const { conversations } = (await (await visit(`${basePath}/api/conversations`)).json()) as ConversationsResponse
        return conversations.filter((one) => one.running).length
      }
      await expect
        .poll(runningChats, { intervals: [100], timeout: diedAt + boundMs - Date.now() })
        .toBe(said.length - lost())
      expect(lost()).toBeLessThan(said.length)

      for (const [at, { page, reply }] of said.entries()) {
        reply.say('after')
        reply.finish()
        const whole = isLost(at)
          ? { text: 'before ', outcome: 'interrupted' }
          : { text: 'before after', outcome: 'finished' }
        for (const reading of readings[at] ?? []) {
          expect(await reading.done).toBe('ended')
          expect(reading.message()).toMatchObject(whole)
        }
        await expect
          .poll(async () => {
            const view = await page.api.view(page.conversationId)
            return view.ok && view.value.messages.at(-1)
          })
          .toMatchObject(whole)
      }
      await expect.poll(() => childrenOf(supervisor).filter((pid) => pid !== victim).length).toBe(2)
      for (let count = 0; count < 2; count += 1) {
        const page = createHeadlessPage(visit)
        const { runId, reply } = await holdReply(page)
        reply.finish()
        expect(await page.read(runId).done).toBe('ended')
      }
    },
  )
}

test(
  'a worker that stalls for longer than the heartbeat limit loses none of its replies',
  { tag: '@nightly' },
  async () => {
    const origin = await start(0, { NOD_WORKERS: '2' })
    const supervisor = running.at(-1)?.pid ?? 0
    const visit = createDirectVisitor(() => origin)
    await visit(basePath || '/')
    await expect.poll(() => childrenOf(supervisor).length).toBe(2)
    const said: { readonly reading: Reading; readonly reply: HeldReply }[] = []
    for (let count = 0; count < 4; count += 1) {
      const page = createHeadlessPage(visit)
      const { runId, reply } = await holdReply(page)
      said.push({ reading: page.read(runId), reply })
    }
    for (const { reply } of said) reply.say('before ')
    for (const { reading } of said) await expect.poll(textOf(reading)).toBe('before ')
    const [victim = 0] = childrenOf(supervisor)
    process.kill(victim, 'SIGSTOP')
    const from = Date.now()
    // The other worker checks all the time.
    await expect.poll(() => Date.now() - from, { timeout: 15_000 }).toBeGreaterThan(defaultRunLogTimes.deadMs + 2_000)
    process.kill(victim, 'SIGCONT')
    for (const { reading, reply } of said) {
      reply.say('after')
      reply.finish()
      expect(await reading.done).toBe('ended')
      expect(reading.message()).toMatchObject({ text: 'before after', outcome: 'finished' })
    }
  },
)

test(
  'accounts on two nodes: a proxy names the user, and an ended session ends on both at once',
  { tag: '@nightly' },
  async () => {
    const proxy = { address: '127.0.0.9', secret: 'what the proxy says to Nod' }
    const env = {
      DATABASE_URL: await postgres.createDatabase(),
      NOD_AUTH: 'password,header',
      NOD_AUTH_PROXIES: proxy.address,
      NOD_AUTH_PROXY_SECRET: proxy.secret,
      NOD_TRUST_PROXY: proxy.address,
    }
    const origins = [await start(0, env), await start(1, env)]
    const nodes = origins.keys().toArray()
    const person = (headers: Readonly<Record<string, string>> = {}, from = '127.0.0.1') => {
      let origin = ''
      const ask = createDirectVisitor(() => origin, headers, from)
      return (node: number) => {
        origin = origins[node] ?? ''
        return ask
      }
    }
    const post = (ask: typeof fetch, path: string, body: unknown) =>
      ask(`${basePath}${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }).then(({ status }) => status)
    const newChat = async (ask: typeof fetch) => {
      const id = randomUUID()
      expect(await post(ask, '/api/conversations', { id, settings: { model: 'demo/demo' } })).toBe(200)
      return id
    }
    const chatsOf = async (ask: typeof fetch) => {
      const answer = await ask(`${basePath}/api/conversations`)
      if (!answer.ok) return answer.status
      return ((await answer.json()) as ConversationsResponse).conversations.map(({ id }) => id)
    }
    const opened = async (ask: typeof fetch, id: string) => (await ask(`${basePath}/api/conversations/${id}`)).status

    // Behind the proxy: known on both nodes, in any browser; each user separately.
    const named = (user: string, more: Readonly<Record<string, string>> = {}) => ({
      'x-forwarded-user': user,
      'x-nod-proxy-secret': proxy.secret,
      'x-forwarded-for': '203.0.113.5',
      'x-forwarded-proto': 'https',
      ...more,
    })
    const hals = await newChat(person(named('hal'), proxy.address)(0))
    expect(await chatsOf(person(named('hal'), proxy.address)(1))).toEqual([hals])
    const ida = person(named('ida'), proxy.address)
    for (const node of nodes) expect([await chatsOf(ida(node)), await opened(ida(node), hals)]).toEqual([[], 404])
    // A client that sends all of the proxy's headers without being the proxy, and one that comes through it without them.
    const forged = [
      person(named('hal', { 'x-nod-peer': proxy.address })),
      person(named('hal', { 'x-nod-proxy-secret': 'a guess at the secret' }), proxy.address),
    ]
    for (const who of forged)
      for (const node of nodes) expect([await chatsOf(who(node)), await opened(who(node), hals)]).toEqual([403, 403])

    const account = { email: `${randomUUID()}@example.com`, password: 'correct horse battery' }
    const [first, second, stranger] = [person(), person(), person()]
    expect(await post(first(0), '/api/account/sign-up', account)).toBe(200)
    expect(await post(second(1), '/api/account/sign-in', account)).toBe(200)
    const own = await newChat(first(0))
    for (const node of nodes) expect(await chatsOf(second(node))).toEqual([own])
    const { sessions } = (await (await first(0)(`${basePath}/api/account`)).json()) as {
      readonly sessions: readonly { readonly id: string; readonly here: boolean }[]
    }
    const other = sessions.find(({ here }) => !here)
    const ended = await first(0)(`${basePath}/api/account/sessions/${other?.id}`, { method: 'DELETE' })
    expect(ended.status).toBe(204)
    for (const who of [second, stranger])
      for (const node of nodes.toReversed())
        expect([await chatsOf(who(node)), await opened(who(node), own)]).toEqual([[], 404])
    for (const node of nodes) expect(await chatsOf(first(node))).toEqual([own])
  },
)

test('nodes whose clocks are an hour off work like every other', { tag: '@nightly' }, async () => {
  const DATABASE_URL = await postgres.createDatabase()
  const skewed = (hours: number) => ({
    DATABASE_URL,
    NODE_OPTIONS: `--import=${inRoot('e2e/fixtures/wrong-clock.mjs')}`,
    TEST_SKEW_MS: String(hours * 3_600_000),
  })
  const origins = [await start(0, { DATABASE_URL }), await start(1, skewed(1)), await start(2, skewed(-1))]
  const hoursOff = (time: number) => Math.round((time - Date.now()) / 3_600_000) + 0
  const clockOf = (hours: number) =>
    hoursOff(
      Number(
        execFileSync(process.execPath, ['-e', 'process.stdout.write(String(Date.now()))'], {
          env: { ...process.env, ...skewed(hours) },
          encoding: 'utf8',
        }),
      ),
    )
  expect([clockOf(1), clockOf(-1)]).toEqual([1, -1])
  // Each starts at a different node, and then asks them in turn.
  const replies = await Promise.all(
    origins.map(async (_, first) => {
      let turn = first
      const page = createHeadlessPage(createDirectVisitor(() => origins[turn++ % origins.length] ?? ''))
      const { runId, reply } = await holdReply(page)
      const readings = origins.map(() => page.read(runId))
      reply.say('before ')
      for (const reading of readings) await expect.poll(textOf(reading)).toBe('before ')
      const view = await page.api.view(page.conversationId)
      const sentAt = view.ok ? (view.value.messages[0]?.createdAt ?? 0) : 0
      return { page, reply, readings, hoursOff: hoursOff(sentAt) }
    }),
  )
  // Messages are dated by the store's clock.
  expect(replies.map((reply) => reply.hoursOff)).toEqual([0, 0, 0])
  // Longer than the heartbeat limit: a node judged by a wrong clock would be considered dead.
  await wait(9_000)
  for (const { page, reply, readings } of replies) {
    reply.say('after')
    reply.finish()
    for (const reading of readings) {
      expect(await reading.done).toBe('ended')
      expect(reading.message()).toMatchObject({ text: 'before after', outcome: 'finished' })
    }
    const again = await holdReply(page)
    again.reply.say('once more')
    again.reply.finish()
    expect(await page.read(again.runId).done).toBe('ended')
    const view = await page.api.view(page.conversationId)
    const texts = view.ok ? view.value.messages.map(({ role, text }) => (role === 'user' ? role : text)) : []
    expect(texts).toEqual(['user', 'before after', 'user', 'once more'])
  }
})

test('a full disk is reported, loses nothing, and recovers when there is room', async () => {
  const dataDir = `${folder}/disk`
  const disk = mountSmallDisk(dataDir, 8_000_000)
  try {
    const origin = await start(0, {}, dataDir)
    const page = createHeadlessPage(createDirectVisitor(() => origin))
    const { runId, reply } = await holdReply(page)
    const reading = page.read(runId)
    reply.say('before ')
    await expect.poll(textOf(reading)).toBe('before ')

    disk.fill()
    reply.say('while it is full ')
    expect(await ready(origin)).toMatchObject({
      status: 503,
      text: expect.stringContaining('The disk is full'),
    })
    const other = createHeadlessPage(createDirectVisitor(() => origin))
    const append = { kind: 'user', id: randomUUID(), parentId: null, text: 'x'.repeat(100_000) } as const
    const ask = () => other.api.chat({ conversationId: other.conversationId, append, create: {} })
    const refused = await ask()
    expect(refused.ok ? null : [refused.error.status, verdictOf(refused.error), refused.error.message]).toEqual([
      503,
      'later',
      expect.stringContaining('The disk is full'),
    ])

    disk.free()
    reply.say('and after')
    reply.finish()
    expect(await reading.done).toBe('ended')
    const whole = { text: 'before while it is full and after', outcome: 'finished', failure: null }
    expect(reading.message()).toMatchObject(whole)
    const view = await page.api.view(page.conversationId)
    expect(view.ok && view.value.messages.at(-1)).toMatchObject(whole)
    expect(await ready(origin)).toMatchObject({ status: 200 })
    // The refused message is accepted now, with its own id.
    expect(await ask()).toMatchObject({ ok: true })
  } finally {
    await Promise.all(running.splice(0).map((nod) => nod.kill()))
    disk.remove()
  }
})

test('health checks need not know the server’s name, all other requests do', async () => {
  const NOD_METRICS_TOKEN = 'a token for the metrics'
  const origin = await start(0, {
    NOD_ALLOWED_HOSTS: 'chat.example.com',
    NOD_TRUST_PROXY: '10.0.0.0/8',
    NOD_METRICS_TOKEN,
  })
  // Like a kubelet and Prometheus: the pod's own address.
  const byAddress = createDirectVisitor(() => origin, {
    host: '10.244.1.7:3000',
    'user-agent': 'kube-probe/1.31',
    authorization: `Bearer ${NOD_METRICS_TOKEN}`,
  })
  const byName = createDirectVisitor(() => origin, { host: 'chat.example.com' })
  const statuses = async (visit: typeof fetch, ...paths: string[]) =>
    Promise.all(paths.map(async (one) => (await visit(`${basePath}${one}`)).status))
  expect(await statuses(byAddress, '/api/health', '/api/ready', '/api/metrics')).toEqual([200, 200, 200])
  expect(await statuses(byAddress, '', '/api/models', '/c/1')).toEqual([421, 421, 421])
  expect(await statuses(byName, '', '/api/models', '/api/ready')).toEqual([200, 200, 200])
})
